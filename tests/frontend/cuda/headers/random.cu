// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t && FileCheck --check-prefix=NONE %s < %t
// Each generator with each distribution; the results are checked by run_kernels.py.
#include <curand_kernel.h>
// NONE-NOT: .extern .func

template <class S> __device__ void draw(S *s, double *out) {
  out[0] = curand(s) + curand_uniform(s) + curand_uniform_double(s) + curand_normal(s) + curand_normal_double(s) +
           curand_log_normal(s, 1.0f, 2.0f) + curand_log_normal_double(s, 1.0, 2.0) + curand_poisson(s, 3.0);
}
template <class S> __device__ void pairs(S *s, double *out) {
  out[1] = curand_normal2(s).x + curand_normal2_double(s).y + curand_log_normal2(s, 1.0f, 2.0f).x +
           curand_log_normal2_double(s, 1.0, 2.0).y;
}

// CHECK: .visible .entry generators(
extern "C" __global__ void generators(curandState *a, curandStateMRG32k3a *b, curandStatePhilox4_32_10_t *c,
                                      curandStateSobol32 *d, curandStateScrambledSobol32_t *e, curandStateSobol64 *f,
                                      curandStateScrambledSobol64 *g, curandDirectionVectors32_t *v,
                                      curandDirectionVectors64_t *w, double *out) {
  curand_init(1ull, 2, 3, a);
  curand_init(1ull, 2, 3, b);
  // CHECK: {{-845247145|3449720151}}
  curand_init(1ull, 2, 3, c);
  curand_init(v[0], 3, d);
  curand_init(v[0], 7u, 3, e);
  curand_init(w[0], 3ull, f);
  curand_init(w[0], 7ull, 3ull, g);
  draw(a, out), draw(b, out), draw(c, out), draw(d, out), draw(e, out), draw(f, out), draw(g, out);
  pairs(a, out), pairs(b, out), pairs(c, out);
  skipahead(5ull, a), skipahead(5ull, b), skipahead(5ull, c), skipahead(5u, d), skipahead(5u, e), skipahead(5ull, f);
  skipahead_sequence(5ull, a), skipahead_sequence(5ull, b), skipahead_subsequence(5ull, b);
  out[2] = curand4(c).x + curand_uniform4(c).y + curand_normal4(c).z + curand_poisson4(c, 3.0).w;
}
