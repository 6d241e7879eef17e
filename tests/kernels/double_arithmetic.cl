// cl_khr_fp64.
//! kernel doubles
//! global 100
//! arg buffer double 100 fill(i * 0.1 + 1e-9)
//! arg buffer double 100 expect(sqrt(a0[i]) / 3) tolerance(1e-15)
kernel void doubles(global const double *in, global double *out) {
  size_t i = get_global_id(0);
  out[i] = sqrt(in[i]) / 3.0;
}
