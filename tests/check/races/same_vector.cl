// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel flags
//! global 8
//! local 4
//! arg buffer float 16
//! arg buffer float 4
//! arg buffer double 4
// Values of more than 8 bytes: all say the same, also of local memory; or each says something else.
kernel void flags(global float4 *found, global float *out, global double3 *last) {
  local int16 first;
#ifdef FIXED
  if (get_global_id(0) == 0)
#endif
  {
    found[1] = (float4)(1, 2, 3, 4);    //~ writes of the same value: work-items 1-3 of work-group 0; work-items 0-3 of work-group 1
    last[0] = (double)get_global_id(0); //~ race of two writes: work-items 1-3 of work-group 0; work-items 0-3 of work-group 1
  }
#ifdef FIXED
  if (get_local_id(0) == 0)
#endif
  first = (int16)(7); //~ writes of the same value: work-items 1-3 of work-groups 0-1
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) < 4) out[get_global_id(0)] = first.s3;
}
