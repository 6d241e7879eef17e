// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory at which arriving and waiting are two calls: mbarrier. For devices of compute
// capability 8.0 and newer.
#pragma once

#include "cuda_runtime.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#if defined(__CUDA__) && UNDERSTUDY_ARCH >= 800
static __device__ __forceinline__ unsigned int us_barrierAddress(__mbarrier_t *barrier) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(barrier));
}
static __device__ __forceinline__ unsigned int __mbarrier_maximum_count() { return (1u << 20) - 1; }
static __device__ __forceinline__ void __mbarrier_init(__mbarrier_t *barrier, unsigned int expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(us_barrierAddress(barrier)), "r"(expected) : "memory");
}
static __device__ __forceinline__ void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(us_barrierAddress(barrier)) : "memory");
}
static __device__ __forceinline__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(us_barrierAddress(barrier)) : "memory");
  return token;
}
static __device__ __forceinline__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(us_barrierAddress(barrier)) : "memory");
  return token;
}
static __device__ __forceinline__ bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  unsigned int done;
  asm volatile(
      "{\n  .reg .pred %%done;\n  mbarrier.test_wait.shared.b64 %%done, [%1], %2;\n  selp.u32 %0, 1, 0, %%done;\n}"
      : "=r"(done)
      : "r"(us_barrierAddress(barrier)), "l"(token)
      : "memory");
  return done != 0;
}
static __device__ __forceinline__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned int count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
#endif
