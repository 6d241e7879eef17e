// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 16
//! local 8
//! arg buffer int 16 fill(i)
//! arg buffer int 4 unwritten
// A histogram in a buffer that nobody has cleared: the first of each bin is told.
kernel void count(global const int *in, global int *bins) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i < 4) atomic_xchg(bins + i, 0);
#endif
  atomic_inc(bins + in[i] % 4); //~ uninitialized update: work-items 0-3 of work-group 0
}
