// Much work that only counts in small buffers: each thread does so in copies of its own, which come together at the end.
//! kernel counts
//! global 131072
//! local 64
//! arg buffer uint 512 fill(i) expect(i + 256)
//! arg buffer ulong 2 fill(i == 0 ? 5 : 0) expect(i == 0 ? 5 + 131071 * 65536 : 131071)
//! arg buffer int 3 fill(0) expect(i == 0 ? -131071 : i == 1 ? -2 : 0)
//! arg buffer uint 4 fill(i == 0 ? 4294967295 : 1) expect(i == 0 ? 4294836224 : 0)
//! arg buffer uint 1 fill(0) expect(131071)
//! arg buffer uint 2 fill(2) expect(i == 0 ? 131073 : 2)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void counts(global uint *table, global ulong *sum, global int *least, global uint *common, global uint *most,
                   global uint *mixed) {
  uint i = get_global_id(0);
  atomic_inc(&table[i * 7 % 512]);
  atom_add(&sum[0], (ulong)i);
  if (i & 1) atom_add(&sum[1], 2ul);
  if (i == 77) atom_sub(&sum[1], 1ul);
  atomic_min(&least[0], -(int)i);
  if (i < 3) atomic_min(&least[1], -(int)i);
  atomic_and(&common[i & 3], i == 5 ? 1 : ~i & ~3u | i == 0);
  atomic_max(most, i);
  atomic_max(&mixed[0], i);
  if (i == 131071) atomic_add(&mixed[0], 2u);
}
