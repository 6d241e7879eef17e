// Some work-items are in a function of their sub-group while all others wait in one of the work-group: the values of
// the ones do not get into those of the others.
//! kernel both
//! options -cl-std=CL3.0
//! global 128
//! local 128
//! arg buffer uint 128 expect(i < 7 ? i + 1 + i * (i + 1) / 2 : i + 1)
//! arg buffer uint 128 expect(8256 + 56)
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
kernel void both(global uint *values, global uint *sums) {
  uint i = get_local_id(0), value = i + 1;
  if (i < 7) value += sub_group_non_uniform_scan_exclusive_add(value);
  sums[i] = work_group_reduce_add(value);
  values[i] = value;
}
