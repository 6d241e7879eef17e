// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel doubled
//! global 8
//! local 8
//! arg buffer uchar 32 written(31)
//! arg buffer int 8
// The host has written a byte less. In PTX a product by 2 is a shift, which moves bits as a copy of a bit-field does.
extern "C" __global__ void doubled(const int *in, int *out) {
  int i = threadIdx.x;
#ifdef FIXED
  if (i == 7) return;
#endif
  out[i] = in[i] * 2; //~ uninitialized store: work-item 7 of work-group 0
}
