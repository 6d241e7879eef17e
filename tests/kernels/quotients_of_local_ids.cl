// Numbers of work-items in their group, divided by what all of them share: small and large numbers, with signs.
//! global 12288
//! local 1024
//! arg buffer uint 12 fill(i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 7 : i == 3 ? 31 : i == 4 ? 341 : i == 5 ? 1023 : i == 6 ? 1024 : i == 7 ? 65537 : i == 8 ? 16777217 : i == 9 ? 2147483648 : i == 10 ? 4294967295 : 11)
//! arg buffer int 12 fill(i == 0 ? 0-1 : i == 1 ? 3 : i == 2 ? 0-7 : i == 3 ? 31 : i == 4 ? 0-341 : i == 5 ? 1023 : i == 6 ? 0-1024 : i == 7 ? 65537 : i == 8 ? 0-16777217 : i == 9 ? 0-2147483648 : i == 10 ? 2147483647 : 11)
//! arg buffer uint 24576 expect(i % 2 == 0 ? i / 2 % 1024 / a0[i / 2048] : i / 2 % 1024 % a0[i / 2048])
//! arg buffer int 24576 expect(i % 2 == 0 ? i / 2 % 1024 / a1[i / 2048] : i / 2 % 1024 % a1[i / 2048])
kernel void k(global const uint *by, global const int *withSign, global uint *out, global int *signedOut) {
  uint l = get_local_id(0), m = by[get_group_id(0)];
  int n = withSign[get_group_id(0)], s = get_local_id(0);
  size_t i = get_global_id(0);
  out[2 * i] = l / m;
  out[2 * i + 1] = l % m;
  signedOut[2 * i] = s / n;
  signedOut[2 * i + 1] = s % n;
}
