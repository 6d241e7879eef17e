// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of Stockham's fast Fourier transform over several transforms side by side: one lane of a vector each.
#pragma once

#include <cstddef>

namespace us::cufft {

template <class R> using Vector __attribute__((vector_size(32))) = R;
template <class R> inline constexpr size_t kLanes = 32 / sizeof(R);

/// One number of each transform.
template <class R> struct Complex {
  Vector<R> re, im;
};

/// Splits transforms of radix * rest numbers into radix times as many of rest numbers.
template <class R> struct Pass {
  size_t radix, rest;
  const R *twiddles; ///< for each of rest: radix - 1 factors, real and imaginary part
  const R *roots;    ///< cosines, then sines, of radix angles of a circle; of radixes without code of their own
};

/// Number q of transform p is at q + stride * p, before and after.
template <class R> using RunPass = void (*)(const Pass<R> &, size_t stride, const Complex<R> *from, Complex<R> *into);

/// The fastest code that this processor runs.
RunPass<float> runPassOfFloats();
RunPass<double> runPassOfDoubles();

/// Radixes up to this one are done by a pass: what has a larger prime factor is not.
inline constexpr size_t kLargestRadix = 47;

namespace wide { // compiled for AVX2 with fused multiplication and addition
void runPass(const Pass<float> &, size_t stride, const Complex<float> *from, Complex<float> *into);
void runPass(const Pass<double> &, size_t stride, const Complex<double> *from, Complex<double> *into);
} // namespace wide

} // namespace us::cufft
