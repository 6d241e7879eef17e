// Bytes and shorts that some work-items read, at places that lie in any way to pages: a mask says which, each in turn
// for itself, none or all of many. Nothing is read in place of what others read, or of nothing.
//! global 12288
//! local 64
//! arg buffer uchar 12325 fill(i * 7 + i / 251) expect((i * 7 + i / 251) % 256)
//! arg buffer ushort 12325 fill(i * 11 + 3) expect((i * 11 + 3) % 65536)
//! arg buffer int 12288 fill(i % 7 * (i / 128 % 3 == 1 ? 0 : 1) + (i / 128 % 3 == 2 ? 7 : 0)) expect(i % 7 * (i / 128 % 3 == 1 ? 0 : 1) + (i / 128 % 3 == 2 ? 7 : 0))
//! arg buffer uchar 12288 expect(a2[i] > 2 ? a0[i + 5] + a0[i + 37] : 9)
//! arg buffer ushort 12288 expect(a2[i] > 3 ? a1[i + 13] - a1[i] : a2[i] > 0 ? a1[i + 37] : 7)
kernel void k(global const uchar *bytes, global const ushort *shorts, global const int *which, global uchar *sums,
              global ushort *differences) {
  int i = get_global_id(0);
  uchar sum = 9;
  if (which[i] > 2) sum = bytes[i + 5] + bytes[i + 37];
  sums[i] = sum;
  ushort difference = 7;
  if (which[i] > 3)
    difference = shorts[i + 13] - shorts[i];
  else if (which[i] > 0)
    difference = shorts[i + 37];
  differences[i] = difference;
}
