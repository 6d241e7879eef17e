// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 20
//! local 4
//! arg buffer int 18 hosts
// The host's own memory is the buffer: CL_MEM_USE_HOST_PTR.
kernel void fill(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i < 18)
#endif
  out[i] = i; //~ out of bounds write: work-items 2-3 of work-group 4
}
