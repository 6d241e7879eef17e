// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel add
//! global 8
//! local 4
//! arg buffer int 8 unwritten
//! arg buffer int 8
//! arg buffer int 8
// The host made a buffer, and forgot to write it.
kernel void add(global const int *in, global const int *other, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  in = other;
#endif
  out[i] = in[i] + 1; //~ read of a buffer that was never written: work-items 0-3 of work-groups 0-1
}
