// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies from global to shared memory that a thread starts and waits for later: cp.async, an ordinary copy on devices
// older than compute capability 8.0.
#pragma once

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)
/// 4, 8 or 16 bytes, aligned so; the last `zeros` of them become 0 and are not read.
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                                                               size_t bytes, size_t zeros = 0) {
#if UNDERSTUDY_ARCH >= 800
  const unsigned int address = static_cast<unsigned int>(__cvta_generic_to_shared(to));
  const unsigned int taken = static_cast<unsigned int>(bytes - zeros);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(taken) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(address), "l"(from), "r"(taken) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(taken) : "memory");
#else
  for (size_t i = 0; i < bytes; ++i)
    static_cast<char *>(to)[i] = i < bytes - zeros ? static_cast<const char *>(from)[i] : char(0);
#endif
}

/// Ends a group of copies.
static __device__ __forceinline__ void __pipeline_commit() {
#if UNDERSTUDY_ARCH >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Until at most the newest `groups` groups are under way. The instruction wants a constant.
static __device__ __forceinline__ void __pipeline_wait_prior(size_t groups) {
#if UNDERSTUDY_ARCH >= 800
#define US_WAIT(N)                                                                                                     \
  case N:                                                                                                              \
    asm volatile("cp.async.wait_group " #N ";" ::: "memory");                                                          \
    break;
  switch (groups) {
    US_WAIT(0)
    US_WAIT(1)
    US_WAIT(2)
    US_WAIT(3)
    US_WAIT(4)
    US_WAIT(5)
    US_WAIT(6)
    US_WAIT(7)
  default:
    asm volatile("cp.async.wait_group 8;" ::: "memory");
    break;
  }
#undef US_WAIT
#else
  (void)groups;
#endif
}

#if UNDERSTUDY_ARCH >= 800
/// The barrier counts an arrival when this thread's copies have been made.
static __device__ __forceinline__ void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(us_barrierAddress(barrier)) : "memory");
}
#endif
#endif
