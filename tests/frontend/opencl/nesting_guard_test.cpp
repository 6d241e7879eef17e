// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source that nests too deeply is a build error with a line, never a stack overflow; what people write passes.
#include "tests/support/compile_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace us::frontend {
namespace {

using testing::HasSubstr;

std::string repeat(std::string_view text, unsigned times) {
  std::string result;
  for (unsigned i = 0; i < times; ++i) result += text;
  return result;
}

/// `times` of something around or before what is inside a kernel.
struct Nesting {
  const char *name;
  const char *before, *repeated, *middle, *closing, *after;
  unsigned fine, tooDeep; ///< how many of them pass, and how many must not
  const char *message;    ///< in the build log then

  std::string source(unsigned times) const {
    return before + repeat(repeated, times) + middle + repeat(closing, times) + after;
  }
};
void PrintTo(const Nesting &nesting, std::ostream *out) { *out << nesting.name; }

class NestingGuard : public testing::TestWithParam<Nesting> {};

TEST_P(NestingGuard, RefusesWhatIsTooDeep) {
  const Nesting &nesting = GetParam();
  EXPECT_TRUE(tests::compileSource(nesting.source(nesting.fine)));
  const Logged<KernelModule> result = tests::compileSource(nesting.source(nesting.tooDeep));
  EXPECT_FALSE(result);
  EXPECT_THAT(result.log, HasSubstr(nesting.message));
}

#define US_EXPRESSION "kernel void k(global int* p, int x) { p[0] = "
constexpr Nesting kNestings[] = {
    {"Brackets", US_EXPRESSION, "(", "x", ")", "; }", 200, 100000, "bracket nesting level exceeded maximum of 256"},
    {"UnaryOperators", US_EXPRESSION, "~", "x", "", "; }", 4000, 1000000, "expression has too many operators"},
    {"TypeOperators", US_EXPRESSION, "sizeof ", "x", "", "; }", 500, 200000, "error: "},
    {"PreprocessorConditions", "# if ", "!", "1\n", "", "#endif\n", 10000, 200000,
     "a preprocessor condition is too long"},
    {"BinaryOperators", US_EXPRESSION, "x + ", "x", "", "; }", 3000, 300000, "expression has too many operators"},
    {"Conditionals", US_EXPRESSION, "x ? 1 : ", "x", "", "; }", 2000, 300000, "error: "},
    {"StatementsWithoutBraces", "kernel void k(int x) {", "if (x) ", ";}", "", "", 1000, 200000,
     "statements are nested too deeply"},
    {"ElseIfChains", "kernel void k(global int* p, int x) { if (x == 0) { p[0] = 1; }",
     " else if (x == 7) { p[0] = 2; }", "}", "", "", 1000, 100000, "error: "},
    {"PointerTypes", "void f(int ", "*", "p) {}", "", "", 200, 500000, "error: "},
};
#undef US_EXPRESSION
INSTANTIATE_TEST_SUITE_P(Kinds, NestingGuard, testing::ValuesIn(kNestings),
                         [](const auto &tested) { return tested.param.name; });

TEST(NestingGuardInFlatSource, PassesAnyLength) {
  EXPECT_TRUE(
      tests::compileSource("kernel void k(global int* p, int x) {" + repeat("if (x) p[x] += 1;\n", 20000) + "}"));
  EXPECT_TRUE(tests::compileSource("constant int t[] = {" + repeat("-1, ~2, ", 40000) + "0};"));
}

TEST(NestingGuardInConditions, ContinuedLines) {
  const Logged<KernelModule> result = tests::compileSource("# if " + repeat("(\\\n", 200000) + "1\n#endif\n");
  EXPECT_FALSE(result);
  EXPECT_THAT(result.log, HasSubstr("a preprocessor condition is too long"));
}

} // namespace
} // namespace us::frontend
