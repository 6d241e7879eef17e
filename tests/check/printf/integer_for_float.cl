// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 4
//! local 4
//! arg buffer int 4 fill(i)
// "If any argument is not the correct type for the corresponding conversion specification, the behavior is undefined."
kernel void show(global const int *in) {
  int i = get_global_id(0);
#ifdef FIXED
  printf("%d of %f\n", in[i], 0.5f);
#else
  printf("%d of %f\n", 0.5f, in[i]); //~ wrong printf argument: work-items 0-3 of work-group 0
#endif
}
