// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/source_lines.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace us::check {
namespace {

TEST(SourceLines, AreCountedFromOne) {
  EXPECT_EQ(lineOfProgram("a\nb\nc", {"", 1, 0}), "a");
  EXPECT_EQ(lineOfProgram("a\nb\nc", {"<source>", 3, 0}), "c");
  EXPECT_EQ(lineOfProgram("a\nb\n", {"", 3, 0}), "");
  EXPECT_EQ(lineOfProgram("", {"", 1, 0}), "");
}

// C11, 6.10.4: "causes the implementation to behave as if the following sequence of source lines begins with a source
// line that has a line number as specified by the digit sequence"
TEST(SourceLines, AreCountedAsLineDirectivesSay) {
  EXPECT_EQ(lineOfProgram("#define A\n#line 10\nb\nc", {"", 11, 0}), "c");
  EXPECT_EQ(lineOfProgram("#define A\n  #  line 1\nb\nc", {"", 2, 0}), "c");
  EXPECT_EQ(lineOfProgram("#linear\nb", {"", 2, 0}), "b");
}

// "and changes the presumed name of the source file to be the contents of the character string literal"
TEST(SourceLines, AreTheOnesOfTheirFile) {
  const char *text = "a\n#line 1 \"other.cl\"\nb\n# 1 \"<source>\"\nc";
  EXPECT_EQ(lineOfProgram(text, {"other.cl", 1, 0}), "b");
  EXPECT_EQ(lineOfProgram(text, {"", 1, 0}), "c");
}

TEST(SourceLines, OfWhatWasIncludedAreThoseOfItsFile) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "source_lines_test.h";
  std::ofstream(path) << "first\nsecond\n";
  EXPECT_EQ(lineOfProgram("a\nb\n", {path.string(), 2, 0}), "second");
  EXPECT_EQ(lineOfProgram("a\nb\n", {path.string() + ".missing", 2, 0}), "");
  std::filesystem::remove(path);
}

} // namespace
} // namespace us::check
