// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/abi/check_classes.h"
#include "runtime/base/options.h"

#include <gtest/gtest.h>

namespace us::abi {
namespace {

TEST(CheckClasses, AreWordsOfTheOption) {
  CheckSet all = 0;
  for (const CheckClassInfo &one : kCheckClasses) {
    Options options;
    EXPECT_TRUE(setOption(options, "CHECK", one.name)) << one.name;
    EXPECT_EQ(checksNamed(options.check), bitOf(one.checkClass));
    all |= bitOf(one.checkClass);
  }
  EXPECT_EQ(checksNamed("all"), all);
  EXPECT_EQ(checksNamed(""), 0u);
  EXPECT_EQ(checksNamed("memory,barriers"), bitOf(CheckClass::Memory) | bitOf(CheckClass::Barriers));
  EXPECT_NE(checksNamed("default"), 0u);
  EXPECT_EQ(checksNamed("all,-memory"), all & ~bitOf(CheckClass::Memory));
  EXPECT_EQ(checksNamed("-memory,memory"), bitOf(CheckClass::Memory));
  Options options;
  EXPECT_TRUE(setOption(options, "CHECK", "default,-same-value"));
  EXPECT_FALSE(setOption(options, "CHECK", "default,-same"));
}

} // namespace
} // namespace us::abi
