// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that the host and the device read and write by their names.
#include "../check.h"

__managed__ int counter = 40;
__device__ __managed__ float values[8] = {1, 2, 3};
struct Pair {
  int a, b;
};
static __managed__ Pair pair;
__managed__ int *pointer;

__global__ void use() {
  counter += 1;
  values[threadIdx.x] *= 2;
  if (threadIdx.x == 0) pair.b = pair.a * 2;
  if (threadIdx.x == 0 && pointer) *pointer += 5;
}

static int readCounter() { return counter; }
static float *third() { return &values[2]; }

int main() {
  CHECK(readCounter() == 40);
  CHECK(values[1] == 2 && values[3] == 0);
  pair = {21, 0};
  values[7] = 0.5f;
  pointer = &counter;
  use<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  CHECK(counter == 46);
  CHECK(pair.b == 42);
  CHECK(values[0] == 2 && values[7] == 0.5f);
  for (float &value : values) value += 1;
  use<<<1, 8>>>();
  OK(cudaDeviceSynchronize());
  CHECK(*third() == 8 && values[7] == 3);
  int copied = 0;
  OK(cudaMemcpyFromSymbol(&copied, counter, sizeof(copied)));
  CHECK(copied == counter);
  return failures != 0;
}
