// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 8
//! local 8
//! arg buffer int 4 readonly
//! arg buffer int 4 writeonly
//! arg buffer int 4
// An atomic operation reads and writes.
kernel void count(global int *in, global int *out, global int *both) {
  int i = get_global_id(0);
#ifdef FIXED
  in = out = both;
#endif
  atomic_inc(&in[i & 3]);  //~ atomic operation on read-only memory: work-items 0-7 of work-group 0
  atomic_inc(&out[i & 3]); //~ atomic operation on write-only memory: work-items 0-7 of work-group 0
}
