// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/lexer.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Error.h>

namespace us::frontend::ptx {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }
bool beginsWord(char c) { return (isWordCharacter(c) && !isDigit(c)) || c == '%'; }

/// The value of a digit in any base; 99 for other characters.
unsigned digitOf(char c) {
  if (isDigit(c)) return unsigned(c - '0');
  const char lower = llvm::toLower(c);
  return lower >= 'a' && lower <= 'f' ? unsigned(lower - 'a' + 10) : 99;
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Expected<std::vector<Token>> read() {
    std::vector<Token> tokens;
    for (;;) {
      const size_t before = at_;
      US_CHECK(skipBlank());
      Token token;
      token.place = place();
      token.adjacent = at_ == before && !tokens.empty();
      if (at_ == text_.size()) {
        tokens.push_back(token);
        return tokens;
      }
      US_CHECK(readOne(token));
      tokens.push_back(token);
    }
  }

private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Place place() const { return {line_, uint32_t(at_ - lineBegin_ + 1)}; }
  void newLine() {
    ++line_;
    lineBegin_ = at_ + 1;
  }

  Expected<void> skipBlank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') newLine();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        const Place begin = place();
        for (at_ += 2; !(peek() == '*' && peek(1) == '/'); ++at_) {
          if (at_ >= text_.size()) return failAt(begin, "a comment is not closed");
          if (text_[at_] == '\n') newLine();
        }
        at_ += 2;
      } else {
        break;
      }
    }
    return {};
  }

  Expected<void> readOne(Token &token) {
    const char c = peek();
    if (beginsWord(c)) return readWord(token);
    if (isDigit(c)) return readNumber(token);
    if (c == '.' && isWordCharacter(peek(1))) {
      const size_t begin = ++at_;
      while (isWordCharacter(peek()) || (peek() == ':' && peek(1) == ':' && isWordCharacter(peek(2))))
        at_ += peek() == ':' ? 2 : 1;
      token.kind = TokenKind::DotWord;
      token.text = text_.substr(begin, at_ - begin);
      return {};
    }
    if (c == '"') {
      const size_t begin = ++at_;
      while (peek() != '"' && peek() != '\0' && peek() != '\n') ++at_;
      if (peek() != '"') return failAt(token.place, "a string is not closed");
      token.kind = TokenKind::String;
      token.text = text_.substr(begin, at_++ - begin);
      return {};
    }
    constexpr std::string_view kSymbols = "{}()[]<>,;:@!+-*/%&|^~=?";
    if (kSymbols.find(c) == kSymbols.npos || c == '\0')
      return failAt(token.place, "a character that PTX does not have: '" + std::string(1, c) + "'");
    const bool isShift = (c == '<' || c == '>') && peek(1) == c;
    token.kind = TokenKind::Symbol;
    token.text = text_.substr(at_, isShift ? 2 : 1);
    at_ += token.text.size();
    return {};
  }

  Expected<void> readWord(Token &token) {
    const size_t begin = at_++;
    while (isWordCharacter(peek())) ++at_;
    token.text = text_.substr(begin, at_ - begin);
    // A percent sign with nothing behind it is the operator.
    token.kind = token.text == "%" ? TokenKind::Symbol : TokenKind::Word;
    return {};
  }

  Expected<void> readNumber(Token &token) {
    const size_t begin = at_;
    const char second = llvm::toLower(peek(1));
    if (peek() == '0' && (second == 'f' || second == 'd')) {
      const size_t digits = second == 'f' ? 8 : 16;
      at_ += 2;
      for (size_t i = 0; i < digits; ++i, ++at_) {
        if (digitOf(peek()) > 15)
          return failAt(token.place, "a number that begins with 0" + std::string(1, second) + " has " +
                                         std::to_string(digits) + " hexadecimal digits");
        token.bits = token.bits << 4 | digitOf(peek());
      }
      token.kind = second == 'f' ? TokenKind::Float32 : TokenKind::Float64;
      return endNumber(token, begin);
    }
    unsigned base = 10;
    if (peek() == '0' && (second == 'x' || second == 'b')) {
      base = second == 'x' ? 16 : 2;
      at_ += 2;
      if (digitOf(peek()) >= base) return failAt(token.place, "a number has no digits");
    } else {
      size_t end = at_;
      while (end < text_.size() && isDigit(text_[end])) ++end;
      const char next = end < text_.size() ? text_[end] : '\0';
      const char after = end + 1 < text_.size() ? text_[end + 1] : '\0';
      if ((next == '.' && isDigit(after)) || next == 'e' || next == 'E' || (next == '.' && !isWordCharacter(after)))
        return readDecimalFloat(token, begin);
      if (peek() == '0') base = 8;
    }
    bool overflow = false;
    for (; digitOf(peek()) < 16 && isWordCharacter(peek()); ++at_) {
      const unsigned digit = digitOf(peek());
      if (digit >= base) return failAt(token.place, "a digit does not fit the number's base");
      overflow |= token.bits > (~uint64_t(0) - digit) / base;
      token.bits = token.bits * base + digit;
    }
    if (overflow) return failAt(token.place, "a number does not fit into 64 bits");
    if (peek() == 'U' || peek() == 'u') ++at_;
    token.kind = TokenKind::Integer;
    return endNumber(token, begin);
  }

  Expected<void> readDecimalFloat(Token &token, size_t begin) {
    while (isDigit(peek())) ++at_;
    if (peek() == '.') ++at_;
    while (isDigit(peek())) ++at_;
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!isDigit(peek())) return failAt(token.place, "an exponent has no digits");
      while (isDigit(peek())) ++at_;
    }
    // The C library's functions would read it as the program's locale and rounding mode say.
    llvm::APFloat value(llvm::APFloat::IEEEdouble());
    if (auto read = value.convertFromString(text_.substr(begin, at_ - begin), llvm::APFloat::rmNearestTiesToEven);
        !read)
      return failAt(token.place, llvm::toString(read.takeError()));
    // The manual is silent; ptxas refuses it.
    if (value.isInfinity()) return failAt(token.place, "a number is larger than the largest of 64 bits");
    token.bits = value.bitcastToAPInt().getZExtValue();
    token.kind = TokenKind::Float64;
    return endNumber(token, begin);
  }

  Expected<void> endNumber(Token &token, size_t begin) {
    if (isWordCharacter(peek())) return failAt(token.place, "a number runs into a word");
    token.text = text_.substr(begin, at_ - begin);
    return {};
  }

  const std::string_view text_;
  size_t at_ = 0, lineBegin_ = 0;
  uint32_t line_ = 1;
};

} // namespace

Expected<std::vector<Token>> readTokens(std::string_view text) { return Lexer(text).read(); }

} // namespace us::frontend::ptx
