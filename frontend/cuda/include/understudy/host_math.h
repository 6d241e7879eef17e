// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's functions that the host's C library has not, for the host.
#pragma once

#include <features.h>
#include <math.h>

#ifndef __GLIBC_PREREQ
#define __GLIBC_PREREQ(MAJOR, MINOR) 0
#endif

#define US_HOST static inline __attribute__((host))

#if !__GLIBC_PREREQ(2, 42) // which has it
US_HOST double rsqrt(double x) { return 1 / sqrt(x); }
US_HOST float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
#endif
US_HOST double rcbrt(double x) { return 1 / cbrt(x); }
US_HOST float rcbrtf(float x) { return (float)(1 / cbrt((double)x)); }

#if !__GLIBC_PREREQ(2, 41)
/// The sine of pi * x: with what is left of whole turns, which is exact, in the half turn where the sine is.
US_HOST double sinpi(double x) {
  double turn = remainder(x, 2.0);
  if (fabs(turn) > 0.5) turn = copysign(1.0, turn) - turn;
  // "sinpi(±n) returns ±0" of a whole n
  return turn == 0 ? copysign(0.0, x) : sin(M_PI * turn);
}
US_HOST float sinpif(float x) { return (float)sinpi((double)x); }
US_HOST double cospi(double x) {
  const double turn = fabs(remainder(x, 2.0));
  return sinpi(0.5 - turn);
}
US_HOST float cospif(float x) { return (float)cospi((double)x); }
#endif
US_HOST void sincospi(double x, double *sine, double *cosine) { *sine = sinpi(x), *cosine = cospi(x); }
US_HOST void sincospif(float x, float *sine, float *cosine) { *sine = sinpif(x), *cosine = cospif(x); }

US_HOST double normcdf(double x) { return erfc(-x * M_SQRT1_2) / 2; }
US_HOST float normcdff(float x) { return (float)normcdf((double)x); }

#ifndef __CLANG_CUDA_RUNTIME_WRAPPER_H__ // which has these
US_HOST float rsqrt(float x) { return rsqrtf(x); }
US_HOST float rcbrt(float x) { return rcbrtf(x); }
US_HOST float sinpi(float x) { return sinpif(x); }
US_HOST float cospi(float x) { return cospif(x); }
US_HOST void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
US_HOST float normcdf(float x) { return normcdff(x); }
#endif
#undef US_HOST

#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
// Clang's header calls these in functions of the host, too; they are the device's only.
__attribute__((host)) float erfcinvf(float x);
__attribute__((host)) float normcdfinvf(float x);
__attribute__((host)) float erfcxf(float x);
#endif
