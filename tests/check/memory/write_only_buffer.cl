// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel add
//! global 16
//! local 8
//! arg buffer int 16 fill(i)
//! arg buffer int 16 writeonly
// The host made the buffer for kernels that only write it: CL_MEM_WRITE_ONLY.
kernel void add(global const int *in, global int *out) {
  int i = get_global_id(0);
  out[i] = in[i];
#ifndef FIXED
  out[i] += 1; //~ read of write-only memory: work-items 0-7 of work-groups 0-1
#endif
}
