// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 8, 6 and 4 bits, from and to floats, halves and brain floats, alone, in pairs and fours.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

extern "C" __global__ void to_floats(float *narrow, float *wide) {
  const unsigned i = threadIdx.x;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = (unsigned char)i;
  narrow[i] = float(a);
  wide[i] = __half2float(__half(b));
}
/// Each value as E4M3 and E5M2, saturated and not; then what pairs and fours, halves and brain floats make of it.
extern "C" __global__ void from_floats(unsigned char *bits, const float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = values[i];
  unsigned char *mine = bits + 12 * i;
  mine[0] = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
  mine[1] = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3);
  mine[2] = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2);
  mine[3] = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2);
  const __nv_fp8x2_e4m3 pair(make_float2(-x, x));
  mine[4] = (unsigned char)pair.__x;
  mine[5] = (unsigned char)(pair.__x >> 8);
  const __nv_fp8x4_e5m2 four(make_float4(x, -x, x, -x));
  mine[6] = (unsigned char)(four.__x >> 8);
  mine[7] = (unsigned char)(four.__x >> 16);
  mine[8] = __nv_fp8_e4m3(__float2half(x)).__x;
  mine[9] = __nv_fp8_e5m2(__float2bfloat16(x)).__x;
  mine[10] = __nv_fp8_e5m2((double)x).__x;
  mine[11] = __nv_fp8_e4m3((int)fminf(fmaxf(x, -1000.0f), 1000.0f)).__x;
}
/// E8M0: each value saturated and not, up and towards zero; as a class, alone and in a pair; what the bits mean.
extern "C" __global__ void exponents(unsigned char *bits, float *powers, const double *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 256) {
    __nv_fp8_e8m0 power;
    power.__x = (unsigned char)i;
    powers[i] = float(power);
  }
  if (i >= n) return;
  const double x = values[i];
  unsigned char *mine = bits + 6 * i;
  mine[0] = __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf);
  mine[1] = __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf);
  mine[2] = __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundZero);
  mine[3] = __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundZero);
  mine[4] = __nv_fp8_e8m0(x).__x;
  mine[5] = (unsigned char)(__nv_fp8x2_e8m0(make_double2(1.0, x)).__x >> 8);
}

/// Of E2M3, E3M2 and E2M1: what the bits mean.
extern "C" __global__ void tiny_to_floats(float *values) {
  const unsigned char i = (unsigned char)threadIdx.x;
  __nv_fp6_e2m3 a;
  __nv_fp6_e3m2 b;
  __nv_fp4_e2m1 c;
  a.__x = b.__x = c.__x = i;
  values[i] = float(a);
  values[64 + i] = __half2float(__half(b));
  if (i < 16) values[128 + i] = float(c);
}
/// Each value as these, in every rounding; then what pairs and fours, halves, brain floats and integers make of it.
extern "C" __global__ void tiny_from_floats(unsigned char *bits, const float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = values[i];
  unsigned char *mine = bits + 20 * i;
  const cudaRoundMode roundings[] = {cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf};
  for (int k = 0; k < 4; ++k) {
    mine[k] = __nv_cvt_float_to_fp6(x, __NV_E2M3, roundings[k]);
    mine[4 + k] = __nv_cvt_double_to_fp6(x, __NV_E3M2, roundings[k]);
    mine[8 + k] = __nv_cvt_float_to_fp4(x, __NV_E2M1, roundings[k]);
  }
  const __nv_fp6x2_e2m3 pair(make_float2(-x, x));
  mine[12] = (unsigned char)pair.__x;
  mine[13] = (unsigned char)(pair.__x >> 8);
  mine[14] = __nv_fp4x2_e2m1(make_float2(-x, x)).__x;
  const __nv_fp4x4_e2m1 four(make_float4(x, -x, -x, x));
  mine[15] = (unsigned char)four.__x;
  mine[16] = (unsigned char)(four.__x >> 8);
  mine[17] = (unsigned char)(__nv_fp6x4_e3m2(make_float4(x, x, -x, x)).__x >> 16);
  mine[18] = __nv_fp4_e2m1(__float2half(x)).__x;
  mine[19] = __nv_fp6_e3m2(__float2bfloat16(x)).__x;
}
