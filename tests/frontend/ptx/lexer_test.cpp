// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers mean what PTX says, whatever the program has done to its locale and its rounding.
#include "frontend/ptx/lexer.h"

#include "tests/support/comma_locale.h"

#include <cfenv>
#include <gtest/gtest.h>
#include <string>

namespace us::frontend::ptx {
namespace {

struct Row {
  const char *text;
  uint64_t bits; ///< of the nearest binary64 (IEEE 754)
};
constexpr Row kRows[] = {{"2.75", 0x4006000000000000},
                         {"0.1", 0x3fb999999999999a},
                         {"1.", 0x3ff0000000000000},
                         {"1e3", 0x408f400000000000},
                         {"12.5E-1", 0x3ff4000000000000},
                         {"0.3", 0x3fd3333333333333},
                         {"0.0", 0},
                         {"1e23", 0x44b52d02c7e14af6},
                         {"4.9e-324", 1},
                         {"2.2250738585072011e-308", 0x000fffffffffffff},
                         {"1e-400", 0},
                         {"1.7976931348623157e308", 0x7fefffffffffffff}};

void expectRows() {
  for (const Row &row : kRows) {
    const std::string text = std::string(row.text) + ";";
    const auto tokens = readTokens(text);
    ASSERT_TRUE(tokens) << tokens.error().message;
    ASSERT_EQ(tokens->size(), 3u) << row.text;
    EXPECT_EQ(tokens->front().kind, TokenKind::Float64) << row.text;
    EXPECT_EQ(tokens->front().bits, row.bits) << row.text;
  }
}

TEST(Lexer, readsDecimalNumbers) { expectRows(); }

TEST(Lexer, readsDecimalNumbersInALocaleWithAComma) {
  const test::CommaLocale locale;
  if (!locale.isSet()) GTEST_SKIP() << "localedef made no locale with a comma";
  expectRows();
}

TEST(Lexer, refusesDecimalNumbersThatAreTooLarge) {
  for (const char *text : {"1e400;", "1.8e308;", "1e99999999999;"}) {
    const auto tokens = readTokens(text);
    ASSERT_FALSE(tokens) << text;
    EXPECT_NE(tokens.error().message.find("larger than the largest"), std::string::npos) << tokens.error().message;
  }
}

TEST(Lexer, readsDecimalNumbersUnderAnotherRounding) {
  for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
    expectRows();
    std::fesetround(FE_TONEAREST);
  }
}

} // namespace
} // namespace us::frontend::ptx
