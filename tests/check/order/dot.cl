// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! options -cl-std=CL3.0 -Dcl_ext_float_atomics -D__opencl_c_ext_fp32_global_atomic_add
//! global 64
//! local 16
//! arg buffer float 64 fill(1.0 / (i + 1))
//! arg buffer float 1
// Partial sums of a work-group, and atomics; its twin adds whole numbers.
kernel void sum(global const float *in, global float *out) {
  int i = get_global_id(0);
#ifdef FIXED
  float number = i;
#else
  float number = in[i];
#endif
  atomic_fetch_add_explicit((volatile global atomic_float *)out, number, memory_order_relaxed); //~ sum in no certain order: work-items 0-15 of work-groups 0-3
}
