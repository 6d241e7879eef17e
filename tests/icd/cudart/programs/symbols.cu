// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the device by their names: constant and global ones, arrays, templates' and static members.
#include "../check.h"

__constant__ float coefficients[4] = {1, 2, 3, 4};
__device__ int counter = 5;
__device__ double table[10];
static __device__ int hidden;
namespace deep {
__device__ short inside[3];
}
template <class T> __device__ T ofType = 7;

__global__ void evaluate(float x, float *y) {
  float sum = 0;
  for (int i = 3; i >= 0; --i) sum = sum * x + coefficients[i];
  *y = sum;
  counter += 1;
  table[3] = table[2] * 2;
  hidden = counter * 10;
  deep::inside[1] = 42;
  ofType<int> += 1;
}

int main() {
  float *y, result;
  OK(cudaMalloc(&y, sizeof(float)));
  evaluate<<<1, 1>>>(2, y);
  OK(cudaMemcpy(&result, y, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(result == 1 + 2 * 2 + 3 * 4 + 4 * 8);
  const float others[2] = {10, 20};
  OK(cudaMemcpyToSymbol(coefficients, others, sizeof(others), sizeof(float)));
  const double two = 2.5;
  OK(cudaMemcpyToSymbol(table, &two, sizeof(two), 2 * sizeof(double), cudaMemcpyHostToDevice));
  evaluate<<<1, 1>>>(2, y);
  OK(cudaMemcpy(&result, y, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(result == 1 + 10 * 2 + 20 * 4 + 4 * 8);
  int count = 0, tens = 0, typed = 0;
  OK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  OK(cudaMemcpyFromSymbol(&tens, hidden, sizeof(tens)));
  OK(cudaMemcpyFromSymbol(&typed, ofType<int>, sizeof(typed)));
  CHECK(count == 7);
  CHECK(tens == 70);
  CHECK(typed == 9);
  double fourth = 0;
  OK(cudaMemcpyFromSymbol(&fourth, table, sizeof(fourth), 3 * sizeof(double)));
  CHECK(fourth == 5.0);
  short insides[3];
  OK(cudaMemcpyFromSymbol(insides, deep::inside, sizeof(insides)));
  CHECK(insides[0] == 0 && insides[1] == 42);

  void *address = nullptr;
  size_t size = 0;
  OK(cudaGetSymbolAddress(&address, table));
  OK(cudaGetSymbolSize(&size, table));
  CHECK(size == sizeof(table));
  OK(cudaMemcpy(&fourth, (double *)address + 3, sizeof(fourth), cudaMemcpyDeviceToHost));
  CHECK(fourth == 5.0);

  // "cudaErrorInvalidSymbol": "the symbol name/identifier passed to the API call is not a valid name or identifier".
  EXPECT(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, count));
  // Beyond the variable's end.
  EXPECT(cudaErrorInvalidValue, cudaMemcpyToSymbol(counter, &count, sizeof(count), 4));
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(counter, &count, sizeof(count), 0, cudaMemcpyDeviceToHost));
  return failures != 0;
}
