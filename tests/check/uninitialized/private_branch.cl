// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel choose
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
//! arg buffer int 8
// Half of the work-items give it no value.
kernel void choose(global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  int limit = 0;
#else
  int limit;
#endif
  if (in[i] > 3) limit = 10;
  if (limit > 5) //~ uninitialized branch: work-items 0-3 of work-group 0
    out[i] = 1;
}
