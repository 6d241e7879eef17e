// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel vectors
//! global 4
//! local 4
//! arg buffer float 4
// Three of four components: the fourth decides nothing in the twin.
kernel void vectors(global float *out) {
  int i = get_global_id(0);
  float4 v;
  v.xyz = (float3)(i, 1, 2);
#ifdef FIXED
  out[i] = v.x + v.y + v.z;
#else
  out[i] = v.x + v.w; //~ uninitialized store: work-items 0-3 of work-group 0
#endif
}
