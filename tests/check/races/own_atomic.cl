// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel last
//! global 8
//! local 4
//! arg buffer int 1
//! arg buffer int 2
// OpenCL C 1.2, 6.12.11: the old atomic functions order nothing: a plain read of what others change races, behind one's
// own atomic operation, too.
kernel void last(global int *count, global int *out) {
  atomic_inc(count);
  if (get_local_id(0) == 3)
#ifdef FIXED
    out[get_group_id(0)] = atomic_or(count, 0);
#else
    out[get_group_id(0)] = *count; //~ race of a read and a write: work-item 3 of work-group 0; work-items 0-3 of work-group 1
#endif
}
