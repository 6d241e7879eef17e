// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel softmax
//! global 4
//! local 4
//! arg buffer float 4 fill(i * 40)
//! arg buffer float 4
// exp overflows; what is stored is a NaN that comes of it. Through an array and local memory.
kernel void softmax(global const float *in, global float *out) {
  int i = get_local_id(0);
  local float terms[4];
  float own[2];
#ifdef FIXED
  own[i & 1] = exp(in[i] - 120);
#else
  own[i & 1] = exp(in[i]); //~ infinity of finite numbers: work-items 0-3 of work-group 0
#endif
  terms[i] = own[i & 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += terms[k];
  out[i] = sum * terms[i];
}
