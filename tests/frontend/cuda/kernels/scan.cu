// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive prefix sums of one block's elements in dynamic shared memory (Hillis and Steele).
extern "C" __global__ void scan(int *sums, const int *values) {
  extern __shared__ int buffer[];
  const int i = threadIdx.x, n = blockDim.x;
  int from = 0;
  buffer[i] = values[i];
  __syncthreads();
  for (int distance = 1; distance < n; distance *= 2) {
    const int to = n - from;
    buffer[to + i] = buffer[from + i] + (i >= distance ? buffer[from + i - distance] : 0);
    from = to;
    __syncthreads();
  }
  sums[i] = buffer[from + i];
}
