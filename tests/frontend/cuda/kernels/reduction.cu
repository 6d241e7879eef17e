// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of all elements: shuffles in a warp, shared memory between warps, an atomic between blocks.
__device__ int sumOfWarp(int value) {
  for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffu, value, lanes);
  return value;
}

extern "C" __global__ void __launch_bounds__(256) reduction(int *total, const int *values, int n) {
  __shared__ int partial[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += values[i];
  sum = sumOfWarp(sum);
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    sum = sumOfWarp(threadIdx.x < blockDim.x / warpSize ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(total, sum);
  }
}
