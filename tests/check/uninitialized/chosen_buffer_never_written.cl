// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel choose
//! global 8
//! local 8
//! arg buffer int 8 unwritten
//! arg buffer int 8 fill(i)
//! arg buffer int 8 unwritten
// What may be read goes with the pointer. A buffer that the kernel writes it may read, too.
kernel void choose(global const int *first, global const int *second, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  global const int *from = second;
#else
  global const int *from = i < 4 ? second : first;
#endif
  out[i] = 0;
  for (int k = 0; k <= i; ++k) out[i] += from[k]; //~ read of a buffer that was never written: work-items 4-7 of work-group 0
}
