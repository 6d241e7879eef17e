// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel modulo
//! global 8
//! local 8
//! arg buffer uint 8 fill(i / 2)
//! arg buffer uint 8
kernel void modulo(global const uint *in, global uint *out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (in[i] != 0)
#endif
  out[i] = 100u % in[i]; //~ remainder by zero: work-items 0-1 of work-group 0
}
