// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel store
//! global 8
//! local 8
//! arg buffer int 8 readonly
//! arg buffer int 8
// What may be done goes with the pointer, through choices and loops.
kernel void store(global int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  global int *p = i & 1 ? out : out - i + (i & 6);
#else
  global int *p = i & 1 ? out : in;
#endif
  for (int k = 0; k < i; ++k) ++p;
  *p = 1; //~ write to read-only memory: work-items 0, 2, 4, 6 of work-group 0
}
