// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel shared
//! global 32
//! local 32
//! arg local int 32
//! arg buffer int 32 expect(i + 1 < 32 ? i + 1 : 0)
// The last work-item reads behind the argument's memory.
kernel void shared(local int *tile, global int *out) {
  int i = get_local_id(0);
  tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef FIXED
  out[i] = i + 1 < 32 ? tile[i + 1] : 0;
#else
  out[i] = tile[i + 1]; //~ out of bounds read: work-item 31 of work-group 0
#endif
}
