// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of cuRAND's distributions: means, variances and the parts below some quantiles, within five standard
// deviations of what chance allows; quasirandom ones much closer.
//! nvcc: -lcurand
#include "../../cudart/check.h"

#include <cmath>
#include <curand.h>
#include <curand_kernel.h>
#include <functional>

#define RAND(...) CHECK((__VA_ARGS__) == CURAND_STATUS_SUCCESS)

constexpr int n = 1 << 17;
static double *memory;

/// What is at most x has this part of all.
using Part = std::function<double(double)>;
template <class T>
static void test(const char *what, int type, double mean, double variance, double fourth, Part part) {
  const T *const numbers = reinterpret_cast<const T *>(memory);
  OK(cudaDeviceSynchronize());
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    sum += numbers[i];
    squares += (numbers[i] - mean) * (numbers[i] - mean);
  }
  const double meanError = std::abs(sum / n - mean) / std::sqrt(variance / n);
  const double varianceError = std::abs(squares / n - variance) / std::sqrt((fourth - variance * variance) / n);
  double worst = 0;
  for (const double step : {-2.5, -2., -1., -0.5, 0., 0.5, 1., 2., 2.5}) {
    double x = mean + step * std::sqrt(variance);
    if (std::is_integral_v<T>) x = std::floor(x);
    int below = 0;
    for (int i = 0; i < n; ++i) below += numbers[i] <= x;
    const double p = part(x);
    worst = std::max(worst, std::abs(below - p * n) / std::sqrt(p * (1 - p) * n + 1));
  }
  if (meanError > 5 || varianceError > 5 || worst > 5)
    std::printf("%s of %d: mean %g, variance %g, quantiles %g\n", what, type, meanError, varianceError, worst);
  CHECK(meanError <= 5 && varianceError <= 5 && worst <= 5);
}

static double normalPart(double x) { return std::erfc(-x / std::sqrt(2.)) / 2; }
static double uniformPart(double x) { return std::min(1., std::max(0., x)); }
static double sumTo(double last, std::function<double(int)> logarithm) {
  double sum = 0;
  for (int k = 0; k <= last; ++k) sum += std::exp(logarithm(k));
  return sum;
}
static double poissonPart(double lambda, double x) {
  return sumTo(x, [=](int k) { return k * std::log(lambda) - lambda - std::lgamma(k + 1.); });
}
static double binomialPart(int trials, double p, double x) {
  return sumTo(std::min<double>(x, trials), [=](int k) {
    return std::lgamma(trials + 1.) - std::lgamma(k + 1.) - std::lgamma(trials - k + 1.) + k * std::log(p) +
           (trials - k) * std::log(1 - p);
  });
}

__global__ void discrete(curandDiscreteDistribution_t distribution, unsigned *numbers, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(7, i, 0, &state);
  for (int k = 0; k < each; k += 5) {
    numbers[i * each + k] = curand_discrete(&state, distribution);
    const uint4 four = curand_discrete4(&state, distribution);
    const unsigned more[4] = {four.x, four.y, four.z, four.w};
    for (int j = 0; j < 4 && k + 1 + j < each; ++j) numbers[i * each + k + 1 + j] = more[j];
  }
}

int main() {
  OK(cudaMallocManaged(&memory, n * sizeof(double)));
  float *const floats = reinterpret_cast<float *>(memory);
  unsigned *const counts = reinterpret_cast<unsigned *>(memory);
  for (const curandRngType_t type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MT19937,
        CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32,
        CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}) {
    curandGenerator_t generator;
    RAND(curandCreateGenerator(&generator, type));
    RAND(curandGenerateUniform(generator, floats, n));
    test<float>("uniform", type, 0.5, 1. / 12, 1. / 80, uniformPart);
    for (int i = 0; i < n; ++i) CHECK(floats[i] > 0 && floats[i] <= 1);
    RAND(curandGenerateUniformDouble(generator, memory, n));
    test<double>("uniform double", type, 0.5, 1. / 12, 1. / 80, uniformPart);
    RAND(curandGenerateNormal(generator, floats, n, 3, 2));
    test<float>("normal", type, 3, 4, 48, [](double x) { return normalPart((x - 3) / 2); });
    RAND(curandGenerateNormalDouble(generator, memory, n, -1, 0.5));
    test<double>("normal double", type, -1, 0.25, 3. / 16, [](double x) { return normalPart((x + 1) * 2); });
    const double w = std::exp(0.25); // of a normal variance of 0.25
    const double mean = std::exp(1 + 0.125), variance = mean * mean * (w - 1);
    const double fourth = variance * variance * (w * w * w * w + 2 * w * w * w + 3 * w * w - 3);
    const auto part = [](double x) { return x <= 0 ? 0 : normalPart((std::log(x) - 1) * 2); };
    RAND(curandGenerateLogNormal(generator, floats, n, 1, 0.5));
    test<float>("log-normal", type, mean, variance, fourth, part);
    RAND(curandGenerateLogNormalDouble(generator, memory, n, 1, 0.5));
    test<double>("log-normal double", type, mean, variance, fourth, part);
    for (const double lambda : {0.3, 10., 700., 5000.}) {
      RAND(curandGeneratePoisson(generator, counts, n, lambda));
      test<unsigned>("Poisson", type, lambda, lambda, lambda + 3 * lambda * lambda,
                     [=](double x) { return poissonPart(lambda, x); });
    }
    RAND(curandGeneratePoisson(generator, counts, n, 400000));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) CHECK(counts[i] > 395000 && counts[i] < 405000);
    for (const double p : {0.1, 0.5, 0.97}) {
      const double v = 40 * p * (1 - p);
      RAND(curandGenerateBinomial(generator, counts, n, 40, p));
      test<unsigned>("binomial", type, 40 * p, v, v + 3 * v * v - 6 * v * p * (1 - p),
                     [=](double x) { return binomialPart(40, p, x); });
    }
    for (const double p : {0., 1.}) {
      RAND(curandGenerateBinomial(generator, counts, 4, 40, p));
      OK(cudaDeviceSynchronize());
      for (int i = 0; i < 4; ++i) CHECK(counts[i] == (p == 0 ? 0 : 40));
    }
    RAND(curandDestroyGenerator(generator));
  }
  for (const double lambda : {2., 300.}) {
    curandDiscreteDistribution_t distribution;
    RAND(curandCreatePoissonDistribution(lambda, &distribution));
    discrete<<<n / 32 / 64, 64>>>(distribution, counts, 32);
    test<unsigned>("curand_discrete", 0, lambda, lambda, lambda + 3 * lambda * lambda,
                   [=](double x) { return poissonPart(lambda, x); });
    RAND(curandDestroyDistribution(distribution));
    CHECK(curandDestroyDistribution(distribution) != CURAND_STATUS_SUCCESS);
  }
  CHECK(curandCreatePoissonDistribution(-1, nullptr) == CURAND_STATUS_OUT_OF_RANGE);
  OK(cudaFree(memory));
  return failures != 0;
}
