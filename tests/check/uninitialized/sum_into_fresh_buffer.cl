// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
//! arg buffer int 8 unwritten
// Each work-item adds to what is there before anybody has written it.
kernel void sum(global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = 0;
#endif
  for (int k = 0; k <= i; ++k) out[i] += in[k]; //~ uninitialized store: work-items 0-7 of work-group 0
}
