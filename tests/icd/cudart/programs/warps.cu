// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a warp among themselves: shuffles, votes, masks, reductions; and atomics among all of them.
#include "../check.h"

#include <cuda_runtime.h>

__global__ void warps(int *shuffled, unsigned *voted, int *reduced) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  shuffled[threadIdx.x] = sum + __shfl_down_sync(0xffffffff, lane, 1, 8) * 1000;
  const unsigned odd = __ballot_sync(0xffffffff, lane & 1);
  if (lane < 8) { // a part of a warp
    const unsigned mask = 0xff;
    voted[warp * 8 + lane] = odd + (__all_sync(mask, lane < 8) ? 1 : 0) + (__any_sync(mask, lane == 3) ? 1 : 0);
  }
  reduced[threadIdx.x] = __popc(__match_any_sync(0xffffffff, lane / 4)) * 100 + __ffs(__activemask());
}
__global__ void histogram(const unsigned char *data, int n, unsigned *bins, int *least, unsigned long long *all) {
  __shared__ unsigned mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&mine[data[i] % 16], 1u);
    atomicMin(least, int(data[i]) - 100);
    atomicAdd(all, (unsigned long long)data[i]);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  int *shuffled, *reduced, host[64];
  unsigned *voted, votes[16];
  OK(cudaMallocManaged(&shuffled, sizeof host));
  OK(cudaMallocManaged(&reduced, sizeof host));
  OK(cudaMallocManaged(&voted, sizeof votes));
  warps<<<1, 64>>>(shuffled, voted, reduced);
  OK(cudaDeviceSynchronize());
  // 0 + ... + 31 and 32 + ... + 63; the last lane of eight keeps its own.
  CHECK(shuffled[0] == 496 + 1000 && shuffled[7] == 496 + 7000 && shuffled[33] == 1520 + 2000);
  for (int i = 0; i < 16; ++i) CHECK(voted[i] == 0xaaaaaaaau + 2);
  CHECK(reduced[5] == 401 && reduced[63] == 401);
  const int n = 100000;
  unsigned char *data;
  unsigned *bins;
  int *least;
  unsigned long long *all, expected = 0;
  unsigned counts[16] = {};
  OK(cudaMallocManaged(&data, n));
  OK(cudaMallocManaged(&bins, 64));
  OK(cudaMallocManaged(&least, 4));
  OK(cudaMallocManaged(&all, 8));
  for (int i = 0; i < n; ++i) {
    data[i] = (unsigned char)(i * 37 % 251 + 3);
    ++counts[data[i] % 16];
    expected += data[i];
  }
  OK(cudaMemset(bins, 0, 64));
  *least = 1000, *all = 0;
  histogram<<<8, 128>>>(data, n, bins, least, all);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) CHECK(bins[i] == counts[i]);
  CHECK(*least == 3 - 100 && *all == expected);
  return failures != 0;
}
