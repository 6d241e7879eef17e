// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel scale
//! global 16
//! local 8
//! arg buffer int 16 fill(i) readonly
//! arg buffer int 16
// The host made the buffer for kernels that only read it: CL_MEM_READ_ONLY.
kernel void scale(global int *in, global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] * 2;
#ifndef FIXED
  if (i >= 12) in[i] = 0; //~ write to read-only memory: work-items 4-7 of work-group 1
#endif
}
