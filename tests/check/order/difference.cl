// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel take
//! options -cl-std=CL3.0 -Dcl_ext_float_atomics -D__opencl_c_ext_fp32_global_atomic_add
//! global 4
//! local 4
//! arg buffer float 4 fill(16777216)
//! arg buffer float 4 fill(i + 0.25)
// Two terms: the sum of both is the same, whichever comes first; that of one and what was there before may round.
kernel void take(global float *out, global const float *in) {
  int i = get_local_id(0);
#ifdef FIXED
  volatile global atomic_float *to = (volatile global atomic_float *)out + i;
#else
  volatile global atomic_float *to = (volatile global atomic_float *)out;
#endif
  atomic_fetch_sub(to, in[i]); //~ sum in no certain order: work-items 0-3 of work-group 0
}
