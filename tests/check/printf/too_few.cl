// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 4
//! local 4
// "If there are insufficient arguments for the format, the behavior is undefined." Too many are ignored.
kernel void show(void) {
  int i = get_global_id(0);
#ifdef FIXED
  printf("%*d %d%%\n", 3, i, i, i);
#else
  if (i & 1) printf("%*d %d%%\n", i, i); //~ wrong printf argument: work-items 1, 3 of work-group 0
#endif
}
