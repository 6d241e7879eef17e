// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 64
//! local 16
//! arg buffer int 60 expect(i)
// Four work-items more than elements.
kernel void fill(global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i < 60)
#endif
  out[i] = i; //~ out of bounds write: work-items 12-15 of work-group 3
}
