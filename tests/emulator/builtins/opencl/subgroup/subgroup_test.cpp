// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group functions on a machine of threads: uniform, diverged, in a ragged last sub-group.
#include <gtest/gtest.h>

#include "tests/emulator/builtins/support/thread_machine.h"
#include "tests/emulator/builtins/support/tree.h"

namespace us::test {
namespace {

constexpr int kItems = 45; // one full sub-group and one of 13
const GroupShape kShape = {.localSize = {5, 9, 1}};

/// The members of a work-item's sub-group for which the condition holds, in order.
std::vector<int> fellows(int item, auto condition) {
  std::vector<int> result;
  for (int i = item / 32 * 32; i < std::min(kItems, item / 32 * 32 + 32); ++i)
    if (condition(i)) result.push_back(i);
  return result;
}

/// Reduction and scans of item's fellows, as the three outputs of a test program.
template <typename T>
void expectCollective(const std::vector<T> &values, int item, const std::vector<int> &members, T identity,
                      T (*combine)(T, T), const T *got) {
  std::vector<T> mine;
  std::size_t rank = 0;
  for (int member : members) {
    if (member == item) rank = mine.size();
    mine.push_back(values[member]);
  }
  const std::span<const T> all(mine);
  EXPECT_EQ(double(got[0]), double(treeReduce(all, combine))) << item;
  EXPECT_EQ(double(got[1]), double(treeScan(all.first(rank + 1), combine))) << item;
  EXPECT_EQ(double(got[2]), double(rank == 0 ? identity : treeScan(all.first(rank), combine))) << item;
}

template <typename T> void checkUniform(void (*run)(const T *, T *), T identity, T (*combine)(T, T)) {
  const auto in = thirds<T>(kItems);
  std::vector<T> out(3 * kItems);
  runGroup(kShape, [&] { run(in.data(), out.data()); });
  for (int i = 0; i < kItems; ++i)
    expectCollective(in, i, fellows(i, [](int) { return true; }), identity, combine, &out[3 * i]);
}

const std::vector<int> kTakes[] = {std::vector<int>(kItems, 1), [] {
                                     std::vector<int> take(kItems);
                                     for (int i = 0; i < kItems; ++i) take[i] = i % 3 == 1 || i > 40;
                                     return take;
                                   }()};

template <typename T>
void checkNonUniform(void (*run)(const T *, const int *, T *), void (*clustered)(const T *, uint, T *), T identity,
                     T (*combine)(T, T)) {
  const auto in = thirds<T>(kItems);
  for (const auto &take : kTakes) {
    std::vector<T> values = in, out(3 * kItems);
    for (int i = 0; i < kItems; ++i)
      if (!take[i]) values[i] = T(values[i] + T(1));
    runGroup(kShape, [&] { run(in.data(), take.data(), out.data()); });
    for (int i = 0; i < kItems; ++i)
      expectCollective(values, i, fellows(i, [&](int other) { return take[other] == take[i]; }), identity, combine,
                       &out[3 * i]);
  }
  for (uint size = 1; size <= 32; size *= 2) {
    std::vector<T> out(kItems);
    runGroup(kShape, [&] { clustered(in.data(), size, out.data()); });
    for (int i = 0; i < kItems; ++i) {
      std::vector<T> members;
      for (int other : fellows(i, [&](int other) { return other / size == i / size; })) members.push_back(in[other]);
      EXPECT_EQ(double(out[i]), double(treeReduce(std::span<const T>(members), combine))) << i << " of " << size;
    }
  }
}

#define UNIFORM(T, NAME, IDENTITY)                                                                                     \
  extern "C" void sg_##NAME##_##T(const T *, T *);                                                                     \
  TEST(SubGroup, NAME##_##T) { checkUniform<T>(sg_##NAME##_##T, IDENTITY, Combine<T>::NAME); }
#define NON_UNIFORM(T, NAME, IDENTITY, COMBINE)                                                                        \
  extern "C" void nu_##NAME##_##T(const T *, const int *, T *), clustered_##NAME##_##T(const T *, uint, T *);          \
  TEST(SubGroup, non_uniform_##NAME##_##T) {                                                                           \
    checkNonUniform<T>(nu_##NAME##_##T, clustered_##NAME##_##T, IDENTITY, COMBINE);                                    \
  }
#define ARITHMETIC(T)                                                                                                  \
  UNIFORM(T, add, T(0))                                                                                                \
  UNIFORM(T, min, Combine<T>::highest())                                                                               \
  UNIFORM(T, max, Combine<T>::lowest())                                                                                \
  NON_UNIFORM(T, add, T(0), Combine<T>::add)                                                                           \
  NON_UNIFORM(T, min, Combine<T>::highest(), Combine<T>::min)                                                          \
  NON_UNIFORM(T, max, Combine<T>::lowest(), Combine<T>::max)
#define MULTIPLY(T) NON_UNIFORM(T, mul, T(1), Combine<T>::mul)
#define BITS(T)                                                                                                        \
  NON_UNIFORM(T, and, T(~T(0)), CombineBits<T>::bitAnd)                                                                \
  NON_UNIFORM(T, or, T(0), CombineBits<T>::bitOr)                                                                      \
  NON_UNIFORM(T, xor, T(0), CombineBits<T>::bitXor)
ARITHMETIC(char)
ARITHMETIC(uchar)
ARITHMETIC(short)
ARITHMETIC(ushort)
ARITHMETIC(int)
ARITHMETIC(uint)
ARITHMETIC(long)
ARITHMETIC(ulong)
ARITHMETIC(half)
ARITHMETIC(float)
ARITHMETIC(double)
MULTIPLY(uchar)
MULTIPLY(ushort)
MULTIPLY(uint)
MULTIPLY(ulong)
MULTIPLY(float)
MULTIPLY(double)
BITS(char)
BITS(ushort)
BITS(int)
BITS(ulong)
NON_UNIFORM(int, logical_and, 1, ([](int a, int b) { return int(a && b); }))
NON_UNIFORM(int, logical_or, 0, ([](int a, int b) { return int(a || b); }))
NON_UNIFORM(int, logical_xor, 0, ([](int a, int b) { return int(!a != !b); }))

template <typename T> void checkLanes(void (*run)(const T *, uint, T *)) {
  const auto in = thirds<T>(kItems);
  for (uint k : {0u, 1u, 5u, 12u}) {
    std::vector<T> out(10 * kItems);
    runGroup(kShape, [&] { run(in.data(), k, out.data()); });
    for (int i = 0; i < kItems; ++i) {
      const uint first = i / 32 * 32, lane = i % 32, size = first == 0 ? 32 : kItems - 32;
      const uint from[8] = {k,        0,        (lane * 7 + k) % 32, lane ^ k,
                            lane - k, lane + k, (lane + k) % 32,     (lane & ~7u) + (lane + k) % 8};
      // Lanes outside the sub-group are undefined.
      for (int f = 0; f < 8; ++f)
        if (from[f] < size) EXPECT_EQ(double(out[10 * i + f]), double(in[first + from[f]])) << i << " function " << f;
      EXPECT_EQ(double(out[10 * i + 8]), 0);
      EXPECT_EQ(double(out[10 * i + 9]), double(in[first + k]));
    }
  }
}
#define LANES(T)                                                                                                       \
  extern "C" void lanes_##T(const T *, uint, T *);                                                                     \
  TEST(SubGroup, lanes_##T) { checkLanes<T>(lanes_##T); }
LANES(char)
LANES(uchar)
LANES(short)
LANES(ushort)
LANES(int)
LANES(uint)
LANES(long)
LANES(ulong)
LANES(half)
LANES(float)
LANES(double)

extern "C" void votes(const int *, const int *, uint *);
TEST(SubGroup, votes_and_ballots) {
  for (int pattern = 0; pattern < 4; ++pattern)
    for (const auto &take : kTakes) {
      std::vector<int> in(kItems);
      for (int i = 0; i < kItems; ++i)
        in[i] = pattern == 0 ? 0 : pattern == 1 ? 9 : pattern == 2 ? i % 4 == 1 : take[i];
      std::vector<uint> out(24 * kItems);
      runGroup(kShape, [&] { votes(in.data(), take.data(), out.data()); });
      for (int i = 0; i < kItems; ++i) {
        const uint *got = &out[24 * i];
        const auto everybody = fellows(i, [](int) { return true; }),
                   takers = fellows(i, [&](int other) { return take[other] != 0; });
        uint all = 0, some = 0, mask = 0, takerMask = 0, equal = 1;
        for (int other : everybody) all += in[other] != 0, mask |= uint(in[other] != 0) << other % 32;
        for (int other : takers) {
          some += in[other] != 0;
          takerMask |= uint(in[other] != 0) << other % 32;
          equal &= in[other] == in[takers[0]];
        }
        EXPECT_EQ(got[0], all == everybody.size());
        EXPECT_EQ(got[1], all > 0);
        if (take[i]) {
          EXPECT_EQ(got[2], i == takers[0]);
          EXPECT_EQ(got[3], some == takers.size());
          EXPECT_EQ(got[4], some > 0);
          EXPECT_EQ(got[5], equal);
          EXPECT_EQ(got[6], takerMask);
          EXPECT_EQ(got[7] | got[8] | got[9], 0u);
          EXPECT_EQ(int(got[10]), in[takers[0]]);
        }
        const uint lane = i % 32;
        EXPECT_EQ(got[11], mask >> lane & 1);
        EXPECT_EQ(got[12], mask >> 5 & 1);
        EXPECT_EQ(got[13], uint(std::popcount(mask)));
        EXPECT_EQ(got[14], uint(std::popcount(ulong(mask) & ((ulong(2) << lane) - 1))));
        EXPECT_EQ(got[15], uint(std::popcount(ulong(mask) & ((ulong(1) << lane) - 1))));
        if (mask) {
          EXPECT_EQ(got[16], uint(std::countr_zero(mask)));
          EXPECT_EQ(got[17], uint(31 - std::countl_zero(mask)));
        }
        for (uint bit = 0; bit < 32; ++bit) {
          EXPECT_EQ(got[18] >> bit & 1, bit == lane);
          EXPECT_EQ(got[19] >> bit & 1, bit >= lane);
          EXPECT_EQ(got[20] >> bit & 1, bit > lane);
          EXPECT_EQ(got[21] >> bit & 1, bit <= lane);
          EXPECT_EQ(got[22] >> bit & 1, bit < lane);
        }
      }
    }
}

} // namespace
} // namespace us::test
