// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 4
//! local 4
//! arg buffer int 4 fill(i)
//! arg buffer int 4
// The last element of the array was forgotten.
kernel void sum(global const int *in, global int *out) {
  int values[4], i = get_global_id(0);
#ifdef FIXED
  for (int k = 0; k < 4; ++k) values[k] = k;
#else
  for (int k = 0; k < 3; ++k) values[k] = k;
#endif
  out[i] = values[in[i]]; //~ uninitialized store: work-item 3 of work-group 0
}
