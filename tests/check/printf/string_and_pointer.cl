// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 2
//! local 2
//! arg buffer int 2
kernel void show(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  printf("%s at %p\n", "it", out + i);
#else
  printf("%s\n", i);     //~ wrong printf argument: work-items 0-1 of work-group 0
  printf("at %p\n", i);  //~ wrong printf argument: work-items 0-1 of work-group 0
  printf("all of it %"); //~ wrong printf argument: work-items 0-1 of work-group 0
#endif
}
