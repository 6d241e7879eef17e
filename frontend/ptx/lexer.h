// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text as tokens.
#pragma once

#include "frontend/ptx/types.h"

#include <vector>

namespace us::frontend::ptx {

enum class TokenKind : uint8_t {
  End,
  Word,    ///< an identifier: add, %r1, $L_1
  DotWord, ///< .global, .s32, .L1::evict_last; `text` is without the dot
  Integer,
  Float32, ///< 0f3F800000; the bits are in `bits`
  Float64, ///< 0d…, and decimal numbers with a point or an exponent
  String,
  Symbol, ///< punctuation: one character, or << and >>
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text; ///< of the source
  uint64_t bits = 0;     ///< of a number
  Place place;
  bool adjacent = false; ///< nothing stands between it and the token before

  bool is(TokenKind wanted, std::string_view what) const { return kind == wanted && text == what; }
  bool isSymbol(std::string_view what) const { return is(TokenKind::Symbol, what); }
  bool isDot(std::string_view what) const { return is(TokenKind::DotWord, what); }
};

/// Every token of the text, an End at last. The tokens point into the text.
Expected<std::vector<Token>> readTokens(std::string_view text);

} // namespace us::frontend::ptx
