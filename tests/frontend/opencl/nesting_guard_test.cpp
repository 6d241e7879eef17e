// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source that nests too deeply is a build error with a line, never a stack overflow; what people write passes.
#include "tests/support/compile_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace us::frontend {
namespace {

using testing::HasSubstr;

std::string repeat(std::string_view text, unsigned times) {
  std::string result;
  for (unsigned i = 0; i < times; ++i) result += text;
  return result;
}

CompileResult compileExpression(const std::string &expression) {
  return tests::compileSource("kernel void k(global int* p, int x) { p[0] = " + expression + "; }");
}

TEST(NestingGuard, Brackets) {
  EXPECT_TRUE(compileExpression(repeat("(", 200) + "x" + repeat(")", 200)).ok);
  const CompileResult result = compileExpression(repeat("(", 100000) + "x" + repeat(")", 100000));
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.log, HasSubstr("bracket nesting level exceeded maximum of 256"));
}

TEST(NestingGuard, UnaryOperators) {
  EXPECT_TRUE(compileExpression(repeat("~", 4000) + "x").ok);
  const CompileResult result = compileExpression(repeat("!", 1000000) + "x");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.log, HasSubstr("expression has too many operators"));
}

TEST(NestingGuard, TypeOperators) {
  EXPECT_TRUE(compileExpression(repeat("sizeof ", 500) + "x").ok);
  EXPECT_FALSE(compileExpression(repeat("sizeof ", 200000) + "x").ok);
}

TEST(NestingGuard, PreprocessorConditions) {
  EXPECT_TRUE(tests::compileSource("# if " + repeat("!", 10000) + "1\n#endif\n").ok);
  const CompileResult result = tests::compileSource("# if " + repeat("(\\\n", 200000) + "1\n#endif\n");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.log, HasSubstr("a preprocessor condition is too long"));
}

TEST(NestingGuard, BinaryOperators) {
  EXPECT_TRUE(compileExpression(repeat("x + ", 3000) + "x").ok);
  const CompileResult result = compileExpression(repeat("x + ", 300000) + "x");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.log, HasSubstr("expression has too many operators"));
}

TEST(NestingGuard, Conditionals) {
  EXPECT_TRUE(compileExpression(repeat("x ? 1 : ", 2000) + "x").ok);
  EXPECT_FALSE(compileExpression(repeat("x ? 1 : ", 300000) + "x").ok);
}

TEST(NestingGuard, StatementsWithoutBraces) {
  EXPECT_TRUE(tests::compileSource("kernel void k(int x) {" + repeat("if (x) ", 1000) + ";}").ok);
  const CompileResult result = tests::compileSource("kernel void k(int x) {" + repeat("if (x) ", 200000) + ";}");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.log, HasSubstr("statements are nested too deeply"));
}

TEST(NestingGuard, ElseIfChains) {
  auto chain = [](unsigned times) {
    return "kernel void k(global int* p, int x) { if (x == 0) { p[0] = 1; }" +
           repeat(" else if (x == 7) { p[0] = 2; }", times) + "}";
  };
  EXPECT_TRUE(tests::compileSource(chain(1000)).ok);
  EXPECT_FALSE(tests::compileSource(chain(100000)).ok);
}

TEST(NestingGuard, LongFlatSourceIsFine) {
  EXPECT_TRUE(
      tests::compileSource("kernel void k(global int* p, int x) {" + repeat("if (x) p[x] += 1;\n", 20000) + "}").ok);
  EXPECT_TRUE(tests::compileSource("constant int t[] = {" + repeat("-1, ~2, ", 40000) + "0};").ok);
}

TEST(NestingGuard, DeepPointerTypes) {
  EXPECT_FALSE(tests::compileSource("void f(int " + repeat("*", 500000) + "p) {}").ok);
}

} // namespace
} // namespace us::frontend
