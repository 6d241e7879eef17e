// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -O2 -arch=sm_86
// Header libraries declare what assert() calls for host and device where NDEBUG keeps it from them.
#define NDEBUG
#include "../check.h"

#include <cassert>
extern "C" __host__ __device__ void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept
    __attribute__((__noreturn__));
#undef NDEBUG
#include <cassert>

__host__ __device__ void both(int value) { value ? void(0) : __assert_fail("value", __FILE__, __LINE__, __func__); }

__global__ void kernel(int *p) {
  assert(*p == 1);
  both(*p);
  *p ? void(0) : __assert_fail("*p", __FILE__, __LINE__, __func__);
  *p = 42;
}

int main() {
  int *p = nullptr;
  OK(cudaMallocManaged(&p, sizeof *p));
  *p = 1;
  both(*p);
  assert(p);
  kernel<<<1, 1>>>(p);
  OK(cudaDeviceSynchronize());
  CHECK(*p == 42);
  *p = 0;
  kernel<<<1, 1>>>(p);
  EXPECT(cudaErrorAssert, cudaDeviceSynchronize());
  return failures;
}
