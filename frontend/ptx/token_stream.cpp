// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/token_stream.h"

namespace us::frontend::ptx {
namespace {

struct BinaryOperator {
  std::string_view symbol;
  int precedence;
  uint64_t (*apply)(int64_t a, int64_t b);
};
uint64_t shiftAmount(int64_t b) { return uint64_t(b) & 63; }
/// Arithmetic wraps. (Comparisons are not written in practice; they would be rows here.)
constexpr BinaryOperator kOperators[] = {
    {"|", 1, [](int64_t a, int64_t b) { return uint64_t(a | b); }},
    {"^", 2, [](int64_t a, int64_t b) { return uint64_t(a ^ b); }},
    {"&", 3, [](int64_t a, int64_t b) { return uint64_t(a & b); }},
    {"<<", 4, [](int64_t a, int64_t b) { return uint64_t(a) << shiftAmount(b); }},
    {">>", 4, [](int64_t a, int64_t b) { return uint64_t(a >> shiftAmount(b)); }},
    {"+", 5, [](int64_t a, int64_t b) { return uint64_t(a) + uint64_t(b); }},
    {"-", 5, [](int64_t a, int64_t b) { return uint64_t(a) - uint64_t(b); }},
    {"*", 6, [](int64_t a, int64_t b) { return uint64_t(a) * uint64_t(b); }},
    {"/", 6, [](int64_t a, int64_t b) { return b == -1 ? 0 - uint64_t(a) : uint64_t(a / b); }},
    {"%", 6, [](int64_t a, int64_t b) { return b == -1 ? 0 : uint64_t(a % b); }},
};
constexpr unsigned kDeepest = 64;

std::string described(const Token &token) {
  if (token.kind == TokenKind::End) return "the end of the text";
  const std::string text(token.text.substr(0, 60));
  return "'" + (token.kind == TokenKind::DotWord ? "." + text : text) + "'";
}

} // namespace

std::unexpected<Error> TokenStream::unexpectedToken(const std::string &wanted) const {
  return failAt(place(), wanted + " is expected, " + described(peek()) + " was found");
}

Expected<void> TokenStream::expect(std::string_view symbol) {
  if (!accept(symbol)) return unexpectedToken("'" + std::string(symbol) + "'");
  return {};
}

Expected<std::string_view> TokenStream::expectWord(const char *what) {
  if (peek().kind != TokenKind::Word) return unexpectedToken(what);
  return next().text;
}

bool TokenStream::atNumber() const {
  const Token &token = peek();
  return token.kind == TokenKind::Integer || token.isSymbol("-") || token.isSymbol("+") || token.isSymbol("~") ||
         token.isSymbol("(");
}

Expected<uint64_t> TokenStream::integerExpression() { return binary(1); }

Expected<uint64_t> TokenStream::binary(int least) {
  US_TRY(uint64_t value, unary());
  for (;;) {
    const BinaryOperator *found = nullptr;
    for (const BinaryOperator &known : kOperators)
      if (peek().isSymbol(known.symbol) && known.precedence >= least) found = &known;
    if (!found) return value;
    const Place where = next().place;
    US_TRY(const uint64_t right, binary(found->precedence + 1));
    if (right == 0 && (found->symbol == "/" || found->symbol == "%"))
      return failAt(where, "a constant expression divides by zero");
    value = found->apply(int64_t(value), int64_t(right));
  }
}

Expected<uint64_t> TokenStream::unary() {
  if (++depth_ > kDeepest) return failAt(place(), "a constant expression is nested too deep");
  struct Leave {
    unsigned &depth;
    ~Leave() { --depth; }
  } leave{depth_};
  if (accept("-")) {
    US_TRY(const uint64_t value, unary());
    return 0 - value;
  }
  if (accept("+")) return unary();
  if (accept("~")) {
    US_TRY(const uint64_t value, unary());
    return ~value;
  }
  if (accept("!")) {
    US_TRY(const uint64_t value, unary());
    return uint64_t(value == 0);
  }
  if (accept("(")) {
    // (.s64) and (.u64): every value has 64 bits.
    if ((acceptDot("s64") || acceptDot("u64"))) {
      US_CHECK(expect(")"));
      return unary();
    }
    US_TRY(const uint64_t value, binary(1));
    US_CHECK(expect(")"));
    return value;
  }
  if (peek().kind != TokenKind::Integer) return unexpectedToken("a number");
  return next().bits;
}

} // namespace us::frontend::ptx
