// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel put
//! global 4
//! local 4
//! arg buffer int 16 expect((i % 4 != 2) * i) writeonly
// To write an element is not to read the others; to add to one is.
kernel void put(global int4 *out) {
  int i = get_global_id(0);
  out[i].x = i * 4;
  out[i].yw = (int2)(i * 4 + 1, i * 4 + 3);
#ifndef FIXED
  out[i].x += 1; //~ read of write-only memory: work-items 0-3 of work-group 0
#endif
}
