// A plain kernel: no barrier, no shape.
//! kernel saxpy
//! global 1000
//! arg value float 2.5
//! arg buffer float 1000 random(-100, 100)
//! arg buffer float 1000 random(-100, 100) expect(float(float(2.5 * a1[i]) + a2[i]))
#pragma OPENCL FP_CONTRACT OFF
kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
