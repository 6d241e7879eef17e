// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 8
//! local 4
//! arg buffer int 16
//! arg buffer int 16
// A table that each work-item puts something into where it is free: who finds a place taken has only read it.
kernel void fill(global int *keys, global int *values) {
  int key = 1 + get_global_id(0);
  for (int at = key % 3; at < 16; ++at) {
    int old = atomic_cmpxchg(&keys[at], 0, key);
    if (old != 0) continue;
#ifdef FIXED
    values[at] = key;
#else
    values[at / 2] = key; //~ race of two writes: work-items 2-3 of work-group 0; work-items 1, 3 of work-group 1
#endif
    break;
  }
}
