// Tables that registers may hold, of elements of all sizes, full and with a rest: for all work-items, for some, at places
// behind a table's beginning, and what other work-items of a sub-group have.
//! kernel look
//! options -cl-std=CL3.0
//! global 512
//! local 128
//! arg buffer uint 512 fill(i * 37 + 11)
//! arg buffer uint 512 expect((i * 37 + 11) % 256 * 2654435761)
//! arg buffer uchar 512 expect((i * 37 + 11) % 256 * 7 + 3)
//! arg buffer ushort 512 expect((i * 37 + 11) / 8 % 128 * 517 + 9)
//! arg buffer float 512 expect(((i * 37 + 11) % 32 + 5) * 0.5)
//! arg buffer uint 512 fill(i) expect(i % 3 == 0 ? (i * 37 + 11) / 2 % 64 * 2654435761 : i)
//! arg buffer uint 512 expect(((i * 37 + 11) % 8 + 3) * ((i * 37 + 11) % 8 + 3))
//! arg buffer uint 512 expect((i / 32 * 32 + (i * 37 + 11) % 32) * 37 + 11)
constant uint kSquares[] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100};
kernel void look(global const uint *in, global uint *words, global uchar *bytes, global ushort *halves, global float *reals,
                 global uint *some, global uint *squares, global uint *others) {
  local uint w[256];
  local uchar b[256];
  local ushort h[128];
  local float f[40];
  const uint i = get_global_id(0), l = get_local_id(0), n = in[i];
  for (uint j = l; j < 256; j += 128) {
    w[j] = j * 2654435761u;
    b[j] = j * 7 + 3;
  }
  h[l] = l * 517 + 9;
  if (l < 40) f[l] = l * 0.5f;
  barrier(CLK_LOCAL_MEM_FENCE);
  words[i] = w[n & 255];
  bytes[i] = b[n & 255];
  halves[i] = h[n >> 3 & 127];
  reals[i] = f[(n & 31) + 5];
  if (i % 3 == 0) some[i] = w[n >> 1 & 63];
  squares[i] = kSquares[(n & 7) + 3];
  others[i] = sub_group_shuffle(n, n & 31);
}
