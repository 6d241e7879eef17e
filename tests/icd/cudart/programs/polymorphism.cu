// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -std=c++20
// C++ in kernels: virtual functions, pointers to device functions, templates with constraints, lambdas, constexpr.
#include "../check.h"

#include <concepts>
#include <cuda_runtime.h>
#include <tuple>
#include <type_traits>

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
struct Rectangle final : Square {
  int other;
  __device__ Rectangle(int side, int other) : Square(side), other(other) {}
  __device__ int area() const override { return side * other; }
};
__global__ void areas(int *into) {
  const Square square(3);
  const Rectangle rectangle(3, 5);
  const Shape *const all[] = {&square, &rectangle};
  into[threadIdx.x] = all[threadIdx.x % 2]->area();
}

using Operation = int (*)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Operation operations[] = {plus, times};
__global__ void through(int *into) { into[threadIdx.x] = operations[threadIdx.x % 2](int(threadIdx.x), 10); }

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;
template <Number T, class... More> __host__ __device__ constexpr T total(T first, More... more) {
  if constexpr (sizeof...(more) == 0)
    return first;
  else
    return first + total(more...);
}
static_assert(total(1, 2, 3) == 6);
template <class F> __global__ void apply(int *into, F f) { into[threadIdx.x] = f(int(threadIdx.x)); }

int main() {
  int *p, host[32];
  OK(cudaMalloc(&p, sizeof host));
  const auto read = [&] { OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost)); };
  areas<<<1, 32>>>(p);
  read();
  CHECK(host[0] == 9 && host[1] == 15 && host[31] == 15);
  through<<<1, 32>>>(p);
  read();
  CHECK(host[4] == 14 && host[5] == 50);
  const int scale = 7;
  apply<<<1, 32>>>(p, [=] __device__(int i) { return total(i * scale, 1, 1); });
  read();
  CHECK(host[0] == 2 && host[31] == 31 * 7 + 2);
  OK(cudaFree(p));
  return failures != 0;
}
