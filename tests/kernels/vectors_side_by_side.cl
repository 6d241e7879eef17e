// Whole vectors, read and written side by side: the loop tier splits them into lanes of work-items. A loop that all
// work-items run alike carries a vector; three components leave the padding alone or not, but never a neighbour.
//! kernel weighted
//! global 512
//! local 64
//! arg buffer float 2048 fill(i % 4 == 3 ? 2 : i * 0.5)
//! arg buffer float 64 fill(i)
//! arg buffer float 2048 expect(i % 4 == 3 ? 9 : 120 * a0[i] * 2 + a0[i / 4 * 4 + 2 - i % 4])
kernel void weighted(global const float4 *in, global const float4 *table, global float4 *out) {
  size_t i = get_global_id(0);
  float4 v = in[i];
  float3 sum = (float3)(0);
  for (int k = 0; k < 16; ++k) sum += v.xyz * (v.w * table[k].x / 4.0f);
  out[i] = (float4)(sum + v.zyx, 9.0f);
}
