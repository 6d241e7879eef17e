// float3 lies like float4 in memory; bytes and half of a vector's components go their own ways.
//! kernel threes
//! global 256
//! local 32
//! arg buffer float 1024 fill(i)
//! arg buffer uchar 1024 fill(i % 251)
//! arg buffer int 1024 expect(i % 4 == 0 ? 3 * a1[i] : i % 4 == 1 ? (a0[i] > 100 ? -1 : 0) : i % 4 == 2 ? a0[i - 2] + a0[i] : a1[i - 1])
kernel void threes(global const float3 *floats, global const uchar4 *bytes, global int4 *out) {
  size_t i = get_global_id(0);
  float3 f = floats[i];
  int4 b = convert_int4(bytes[i]);
  int3 above = f > 100.0f;
  out[i] = (int4)(b.x * 3, above.y, (int)(f.x + f.z), b.z);
}
