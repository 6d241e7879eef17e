// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 128
//! local 64
//! arg buffer int 2
//! arg buffer int 128 fill(i)
// The sum of the upper half is one element away from where it was made.
extern "C" __global__ void sum(int *out, const int *data) {
  __shared__ int tile[64];
  unsigned tid = threadIdx.x;
  tile[tid] = data[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
#ifdef FIXED
    if (tid < s)
      tile[tid] += tile[tid + s];
#else
    int other = 0;
    if (tid < s)
      other = tile[tid + s + 1]; //~ out of bounds read: work-item 31 of work-groups 0-1
    __syncthreads();
    tile[tid] += other;
#endif
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = tile[0];
}
