// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-item functions, work-group collectives and asynchronous copies on a machine of threads.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/emulator/builtins/support/thread_machine.h"
#include "tests/emulator/builtins/support/tree.h"
#include "tests/emulator/builtins/support/values.h"

namespace us::test {
namespace {

const GroupShape kShapes[] = {
    {.localSize = {1, 1, 1}}, {.localSize = {7, 1, 1}}, {.localSize = {32, 1, 1}}, {.localSize = {5, 3, 3}}};
std::size_t itemsOf(const GroupShape &shape) { return shape.localSize[0] * shape.localSize[1] * shape.localSize[2]; }

template <typename T> using Run = void (*)(const T *, T *);
template <typename T> void check(Run<T> reduce, Run<T> inclusive, Run<T> exclusive, T identity, T (*combine)(T, T)) {
  for (const GroupShape &shape : kShapes) {
    const std::size_t n = itemsOf(shape);
    const auto in = thirds<T>(n);
    std::vector<T> reduced(n), upTo(n), before(n);
    runGroup(shape, [&] {
      reduce(in.data(), reduced.data());
      inclusive(in.data(), upTo.data());
      exclusive(in.data(), before.data());
    });
    const std::span<const T> all(in);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(double(reduced[i]), double(treeReduce(all, combine)));
      EXPECT_EQ(double(upTo[i]), double(treeScan(all.first(i + 1), combine)));
      EXPECT_EQ(double(before[i]), double(i == 0 ? identity : treeScan(all.first(i), combine)));
    }
  }
}

#define OPERATION(T, NAME, IDENTITY)                                                                                   \
  extern "C" void reduce_##NAME##_##T(const T *, T *), inclusive_##NAME##_##T(const T *, T *),                         \
      exclusive_##NAME##_##T(const T *, T *);                                                                          \
  TEST(WorkGroup, NAME##_##T) {                                                                                        \
    check<T>(reduce_##NAME##_##T, inclusive_##NAME##_##T, exclusive_##NAME##_##T, IDENTITY, Combine<T>::NAME);         \
  }
#define TYPE(T)                                                                                                        \
  OPERATION(T, add, T(0))                                                                                              \
  OPERATION(T, min, Combine<T>::highest())                                                                             \
  OPERATION(T, max, Combine<T>::lowest())                                                                              \
  extern "C" void broadcast_##T(const T *, ulong, ulong, ulong, uint, T *);                                            \
  TEST(WorkGroup, broadcast_##T) {                                                                                     \
    const auto in = thirds<T>(60);                                                                                     \
    std::vector<T> out(60);                                                                                            \
    runGroup({.localSize = {60, 1, 1}}, [&] { broadcast_##T(in.data(), 41, 0, 0, 1, out.data()); });                   \
    for (T value : out) EXPECT_EQ(double(value), double(in[41]));                                                      \
    runGroup({.localSize = {12, 5, 1}}, [&] { broadcast_##T(in.data(), 3, 2, 0, 2, out.data()); });                    \
    for (T value : out) EXPECT_EQ(double(value), double(in[2 * 12 + 3]));                                              \
    runGroup({.localSize = {3, 4, 5}}, [&] { broadcast_##T(in.data(), 2, 1, 4, 3, out.data()); });                     \
    for (T value : out) EXPECT_EQ(double(value), double(in[(4 * 4 + 1) * 3 + 2]));                                     \
  }
TYPE(int)
TYPE(uint)
TYPE(long)
TYPE(ulong)
TYPE(half)
TYPE(float)
TYPE(double)

extern "C" void votes(const int *, int *), sequence(const int *, int *), queries(ulong *), clocks(ulong *);
TEST(WorkGroup, votes) {
  for (int holding : {0, 1, 39, 40}) {
    std::vector<int> in(40), out(80);
    for (int i = 0; i < holding; ++i) in[i * 7 % 40] = i % 2 ? -1 : 4;
    runGroup({.localSize = {40, 1, 1}}, [&] { votes(in.data(), out.data()); });
    for (int i = 0; i < 40; ++i) {
      EXPECT_EQ(out[2 * i], holding == 40);
      EXPECT_EQ(out[2 * i + 1], holding > 0);
    }
  }
}

TEST(WorkGroup, collectives_in_a_row) {
  const auto in = thirds<int>(45);
  std::vector<int> out(45);
  int sum = 0;
  for (int value : in) sum += value;
  const int step = sum - *std::min_element(in.begin(), in.end());
  for (int run = 0; run < 20; ++run) {
    runGroup({.localSize = {5, 3, 3}}, [&] { sequence(in.data(), out.data()); });
    for (int i = 0; i < 45; ++i) ASSERT_EQ(out[i], step * (i + 1) + sum);
  }
}

TEST(WorkItem, queries) {
  const GroupShape shape = {.localSize = {5, 3, 3},
                            .fullSize = {6, 3, 4},
                            .groupId = {2, 1, 1},
                            .numGroups = {3, 2, 2},
                            .globalOffset = {100, 10, 1},
                            .globalSize = {17, 6, 7},
                            .dimensions = 3};
  std::vector<ulong> out(48 * 45);
  runGroup(shape, [&] { queries(out.data()); });
  for (ulong i = 0; i < 45; ++i) {
    const ulong *got = &out[48 * i];
    const ulong local[3] = {i % 5, i / 5 % 3, i / 15}, group[3] = {2, 1, 1}, offset[3] = {100, 10, 1},
                full[3] = {6, 3, 4};
    const ulong global[3] = {17, 6, 7}, size[3] = {5, 3, 3}, groups[3] = {3, 2, 2};
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(got[d], offset[d] + group[d] * full[d] + local[d]);
      EXPECT_EQ(got[4 + d], local[d]);
      EXPECT_EQ(got[8 + d], group[d]);
      EXPECT_EQ(got[12 + d], offset[d]);
      EXPECT_EQ(got[16 + d], global[d]);
      EXPECT_EQ(got[20 + d], size[d]);
      EXPECT_EQ(got[24 + d], full[d]);
      EXPECT_EQ(got[28 + d], groups[d]);
    }
    // "For other values of dimindx" ids are 0 and sizes 1.
    for (int query = 0; query < 8; ++query) EXPECT_EQ(got[4 * query + 3], query < 4 ? 0u : 1u);
    EXPECT_EQ(got[32], ((group[2] * 4 + local[2]) * 6 + group[1] * 3 + local[1]) * 17 + group[0] * 6 + local[0]);
    EXPECT_EQ(got[33], i);
    EXPECT_EQ(got[34], 3u);
    EXPECT_EQ(got[35], i < 32 ? 32u : 13u);
    EXPECT_EQ(got[36], 32u);
    EXPECT_EQ(got[37], 2u);
    EXPECT_EQ(got[38], 3u); // 72 work-items in a full group
    EXPECT_EQ(got[39], i / 32);
    EXPECT_EQ(got[40], i % 32);
  }
}

TEST(WorkGroup, clocks) {
  std::vector<ulong> out(6);
  runGroup({}, [&] { clocks(out.data()); });
  for (ulong value : out) EXPECT_EQ(value, 0x1234567890abcdefu);
}

template <std::size_t Size> struct alignas(Size) Bytes {
  uchar bytes[Size];
};
// USED is what of SIZE counts: a 3-vector has a fourth component that nobody promises anything about.
#define COPY(NAME, SIZE, USED)                                                                                         \
  extern "C" void copy_##NAME(const Bytes<SIZE> *, Bytes<SIZE> *, Bytes<SIZE> *, ulong, ulong);                        \
  TEST(Async, copy_##NAME) {                                                                                           \
    constexpr std::size_t n = 20, stride = 3;                                                                          \
    std::vector<Bytes<SIZE>> in(n), buffer(n), out(n *stride);                                                         \
    for (std::size_t i = 0; i < n; ++i)                                                                                \
      for (std::size_t b = 0; b < SIZE; ++b) in[i].bytes[b] = uchar(i * 31 + b);                                       \
    runGroup({.localSize = {10, 3, 1}}, [&] { copy_##NAME(in.data(), buffer.data(), out.data(), n, stride); });        \
    for (std::size_t i = 0; i < n * stride; ++i)                                                                       \
      for (std::size_t b = 0; b < USED; ++b)                                                                           \
        ASSERT_EQ(out[i].bytes[b], i % stride == 0 ? in[i / stride].bytes[b] : 0);                                     \
    for (std::size_t i = 0; i < n; ++i)                                                                                \
      for (std::size_t b = 0; b < USED; ++b) ASSERT_EQ(buffer[i].bytes[b], in[i].bytes[b]);                            \
  }
COPY(char, 1, 1)
COPY(int, 4, 4)
COPY(double, 8, 8)
COPY(float3, 16, 12)
COPY(long16, 128, 128)

} // namespace
} // namespace us::test
