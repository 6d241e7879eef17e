// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel look
//! global 8
//! local 8
//! arg image 2d r float 4 4 fill(i)
//! arg sampler none nearest
//! arg buffer float 8
// With CLK_ADDRESS_NONE the program promises that it stays inside; all other modes say what lies outside.
constant sampler_t clamping = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t none = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
float4 look_at(read_only image2d_t in, sampler_t sampler, float2 at) {
#ifdef FIXED
  at = clamp(at, 0.0f, 3.5f);
#endif
  return read_imagef(in, sampler, at); //~ read outside of an image: work-items 4-7 of work-group 0
}
kernel void look(read_only image2d_t in, sampler_t sampler, global float *out) {
  int i = get_global_id(0);
  float sum = look_at(in, sampler, (float2)(i + 0.5f, 1)).x;
  sum += read_imagef(in, clamping, (int2)(i, -1)).x;
#ifdef FIXED
  sum += read_imagef(in, none, (float2)(0.875f, 0)).x;
#else
  sum += read_imagef(in, none, (float2)(1.0f, i / 8.0f)).x; //~ read outside of an image: work-items 0-7 of work-group 0
#endif
  out[i] = sum;
}
