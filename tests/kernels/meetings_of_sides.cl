// Work-items part; on one side they wait for each other, and part again: where all meet, each has what its side gave it.
//! kernel meet
//! options -cl-std=CL3.0
//! global 128 4
//! local 64 2
//! arg buffer uint 512
//! arg buffer float 512 expect(i * 2654435761 % 4294967296 / 1024 % 2 == 0 ? 1 : 1.5)
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
kernel void meet(global uint *out, global float *chosen) {
  uint i = get_global_id(1) * 128 + get_global_id(0), lid = get_local_id(1) * 64 + get_local_id(0);
  uint x = i * 2654435761u / 1024, y = i, z = lid;
  float f = (float)lid * 0.5f, g = 1.0f;
  float4 w = (float4)(f, g, -f, 2.0f);
  if ((x & 1) == 0) {
    for (uint turn = 0; turn < (uint)isless(3e-05f, clamp((float)(x & 1023), (float)lid, (float)lid)); ++turn)
      f = copysign(fmin(f, g + fabs(w.y)), fmax((i & 1) == 0 ? fmin(1.0f, w.z) : (float)i, copysign(w.z, (float)(x & 1023))));
    z += y;
  } else {
    y += sub_group_non_uniform_reduce_xor(z);
    w = w * 0.5f + g;
  }
  out[i] = x ^ y * 3 ^ z * 5 ^ (uint)(f + w.x + w.z + w.w);
  chosen[i] = w.y;
}
