// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! options -cl-std=CL3.0 -Dcl_ext_float_atomics -D__opencl_c_ext_fp32_global_atomic_add
//! global 16
//! local 8
//! arg buffer float 2
// Equal terms round alike in each order.
kernel void sum(global float *out) {
#ifdef FIXED
  float number = 0.1f;
#else
  float number = get_local_id(0) < 4 ? 0.1f : 0.3f;
#endif
  atomic_fetch_add((volatile global atomic_float *)out + get_group_id(0), number); //~ sum in no certain order: work-items 0-7 of work-groups 0-1
}
