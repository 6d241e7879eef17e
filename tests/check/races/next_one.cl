// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel shift
//! global 8
//! local 8
//! arg buffer int 9
// Each reads what the next one writes.
kernel void shift(global int *data) {
  int i = get_global_id(0);
  int next = data[i + 1];
#ifdef FIXED
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  data[i] = next; //~ race of a read and a write: work-items 1-7 of work-group 0
}
