// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects are linked as the processor's ABI says; damaged ones are refused or linked within bounds, and crash nothing.
#include "emulator/device/object_linker.h"

#include <cstring>
#include <elf.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>

namespace us::emulator {
namespace {

abi::CodeData sample() {
  std::ifstream file(US_LINKED_CODE, std::ios::binary);
  abi::CodeData code;
  code.object.assign(std::istreambuf_iterator<char>(file), {});
  code.symbol = "linked_entry";
  return code;
}

/// True if it was linked, which is undone; checks that what it says lies in its own pages.
bool linksWithinBounds(const abi::CodeData &code) {
  const LinkedCode linked = linkObject(code);
  if (!linked.pages) return false;
  EXPECT_GE(linked.codeBegin, linked.pages);
  EXPECT_LE(linked.codeEnd, linked.pages + linked.size);
  EXPECT_GE(linked.entry, linked.codeBegin);
  EXPECT_LT(linked.entry, linked.codeEnd);
  unlinkObject(linked);
  return true;
}

Elf64_Ehdr &headerOf(abi::CodeData &code) { return *reinterpret_cast<Elf64_Ehdr *>(code.object.data()); }
Elf64_Shdr &sectionOf(abi::CodeData &code, size_t index) {
  return reinterpret_cast<Elf64_Shdr *>(code.object.data() + headerOf(code).e_shoff)[index];
}

TEST(ObjectLinker, LinkedCodeRuns) {
  const abi::CodeData code = sample();
  ASSERT_FALSE(code.object.empty()) << US_LINKED_CODE;
  const LinkedCode linked = linkObject(code);
  ASSERT_NE(linked.pages, nullptr);
  auto *entry = reinterpret_cast<int (*)(int, int)>(linked.entry);
  EXPECT_EQ(entry(4, 0), 4 + 9 + 25 + 49);
  EXPECT_EQ(entry(8, 0), 4 + 9 + 25 + 49 + 121 + 169 + 289 + 361);
  EXPECT_EQ(entry(8, 1), -77);
  unlinkObject(linked);
}

TEST(ObjectLinker, WhatItDoesNotKnowIsRefused) {
  abi::CodeData code = sample();
  code.symbol = "another";
  EXPECT_FALSE(linksWithinBounds(code)) << "an entry that is not there";
  code = sample();
  headerOf(code).e_machine = EM_AARCH64;
  EXPECT_FALSE(linksWithinBounds(code)) << "another processor";
  code = sample();
  headerOf(code).e_type = ET_DYN;
  EXPECT_FALSE(linksWithinBounds(code)) << "not a relocatable object";
  code = sample();
  for (size_t at = 0; at + 6 < code.object.size(); ++at)
    if (std::memcmp(&code.object[at], "memcpy", 6) == 0) code.object[at] = 'n';
  EXPECT_FALSE(linksWithinBounds(code)) << "a function of the host that kernels do not call";
  code = sample();
  for (size_t index = 0; index < headerOf(code).e_shnum; ++index) sectionOf(code, index).sh_flags |= SHF_WRITE;
  EXPECT_FALSE(linksWithinBounds(code)) << "writable data";
}

TEST(ObjectLinker, EveryTruncationIsRefusedOrHarmless) {
  const abi::CodeData whole = sample();
  for (size_t size = 0; size < whole.object.size(); size += 7) {
    abi::CodeData code = whole;
    code.object.resize(size);
    code.object.shrink_to_fit(); // what lies behind its end belongs to somebody else
    EXPECT_FALSE(linksWithinBounds(code)) << size;
  }
}

TEST(ObjectLinker, DamagedObjectsAreRefusedOrHarmless) {
  const abi::CodeData whole = sample();
  std::mt19937_64 random(1);
  // Numbers that break sums and products of offsets and sizes.
  const uint64_t nasty[] = {0,          1,           7,          0x7fffffff, 0x80000000,
                            0xffffffff, 0x100000000, ~0ull >> 1, ~0ull,      1ull << 63,
                            ~0ull - 7,  ~0ull / 24,  4096,       4097,       whole.object.size()};
  unsigned linked = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    abi::CodeData code = whole;
    for (unsigned changes = 1 + random() % 4; changes != 0; --changes) {
      // Headers and tables more often than code.
      const bool inTables = random() % 2;
      const size_t first = inTables ? headerOf(const_cast<abi::CodeData &>(whole)).e_shoff : 0;
      const size_t at = (first + random() % (code.object.size() - first)) & ~size_t(7);
      if (random() % 2 || at + 8 > code.object.size())
        code.object[at + random() % std::min<size_t>(8, code.object.size() - at)] ^=
            static_cast<char>(1 << random() % 8);
      else
        std::memcpy(&code.object[at], &nasty[random() % std::size(nasty)], 8);
    }
    linked += linksWithinBounds(code);
  }
  EXPECT_GT(linked, 100u) << "the changes are too rough to reach the later steps";
  EXPECT_LT(linked, 19000u) << "the changes are too gentle";
}

} // namespace
} // namespace us::emulator
