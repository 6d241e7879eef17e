// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel gather
//! global 8
//! local 4
//! arg buffer int 6 fill(i + 1)
//! arg buffer int 8 fill(i)
//! arg buffer int 8
kernel void gather(global const int *places, global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = i < 6 ? in[places[i] - 1] : 0;
#else
  out[i] = in[places[i] - 1]; //~ out of bounds read: work-items 2-3 of work-group 1 | > out of bounds read: work-items 2-3 of work-group 1
#endif
}
