// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = a x + y in pairs of halves, and a sum of bfloat16 by atomics; single values by every conversion.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void half_axpy(__half2 *y, const __half2 *x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}
extern "C" __global__ void half_rounding(unsigned short *bits, const float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bits[6 * i] = __half_as_ushort(__float2half(values[i]));
  bits[6 * i + 1] = __half_as_ushort(__float2half_rz(values[i]));
  bits[6 * i + 2] = __half_as_ushort(__float2half_ru(values[i]));
  bits[6 * i + 3] = __half_as_ushort(__float2half_rd(values[i]));
  bits[6 * i + 4] = __bfloat16_as_ushort(__float2bfloat16(values[i]));
  bits[6 * i + 5] = __half_as_ushort(hsqrt(__habs(__float2half(values[i]))));
}
extern "C" __global__ void bfloat16_sum(__nv_bfloat16 *sum, __half *halves, float *back) {
  atomicAdd(sum, __float2bfloat16(1.0f));
  atomicAdd(&halves[threadIdx.x % 3], __half(2.0f));
  __syncthreads();
  const __nv_bfloat16 x = __float2bfloat16((float)threadIdx.x);
  back[threadIdx.x] = __bfloat162float(__hfma(x, x, x)) + (__hgt(x, __float2bfloat16(4.0f)) ? 0.5f : 0.0f);
}
