// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel reverse
//! global 32
//! local 16
//! arg buffer int 32 expect(floor(i / 16) * 16 + 15 - i % 16)
// The tile has an element less than there are work-items.
kernel void reverse(global int *out) {
#ifdef FIXED
  local int tile[16];
#else
  local int tile[15];
#endif
  int i = get_local_id(0);
  tile[i] = get_global_id(0); //~ out of bounds write: work-item 15 of work-groups 0-1
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[15 - i]; //~ out of bounds read: work-item 0 of work-groups 0-1
}
