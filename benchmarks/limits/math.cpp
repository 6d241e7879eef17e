// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions over arrays.
#include "benchmarks/limits/functions.h"
#include "benchmarks/limits/limit.h"

#include <algorithm>

using namespace limits;

namespace {

constexpr size_t kBlock = 1024;

// The sum of eight steps of a function, as the cases m_* have it. `fast` says where it is not good; such a block is
// done again with `exact`.
template <class T, class Fast, class Exact> void eightSteps(size_t n, const T *a, T *b, Fast fast, Exact exact) {
#pragma omp parallel for
  for (size_t begin = 0; begin < n; begin += kBlock) {
    size_t end = std::min(begin + kBlock, n);
    int anyFar = 0;
#pragma omp simd reduction(| : anyFar)
    for (size_t i = begin; i < end; ++i) {
      T sum = 0, x = a[i];
      bool far = false;
#pragma clang loop unroll(full)
      for (int r = 0; r < 8; ++r) {
        sum += fast(x, far);
        x += T(0.001);
      }
      b[i] = sum;
      anyFar |= far;
    }
    if (!anyFar) continue;
    for (size_t i = begin; i < end; ++i) {
      T sum = 0, x = a[i];
      for (int r = 0; r < 8; ++r) {
        sum += exact(x);
        x += T(0.001);
      }
      b[i] = sum;
    }
  }
}

} // namespace

LIMIT(m_sin, const float *a, float *b) {
  eightSteps(
      items, a, b,
      [](float x, bool &far) {
        far |= !(std::fabs(x) <= kFar);
        return sine(x);
      },
      [](float x) { return std::sin(x); });
}

LIMIT(m_exp, const float *a, float *b) {
  eightSteps(
      items, a, b,
      [](float x, bool &far) {
        far |= !(std::fabs(x) <= kFarPower);
        return exponentialNear(x);
      },
      [](float x) { return std::exp(x); });
}

LIMIT(m_log, const float *a, float *b) {
  eightSteps(
      items, a, b,
      [](float x, bool &far) {
        far |= !isNormal(x);
        return logarithm(x);
      },
      [](float x) { return std::log(x); });
}

LIMIT(m_pow, const float *a, float *b) {
  eightSteps(
      items, a, b,
      [](float x, bool &far) {
        bool here;
        float r = power(x, 1.7f, here);
        far |= here;
        return r;
      },
      [](float x) { return std::pow(x, 1.7f); });
}

LIMIT(m_mix, const float *a, float *b) {
  eightSteps(
      items, a, b,
      [](float x, bool &far) {
        far |= !isNormal(x) || !(x <= kFarPower);
        return hyperbolicTangent(x) + cosine(x) + arcTangent2(x, 2.0f) + __builtin_sqrtf(x) * exponential2Near(-x) +
               logarithm2(x);
      },
      [](float x) {
        return std::tanh(x) + std::cos(x) + std::atan2(x, 2.0f) + std::sqrt(x) * std::exp2(-x) + std::log2(x);
      });
}

// Fewer terms, and no care of the ends of the range.
LIMIT(m_native, const float *a, float *b) {
  eightSteps(
      items, a, b,
      [](float x, bool &) {
        float turns = x * 0.318309886f + kWhole, r = x - (turns - kWhole) * 3.14159274f, y = r * r;
        float s = r + r * y * polynomial(y, {-1.88466731e-4f, 8.32419668e-3f, -1.66665416e-1f});
        float sum = x * 1.44269504f + kWhole, q = x - (sum - kWhole) * 0.693147181f;
        float p = polynomial(q, {8.35720015e-3f, 4.18338041e-2f, 1.66666308e-1f, 4.99997490e-1f});
        int bits = std::bit_cast<int>(x) - 0x3f3504f3;
        float f = std::bit_cast<float>((bits & 0x7fffff) + 0x3f3504f3) - 1;
        float l = polynomial(f, {1.23548280e-1f, -1.81784574e-1f, 2.02498086e-1f, -2.49626428e-1f, 3.33305019e-1f});
        return withSign(s, turns) + times2(1 + (q + q * q * p), sum) +
               (static_cast<float>(bits >> 23) * 0.693147181f + (f + f * f * (l * f - 0.5f)));
      },
      [](float x) { return std::sin(x) + std::exp(x) + std::log(x); });
}

LIMIT(m_f64, const double *a, double *b) {
  eightSteps(
      items, a, b,
      [](double x, bool &far) {
        far |= !(x <= 700 && x > 2.3e-308);
        return sine(x) + exponential(x) + logarithm(x);
      },
      [](double x) { return std::sin(x) + std::exp(x) + std::log(x); });
}

LIMIT(blackscholes, const float *s, const float *x, const float *t, float *call) {
#pragma omp parallel for simd
  for (size_t i = 0; i < items; ++i) {
    auto below = [](float d) { return 0.5f * complementaryError(d * -0.70710678f); };
    float q = __builtin_sqrtf(t[i]), r = 0.02f, v = 0.30f;
    float d1 = (logarithm(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * q), d2 = d1 - v * q;
    call[i] = s[i] * below(d1) - x[i] * exponential(-r * t[i]) * below(d2);
  }
}
