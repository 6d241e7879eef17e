// What work-items carry round a loop with two barriers, some of it changed before the first of them, some between them and
// some exchanged; more than they carry round the loop in it.
//! kernel sums
//! options -cl-std=CL3.0
//! global 96
//! local 32
//! arg buffer uint 96 hash(929092444c913559)
//! arg value uint 5
kernel void sums(global uint *out, uint turns) {
  local uint tile[32];
  uint l = get_local_id(0), a = l, b = 2 * l, c = 1, d = 3, e = 5, f = 7;
  for (uint t = 0; t < turns; ++t) {
    tile[l] = a + t;
    uint old = b;
    b = c + tile[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k) {
      uint x = tile[k + (l & 15)];
      c += x * k;
      d ^= c + k;
      e = e * 3 + x;
      f += e ^ d;
    }
    a = old;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t & 1) a += f;
  }
  out[get_global_id(0)] = a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f;
}
