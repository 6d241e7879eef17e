// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -arch=sm_80
// Copies into shared memory that run beside the threads: two stages of a pipeline, by its primitives.
#include "../check.h"

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <vector>

constexpr int kThreads = 64;

__global__ void sums(const int4 *from, long long *to, int tiles) {
  __shared__ int4 stages[2][kThreads];
  const auto fetch = [&](int tile) {
    if (tile < tiles)
      __pipeline_memcpy_async(&stages[tile % 2][threadIdx.x], &from[tile * kThreads + threadIdx.x], sizeof(int4));
    __pipeline_commit();
  };
  long long sum = 0;
  fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    fetch(tile + 1);
    __pipeline_wait_prior(1); // all but the newest have arrived
    __syncthreads();
    const int4 mine = stages[tile % 2][kThreads - 1 - threadIdx.x];
    sum += mine.x + mine.y + mine.z + mine.w;
    __syncthreads();
  }
  to[threadIdx.x] = sum;
}

int main() {
  const int tiles = 9;
  std::vector<int> values(tiles * kThreads * 4);
  for (size_t i = 0; i < values.size(); ++i) values[i] = int(i * 7 % 1000);
  int4 *from;
  long long *to, host[kThreads];
  OK(cudaMalloc(&from, values.size() * sizeof(int)));
  OK(cudaMalloc(&to, sizeof host));
  OK(cudaMemcpy(from, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  sums<<<1, kThreads>>>(from, to, tiles);
  OK(cudaGetLastError());
  OK(cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost));
  for (int thread = 0; thread < kThreads; ++thread) {
    long long expected = 0;
    for (int tile = 0; tile < tiles; ++tile)
      for (int part = 0; part < 4; ++part) expected += values[(tile * kThreads + kThreads - 1 - thread) * 4 + part];
    CHECK(host[thread] == expected);
  }
  return failures != 0;
}
