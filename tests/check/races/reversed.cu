// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel reverse
//! global 64
//! local 64
//! arg buffer int 64 fill(i)
extern "C" __global__ void reverse(int *data) {
  __shared__ int kept[64];
  int i = threadIdx.x;
  kept[i] = data[i]; //~ race of a read and a write: work-items 32-63 of work-group 0
#ifdef FIXED
  __syncthreads();
#endif
  data[i] = kept[63 - i]; //~ > uninitialized store: work-items 0-31 of work-group 0
}
