// Vectors of two, and of four, at places that have nothing to do with those of other work-items: read, and written where
// nobody else writes, under a branch too.
//! kernel pairs
//! options -cl-std=CL3.0
//! global 512
//! local 64
//! arg buffer float 1024 fill(i * 3)
//! arg buffer float 1024 expect(i / 2 * 77 % 512 % 3 == 0 ? -1 : i % 2 ? a0[i / 2 * 77 % 512 * 2] - 1 : a0[i / 2 * 77 % 512 * 2 + 1] + 2) fill(-1)
//! arg buffer uint 512 fill(i * 77 % 512)
//! arg buffer uint 512 expect((i * 13 % 256 * 4) * 10 + 6)
//! arg buffer uint 1024 fill(i)
kernel void pairs(global const float2 *in, global float2 *out, global const uint *where, global uint *sums, global const uint4 *fours) {
  uint i = get_global_id(0), j = where[i];
  float2 v = in[j];
  if (j % 3) out[i] = (float2)(v.y + 2.0f, v.x - 1.0f);
  uint4 f = fours[i * 13 % 256];
  sums[i] = f.x + 2 * f.y + 3 * f.z + 4 * f.w - 14;
}
