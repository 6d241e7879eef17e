// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/opencl/nesting_guard.h"

#include "runtime/base/work_limit.h"

#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <vector>

namespace us::frontend::opencl {
namespace {

using clang::tok::TokenKind;

/// The parser needs several times the stack of a plain operator for one of these.
constexpr unsigned kStackOfTypeOperator = 8;

bool isTypeOperator(TokenKind kind) {
  return kind == TokenKind::kw_sizeof || kind == TokenKind::kw__Alignof || kind == TokenKind::kw___alignof ||
         kind == TokenKind::kw_vec_step || kind == TokenKind::kw___extension__;
}

class NestingGuard {
public:
  explicit NestingGuard(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void operator()(const clang::Token &token) {
    if (stopped_) return end(token);
    // Macros make a short source as long as they like.
    if (++tokens_ % 1024 == 0) workStep();
    const TokenKind kind = token.getKind();
    if (kind == TokenKind::identifier || clang::tok::isLiteral(kind)) {
      noteOther();
      return;
    }
    switch (kind) {
    case TokenKind::l_brace:
      operators_ = 0;
      noteOther();
      statements_.push_back({});
      return;
    case TokenKind::r_brace:
      operators_ = 0;
      if (statements_.size() > 1) statements_.pop_back();
      statements_.back().ended = true;
      return;
    case TokenKind::semi:
      operators_ = 0;
      if (parentheses_ == 0) statements_.back().ended = true;
      return;
    case TokenKind::comma:
      operators_ = 0;
      return;
    case TokenKind::l_paren:
      ++parentheses_;
      break;
    case TokenKind::r_paren:
      parentheses_ -= parentheses_ > 0;
      return;
    case TokenKind::kw_else:
      statements_.back().ended = false;
      noteNested(token);
      return;
    case TokenKind::kw_if:
    case TokenKind::kw_for:
    case TokenKind::kw_while:
    case TokenKind::kw_do:
    case TokenKind::kw_switch:
      noteOther();
      noteNested(token);
      return;
    default:
      break;
    }
    noteOther();
    operators_ += isTypeOperator(kind) ? kStackOfTypeOperator : 1;
    if (operators_ > kMaxOperatorsInExpression) stop(token, "expression has too many operators");
  }

private:
  struct Statement {
    unsigned nesting = 0;
    bool ended = false; ///< complete unless an else follows
  };

  void noteOther() {
    if (statements_.back().ended) statements_.back() = {};
  }

  void noteNested(const clang::Token &token) {
    if (++statements_.back().nesting > kMaxStatementNesting) stop(token, "statements are nested too deeply");
  }

  template <unsigned N> void stop(const clang::Token &token, const char (&message)[N]) {
    stopped_ = true;
    clang::DiagnosticsEngine &diagnostics = preprocessor_.getDiagnostics();
    diagnostics.Report(token.getLocation(), diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal, message));
    end(token);
  }

  /// The preprocessor has no way to stop; but the token is its own variable, and the parser leaves at an end of file.
  static void end(const clang::Token &token) { const_cast<clang::Token &>(token).setKind(TokenKind::eof); }

  clang::Preprocessor &preprocessor_;
  std::vector<Statement> statements_{1}; ///< one per open brace
  unsigned operators_ = 0, parentheses_ = 0, tokens_ = 0;
  bool stopped_ = false;
};

/// The line's first word behind '#' is if or elif.
bool isCondition(llvm::StringRef line) {
  line = line.ltrim(" \t");
  if (!line.consume_front("#")) return false;
  line = line.ltrim(" \t");
  return line.starts_with("if") || line.starts_with("elif");
}

} // namespace

bool hasEndlessCondition(llvm::StringRef source) {
  for (size_t begin = 0; begin < source.size();) {
    size_t end = source.find('\n', begin);
    while (end != source.npos && end > begin && source[end - 1] == '\\') end = source.find('\n', end + 1);
    end = std::min(end, source.size());
    if (end - begin > kMaxConditionLength && isCondition(source.slice(begin, end))) return true;
    begin = end + 1;
  }
  return false;
}

void guardNesting(clang::Preprocessor &preprocessor) {
  preprocessor.setTokenWatcher(
      [guard = NestingGuard(preprocessor)](const clang::Token &token) mutable { guard(token); });
}

} // namespace us::frontend::opencl
