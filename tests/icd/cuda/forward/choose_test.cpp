// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call goes through before its entry says who answers: no argument is lost, whatever its type and place.
#include "icd/cuda/forward/sides.h"
#include "icd/cuda/table.h"

#include <cstring>
#include <gtest/gtest.h>
#include <xmmintrin.h>

using us::cuda::CallFrame;
using us::cuda::TableRow;

namespace {

void *target = nullptr;
void *caller = nullptr;
uint64_t seen[9];
void (*look)(CallFrame &) = nullptr;

} // namespace

namespace us::cuda {
void *targetOf(TableRow &function, CallFrame &frame) {
  for (size_t i = 0; i < std::size(seen); ++i) seen[i] = frame.argument(i);
  caller = frame.caller;
  if (look) look(frame);
  // Whoever decides may use every register that a call may change.
  __asm__ volatile("xorps %%xmm0, %%xmm0; xorps %%xmm1, %%xmm1; xorps %%xmm2, %%xmm2; xorps %%xmm3, %%xmm3;"
                   "xorps %%xmm4, %%xmm4; xorps %%xmm5, %%xmm5; xorps %%xmm6, %%xmm6; xorps %%xmm7, %%xmm7" ::
                       : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
  __asm__ volatile("movq $-1, %%rdi; movq $-1, %%rsi; movq $-1, %%rdx; movq $-1, %%rcx; movq $-1, %%r8; movq $-1, %%r9;"
                   "movq $-1, %%r10" ::
                       : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10");
  return function.entry ? target : nullptr;
}
} // namespace us::cuda

// A symbol as table.cpp makes them, whose entry does not say who answers.
extern "C" __attribute__((visibility("hidden"))) void usCudaFirst_test();
extern "C" __attribute__((visibility("hidden"))) TableRow usCudaFunction_test;
TableRow usCudaFunction_test{
    reinterpret_cast<void *>(&usCudaFirst_test), "test", nullptr, 0, 0, nullptr, nullptr, nullptr};
__asm__(".text\n.globl usTest\n.type usTest, @function\nusTest:\n  jmpq *usCudaFunction_test(%rip)\n"
        ".hidden usCudaFirst_test\n.globl usCudaFirst_test\nusCudaFirst_test:\n"
        "  leaq usCudaFunction_test(%rip), %rax\n  jmp usCudaChoose\n");

namespace {

void *testSymbol() {
  void *symbol = nullptr;
  __asm__("leaq usTest(%%rip), %0" : "=r"(symbol));
  return symbol;
}

using Many = double (*)(long, double, const char *, float, int, unsigned char, double, uint64_t, __m128, double, double,
                        double, float, double, long, short, double, const void *);
double many(long a, double b, const char *c, float d, int e, unsigned char f, double g, uint64_t h, __m128 i, double j,
            double k, double l, float m, double n, long o, short p, double q, const void *r) {
  float lanes[4];
  std::memcpy(lanes, &i, sizeof lanes);
  EXPECT_EQ(a, -1);
  EXPECT_STREQ(c, "three");
  EXPECT_EQ(e, -5);
  EXPECT_EQ(f, 6);
  EXPECT_EQ(h, 0x8000000000000008u);
  EXPECT_EQ(o, -15); // on the stack, as are the next integers and numbers
  EXPECT_EQ(p, -16);
  EXPECT_EQ(r, static_cast<void *>(&target));
  EXPECT_EQ(lanes[0] + 10 * lanes[1] + 100 * lanes[2] + 1000 * lanes[3], 4321);
  EXPECT_EQ(n, 14);
  EXPECT_EQ(q, 17);
  return b + d + g + j + k + l + double(m);
}

TEST(Choose, keepsAllArguments) {
  target = reinterpret_cast<void *>(&many);
  look = nullptr;
  void *const symbol = testSymbol();
  const double sum = reinterpret_cast<Many>(symbol)(-1, 2, "three", 4, -5, 6, 7, 0x8000000000000008u,
                                                    _mm_set_ps(4, 3, 2, 1), 10, 11, 12, 13, 14, -15, -16, 17, &target);
  EXPECT_EQ(sum, 2 + 4 + 7 + 10 + 11 + 12 + 13);
  // Integers and pointers have their numbers, wherever they are.
  EXPECT_EQ(long(seen[0]), -1);
  EXPECT_EQ(int(seen[2]), -5);
  EXPECT_EQ(seen[4], 0x8000000000000008u);
  EXPECT_EQ(long(seen[5]), -15);
}

TEST(Choose, letsArgumentsBeChanged) {
  using Nine = long (*)(long, long, long, long, long, long, long, long, long);
  target =
      reinterpret_cast<void *>(Nine([](long a, long b, long c, long d, long e, long f, long g, long h, long i) -> long {
        return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f + 1000000 * g + 10000000 * h + 100000000 * i;
      }));
  void *const symbol = testSymbol();
  look = [](CallFrame &frame) {
    frame.argument(1) = 9;
    frame.argument(8) = 3;
  };
  EXPECT_EQ(reinterpret_cast<Nine>(symbol)(1, 2, 3, 4, 5, 6, 7, 8, 9), 387654391);
  EXPECT_EQ(seen[7], 8u);
  EXPECT_EQ(seen[8], 9u);
}

__attribute__((noinline)) void callsIt(void *what) {
  reinterpret_cast<void (*)()>(what)();
  __asm__ volatile(""); // the call is not the last thing, which might be a jump
}

TEST(Choose, saysWhereTheCallComesFrom) {
  target = reinterpret_cast<void *>(+[] {});
  look = nullptr;
  void *const symbol = testSymbol();
  callsIt(symbol);
  // In this program, and not in what it went through.
  EXPECT_GT(reinterpret_cast<uintptr_t>(caller), reinterpret_cast<uintptr_t>(&callsIt));
  EXPECT_LT(reinterpret_cast<uintptr_t>(caller), reinterpret_cast<uintptr_t>(&callsIt) + 256);
}

} // namespace
