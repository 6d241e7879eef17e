// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel caller
//! global 4
//! local 4
//! arg buffer int 4
// The variable is one of the function's.
int pick(int i) {
  int result;
#ifdef FIXED
  result = 0;
#endif
  if (i < 2) result = i;
  return result;
}
kernel void caller(global int *out) {
  int i = get_global_id(0);
  out[i] = pick(i); //~ uninitialized store: work-items 2-3 of work-group 0
}
