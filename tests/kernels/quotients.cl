// Quotients and remainders of numbers of all lengths, with and without a sign, by a number that work-items share and by
// one of their own, where nothing but the last bits decides: multiples, what is one less, and the ends of the ranges.
//! kernel divide
//! global 4096
//! local 64
//! arg buffer ulong 4096 expect((a1[i] / a2[i]) * 3 + (a1[i] % a2[i]) * 5 + (a1[i] / 10007) * 7 + (a1[i] % 10007) * 11)
//! arg buffer uint 4096 fill(i % 3 == 0 ? 4294967295 - i * 7 : i % 3 == 1 ? (i * 97 + 1) * (4294967295 / (i * 97 + 1)) : (i * 97 + 1) * (4294967295 / (i * 97 + 1)) - 1)
//! arg buffer uint 4096 fill(i % 3 == 0 ? i % 7 + 1 : i * 97 + 1)
//! arg value uint 10007
//! arg buffer long 4096 expect((a5[i] / a6[i]) * 3 + (a5[i] % a6[i]) * 5 + (a5[i] / -77) * 7 + (a5[i] % -77) * 11)
//! arg buffer int 4096 fill(i % 2 ? -2147483648 + i * 3 : i % 4 ? 77 * i * 131 : -77 * i * 131)
//! arg buffer int 4096 fill(i % 5 == 0 ? 2147483647 : i % 3 ? i + 2 : -i - 2)
//! arg value int -77
//! arg buffer int 4096 expect((i % 256 / (i / 256 + 1)) * 3 + (i % 256 % (i / 256 + 1)) + ((i * 257 % 65536) / 777) * 5 + (i * 257 % 65536) % 777)
//! arg value ushort 777
kernel void divide(global ulong *u, global const uint *a, global const uint *b, uint m, global long *s, global const int *c,
                   global const int *d, int n, global int *t, ushort o) {
  size_t i = get_global_id(0);
  u[i] = (ulong)(a[i] / b[i]) * 3 + (ulong)(a[i] % b[i]) * 5 + (ulong)(a[i] / m) * 7 + (ulong)(a[i] % m) * 11;
  s[i] = (long)(c[i] / d[i]) * 3 + (long)(c[i] % d[i]) * 5 + (long)(c[i] / n) * 7 + (long)(c[i] % n) * 11;
  uchar x = i, y = i / 256 + 1;
  ushort z = i * 257;
  t[i] = (uchar)(x / y) * 3 + (uchar)(x % y) + (ushort)(z / o) * 5 + (ushort)(z % o);
}
