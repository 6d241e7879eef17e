// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of the builtin library and what it points to.
#include "emulator/builtins/builtin_library.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace us::builtins {
namespace {

std::string_view familyNameOf(std::string_view symbol) {
  const int family = familyOf(symbol);
  return family < 0 ? "none" : builtinFamilies()[family].name;
}

TEST(BuiltinLibrary, finds_the_family_of_a_symbol) {
  EXPECT_EQ(familyNameOf("_Z13get_global_idj"), "workitem/work_item_ids");
  EXPECT_EQ(familyNameOf("_Z4haddDv16_hS_"), "integer/hadd");
  EXPECT_EQ(familyNameOf("_Z19convert_uchar4_sat_rteDv4_f"), "none"); // the number before a mangled name is its length
  EXPECT_EQ(familyNameOf("_Z22convert_uchar4_sat_rteDv4_f"), "conversion/convert_uchar_sat_rte");
  EXPECT_EQ(familyNameOf("__to_local"), "misc/address_space");
}

TEST(BuiltinLibrary, does_not_know_foreign_symbols) {
  for (const char *name : {"", "main", "_Z13get_global_id", "_Z13get_global_idjj", "us.global_id", "sinf"})
    EXPECT_EQ(familyOf(name), -1) << name;
}

TEST(BuiltinLibrary, families_are_small_modules_of_bitcode) {
  std::set<std::string_view> names;
  for (const BuiltinFamily &family : builtinFamilies()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    ASSERT_GT(family.bitcode.size(), 4u) << family.name;
    EXPECT_EQ(std::string_view(family.bitcode.data(), 4), "BC\xc0\xde") << family.name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(family.bitcode.data()) % 16, 0u) << family.name;
    // A program pays for reading every family that it uses.
    EXPECT_LT(family.bitcode.size(), 100u * 1000) << family.name;
  }
  EXPECT_GT(names.size(), 100u);
}

} // namespace
} // namespace us::builtins
