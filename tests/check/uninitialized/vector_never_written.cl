// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel scale
//! global 4
//! local 4
//! arg buffer float 16 unwritten
//! arg buffer float 16 fill(1)
//! arg buffer float 16
// By the library's functions, too.
void put(global float *out, int i, float4 value) { vstore4(value, i, out); }
kernel void scale(global const float *in, global const float *other, global float *out) {
  int i = get_global_id(0);
#ifdef FIXED
  in = other;
#endif
  put(out, i, vload4(i, in) * 2); //~ read of a buffer that was never written: work-items 0-3 of work-group 0
}
