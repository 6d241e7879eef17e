// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 16 bits: conversions, arithmetic and comparisons of halves and bfloat16, alone and in pairs.
#include "../check.h"

#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void halves(const float *x, float *y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const __half h = __float2half(x[i]);
  y[i] = __half2float(__hfma(h, h, __float2half(1.0f)));
  const __half2 pair = __halves2half2(h, __hneg(h));
  const __half2 sum = __hadd2(pair, __float2half2_rn(2.0f));
  y[n + i] = __low2float(sum) * 100 + __high2float(sum);
  y[2 * n + i] = __hgt(h, __float2half(0.5f)) ? 1 : 0;
}
__global__ void brains(const float *x, float *y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const __nv_bfloat16 b = __float2bfloat16(x[i]);
  y[i] = __bfloat162float(b);
}

int main() {
  const int n = 5;
  const float values[n] = {0.5f, -1.25f, 3.0f, 0.1f, 1000.0f};
  float *x, *y;
  OK(cudaMallocManaged(&x, sizeof values));
  OK(cudaMallocManaged(&y, 3 * sizeof values));
  for (int i = 0; i < n; ++i) x[i] = values[i];
  halves<<<1, 32>>>(x, y, n);
  OK(cudaDeviceSynchronize());
  CHECK(y[0] == 1.25f && y[1] == 2.5625f && y[2] == 10.0f); // exact in 11 bits
  CHECK(std::isinf(y[4]));                                  // a million is more than a half can be
  CHECK(y[n] == 250 + 1.5f && y[n + 1] == 75 + 3.25f);
  CHECK(y[2 * n] == 0 && y[2 * n + 1] == 0 && y[2 * n + 2] == 1 && y[2 * n + 3] == 0);
  brains<<<1, 32>>>(x, y, n);
  OK(cudaDeviceSynchronize());
  CHECK(y[0] == 0.5f && y[1] == -1.25f && y[4] == 1000.0f);
  // Eight bits of a fraction: 0.1 becomes 0.10009765625.
  CHECK(y[3] == 0.10009765625f);
  return failures != 0;
}
