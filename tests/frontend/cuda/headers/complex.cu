// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
#include <cuComplex.h>
#include <math_constants.h>
#include <vector_types.h>

// CHECK: .visible .entry complexes(
extern "C" __global__ void complexes(cuDoubleComplex *z, cuComplex *w) {
  // CHECK: fma.rn.f64
  z[0] = cuCmul(z[1], z[2]);
  // CHECK: div.rn.f64
  z[3] = cuCdiv(z[4], z[5]);
  // CHECK: sqrt.rn.f32
  w[0] = make_cuComplex(cuCabsf(w[1]), cuCimagf(cuConjf(w[2])));
  z[6] = make_cuDoubleComplex(cuCreal(z[7]), cuCrealf(w[4]));
  // CHECK: {{0f40490FDB|1078530011}}
  w[3].x = CUDART_PI_F;
}
