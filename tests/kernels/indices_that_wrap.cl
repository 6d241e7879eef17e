// Indices of 32 bits, with and without a sign, that wrap in the middle of 16 neighbours, of whom only those behind that are
// asked; and loops in steps of the global size, in which they might.
//! kernel wrap
//! options -cl-std=CL3.0
//! global 96
//! local 48
//! arg buffer uint 96 expect(i >= 8 && i < 72 ? a1[i - 8] : 5)
//! arg buffer uint 1000 fill(i * i)
//! arg value uint 4294967288
//! arg buffer uint 96 expect(sum(k, 0, (999 - i) / 96 + 1, (i + 96 * k) * (i + 96 * k)) * 3)
//! arg value uint 1000
//! arg buffer uint 1000 expect(i % 192 < 96 ? i * i + 1 : i * i + 2)
kernel void wrap(global uint *out, global const uint *a, uint before, global uint *sums, uint n, global uint *all) {
  uint i = (uint)get_global_id(0) + before, s = 0;
  out[get_global_id(0)] = i < 64 ? a[i] : 5;
  for (uint k = get_global_id(0); k < n; k += get_global_size(0)) s += a[k];
  for (int k = get_global_id(0); k < (int)n; k += get_global_size(0)) s += 2 * a[k];
  sums[get_global_id(0)] = s;
  for (uint k = get_global_id(0), odd = 0; k < n; k += get_global_size(0), odd ^= 1) all[k] = a[k] + 1 + odd;
}
