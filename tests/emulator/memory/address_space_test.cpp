// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reserved range: gaps, reuse, very many allocations, code, and what it says of an address.
#include "emulator/memory/address_space.h"

#include "emulator/abi/compiler_api.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <sys/personality.h>
#include <thread>
#include <unistd.h>

namespace us::memory {
namespace {

constexpr uint64_t kGiB = 1ull << 30;
#if defined(__has_feature)
constexpr bool kSanitizer = __has_feature(thread_sanitizer) || __has_feature(address_sanitizer);
#else
constexpr bool kSanitizer = false;
#endif

uint64_t addressOf(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

std::string textAt(const AddressSpace &space, uint64_t address) { return textOf(address, space.locate(address)); }

/// Asks the kernel whether a page can be read, without touching it.
bool isReadable(const std::byte *page) {
  int pipes[2];
  EXPECT_EQ(pipe(pipes), 0);
  bool readable = write(pipes[1], page, 1) == 1;
  close(pipes[0]);
  close(pipes[1]);
  return readable;
}

TEST(AddressSpace, TheProcessHasOneRange) {
  AddressSpace &space = AddressSpace::instance();
  ASSERT_GE(space.size(), kGiB);
  std::byte *memory = space.allocate(RangeKind::Buffer, 100);
  EXPECT_TRUE(space.contains(memory));
  EXPECT_FALSE(space.contains(&space));
  EXPECT_FALSE(space.isCode(addressOf(memory)));
  EXPECT_TRUE(space.contains(space.base()));
  EXPECT_FALSE(space.contains(space.base() + space.size()));
  EXPECT_FALSE(space.contains(space.base() - 1));
  space.release(memory);
}

/// Where the range of another process lies.
uint64_t baseOfAProcess(uint64_t seed, bool randomizes = true) {
  const int kind = personality(0xffffffff);
  personality(randomizes ? kind & ~ADDR_NO_RANDOMIZE : kind | ADDR_NO_RANDOMIZE);
  char self[4096] = "";
  EXPECT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  const std::string command = "US_SHOW_BASE=" + std::to_string(seed) + " '" + self +
                              "' --gtest_filter=AddressSpace.ShowsItsBase | grep 'base of' | cut -d' ' -f4";
  FILE *pipe = popen(command.c_str(), "r");
  unsigned long long base = 0;
  EXPECT_EQ(fscanf(pipe, "%llx", &base), 1);
  pclose(pipe);
  personality(kind);
  return base;
}

TEST(AddressSpace, ShowsItsBase) {
  const char *const seed = std::getenv("US_SHOW_BASE");
  if (!seed) GTEST_SKIP() << "the part of another process";
  AddressSpace::placeBySeed(std::stoull(seed));
  std::printf("base of range %llx\n", static_cast<unsigned long long>(AddressSpace::instance().base()));
}

// As with libraries: what was learnt of one process does not help against another.
TEST(AddressSpace, LiesElsewhereInEachProcess) {
  if (kSanitizer) GTEST_SKIP() << "the sanitizer decides where memory lies";
  const uint64_t first = baseOfAProcess(0);
  // Two of three may meet once in sixteen million times.
  EXPECT_TRUE(first != baseOfAProcess(0) || first != baseOfAProcess(0));
  const uint64_t seeded = baseOfAProcess(5);
  EXPECT_EQ(seeded, baseOfAProcess(5));
  EXPECT_NE(seeded, baseOfAProcess(6));
}

// A debugger and setarch -R turn randomization off.
TEST(AddressSpace, LiesAtTheSamePlaceWhereTheSystemRandomizesNothing) {
  EXPECT_EQ(baseOfAProcess(0, false), baseOfAProcess(0, false));
}

TEST(AddressSpace, AllocationsAreApart) {
  AddressSpace space(64 * kGiB);
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    uint64_t size = 1 + random() % (4 << 20), alignment = 1ull << (random() % 24);
    std::byte *memory = space.allocate(RangeKind::Buffer, size, alignment);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(addressOf(memory) % std::max(alignment, kPageSize), 0u);
    memory[0] = memory[size - 1] = std::byte{1};
    ranges.emplace_back(addressOf(memory), size);
  }
  std::ranges::sort(ranges);
  for (size_t i = 1; i < ranges.size(); ++i)
    EXPECT_GE(ranges[i].first, ranges[i - 1].first + ranges[i - 1].second + kGap - kPageSize);
}

// A wild index must find neither a stack nor code.
TEST(AddressSpace, BuffersAreFarFromEverythingElse) {
  AddressSpace space(64 * kGiB);
  uint64_t buffer = addressOf(space.allocate(RangeKind::Buffer, 4096));
  uint64_t stack = addressOf(space.reserve(RangeKind::Stack, 4096));
  uint64_t local = addressOf(space.allocate(RangeKind::Local, 4096));
  uint64_t code = addressOf(space.allocateCode(4096));
  for (uint64_t other : {stack, local, code}) EXPECT_GT(std::max(buffer, other) - std::min(buffer, other), 4 * kGiB);
}

TEST(AddressSpace, GapsCannotBeTouched) {
  AddressSpace space(4 * kGiB);
  std::byte *memory = space.allocate(RangeKind::Variables, 3 * kPageSize);
  EXPECT_TRUE(isReadable(memory + 3 * kPageSize - 1));
  EXPECT_FALSE(isReadable(memory + 3 * kPageSize));
  // Behind a buffer lies the slack, whatever its size.
  memory = space.allocate(RangeKind::Buffer, 3 * kPageSize);
  EXPECT_TRUE(isReadable(memory + 3 * kPageSize + kSlack - 1));
  EXPECT_FALSE(isReadable(memory + 4 * kPageSize));
  memory = space.allocate(RangeKind::Buffer, 3 * kPageSize - kSlack);
  EXPECT_FALSE(isReadable(memory + 3 * kPageSize));
  EXPECT_FALSE(isReadable(memory - 1));
}

TEST(AddressSpace, ReleasedMemoryIsGivenBack) {
  AddressSpace space(4 * kGiB);
  std::byte *memory = space.allocate(RangeKind::Buffer, 64 << 20);
  std::memset(memory, 1, 64 << 20);
  space.release(memory);
  EXPECT_FALSE(isReadable(memory));
  // The range can be used up again and again.
  for (int i = 0; i < 50; ++i) {
    std::byte *large = space.allocate(RangeKind::Buffer, 2 * kGiB);
    ASSERT_NE(large, nullptr) << i;
    EXPECT_EQ(large[kGiB], std::byte{0}) << "backed when touched, with zeros";
    space.release(large);
  }
  EXPECT_EQ(space.allocate(RangeKind::Buffer, 5 * kGiB), nullptr);
  EXPECT_EQ(space.statistics().live, 0u);
}

TEST(AddressSpace, SmallMemoryIsReusedAtOnce) {
  AddressSpace space(4 * kGiB);
  std::byte *first = space.allocate(RangeKind::Buffer, 1000);
  space.release(first);
  EXPECT_EQ(space.allocate(RangeKind::Buffer, 3900), first);
  EXPECT_NE(space.allocate(RangeKind::Buffer, 3900), first);
  // Not all of it is kept.
  std::vector<std::byte *> many;
  for (int i = 0; i < 200; ++i) many.push_back(space.allocate(RangeKind::Buffer, 1 << 20));
  for (std::byte *memory : many) space.release(memory);
  EXPECT_LE(space.statistics().cachedBytes, 16u << 20);

  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10000; ++i) space.release(space.allocate(RangeKind::Buffer, 4096));
  auto each = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin) / 10000;
  std::printf("allocate and release take %.0f ns\n", each.count());
}

TEST(AddressSpace, ManyLiveAllocationsDoWithoutGaps) {
  // More than the kernel would allow map entries for, if each had gaps.
  AddressSpace space(64 * kGiB);
  std::vector<std::byte *> all;
  for (uint64_t i = 0; i < 100'000; ++i) {
    std::byte *memory = space.allocate(RangeKind::Buffer, 1 + i % 20000);
    ASSERT_NE(memory, nullptr) << i;
    all.push_back(memory);
  }
  EXPECT_LT(space.statistics().gapped, 20'000u);
  std::vector<std::byte *> sorted = all;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
  for (size_t i = 0; i < all.size(); i += 1000) *all[i] = std::byte{7};
  for (std::byte *memory : all) space.release(memory);
  EXPECT_EQ(space.statistics().live, 0u);
  std::byte *again = space.allocate(RangeKind::Buffer, 100);
  ASSERT_NE(again, nullptr);
  *again = std::byte{1};
}

TEST(AddressSpace, SaysWhatIsAtAnAddress) {
  AddressSpace space(4 * kGiB);
  std::byte *memory = space.allocate(RangeKind::Buffer, 10000);
  const uint64_t base = addressOf(memory);
  AddressInfo info = space.find(base + 5);
  EXPECT_EQ(info.kind, RangeKind::Buffer);
  EXPECT_EQ(info.base, base);
  EXPECT_EQ(info.size, 10000u);
  EXPECT_FALSE(info.released);
  EXPECT_EQ(textAt(space, base + 5), "byte 5 of a 10000-byte buffer");
  EXPECT_EQ(textAt(space, base + 10000), "one past the end of a 10000-byte buffer");
  EXPECT_EQ(textAt(space, base + 20000), "10000 bytes past the end of a 10000-byte buffer");
  EXPECT_EQ(textAt(space, base - 1), "1 byte before a 10000-byte buffer");
  EXPECT_EQ(textAt(space, base + (1 << 30)), "1073731824 bytes past the end of a 10000-byte buffer");
  EXPECT_EQ(textAt(space, space.base() + space.size() - 1), "no memory in use");
  EXPECT_EQ(textAt(space, 0), "a null pointer");
  EXPECT_EQ(textAt(space, 16), "16 bytes after a null pointer");
  EXPECT_EQ(textAt(space, addressOf(&space)), "not device memory");
  space.release(memory);
  EXPECT_EQ(textAt(space, base + 5), "byte 5 of a released 10000-byte buffer");
  std::byte *owned = space.allocate(RangeKind::Buffer, 64, kPageSize, {"variable", "table"});
  EXPECT_EQ(textAt(space, addressOf(owned) + 68), "4 bytes past the end of a 64-byte variable 'table'");
}

TEST(AddressSpace, SaysOfWhatKindAnAddressIs) {
  AddressSpace space(4 * kGiB);
  const auto kindOf = [&](std::byte *memory) { return space.kindOf(addressOf(memory) + 5); };
  EXPECT_EQ(kindOf(space.allocate(RangeKind::Buffer, 10000)), RangeKind::Buffer);
  EXPECT_EQ(kindOf(space.allocate(RangeKind::Local, 10000)), RangeKind::Local);
  EXPECT_EQ(kindOf(space.reserve(RangeKind::Stack, 10000)), RangeKind::Stack);
  // The part for what is no buffer is an eighth: the second of these lies among the buffers.
  for (int i = 0; i < 2; ++i) {
    std::byte *memory = space.reserve(RangeKind::Local, 300 << 20);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(space.isUnshared(addressOf(memory)), i == 0);
    EXPECT_EQ(kindOf(memory), RangeKind::Local);
  }
}

TEST(AddressSpace, HoldsCode) {
  AddressSpace space(16 * kGiB);
  abi::CodeMemory memory = space.codeMemory();
  std::byte *code = memory.allocate(memory.user, 5000), *more = memory.allocate(memory.user, 100);
  ASSERT_NE(code, nullptr);
  ASSERT_NE(more, nullptr);
  EXPECT_LT(std::max(code, more) - std::min(code, more), ptrdiff_t{2} << 30);
  // mov eax, 42; ret
  const uint8_t bytes[] = {0xb8, 42, 0, 0, 0, 0xc3};
  std::memcpy(code, bytes, sizeof bytes);
  ASSERT_TRUE(memory.makeExecutable(memory.user, code, 5000));
  EXPECT_TRUE(space.isCode(addressOf(code)));
  EXPECT_EQ(reinterpret_cast<int (*)()>(code)(), 42);
  EXPECT_EQ(textAt(space, addressOf(code)), "machine code");
  memory.release(memory.user, code, 5000);
  EXPECT_FALSE(isReadable(code));
  EXPECT_EQ(memory.allocate(memory.user, 8000), code);
}

TEST(AddressSpace, ReservedMemoryIsInaccessible) {
  AddressSpace space(4 * kGiB);
  std::byte *memory = space.reserve(RangeKind::Stack, 1 << 20);
  ASSERT_NE(memory, nullptr);
  EXPECT_FALSE(isReadable(memory));
  ASSERT_EQ(mprotect(memory + kPageSize, kPageSize, PROT_READ | PROT_WRITE), 0);
  EXPECT_TRUE(isReadable(memory + kPageSize));
  space.release(memory);
  EXPECT_FALSE(isReadable(memory + kPageSize));
  std::byte *buffer = space.allocate(RangeKind::Buffer, 1 << 20);
  EXPECT_TRUE(isReadable(buffer));
}

TEST(AddressSpace, IsThreadSafe) {
  AddressSpace space(64 * kGiB);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<uint32_t>(t));
      std::vector<std::pair<std::byte *, uint32_t>> mine;
      for (int i = 0; i < 3000; ++i)
        if (mine.size() < 20 || random() % 2) {
          uint32_t size = static_cast<uint32_t>(4 + random() % (random() % 10 ? 20000 : 3 << 20));
          std::byte *memory = space.allocate(RangeKind::Buffer, size);
          if (!memory) {
            ++wrong;
            continue;
          }
          std::memcpy(memory, &size, 4);
          mine.emplace_back(memory, size);
        } else {
          size_t at = random() % mine.size();
          wrong += std::memcmp(mine[at].first, &mine[at].second, 4) != 0;
          space.release(mine[at].first);
          mine.erase(mine.begin() + static_cast<ptrdiff_t>(at));
        }
      for (auto &[memory, size] : mine) space.release(memory);
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(space.statistics().live, 0u);
}

} // namespace
} // namespace us::memory
