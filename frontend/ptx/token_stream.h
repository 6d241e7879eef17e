// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens as the parser takes them, and constant expressions.
#pragma once

#include "frontend/ptx/lexer.h"

namespace us::frontend::ptx {

class TokenStream {
public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token &peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  Place place() const { return peek().place; }
  const Token &next() {
    const Token &token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool atEnd() const { return peek().kind == TokenKind::End; }
  /// Takes the symbol if it comes next.
  bool accept(std::string_view symbol) {
    if (!peek().isSymbol(symbol)) return false;
    next();
    return true;
  }
  bool acceptDot(std::string_view word) {
    if (!peek().isDot(word)) return false;
    next();
    return true;
  }
  Expected<void> expect(std::string_view symbol);
  Expected<std::string_view> expectWord(const char *what);
  /// The error that says what was wanted and what stands there.
  std::unexpected<Error> unexpectedToken(const std::string &wanted) const;

  /// A constant integer expression: numbers, parentheses and C's operators, with 64 bits.
  Expected<uint64_t> integerExpression();
  /// True if a constant expression may begin here.
  bool atNumber() const;

private:
  Expected<uint64_t> binary(int least);
  Expected<uint64_t> unary();

  std::vector<Token> tokens_;
  size_t at_ = 0;
  unsigned depth_ = 0;
};

} // namespace us::frontend::ptx
