// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc:
// Overloads of atomic functions that a program declares for device code alone, called by templates that the host's
// compiler reads, too; and the toolkit's, which are still taken where they fit.
#include "../check.h"

#ifdef __CUDA_ARCH__
__device__ long long atomicAdd(long long *address, long long value) {
  return (long long)atomicAdd((unsigned long long *)address, (unsigned long long)value);
}
__device__ long long atomicAdd_block(long long *address, long long value) { return atomicAdd(address, value); }
#endif
struct Pair {
  int low, high;
};
__device__ Pair atomicMax(Pair *address, int value) {
  return {atomicMax(&address->low, value), atomicMax(&address->high, value)};
}

template <class T> __global__ void count(T *sums, Pair *pair) {
  atomicAdd(&sums[0], (T)threadIdx.x);
  atomicAdd_block(&sums[1], T(2));
  atomicMax(pair, (int)threadIdx.x);
}

template <class T> T run() {
  T *sums;
  Pair *pair;
  OK(cudaMallocManaged(&sums, 2 * sizeof(T)));
  OK(cudaMallocManaged(&pair, sizeof(Pair)));
  sums[0] = sums[1] = 0;
  *pair = {-1, 40};
  count<<<1, 64>>>(sums, pair);
  OK(cudaDeviceSynchronize());
  CHECK(pair->low == 63 && pair->high == 63);
  return sums[0] * 1000 + sums[1];
}

int main() {
  CHECK(run<long long>() == 2016128);
  CHECK(run<unsigned>() == 2016128);
  CHECK(run<float>() == 2016128.0f);
  return failures;
}
