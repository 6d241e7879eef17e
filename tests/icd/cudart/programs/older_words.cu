// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -std=c++17 -arch=sm_86
// What older programs write: a word that nvcc only warns of, and the brackets of a launch set apart.
#include "../check.h"

__global__ void kernel(int *p) {
  register int sum = 0;
  for (register int i = 0; i < 7; ++i) sum += 6;
  *p = sum;
}

template <class T> struct Pair {
  T a, b;
};

// clang-format off
int main() {
  int *p = nullptr;
  OK(cudaMallocManaged(&p, sizeof *p));
  kernel << <1, 1 >> > (p);
  OK(cudaDeviceSynchronize());
  CHECK(*p == 42);
  *p = 0; const int before = __LINE__;
  kernel <  << dim3(1), 1 > >> (p); const int line = __LINE__;
  OK(cudaDeviceSynchronize());
  CHECK(*p == 42 && line == before + 1);
  Pair<Pair<Pair<int> > > nested{};
  CHECK(nested.a.b.a == 0 && 1 << 4 >> 2 == 4);
  return failures;
}
