// Masks that are chosen by what all work-items share, joined and used apart: instruction selection did not end.
//! kernel meet
//! options -cl-std=CL3.0
//! global 28
//! local 7
//! arg buffer float 28 expect(i % 7 * 0.5 + (i < 14 ? 0 : 7))
//! arg buffer uint 28 expect(i < 14 ? i % 7 : i % 7 > 1)
//! arg value uint 5
//! arg value uint 1
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
kernel void meet(global float *out, global uint *root, uint a, uint b) {
  uint z = get_local_id(0);
  float f = (float)z * 0.5f, g = 1.0f;
  if (1u < (uint)get_group_id(0)) {
    if ((a ^ 5u) < 2u) {
      z = convert_uint_sat(sqrt(f));
      if ((a ^ 5u) < (a + b))
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    f += sub_group_non_uniform_reduce_add(g);
  }
  out[get_global_id(0)] = f;
  root[get_global_id(0)] = z;
}
