// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/options.h"

#include <gtest/gtest.h>

namespace us {
namespace {

TEST(Options, ChoicesAreSomeOfTheirWords) {
  Options options;
  EXPECT_EQ(options.check, "");
  EXPECT_TRUE(setOption(options, "CHECK", "memory,barriers"));
  EXPECT_EQ(options.check, "memory,barriers");
  const Expected<void> wrong = setOption(options, "CHECK", "memory,races?");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::InvalidValue);
  EXPECT_TRUE(wrong.error().message.starts_with("'races?' is not default, all, memory")) << wrong.error().message;
  EXPECT_EQ(options.check, "memory,barriers");
  EXPECT_TRUE(setOption(options, "CHECK", ""));
  EXPECT_EQ(options.check, "");
}

TEST(Options, AChoiceIsOneOfItsWords) {
  Options options;
  EXPECT_EQ(options.tier, "auto");
  EXPECT_TRUE(setOption(options, "TIER", "fiber"));
  EXPECT_EQ(options.tier, "fiber");
  const Expected<void> wrong = setOption(options, "TIER", "fibre");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(wrong.error().message, "'fibre' is not auto, loop or fiber");
  EXPECT_EQ(options.tier, "fiber");
  EXPECT_TRUE(setOption(options, "TIER", "")) << "as a variable that is set to nothing";
  EXPECT_EQ(options.tier, "auto");
}

// Whoever asks for nothing gets what he would get without asking.
TEST(Options, DefaultsAreAccepted) {
  for (const OptionRow &row : optionRows()) {
    std::string_view text = row.defaultValue;
    if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
    Options options;
    EXPECT_TRUE(setOption(options, row.name, text)) << row.name;
  }
}

TEST(Options, BytesTakeSuffixes) {
  Options options;
  EXPECT_TRUE(setOption(options, "MEMORY", "3G"));
  EXPECT_EQ(options.memory, 3ull << 30);
  for (const char *text : {"", "G", "3X", "3GG", "-1", "20000000T"})
    EXPECT_FALSE(setOption(options, "MEMORY", text)) << text;
}

} // namespace
} // namespace us
