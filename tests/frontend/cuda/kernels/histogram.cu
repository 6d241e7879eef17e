// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of byte values: a histogram of each block in shared memory, then one of all.
extern "C" __global__ void histogram(unsigned int *counts, const unsigned char *values, int n) {
  __shared__ unsigned int mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[values[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (mine[i] != 0) atomicAdd(&counts[i], mine[i]);
}
