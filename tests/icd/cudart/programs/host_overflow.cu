// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -O3
// What a kernel calculates wraps; the host's compilers that nvcc uses let the same sum wrap where a program checks it.
#include "../check.h"
#include <vector>

__global__ void square(int *values, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count) values[i] *= values[i];
}

int main(int arguments, char **) {
  const int count = 100000 * arguments;
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i;
  int *memory;
  OK(cudaMalloc(&memory, count * sizeof(int)));
  OK(cudaMemcpy(memory, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  square<<<(count + 255) / 256, 256>>>(memory, count);
  OK(cudaMemcpy(values.data(), memory, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i)
    if (values[i] != i * i) {
      std::printf("%d: %d is not %d\n", i, values[i], i * i);
      return 1;
    }
  return failures != 0;
}
