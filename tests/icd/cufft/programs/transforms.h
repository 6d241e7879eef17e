// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definition of a transform, for tests: sums of long doubles.
#pragma once
#include "../../cudart/check.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cufft.h>
#include <vector>

#define FFT(...) CHECK((__VA_ARGS__) == CUFFT_SUCCESS)

using Wide = std::complex<long double>;

/// The transform of n numbers by its definition; sign -1 is forward, 1 the inverse that is not divided.
class Definition {
public:
  explicit Definition(int64_t n) : turns_(n) {
    for (int64_t i = 0; i < n; ++i) {
      const long double angle = 2 * 3.14159265358979323846264338327950288L * i / n;
      turns_[i] = {std::cos(angle), std::sin(angle)};
    }
  }
  template <class At> Wide at(int64_t k, int sign, At number) const {
    const int64_t n = turns_.size(), step = sign > 0 ? k : (n - k) % n;
    long double re = 0, im = 0;
    for (int64_t j = 0, angle = 0; j < n; ++j) {
      const Wide x = number(j), turn = turns_[angle];
      re += x.real() * turn.real() - x.imag() * turn.imag();
      im += x.real() * turn.imag() + x.imag() * turn.real();
      angle = angle + step < n ? angle + step : angle + step - n;
    }
    return {re, im};
  }

private:
  std::vector<Wide> turns_;
};

/// Between -1 and 1, and like chance: all of a transform's numbers are of one magnitude.
inline long double some(uint64_t i) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return (x >> 40) / 8388608.0L - 1;
}

template <class T> struct Array { ///< memory that host and device see
  T *data;
  explicit Array(int64_t size) { OK(cudaMallocManaged(&data, size * sizeof(T))); }
  ~Array() { cudaFree(data); }
};

inline cufftResult run(cufftHandle plan, float2 *in, float2 *out, int direction) {
  return cufftExecC2C(plan, in, out, direction);
}
inline cufftResult run(cufftHandle plan, double2 *in, double2 *out, int direction) {
  return cufftExecZ2Z(plan, in, out, direction);
}
inline cufftResult run(cufftHandle plan, float *in, float2 *out) { return cufftExecR2C(plan, in, out); }
inline cufftResult run(cufftHandle plan, double *in, double2 *out) { return cufftExecD2Z(plan, in, out); }
inline cufftResult run(cufftHandle plan, float2 *in, float *out) { return cufftExecC2R(plan, in, out); }
inline cufftResult run(cufftHandle plan, double2 *in, double *out) { return cufftExecZ2D(plan, in, out); }

template <class R> struct Types;
template <> struct Types<float> {
  using Complex = float2;
  static constexpr cufftType complex = CUFFT_C2C, toComplex = CUFFT_R2C, toReal = CUFFT_C2R;
};
template <> struct Types<double> {
  using Complex = double2;
  static constexpr cufftType complex = CUFFT_Z2Z, toComplex = CUFFT_D2Z, toReal = CUFFT_Z2D;
};

/// Errors, as parts of the root of the sum of the squares of what is right.
struct Errors {
  long double error = 0, whole = 0;
  void add(Wide got, Wide wanted) {
    error += std::norm(got - wanted);
    whole += std::norm(wanted);
  }
  long double relative() const { return whole == 0 ? std::sqrt(error) : std::sqrt(error / whole); }
};
template <class R> constexpr long double kBound = sizeof(R) == 4 ? 6e-7L : 1e-15L;
