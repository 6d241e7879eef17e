// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of cuRAND's generators: the C++ library's Mersenne twister, Philox's published vector, Sobol's points as
// SciPy has them, and, in the documented order, the subsequences that kernels get.
//! nvcc: -lcurand
#include "../../cudart/check.h"

#include <cstring>
#include <curand.h>
#include <curand_kernel.h>
#include <random>
#include <vector>

#define RAND(...) CHECK((__VA_ARGS__) == CURAND_STATUS_SUCCESS)
#define IS(status, ...) CHECK((__VA_ARGS__) == (status))

template <class T> struct Array { ///< memory that host and device see
  T *data;
  explicit Array(size_t size) { OK(cudaMallocManaged(&data, size * sizeof(T))); }
  ~Array() { cudaFree(data); }
};

static std::vector<unsigned> words(curandGenerator_t generator, size_t n) {
  Array<unsigned> numbers(n);
  RAND(curandGenerate(generator, numbers.data, n));
  OK(cudaDeviceSynchronize());
  return {numbers.data, numbers.data + n};
}

/// The first numbers of each of so many subsequences, as a kernel draws them.
template <class State>
__global__ void draw(unsigned long long seed, unsigned long long offset, unsigned subsequences, unsigned each,
                     unsigned *numbers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= subsequences) return;
  State state;
  curand_init(seed, i, offset, &state);
  for (unsigned k = 0; k < each; ++k) numbers[k * subsequences + i] = curand(&state);
}

template <class State>
static void compare(curandRngType_t type, unsigned subsequences, unsigned long long seed, unsigned long long offset) {
  curandGenerator_t generator;
  RAND(curandCreateGenerator(&generator, type));
  RAND(curandSetPseudoRandomGeneratorSeed(generator, seed));
  RAND(curandSetGeneratorOffset(generator, offset * subsequences));
  const unsigned each = subsequences == 1 ? 5000 : 3, n = each * subsequences;
  // In pieces: what follows goes on where the last one ended.
  std::vector<unsigned> got = words(generator, 7);
  for (const unsigned more : {1000u, n - 1007}) {
    const auto next = words(generator, more);
    got.insert(got.end(), next.begin(), next.end());
  }
  Array<unsigned> wanted(n);
  draw<State><<<(subsequences + 63) / 64, 64>>>(seed, offset, subsequences, each, wanted.data);
  OK(cudaDeviceSynchronize());
  CHECK(std::memcmp(got.data(), wanted.data, n * 4) == 0);
  // The same on the host.
  curandGenerator_t host;
  RAND(curandCreateGeneratorHost(&host, type));
  RAND(curandSetPseudoRandomGeneratorSeed(host, seed));
  RAND(curandSetGeneratorOffset(host, offset * subsequences));
  std::vector<unsigned> own(n);
  RAND(curandGenerate(host, own.data(), n));
  CHECK(own == got);
  // Another seed, other numbers.
  RAND(curandSetPseudoRandomGeneratorSeed(generator, seed + 1));
  const auto others = words(generator, 1000);
  unsigned same = 0;
  for (int i = 0; i < 1000; ++i) same += others[i] == got[i];
  CHECK(same < 3);
  RAND(curandDestroyGenerator(generator));
  RAND(curandDestroyGenerator(host));
}

static void mersenne() {
  curandGenerator_t generator;
  RAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MT19937));
  for (const unsigned seed : {0u, 5489u, 123456789u}) {
    RAND(curandSetPseudoRandomGeneratorSeed(generator, seed));
    std::mt19937 library(seed);
    for (const unsigned n : {3u, 20000u})
      for (const unsigned word : words(generator, n)) CHECK(word == library());
  }
  RAND(curandDestroyGenerator(generator));
}

static void philox() {
  curandGenerator_t generator;
  RAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  RAND(curandSetPseudoRandomGeneratorSeed(generator, 0));
  // Random123's known answer for a counter and a key of 0.
  CHECK(words(generator, 4) == std::vector<unsigned>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  RAND(curandDestroyGenerator(generator));
}

static void sobol() {
  // scipy.stats.qmc.Sobol(8, scramble=False, bits=32).random(8) times 2^32, SciPy 1.16, by dimension.
  static const unsigned points[8][8] = {
      {0, 2147483648, 3221225472, 1073741824, 1610612736, 3758096384, 2684354560, 536870912},
      {0, 2147483648, 1073741824, 3221225472, 1610612736, 3758096384, 536870912, 2684354560},
      {0, 2147483648, 1073741824, 3221225472, 2684354560, 536870912, 3758096384, 1610612736},
      {0, 2147483648, 1073741824, 3221225472, 3758096384, 1610612736, 2684354560, 536870912},
      {0, 2147483648, 3221225472, 1073741824, 1610612736, 3758096384, 2684354560, 536870912},
      {0, 2147483648, 3221225472, 1073741824, 536870912, 2684354560, 3758096384, 1610612736},
      {0, 2147483648, 1073741824, 3221225472, 1610612736, 3758096384, 536870912, 2684354560},
      {0, 2147483648, 3221225472, 1073741824, 3758096384, 1610612736, 536870912, 2684354560}};
  unsigned *constants;
  unsigned long long *wideConstants;
  RAND(curandGetScrambleConstants32(&constants));
  RAND(curandGetScrambleConstants64(&wideConstants));
  for (const bool isScrambled : {false, true}) {
    curandGenerator_t narrow, wide;
    RAND(curandCreateGenerator(&narrow, isScrambled ? CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 : CURAND_RNG_QUASI_SOBOL32));
    RAND(curandCreateGenerator(&wide, isScrambled ? CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 : CURAND_RNG_QUASI_SOBOL64));
    for (curandGenerator_t generator : {narrow, wide}) RAND(curandSetQuasiRandomGeneratorDimensions(generator, 8));
    // All of a dimension, then all of the next; the second time from point 5 on.
    Array<unsigned long long> numbers(64);
    for (const int first : {0, 5, 0}) {
      const int n = 8 - first;
      RAND(curandSetGeneratorOffset(narrow, first));
      RAND(curandSetGeneratorOffset(wide, first));
      const auto got = words(narrow, 8 * n);
      RAND(curandGenerateLongLong(wide, numbers.data, 8 * n));
      OK(cudaDeviceSynchronize());
      for (int d = 0; d < 8; ++d)
        for (int i = 0; i < n; ++i) {
          CHECK(got[d * n + i] == (points[d][first + i] ^ (isScrambled ? constants[d] : 0)));
          CHECK(numbers.data[d * n + i] ==
                ((unsigned long long)points[d][first + i] << 32 ^ (isScrambled ? wideConstants[d] : 0)));
        }
    }
    // Two and two are what four at once are.
    RAND(curandSetGeneratorOffset(narrow, 0));
    for (int half = 0; half < 2; ++half) {
      const auto got = words(narrow, 16);
      for (int d = 0; d < 8; ++d)
        for (int i = 0; i < 2; ++i)
          CHECK(got[d * 2 + i] == (points[d][2 * half + i] ^ (isScrambled ? constants[d] : 0)));
    }
    RAND(curandDestroyGenerator(narrow));
    RAND(curandDestroyGenerator(wide));
  }
}

static void refused() {
  curandGenerator_t pseudo = nullptr, quasi = nullptr, wide = nullptr, twister = nullptr;
  IS(CURAND_STATUS_TYPE_ERROR, curandCreateGenerator(&pseudo, (curandRngType_t)7));
  IS(CURAND_STATUS_TYPE_ERROR, curandCreateGenerator(&pseudo, CURAND_RNG_PSEUDO_MTGP32)); // not here
  IS(CURAND_STATUS_NOT_INITIALIZED, curandDestroyGenerator(nullptr));
  IS(CURAND_STATUS_NOT_INITIALIZED, curandGenerate((curandGenerator_t)&pseudo, nullptr, 4));
  RAND(curandCreateGenerator(&pseudo, CURAND_RNG_PSEUDO_DEFAULT));
  RAND(curandCreateGenerator(&quasi, CURAND_RNG_QUASI_DEFAULT));
  RAND(curandCreateGenerator(&wide, CURAND_RNG_QUASI_SOBOL64));
  RAND(curandCreateGenerator(&twister, CURAND_RNG_PSEUDO_MT19937));
  Array<unsigned long long> memory(64);
  auto *const narrow = reinterpret_cast<unsigned *>(memory.data);
  auto *const floats = reinterpret_cast<float *>(memory.data);
  IS(CURAND_STATUS_TYPE_ERROR, curandSetPseudoRandomGeneratorSeed(quasi, 1));
  IS(CURAND_STATUS_TYPE_ERROR, curandSetQuasiRandomGeneratorDimensions(pseudo, 3));
  IS(CURAND_STATUS_OUT_OF_RANGE, curandSetQuasiRandomGeneratorDimensions(quasi, 0));
  IS(CURAND_STATUS_OUT_OF_RANGE, curandSetQuasiRandomGeneratorDimensions(quasi, 20001));
  IS(CURAND_STATUS_TYPE_ERROR, curandSetGeneratorOffset(twister, 3));
  IS(CURAND_STATUS_OUT_OF_RANGE, curandSetGeneratorOrdering(pseudo, CURAND_ORDERING_QUASI_DEFAULT));
  IS(CURAND_STATUS_OUT_OF_RANGE, curandSetGeneratorOrdering(quasi, CURAND_ORDERING_PSEUDO_BEST));
  RAND(curandSetGeneratorOrdering(pseudo, CURAND_ORDERING_PSEUDO_LEGACY));
  IS(CURAND_STATUS_TYPE_ERROR, curandGenerate(wide, narrow, 4));
  IS(CURAND_STATUS_TYPE_ERROR, curandGenerateLongLong(pseudo, memory.data, 4));
  IS(CURAND_STATUS_LENGTH_NOT_MULTIPLE, curandGenerateNormal(pseudo, floats, 7, 0, 1));
  RAND(curandSetQuasiRandomGeneratorDimensions(quasi, 3));
  IS(CURAND_STATUS_LENGTH_NOT_MULTIPLE, curandGenerate(quasi, narrow, 7));
  IS(CURAND_STATUS_OUT_OF_RANGE, curandGeneratePoisson(pseudo, narrow, 8, 0));
  IS(CURAND_STATUS_OUT_OF_RANGE, curandGeneratePoisson(pseudo, narrow, 8, 400001));
  IS(CURAND_STATUS_OUT_OF_RANGE, curandGenerateBinomial(pseudo, narrow, 8, 10, 1.5));
  IS(CURAND_STATUS_LAUNCH_FAILURE, curandGenerate(pseudo, narrow, 129)); // one number beyond the end
  RAND(curandGenerateSeeds(pseudo));
  RAND(curandGenerate(pseudo, narrow, 0));
  for (curandGenerator_t generator : {pseudo, quasi, wide, twister}) RAND(curandDestroyGenerator(generator));
  int major = 0, version = 0;
  RAND(curandGetProperty(MAJOR_VERSION, &major));
  RAND(curandGetVersion(&version));
  CHECK(major == 10 && version / 1000 == 10);
}

int main() {
  mersenne();
  philox();
  for (const unsigned long long offset : {0ull, 1ull, 12345678901ull}) {
    compare<curandStateXORWOW>(CURAND_RNG_PSEUDO_XORWOW, 4096, 42, offset);
    compare<curandStateMRG32k3a>(CURAND_RNG_PSEUDO_MRG32K3A, 4096, 42, offset);
    compare<curandStatePhilox4_32_10>(CURAND_RNG_PSEUDO_PHILOX4_32_10, 1, 0x123456789abcdefull, offset);
  }
  sobol();
  refused();
  return failures != 0;
}
