// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with attributes, limits of kernels, and what a kernel says of itself.
#include "../check.h"

#include <cooperative_groups.h>
#include <cstring>
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) bounded(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = int(gridDim.x); }
__global__ void large(int *p) {
  extern __shared__ int mine[];
  mine[threadIdx.x] = int(threadIdx.x);
  mine[64 * 256 - 1] = 5;
  __syncthreads();
  p[threadIdx.x] = mine[blockDim.x - 1 - threadIdx.x] + mine[64 * 256 - 1];
}
__global__ void together(int *p, int *turn) {
  const auto grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0) atomicAdd(turn, 1);
  grid.sync();
  if (threadIdx.x == 0) p[blockIdx.x] = *static_cast<volatile int *>(turn);
}

int main() {
  int *p, *turn, host[256];
  OK(cudaMalloc(&p, sizeof host));
  OK(cudaMalloc(&turn, sizeof(int)));
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, bounded));
  CHECK(attributes.maxThreadsPerBlock == 128);
  bounded<<<1, 256>>>(p);
  CHECK(cudaGetLastError() != cudaSuccess);
  // More shared memory than a kernel gets unasked.
  large<<<1, 64, 64 * 1024>>>(p);
  CHECK(cudaGetLastError() != cudaSuccess);
  OK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  large<<<1, 64, 64 * 1024>>>(p);
  OK(cudaGetLastError());
  OK(cudaMemcpy(host, p, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(host[0] == 63 + 5 && host[63] == 5);
  // The same by a configuration, with attributes.
  cudaLaunchAttribute list[2];
  std::memset(list, 0, sizeof list);
  list[0].id = cudaLaunchAttributeCooperative;
  list[0].val.cooperative = 1;
  list[1].id = cudaLaunchAttributePriority;
  list[1].val.priority = 0;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(4);
  configuration.blockDim = dim3(32);
  configuration.attrs = list;
  configuration.numAttrs = 2;
  OK(cudaMemset(turn, 0, sizeof(int)));
  OK(cudaLaunchKernelEx(&configuration, together, p, turn));
  OK(cudaMemcpy(host, p, 4 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) CHECK(host[i] == 4);
  int blocks = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0));
  CHECK(blocks > 0);
  return failures != 0;
}
