// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many random points of the unit square lie in the circle, by each of the generators; moments of normal numbers.
#include <curand_kernel.h>

template <class State> __device__ void count(unsigned long long *hits, int points) {
  State state;
  curand_init(1234ull, blockIdx.x * blockDim.x + threadIdx.x, 0ull, &state);
  unsigned int inside = 0;
  for (int i = 0; i < points; ++i) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    inside += x * x + y * y <= 1.0f;
  }
  atomicAdd(hits, (unsigned long long)inside);
}

extern "C" __global__ void monte_carlo(unsigned long long *hits, int points) {
  count<curandStateXORWOW>(hits, points);
  count<curandStateMRG32k3a>(hits + 1, points);
  count<curandStatePhilox4_32_10_t>(hits + 2, points);
}

extern "C" __global__ void moments(double *sums, int points) {
  curandState state;
  curand_init(99ull, threadIdx.x, 0ull, &state);
  double first = 0.0, second = 0.0, third = 0.0;
  for (int i = 0; i < points; ++i) {
    const double x = curand_normal_double(&state);
    first += x;
    second += x * x;
    third += curand_poisson(&state, 7.5);
  }
  atomicAdd(&sums[0], first);
  atomicAdd(&sums[1], second);
  atomicAdd(&sums[2], third);
}

// Numbers that published vectors and other programs can be held against.
extern "C" __global__ void random_vectors(unsigned int *words, unsigned int *directions) {
  const uint4 zero = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  const uint4 ones = curand_Philox4x32_10(make_uint4(~0u, ~0u, ~0u, ~0u), make_uint2(~0u, ~0u));
  words[0] = zero.x, words[1] = zero.y, words[2] = zero.z, words[3] = zero.w;
  words[4] = ones.x, words[5] = ones.y, words[6] = ones.z, words[7] = ones.w;
  // A jump is as many steps: for each generator the difference of the two ways.
  curandState a, b;
  curand_init(5ull, 3ull, 0ull, &a);
  curand_init(5ull, 3ull, 777ull, &b);
  for (int i = 0; i < 777; ++i) curand(&a);
  words[8] = curand(&a) - curand(&b);
  curandStateMRG32k3a c, d;
  curand_init(5ull, 3ull, 0ull, &c);
  curand_init(5ull, 3ull, 777ull, &d);
  for (int i = 0; i < 777; ++i) curand(&c);
  words[9] = curand(&c) - curand(&d);
  curandStatePhilox4_32_10_t e, f;
  curand_init(5ull, 3ull, 0ull, &e);
  curand_init(5ull, 3ull, 777ull, &f);
  for (int i = 0; i < 777; ++i) curand(&e);
  words[10] = curand(&e) - curand(&f);
  // L'Ecuyer's generator from its usual start, by its own count.
  c.s1[0] = c.s1[1] = c.s1[2] = c.s2[0] = c.s2[1] = c.s2[2] = 12345u;
  words[11] = us_mrgNext(&c);
  curandStateSobol32 g;
  curand_init(directions, 0u, &g);
  for (int i = 0; i < 8; ++i) words[12 + i] = curand(&g);
  curand_init(directions, 5u, &g);
  words[20] = curand(&g);
}
