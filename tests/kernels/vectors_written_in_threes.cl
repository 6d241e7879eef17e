// Stores of float3: what lies in the padding is nobody's business.
//! kernel threes
//! global 256
//! local 32
//! arg buffer float 1024 fill(i)
//! arg buffer float 256 expect(a0[4 * i] + a0[4 * i + 1] * 2 + a0[4 * i + 2] * 3)
//! arg local float 128
kernel void threes(global const float3 *in, global float *out, local float3 *tile) {
  size_t i = get_global_id(0), l = get_local_id(0);
  tile[l] = in[i] * (float3)(1, 2, 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  float3 v = tile[l];
  out[i] = v.x + v.y + v.z;
}
