// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel length
//! global 4
//! local 4
//! arg buffer int 4 fill(max(1, (i + 1) % 4))
//! arg buffer int 4 fill(i < 3 ? i + 1 : -1)
//! arg buffer int 4
kernel void length(global const int *cyclic, global const int *next, global int *out) {
  int n = 0;
#ifdef FIXED
  cyclic = next;
#endif
  for (int at = get_global_id(0); at >= 0; at = cyclic[at]) //~ no progress: work-item 0 of work-group 0
    ++n;
  out[get_global_id(0)] = n;
}
