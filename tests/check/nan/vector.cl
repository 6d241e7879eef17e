// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel unit
//! global 2
//! local 2
//! arg buffer float 8 fill(i / 4)
//! arg buffer float 8
kernel void unit(global const float4 *in, global float4 *out) {
  int i = get_global_id(0);
  float4 v = in[i];
  float squares = dot(v, v);
#ifdef FIXED
  squares = squares > 0 ? squares : 1;
#endif
  float4 direction = v / sqrt(squares); //~ NaN of finite numbers: work-item 0 of work-group 0
  vstore4(direction, i, (global float *)out);
}
