// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A read through the read-only path whose address is the same for a block, under a condition: ids may be null. What is
// read is not to be read where nobody asks.
#include "../check.h"
#include <vector>

__global__ void largest(const float *__restrict__ x, const int *__restrict__ ids, float *__restrict__ to, long count,
                        long row, long plane, long most, int planes) {
  const long i = (long(blockDim.x) * blockIdx.y + threadIdx.x) * 4;
  if (i >= most) return;
  const long source = ids ? ids[blockIdx.x] : blockIdx.x;
  const long base = blockIdx.z % planes * plane + blockIdx.z / planes * plane * planes + source * row;
  const float4 four = i < count ? reinterpret_cast<const float4 *>(x)[(base + i) / 4] : make_float4(0, 0, 0, 0);
  float value = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  for (int step = 4; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFF, value, step, 32));
  to[((long(blockIdx.z) * gridDim.x + blockIdx.x) * most + i) / 4] = value;
}

int main() {
  constexpr int kRows = 16, kColumns = 256, kPlanes = 12, kMost = 512;
  std::vector<float> source(kRows * kColumns * kPlanes), result(kRows * kMost / 4 * kPlanes);
  for (size_t i = 0; i < source.size(); ++i) source[i] = float(i % 1009);
  std::vector<int> order(kRows);
  for (int i = 0; i < kRows; ++i) order[i] = kRows - 1 - i;
  float *x, *y;
  int *ids;
  OK(cudaMalloc(&x, source.size() * sizeof(float)));
  OK(cudaMalloc(&y, result.size() * sizeof(float)));
  OK(cudaMalloc(&ids, order.size() * sizeof(int)));
  OK(cudaMemcpy(x, source.data(), source.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(ids, order.data(), order.size() * sizeof(int), cudaMemcpyHostToDevice));
  for (const bool hasIds : {false, true})
    for (int launch = 0; launch < 5; ++launch) { // the later ones run optimized code
      largest<<<dim3(kRows, 1, kPlanes), 128>>>(x, hasIds ? ids : nullptr, y, kColumns, kColumns, kRows * kColumns,
                                                kMost, 6);
      OK(cudaMemcpy(result.data(), y, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
      for (int plane = 0; plane < kPlanes; ++plane)
        for (int row = 0; row < kRows; ++row)
          for (int four = 0; four < kMost / 4; ++four) {
            float expected = 0;
            const int from = (plane * kRows + (hasIds ? order[row] : row)) * kColumns + four / 8 * 32;
            for (int i = 0; i < 32 && four * 4 < kColumns; ++i) expected = fmaxf(expected, source[from + i]);
            CHECK(result[(plane * kRows + row) * (kMost / 4) + four] == expected);
          }
    }
  return failures != 0;
}
