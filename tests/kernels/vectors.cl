// Vector loads, swizzles, a 3-vector argument and a conversion with saturation.
//! kernel vectors
//! global 64
//! arg buffer float 256 fill(i)
//! arg value int3 10, 20, 30
//! arg buffer uchar 256 expect(min(255, i % 4 == 0 ? i + 3 + 10 : i % 4 == 1 ? i + 1 + 20 : i % 4 == 2 ? i - 1 + 30 : i - 3))
kernel void vectors(global const float4 *in, int3 add, global uchar4 *out) {
  size_t i = get_global_id(0);
  float4 v = in[i].wzyx;
  v.xyz += convert_float3(add);
  out[i] = convert_uchar4_sat(v);
}
