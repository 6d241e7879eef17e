// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pick
//! global 2
//! local 2
//! arg buffer int 8 fill(i)
//! arg buffer int 8
// A vector of three components has the size of one of four; nobody has to write the fourth.
kernel void pick(global const int *in, global int3 *out) {
  int i = get_global_id(0);
  int3 kept[2];
  kept[0].x = in[i];
  kept[0].y = in[i + 1];
  kept[1] = (int3)(1, 2, 3);
#ifdef FIXED
  kept[0].z = in[i + 2];
#endif
  out[i] = kept[in[i] & 1]; //~ uninitialized store: work-item 0 of work-group 0
}
