// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc:
//! nvcc: -G
//! nvcc: -use_fast_math
// What C++ leaves undefined and PTX does not, as nvcc's code has it. cvt: "In float-to-integer conversion, NaN inputs
// are converted to 0", and others saturate; there are conversions of single and double precision to 32 and 64 bits, so
// that shorter integers are the low bits of these. A bool in memory that is neither 0 nor 1 is true.
#include "../check.h"
#include <climits>
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Integers {
  signed char c;
  unsigned char uc;
  short s;
  unsigned short us;
  int i;
  unsigned int ui;
  long long l;
  unsigned long long ul;
};

template <class T> __device__ Integers convert(T x) {
  return {(signed char)x, (unsigned char)x, (short)x,     (unsigned short)x,
          (int)x,         (unsigned)x,      (long long)x, (unsigned long long)x};
}

template <class T> __global__ void fromMemory(Integers *to, const T *from) {
  to[threadIdx.x] = convert(from[threadIdx.x]);
}

template <class T> __global__ void ofConstants(Integers *to) {
  to[0] = convert(T(-3.5));
  to[1] = convert(T(300.5));
  to[2] = convert(T(-3e9));
  to[3] = convert(T(1e30));
  to[4] = convert(T(NAN));
}

static bool are(const Integers &got, Integers want) {
  return got.c == want.c && got.uc == want.uc && got.s == want.s && got.us == want.us && got.i == want.i &&
         got.ui == want.ui && got.l == want.l && got.ul == want.ul;
}

template <class T> void converts() {
  Integers *to;
  T *from;
  OK(cudaMallocManaged(&to, 10 * sizeof(*to)));
  OK(cudaMallocManaged(&from, 5 * sizeof(*from)));
  const double values[] = {-3.5, 300.5, -3e9, 1e30, NAN};
  for (int i = 0; i < 5; ++i) from[i] = T(values[i]);
  fromMemory<<<1, 5>>>(to, from);
  ofConstants<T><<<1, 1>>>(to + 5);
  OK(cudaDeviceSynchronize());
  for (const Integers *got : {to, to + 5}) {
    CHECK(are(got[0], {-3, 0, -3, 0, -3, 0, -3, 0}));
    CHECK(are(got[1], {44, 44, 300, 300, 300, 300, 300, 300}));
    CHECK(are(got[2], {0, 0, 0, 0, INT_MIN, 0, -3000000000, 0}));
    CHECK(are(got[3], {-1, 255, -1, 65535, INT_MAX, UINT_MAX, LLONG_MAX, ULLONG_MAX}));
    CHECK(got[4].i == 0 && got[4].ui == 0 && got[4].c == 0 && got[4].us == 0);
  }
  OK(cudaFree(to));
  OK(cudaFree(from));
}

/// Shorter numbers have conversions to all integers, which saturate.
template <class T> __global__ void ofSmall(Integers *to, const T *from) {
  const T x = from[threadIdx.x];
  to[threadIdx.x] = {(signed char)x, (unsigned char)x, (short)x,     (unsigned short)x,
                     (int)x,         (unsigned)x,      (long long)x, (unsigned long long)x};
}
template <class T> void convertsSmall() {
  Integers *to;
  T *from;
  OK(cudaMallocManaged(&to, 3 * sizeof(*to)));
  OK(cudaMallocManaged(&from, 3 * sizeof(*from)));
  from[0] = T(-300.0f);
  from[1] = T(40960.0f);
  from[2] = T(INFINITY);
  ofSmall<<<1, 3>>>(to, from);
  OK(cudaDeviceSynchronize());
  CHECK(are(to[0], {-128, 0, -300, 0, -300, 0, -300, 0}));
  CHECK(are(to[1], {127, 255, 32767, 40960, 40960, 40960, 40960, 40960}));
  CHECK(are(to[2], {127, 255, 32767, 65535, INT_MAX, UINT_MAX, LLONG_MAX, ULLONG_MAX}));
  OK(cudaFree(to));
  OK(cudaFree(from));
}

__global__ void count(const bool *truths, int *counted) {
  if (truths[threadIdx.x]) atomicAdd(&counted[0], 1);
  if (!truths[threadIdx.x]) atomicAdd(&counted[1], 1);
  atomicAdd(&counted[2], truths[threadIdx.x] && threadIdx.x != 2 ? 10 : 1);
}

int main() {
  converts<float>();
  converts<double>();
  convertsSmall<__half>();
  convertsSmall<__nv_bfloat16>();

  const unsigned char bytes[] = {0, 1, 2, 4, 255, 128};
  bool *truths;
  int *counted;
  OK(cudaMalloc(&truths, sizeof bytes));
  OK(cudaMemcpy(truths, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  OK(cudaMallocManaged(&counted, 3 * sizeof(int)));
  OK(cudaMemset(counted, 0, 3 * sizeof(int)));
  count<<<1, 6>>>(truths, counted);
  OK(cudaDeviceSynchronize());
  CHECK(counted[0] == 5 && counted[1] == 1 && counted[2] == 42);
  return failures != 0;
}
