// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 128
//! local 64
//! arg buffer int 2
//! arg buffer int 128 fill(i)
// The threads of a warp are in no order, either.
extern "C" __global__ void sum(int *out, const int *data) {
  __shared__ int tile[64];
  unsigned tid = threadIdx.x;
  tile[tid] = data[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      tile[tid] += tile[tid + s]; //~ race of a read and a write: work-items 1-31 of work-groups 0-1
#ifdef FIXED
    __syncthreads();
#endif
  }
  if (tid == 0)
    out[blockIdx.x] = tile[0];
}
