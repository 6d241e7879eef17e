// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel last
//! global 4
//! local 4
//! arg buffer int 16 fill(i)
//! arg buffer int 4
// An unsigned number is never below zero.
kernel void last(global const int *in, global int *out) {
  int sum = 0;
#ifdef FIXED
  for (uint i = 16; i-- > 0;)
#else
  for (uint i = 15; i >= 0; --i) //~ no progress: work-item 0 of work-group 0
#endif
    sum += in[i & 15];
  out[get_global_id(0)] = sum;
}
