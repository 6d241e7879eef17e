// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's pipeline of copies to shared memory, over cuda_pipeline_primitives.h.
#pragma once

#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__)
extern "C++" {
namespace nvcuda {
namespace experimental {

class pipeline {
public:
  __device__ pipeline() {}
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __device__ ~pipeline() { wait_prior<0>(); }

  /// Ends a batch of copies and gives its number.
  __device__ __forceinline__ size_t commit() {
    __pipeline_commit();
    return batches_++;
  }
  template <unsigned Batches> __device__ __forceinline__ void wait_prior() { __pipeline_wait_prior(Batches); }
  __device__ __forceinline__ void wait(size_t batch) {
    __pipeline_wait_prior(batches_ > batch ? batches_ - batch - 1 : 0);
  }

private:
  size_t batches_ = 0;
};

template <class T> __device__ __forceinline__ void memcpy_async(T &to, const T &from, pipeline &) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
    if constexpr (alignof(T) >= sizeof(T)) {
      __pipeline_memcpy_async(&to, &from, sizeof(T));
      return;
    }
  to = from;
}

} // namespace experimental
} // namespace nvcuda
}
#endif
