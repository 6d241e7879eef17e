// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 4
//! local 2
// A size has 64 bits, an int 32.
kernel void show(void) {
#ifdef FIXED
  printf("%lu %d %hd %c\n", get_global_id(0), (int)get_local_id(0), (short)1, 'x');
#else
  printf("%d %d\n", get_global_id(0), (int)get_local_id(0)); //~ wrong printf argument: work-items 0-1 of work-groups 0-1
#endif
}
