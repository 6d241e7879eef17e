// Vectors at any of their elements, which the specification leaves open, and Intel's and AMD's devices read and write:
// of global and local memory, and within structures.
//! kernel rows
//! global 16
//! local 8
//! arg buffer float 600 fill(i)
//! arg buffer float 16 expect(sum(k, 0, 32, a0[i * 33 + k]))
//! arg buffer float 600 expect(i % 33 < 32 && i < 16 * 33 ? a0[i] * 2 + i / 33 : 0)
//! arg buffer float 16 expect(i * 33 + 5 + i * 33 + 12)
typedef struct {
  float4 low, high;
} pair;
kernel void rows(global const float *in, global float *sums, global float *twice, global float *ends) {
  size_t i = get_global_id(0);
  local float moved[8 * 33];
  local float4 *own = (local float4 *)(moved + get_local_id(0) * 33);
  global const float4 *row = (global const float4 *)(in + i * 33);
  global float4 *out = (global float4 *)(twice + i * 33);
  float4 sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += row[k];
    own[k] = row[k] + row[k];
  }
  for (int k = 0; k < 8; ++k) out[k] = own[k] + i;
  sums[i] = sum.x + sum.y + sum.z + sum.w;
  pair both = *(global const pair *)(in + i * 33 + 5);
  ends[i] = both.low.x + both.high.w;
}
