// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that takes and gives an f64, and those of f32 beside it: function number blockIdx.x of thread's argument.
#define US_FUNCTIONS(X)                                                                                                \
  X(0, sin) X(1, cos) X(2, tan) X(3, asin) X(4, acos) X(5, atan) X(6, sinh) X(7, cosh) X(8, tanh) X(9, asinh)          \
  X(10, acosh) X(11, atanh) X(12, exp) X(13, exp2) X(14, exp10) X(15, expm1) X(16, log) X(17, log2) X(18, log10)       \
  X(19, log1p) X(20, sqrt) X(21, rsqrt) X(22, cbrt) X(23, rcbrt) X(24, erf) X(25, erfc) X(26, erfinv) X(27, erfcinv)   \
  X(28, erfcx) X(29, normcdf) X(30, normcdfinv) X(31, tgamma) X(32, lgamma) X(33, j0) X(34, j1) X(35, y0) X(36, y1)    \
  X(37, cyl_bessel_i0) X(38, cyl_bessel_i1) X(39, sinpi) X(40, cospi) X(41, ceil) X(42, floor) X(43, rint) X(44, round)

extern "C" __global__ void math_functions(double *doubles, float *floats, const double *arguments, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const double x = arguments[blockIdx.x * n + i];
  const float f = (float)x;
  double d = 0.0;
  float s = 0.0f;
  switch (blockIdx.x) {
#define US_CASE(number, name)                                                                                          \
  case number:                                                                                                         \
    d = name(x);                                                                                                       \
    s = name##f(f);                                                                                                    \
    break;
    US_FUNCTIONS(US_CASE)
  }
  doubles[blockIdx.x * n + i] = d;
  floats[blockIdx.x * n + i] = s;
}
extern "C" __global__ void more_functions(double *out, const double *x, long long *whole) {
  out[0] = pow(x[0], x[1]);
  out[1] = atan2(x[0], x[1]);
  out[2] = fmod(x[0], x[1]);
  out[3] = hypot(x[0], x[1]);
  out[4] = remainder(x[0], x[1]);
  out[5] = jn(5, x[0]);
  out[6] = yn(3, x[0]);
  out[7] = norm3d(x[0], x[1], x[2]);
  out[8] = fma(x[0], x[1], x[2]);
  out[9] = ldexp(x[0], 3);
  out[10] = __dadd_ru(x[0], 1e-300);
  out[11] = __dadd_rd(x[0], 1e-300);
  out[12] = __ddiv_rz(x[0], x[1]);
  out[13] = powf((float)x[0], (float)x[1]);
  out[14] = copysign(x[0], -0.0);
  out[15] = nextafter(x[0], 1e9);
  whole[0] = llrint(x[0]);
  whole[1] = llround(-2.5);
  whole[2] = __double2ll_ru(x[1]);
  whole[3] = __clz(1000) + 100 * __ffs(8) + 10000 * __popc(255);
  whole[4] = __byte_perm(0x33221100, 0x77665544, 0x7531); // "selector[0] = s<2:0>": the same with 0xfdb9
  if (whole[4] != __byte_perm(0x33221100, 0x77665544 + int(x[0] * 0), 0xfdb9)) whole[4] = -1;
  whole[5] = __umulhi(0xffffffffu, 0xffffffffu);
  whole[6] = __float2int_rz(1e20f);
  whole[7] = __brev(1u);
}
