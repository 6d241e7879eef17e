// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/tools/expression.h"
#include "emulator/tools/launch_description.h"

#include <cstring>
#include <gtest/gtest.h>

namespace us::tools {
namespace {

Number value(std::string_view text, int64_t i = 0, int64_t n = 0) {
  Expected<Expression> expression = Expression::parse(text);
  EXPECT_TRUE(expression) << text;
  if (!expression) return {};
  return (*expression)(
      {i, n, [](unsigned argument, int64_t index) { return Number::of(int64_t{argument} * 100 + index); }});
}

TEST(Expression, PrecedenceIsThatOfC) {
  EXPECT_EQ(value("1 + 2 * 3").integer, 7);
  EXPECT_EQ(value("10 - 4 - 3").integer, 3);
  EXPECT_EQ(value("1 << 2 + 1").integer, 8);
  EXPECT_EQ(value("6 & 3 == 3").integer, 0);
  EXPECT_EQ(value("1 | 6 ^ 2 & 3").integer, 5);
  EXPECT_EQ(value("-2 * -3").integer, 6);
  EXPECT_EQ(value("1 < 2 ? 5 : 6 + 1").integer, 5);
  EXPECT_EQ(value("!0 && 2 || 0").integer, 1);
  EXPECT_EQ(value("(1 + 2) * 3 % 5").integer, 4);
}

TEST(Expression, IntegersStayIntegersUntilTheyMeetAReal) {
  EXPECT_EQ(value("7 / 2").integer, 3);
  EXPECT_EQ(value("7 / 2.0").value, 3.5);
  EXPECT_EQ(value("-7 % 3").integer, -1);
  EXPECT_EQ(value("1 / 0").integer, 0);
  EXPECT_EQ(value("0xff").integer, 255);
  EXPECT_EQ(value("1e3").value, 1000);
  EXPECT_EQ(value("int(2.9)").integer, 2);
  EXPECT_EQ(value("float(0.1)").value, 0.1f);
}

TEST(Expression, KnowsItsSurroundings) {
  EXPECT_EQ(value("i * n", 3, 10).integer, 30);
  EXPECT_EQ(value("a2[i + 1]", 4).integer, 205);
  EXPECT_EQ(value("sum(j, 0, n, j * i)", 2, 4).integer, 12);
  EXPECT_EQ(value("sum(j, 0, 3, sum(k, 0, j, 1))").integer, 3);
  EXPECT_EQ(value("min(3, max(i, 1)) + abs(0 - 4)", 9).integer, 7);
}

TEST(Expression, RefusesWhatIsNone) {
  for (const char *text : {"", "1 +", "(1", "foo", "min(1)", "a[1]", "1 2", "1 ? 2", "sum(j, 0, 1)"})
    EXPECT_FALSE(Expression::parse(text)) << text;
}

TEST(LaunchDescription, ReadsTheLinesOfAFile) {
  Expected<LaunchDescription> read =
      describeFromSource("//! kernel k\n//! global 8 4\nkernel void k() {}\n"
                         "  //! arg buffer float 4 fill(i) expect(2 * i) tolerance(0.5)\n"
                         "//! arg value int3 1, 2, min(3, 4)\n//! arg local char 16\n//! prints a b\n");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->kernel, "k");
  EXPECT_EQ(read->dimensions, 2u);
  EXPECT_EQ(read->global, (Size3{8, 4, 1}));
  EXPECT_EQ(read->local, (Size3{0, 0, 0}));
  ASSERT_EQ(read->arguments.size(), 3u);
  EXPECT_EQ(read->arguments[0].tolerance, 0.5);
  EXPECT_EQ(read->arguments[1].values.size(), 3u);
  EXPECT_EQ(read->arguments[2].use, ArgumentUse::Local);
  EXPECT_EQ(read->print, std::vector<std::string>{"a b"});
}

TEST(LaunchDescription, JsonSaysTheSame) {
  Expected<LaunchDescription> read = describeFromJson(
      R"json({"kernel": "k", "global": [8, 4], "local": 2, "arg": ["buffer int 4 expect(i)", "value float 1.5"]})json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->dimensions, 2u);
  EXPECT_EQ(read->local, (Size3{2, 1, 1}));
  EXPECT_EQ(read->arguments.size(), 2u);
}

TEST(LaunchDescription, ErrorsNameTheLine) {
  for (const char *text : {"//! nonsense", "//! global", "//! arg buffer thing 4", "//! arg buffer int 4 fill(",
                           "//! arg value int2 1", "//! arg texture int 4"}) {
    Expected<LaunchDescription> read = describeFromSource(std::string("\n") + text);
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().message.starts_with("line 2")) << read.error().message;
  }
}

TEST(Element, CastsAsCDoes) {
  std::byte bytes[8];
  storeElement(*elementType("uchar"), bytes, Number::of(int64_t{300}));
  EXPECT_EQ(loadElement(*elementType("uchar"), bytes).integer, 44);
  storeElement(*elementType("half"), bytes, Number::of(1.0 / 3));
  EXPECT_EQ(loadElement(*elementType("half"), bytes).value, 0.333251953125);
  storeElement(*elementType("ulong"), bytes, Number::of(int64_t{-1}));
  EXPECT_EQ(loadElement(*elementType("ulong"), bytes).integer, -1);
}

} // namespace
} // namespace us::tools
