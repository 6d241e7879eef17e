// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pairs
//! global 4
//! local 4
//! arg buffer int 8 unwritten
//! arg buffer int 4
// Half of the table is written by the kernel itself; what is read decides where it goes on.
kernel void pairs(global int *table, global int *out) {
  int i = get_global_id(0);
  table[2 * i] = i;
#ifdef FIXED
  table[2 * i + 1] = i;
#endif
  barrier(CLK_GLOBAL_MEM_FENCE);
  int next = table[(2 * i + 3) % 8];
  if (next > 1) //~ uninitialized branch: work-items 0-3 of work-group 0
    out[i] = 1;
}
