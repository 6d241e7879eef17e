// cl_khr_fp16: arithmetic rounds to half at each step.
//! kernel halves
//! global 64
//! arg buffer half 64 fill(i * 0.25)
//! arg buffer half 64 expect(a0[i] * 3 + 1)
//! arg buffer float 64 expect(i * 0.25)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global const half *in, global half *out, global float *wide) {
  size_t i = get_global_id(0);
  half three = 3.0h;
  out[i] = in[i] * three + 1.0h;
  wide[i] = vload_half(i, in);
}
