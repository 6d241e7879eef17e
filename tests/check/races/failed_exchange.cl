// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel first
//! global 8
//! local 8
//! arg buffer int 8
// One work-item wins; the exchanges of the others fail, and only read beside its own read. Where all win, they write.
kernel void first(global int *out) {
  local int owner;
  int i = get_local_id(0);
  if (i == 0) owner = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef FIXED
  int expected = -1;
#else
  int expected = i - 1;
#endif
  if (atomic_cmpxchg(&owner, expected, i) == expected) //~ race of a read and a write: work-items 1-7 of work-group 0
    out[i] = owner;
}
