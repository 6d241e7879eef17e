// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel scale
//! global 64
//! local 32
//! arg buffer float 64 fill(i)
//! arg buffer float 60
// What is inlined keeps its line.
__device__ void put(float *out, int i, float value) {
#ifdef FIXED
  if (i >= 60) return;
#endif
  out[i] = value; //~ out of bounds write: work-items 28-31 of work-group 1
}

extern "C" __global__ void scale(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  put(out, i, in[i] * 2.0f);
}
