// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel address
//! global 4
//! local 4
//! arg buffer int 4 fill(i)
//! arg buffer int 4
kernel void address(global const int *in, global int *out) {
  int i = get_global_id(0), at;
#ifdef FIXED
  at = 0;
#else
  if (in[i] < 3) at = 0;
#endif
  out[i] = in[at & 3]; //~ uninitialized address: work-item 3 of work-group 0
}
