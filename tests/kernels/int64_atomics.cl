// cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics, in global and local memory.
//! kernel atomics
//! global 256
//! local 64
//! arg buffer long 4 fill(i == 2 ? 1000000000000 : 0) expect(i == 0 ? 256 * 4294967296 : i == 1 ? 255 : i == 2 ? 0 : 4 * 64)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void atomics(global long *out) {
  local long count;
  long i = get_global_id(0);
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atom_add(&out[0], 1l << 32);
  atom_max(&out[1], i);
  atom_min(&out[2], i);
  atom_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atom_add(&out[3], count);
}
