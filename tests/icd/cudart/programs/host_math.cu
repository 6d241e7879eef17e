// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's functions for the host that its C library has not, beside what they are by their definitions.
#include "../check.h"

#include <cmath>

template <class T> bool isNear(T is, double should, double error) {
  return std::fabs(is - should) <= error * std::fabs(should);
}

int main() {
  for (const double x : {0.25, -0.3, 1.75, 2.625, 100.125, -7.9}) {
    const double turn = std::remainder(x, 2.0);
    CHECK(isNear(sinpi(x), std::sin(M_PI * turn), 1e-14));
    CHECK(isNear(cospi(x), std::cos(M_PI * turn), 1e-13));
    CHECK(isNear(rsqrt(x * x), 1 / std::fabs(x), 1e-15));
    CHECK(isNear(rcbrt(x), 1 / std::cbrt(x), 1e-15));
    const float f = static_cast<float>(x);
    CHECK(isNear(sinpif(f), sinpi(static_cast<double>(f)), 1e-7));
    CHECK(isNear(cospif(f), cospi(static_cast<double>(f)), 1e-7));
    CHECK(isNear(rsqrtf(f * f), 1 / std::fabs(f), 2e-7));
    float sine = 0, cosine = 0;
    sincospif(f, &sine, &cosine);
    CHECK(sine == sinpif(f) && cosine == cospif(f));
  }
  // "sinpi(n) returns +0 for positive integers n", -0 for negative ones.
  CHECK(sinpi(3.0) == 0 && !std::signbit(sinpi(3.0)) && std::signbit(sinpi(-3.0)));
  CHECK(cospi(0.5) == 0 && cospi(1.0) == -1 && sinpi(-2.5) == -1 && cospif(1.5f) == 0);
  CHECK(normcdf(0.0) == 0.5 && isNear(normcdf(1.0), 0.8413447460685429, 1e-15));
  CHECK(isNear(normcdff(-1.0f), 0.15865525393145707, 1e-7));
  return failures;
}
