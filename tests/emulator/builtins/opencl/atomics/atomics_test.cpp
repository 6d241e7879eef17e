// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: what one operation does, alone, and that nothing is lost when threads meet.
#include <gtest/gtest.h>

#include <thread>

#include "tests/emulator/builtins/support/values.h"

namespace us::test {
namespace {

constexpr uint kCount = 500;

template <typename T> std::vector<T> operands(unsigned seed) {
  if constexpr (std::is_integral_v<T>)
    return integers<T>(kCount, seed);
  else {
    std::mt19937 random(seed);
    std::vector<T> values;
    while (values.size() < kCount) values.push_back(T(int(random() % 2001) - 1000) / T(7));
    return values;
  }
}
template <typename T> void check(ulong (*run)(T *, const T *, const T *, uint)) {
  T word;
  EXPECT_EQ(run(&word, operands<T>(0).data(), operands<T>(1).data(), kCount), 0u);
}
#define CHECK(NAME, T)                                                                                                 \
  extern "C" ulong NAME##_##T(T *, const T *, const T *, uint);                                                        \
  TEST(Atomics, NAME##_##T) { check<T>(NAME##_##T); }
#define SPACE(NAME)                                                                                                    \
  CHECK(NAME, int) CHECK(NAME, uint) CHECK(NAME, long) CHECK(NAME, ulong) CHECK(NAME, float) CHECK(NAME, double)
SPACE(global)
SPACE(local)
SPACE(generic)
#define OLD(NAME) CHECK(NAME, int) CHECK(NAME, uint) CHECK(NAME, long) CHECK(NAME, ulong) CHECK(NAME, float)
OLD(old_global)
OLD(old_local)

extern "C" uint flags(int *);
TEST(Atomics, flags) {
  int word;
  EXPECT_EQ(flags(&word), 0u);
}

extern "C" void contend(int *, float *, double *, uint, uint);
TEST(Atomics, nothing_is_lost) {
  constexpr uint threads = 4, rounds = 20000;
  int counters[5] = {};
  float sum = 0;
  double least = 1;
  std::vector<std::thread> all;
  for (uint i = 0; i < threads; ++i) all.emplace_back([&, i] { contend(counters, &sum, &least, i, rounds); });
  for (auto &thread : all) thread.join();
  EXPECT_EQ(counters[0], int(threads * rounds));
  EXPECT_EQ(counters[1], int(2 * threads * rounds));
  EXPECT_EQ(counters[2], int(3 * threads * rounds));
  EXPECT_EQ(counters[4], int(threads * rounds));
  EXPECT_EQ(sum, float(threads * rounds));
  EXPECT_EQ(least, -double(threads * rounds - 1));
}

extern "C" void send(int *, int *, int);
extern "C" int receive(int *, int *, int);
TEST(Atomics, fences_order_messages) {
  struct {
    alignas(128) int data = 0;
    alignas(128) int ready = 0;
    alignas(128) int acknowledged = 0, reply = 0;
  } shared;
  int missed = 0;
  constexpr int messages = 300;
  std::thread receiver([&] {
    for (int i = 1; i <= messages; ++i) {
      missed += !receive(&shared.data, &shared.ready, i);
      send(&shared.reply, &shared.acknowledged, i);
    }
  });
  for (int i = 1; i <= messages; ++i) {
    send(&shared.data, &shared.ready, i);
    missed += !receive(&shared.reply, &shared.acknowledged, i);
  }
  receiver.join();
  EXPECT_EQ(missed, 0);
}

} // namespace
} // namespace us::test
