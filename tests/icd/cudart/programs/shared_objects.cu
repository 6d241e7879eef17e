// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory holds objects that nobody constructs until the program does, and may say how it is aligned by alignas.
#include "../check.h"
#include <new>

/// What one thread makes of memory, and all count down.
struct Countdown {
  int left;
  __host__ __device__ Countdown(int from = 7) : left(from) {}
  __host__ __device__ ~Countdown() { left = -1; }
  __device__ int arrive() { return atomicSub(&left, 1); }
};
struct alignas(16) Four {
  float values[4];
};

template <class T> __global__ void count(int *results) {
  __shared__ T counter;
  __shared__ alignas(alignof(Four)) float first[3];
  __shared__ alignas(64) volatile unsigned char second[5];
  __shared__ T several[2];
  if (threadIdx.x == 0) {
    new (&counter) T(blockDim.x);
    new (&several[1]) T(2 * blockDim.x);
  }
  first[threadIdx.x % 3] = 0;
  second[threadIdx.x % 5] = 0;
  __syncthreads();
  counter.arrive();
  several[1].arrive();
  __syncthreads();
  if (threadIdx.x == 0) {
    results[0] = counter.left;
    results[1] = several[1].left;
    results[2] = static_cast<int>(reinterpret_cast<size_t>(&first[0]) % 16);
    results[3] = static_cast<int>(reinterpret_cast<size_t>(&second[0]) % 64);
  }
}

__device__ alignas(32) char inDevice[3] = {1, 2, 3};
__constant__ alignas(double) char inConstant[8] = {};
alignas(64) static char onHost[3] = {};

__global__ void where(int *results) {
  results[0] = static_cast<int>(reinterpret_cast<size_t>(inDevice) % 32);
  results[1] = static_cast<int>(reinterpret_cast<size_t>(inConstant) % 8);
  results[2] = inDevice[2];
}

int main() {
  int *results;
  OK(cudaMallocManaged(&results, 4 * sizeof(int)));
  count<Countdown><<<1, 48>>>(results);
  OK(cudaDeviceSynchronize());
  CHECK(results[0] == 0 && results[1] == 48 && results[2] == 0 && results[3] == 0);
  where<<<1, 1>>>(results);
  OK(cudaDeviceSynchronize());
  CHECK(results[0] == 0 && results[1] == 0 && results[2] == 3);
  CHECK(reinterpret_cast<size_t>(onHost) % 64 == 0);
  return failures != 0;
}
