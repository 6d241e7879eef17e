// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel put
//! global 4
//! local 4
//! arg buffer float 16 expect((i % 4 != 2) * i) writeonly
// Checks of the numbers do not make it a read, either.
kernel void put(global float4 *out) {
  int i = get_global_id(0);
  out[i].x = i * 4;
  out[i].yw = (float2)(i * 4 + 1, i * 4 + 3);
#ifndef FIXED
  out[i].x += 1; //~ read of write-only memory: work-items 0-3 of work-group 0
#endif
}
