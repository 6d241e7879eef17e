// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in device code: XORWOW (Marsaglia, 2003), MRG32k3a (L'Ecuyer, 1999), Philox4x32-10 (Salmon and others,
// 2011) and Sobol's sequences in Gray-code order, with the distributions over them. Sequences of a seed are our own,
// but for Philox and for what a given state or given direction vectors determine.
#pragma once
#include "crt/host_defines.h"
#include "curand.h"
#include "vector_types.h"

extern "C++" {
#if defined(__CUDA__)
#include "understudy/random_tables.h"
#endif

#define US_DEVICE static __device__ __forceinline__

struct curandDiscreteDistribution_st {
  unsigned int first, count;
  double cumulative[1];
};
struct us_BoxMuller {
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateXORWOW : us_BoxMuller {
  unsigned int d, v[5];
};
struct curandStateMRG32k3a : us_BoxMuller {
  unsigned int s1[3], s2[3];
};
struct curandStatePhilox4_32_10 : us_BoxMuller {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
};
struct curandStateSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
};
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

#if defined(__CUDA__)

US_DEVICE void us_forgetNormals(us_BoxMuller *state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
}
// Spreads a seed over as many words as a state needs (the mixing function of Steele and others' SplitMix).
US_DEVICE unsigned int us_seedWord(unsigned long long seed, unsigned int i) {
  unsigned long long z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (unsigned int)(z >> 32) ^ (unsigned int)z;
}

// ---- XORWOW -------------------------------------------------------------------------------------------------------
US_DEVICE void us_xorwowStep(unsigned int *v) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}
US_DEVICE unsigned int curand(curandStateXORWOW *state) {
  us_xorwowStep(state->v);
  state->d += 362437u;
  return state->v[4] + state->d;
}
// The state times the polynomials of n's bits, by Horner's rule: x stands for a step.
static __device__ __attribute__((noinline)) void us_xorwowJump(unsigned int *v, unsigned long long n, int first) {
  for (int k = first; n != 0; n >>= 1, ++k) {
    if ((n & 1) == 0) continue;
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int i = 159; i >= 0; --i) {
      us_xorwowStep(sum);
      if ((us_xorwowJumps[k][i / 32] >> (i % 32) & 1) != 0)
        for (int j = 0; j < 5; ++j) sum[j] ^= v[j];
    }
    for (int j = 0; j < 5; ++j) v[j] = sum[j];
  }
}
US_DEVICE void skipahead(unsigned long long n, curandStateXORWOW *state) {
  us_xorwowJump(state->v, n, 0);
  state->d += 362437u * (unsigned int)n;
}
// Sequences are 2^67 numbers apart; the counter of that many steps is where it was.
US_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW *state) { us_xorwowJump(state->v, n, 64); }
US_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                           curandStateXORWOW *state) {
  for (unsigned int i = 0; i < 5; ++i) state->v[i] = us_seedWord(seed, i);
  // All of them 0 is the one state that never changes.
  state->v[4] |= (state->v[0] | state->v[1] | state->v[2] | state->v[3] | state->v[4]) == 0;
  state->d = 6615241u + us_seedWord(seed, 5);
  us_forgetNormals(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

// ---- MRG32k3a -----------------------------------------------------------------------------------------------------
#define US_MRG_M1 4294967087ull
#define US_MRG_M2 4294944443ull
US_DEVICE unsigned int us_mrgNext(curandStateMRG32k3a *state) {
  const unsigned long long p1 = (1403580ull * state->s1[1] + (US_MRG_M1 - 810728ull) * state->s1[0]) % US_MRG_M1;
  state->s1[0] = state->s1[1], state->s1[1] = state->s1[2], state->s1[2] = (unsigned int)p1;
  const unsigned long long p2 = (527612ull * state->s2[2] + (US_MRG_M2 - 1370589ull) * state->s2[0]) % US_MRG_M2;
  state->s2[0] = state->s2[1], state->s2[1] = state->s2[2], state->s2[2] = (unsigned int)p2;
  // 1 … m1, as L'Ecuyer's generator counts.
  return (unsigned int)(p1 > p2 ? p1 - p2 : p1 + US_MRG_M1 - p2);
}
// The result is of 32 bits: m1 values, spread by the fraction that is missing.
US_DEVICE unsigned int curand(curandStateMRG32k3a *state) {
  return (unsigned int)((us_mrgNext(state) - 1ull) * 0x1000000d1ull >> 32);
}
static __device__ __attribute__((noinline)) void us_mrgJump(unsigned int *s, const unsigned int *power,
                                                            unsigned long long n, unsigned long long m) {
  unsigned long long a[9], b[9];
  for (int i = 0; i < 9; ++i) a[i] = power[i];
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) {
      unsigned long long r[3];
      for (int i = 0; i < 3; ++i) r[i] = (a[3 * i] * s[0] % m + a[3 * i + 1] * s[1] % m + a[3 * i + 2] * s[2] % m) % m;
      for (int i = 0; i < 3; ++i) s[i] = (unsigned int)r[i];
    }
    for (int i = 0; i < 9; ++i) {
      const int row = i / 3 * 3, column = i % 3;
      b[i] = (a[row] * a[column] % m + a[row + 1] * a[column + 3] % m + a[row + 2] * a[column + 6] % m) % m;
    }
    for (int i = 0; i < 9; ++i) a[i] = b[i];
  }
}
US_DEVICE void us_mrgJumpBoth(curandStateMRG32k3a *state, int power, unsigned long long n) {
  us_mrgJump(state->s1, us_mrgPowers[power][0], n, US_MRG_M1);
  us_mrgJump(state->s2, us_mrgPowers[power][1], n, US_MRG_M2);
}
US_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a *state) { us_mrgJumpBoth(state, 0, n); }
US_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *state) { us_mrgJumpBoth(state, 1, n); }
US_DEVICE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *state) { us_mrgJumpBoth(state, 2, n); }
US_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                           curandStateMRG32k3a *state) {
  // Below both moduli and not 0.
  for (unsigned int i = 0; i < 3; ++i) {
    state->s1[i] = 1u + us_seedWord(seed, i) % 4294944000u;
    state->s2[i] = 1u + us_seedWord(seed, i + 3) % 4294944000u;
  }
  us_forgetNormals(state);
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
#undef US_MRG_M1
#undef US_MRG_M2

// ---- Philox4x32-10 ------------------------------------------------------------------------------------------------
US_DEVICE uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p0 = 0xd2511f53ull * c.x, p1 = 0xcd9e8d57ull * c.z;
    c = make_uint4((unsigned int)(p1 >> 32) ^ c.y ^ k.x, (unsigned int)p1, (unsigned int)(p0 >> 32) ^ c.w ^ k.y,
                   (unsigned int)p0);
    k.x += 0x9e3779b9u, k.y += 0xbb67ae85u;
  }
  return c;
}
// The counter's low half counts groups of four numbers, its high half is the subsequence.
US_DEVICE void us_philoxAdd(curandStatePhilox4_32_10 *state, unsigned long long groups) {
  const unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x, sum = low + groups;
  state->ctr.x = (unsigned int)sum, state->ctr.y = (unsigned int)(sum >> 32);
  if (sum < low && ++state->ctr.z == 0) ++state->ctr.w;
}
US_DEVICE unsigned int us_component(uint4 v, unsigned int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}
US_DEVICE unsigned int curand(curandStatePhilox4_32_10 *state) {
  const unsigned int result = us_component(state->output, state->STATE);
  if (++state->STATE == 4) {
    us_philoxAdd(state, 1);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}
US_DEVICE uint4 curand4(curandStatePhilox4_32_10 *state) {
  const uint4 before = state->output;
  us_philoxAdd(state, 1);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
  switch (state->STATE) {
  case 0:
    return before;
  case 1:
    return make_uint4(before.y, before.z, before.w, state->output.x);
  case 2:
    return make_uint4(before.z, before.w, state->output.x, state->output.y);
  default:
    return make_uint4(before.w, state->output.x, state->output.y, state->output.z);
  }
}
US_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state) {
  const unsigned long long position = state->STATE + (n & 3);
  us_philoxAdd(state, (n >> 2) + (position >> 2));
  state->STATE = (unsigned int)(position & 3);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
US_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state) {
  const unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
  state->ctr.z = (unsigned int)high, state->ctr.w = (unsigned int)(high >> 32);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
US_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                           curandStatePhilox4_32_10 *state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  us_forgetNormals(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

// ---- Sobol: number i is the exclusive or of the direction vectors at the bits of i's Gray code ---------------------
#define US_SOBOL(STATE, T, BITS, FIRST_ZERO)                                                                           \
  US_DEVICE T curand(STATE *state) {                                                                                   \
    const T result = state->x;                                                                                         \
    const int bit = FIRST_ZERO(~state->i) - 1;                                                                         \
    state->x ^= state->direction_vectors[bit < 0 ? BITS - 1 : bit];                                                    \
    ++state->i;                                                                                                        \
    return result;                                                                                                     \
  }                                                                                                                    \
  US_DEVICE void skipahead(T n, STATE *state) {                                                                        \
    state->i += n;                                                                                                     \
    state->x = state->c;                                                                                               \
    T gray = state->i ^ (state->i >> 1);                                                                               \
    for (int bit = 0; bit < BITS; ++bit, gray >>= 1)                                                                   \
      if ((gray & 1) != 0) state->x ^= state->direction_vectors[bit];                                                  \
  }                                                                                                                    \
  US_DEVICE void us_sobolStart(const T *vectors, T constant, T offset, STATE *state) {                                 \
    for (int bit = 0; bit < BITS; ++bit) state->direction_vectors[bit] = vectors[bit];                                 \
    state->i = 0;                                                                                                      \
    state->c = constant;                                                                                               \
    skipahead(offset, state);                                                                                          \
  }
US_SOBOL(curandStateSobol32, unsigned int, 32, __ffs)
US_SOBOL(curandStateScrambledSobol32, unsigned int, 32, __ffs)
US_SOBOL(curandStateSobol64, unsigned long long, 64, __ffsll)
US_SOBOL(curandStateScrambledSobol64, unsigned long long, 64, __ffsll)
#undef US_SOBOL
US_DEVICE void curand_init(unsigned int *vectors, unsigned int offset, curandStateSobol32 *state) {
  us_sobolStart(vectors, 0u, offset, state);
}
US_DEVICE void curand_init(unsigned int *vectors, unsigned int scramble, unsigned int offset,
                           curandStateScrambledSobol32 *state) {
  us_sobolStart(vectors, scramble, offset, state);
}
US_DEVICE void curand_init(unsigned long long *vectors, unsigned long long offset, curandStateSobol64 *state) {
  us_sobolStart(vectors, 0ull, offset, state);
}
US_DEVICE void curand_init(unsigned long long *vectors, unsigned long long scramble, unsigned long long offset,
                           curandStateScrambledSobol64 *state) {
  us_sobolStart(vectors, scramble, offset, state);
}

// ---- uniform: 0 is excluded, 1 is not -----------------------------------------------------------------------------
US_DEVICE float us_uniform(unsigned int x) { return fmaf((float)x, 0x1p-32f, 0x1p-33f); }
US_DEVICE float us_uniform(unsigned long long x) { return us_uniform((unsigned int)(x >> 32)); }
US_DEVICE double us_uniformDouble(unsigned long long x) { return fma((double)(x >> 11), 0x1p-53, 0x1p-54); }
US_DEVICE double us_uniformDouble(unsigned int x) { return fma((double)x, 0x1p-32, 0x1p-33); }

// A double of two draws where there are two to be had; a point of a Sobol sequence is one.
template <class S> US_DEVICE double us_twoDraws(S *state) {
  const unsigned int low = curand(state);
  return us_uniformDouble((unsigned long long)curand(state) << 32 | low);
}
#define US_UNIFORM(STATE, DRAW)                                                                                        \
  US_DEVICE float curand_uniform(STATE *state) { return us_uniform(curand(state)); }                                   \
  US_DEVICE double curand_uniform_double(STATE *state) { return DRAW; }
US_UNIFORM(curandStateXORWOW, us_twoDraws(state))
US_UNIFORM(curandStatePhilox4_32_10, us_twoDraws(state))
US_UNIFORM(curandStateMRG32k3a, us_uniformDouble(curand(state)))
US_UNIFORM(curandStateSobol32, us_uniformDouble(curand(state)))
US_UNIFORM(curandStateScrambledSobol32, us_uniformDouble(curand(state)))
US_UNIFORM(curandStateSobol64, us_uniformDouble(curand(state)))
US_UNIFORM(curandStateScrambledSobol64, us_uniformDouble(curand(state)))
#undef US_UNIFORM
US_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
  const uint4 v = curand4(state);
  return make_float4(us_uniform(v.x), us_uniform(v.y), us_uniform(v.z), us_uniform(v.w));
}
US_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) {
  const uint4 v = curand4(state);
  return make_double2(us_uniformDouble((unsigned long long)v.y << 32 | v.x),
                      us_uniformDouble((unsigned long long)v.w << 32 | v.z));
}

// ---- normal: Box and Muller's pairs, or for Sobol's points the inverse of the distribution -------------------------
US_DEVICE float2 us_normalPair(float u, float v) {
  float sine, cosine;
  sincospif(2.0f * v, &sine, &cosine);
  const float radius = sqrtf(-2.0f * logf(u));
  return make_float2(radius * sine, radius * cosine);
}
US_DEVICE double2 us_normalPair(double u, double v) {
  double sine, cosine;
  sincospi(2.0 * v, &sine, &cosine);
  const double radius = sqrt(-2.0 * log(u));
  return make_double2(radius * sine, radius * cosine);
}
#define US_NORMAL(STATE)                                                                                               \
  US_DEVICE float2 curand_normal2(STATE *state) {                                                                      \
    const float u = curand_uniform(state);                                                                             \
    return us_normalPair(u, curand_uniform(state));                                                                    \
  }                                                                                                                    \
  US_DEVICE double2 curand_normal2_double(STATE *state) {                                                              \
    const double u = curand_uniform_double(state);                                                                     \
    return us_normalPair(u, curand_uniform_double(state));                                                             \
  }                                                                                                                    \
  US_DEVICE float curand_normal(STATE *state) {                                                                        \
    if (state->boxmuller_flag != 0) {                                                                                  \
      state->boxmuller_flag = 0;                                                                                       \
      return state->boxmuller_extra;                                                                                   \
    }                                                                                                                  \
    const float2 pair = curand_normal2(state);                                                                         \
    state->boxmuller_flag = 1;                                                                                         \
    state->boxmuller_extra = pair.y;                                                                                   \
    return pair.x;                                                                                                     \
  }                                                                                                                    \
  US_DEVICE double curand_normal_double(STATE *state) {                                                                \
    if (state->boxmuller_flag_double != 0) {                                                                           \
      state->boxmuller_flag_double = 0;                                                                                \
      return state->boxmuller_extra_double;                                                                            \
    }                                                                                                                  \
    const double2 pair = curand_normal2_double(state);                                                                 \
    state->boxmuller_flag_double = 1;                                                                                  \
    state->boxmuller_extra_double = pair.y;                                                                            \
    return pair.x;                                                                                                     \
  }                                                                                                                    \
  US_DEVICE float2 curand_log_normal2(STATE *state, float mean, float deviation) {                                     \
    const float2 pair = curand_normal2(state);                                                                         \
    return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));                              \
  }                                                                                                                    \
  US_DEVICE double2 curand_log_normal2_double(STATE *state, double mean, double deviation) {                           \
    const double2 pair = curand_normal2_double(state);                                                                 \
    return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));                               \
  }
US_NORMAL(curandStateXORWOW)
US_NORMAL(curandStateMRG32k3a)
US_NORMAL(curandStatePhilox4_32_10)
#undef US_NORMAL
#define US_NORMAL(STATE)                                                                                               \
  US_DEVICE float curand_normal(STATE *state) { return (float)normcdfinv(us_uniformDouble(curand(state))); }           \
  US_DEVICE double curand_normal_double(STATE *state) { return normcdfinv(us_uniformDouble(curand(state))); }
US_NORMAL(curandStateSobol32)
US_NORMAL(curandStateScrambledSobol32)
US_NORMAL(curandStateSobol64)
US_NORMAL(curandStateScrambledSobol64)
#undef US_NORMAL
US_DEVICE float4 curand_normal4(curandStatePhilox4_32_10 *state) {
  const float4 u = curand_uniform4(state);
  const float2 a = us_normalPair(u.x, u.y), b = us_normalPair(u.z, u.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
US_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10 *state, float mean, float deviation) {
  const float4 n = curand_normal4(state);
  return make_float4(expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z),
                     expf(mean + deviation * n.w));
}

// ---- Poisson: one point, the distribution's inverse ---------------------------------------------------------------
// Sums up probabilities from 0 for small means. From 64 on: from the Cornish-Fisher value of the same point, which is
// the exact one or a neighbour.
US_DEVICE unsigned int us_poisson(double u, double lambda) {
  if (!(lambda > 0.0)) return 0;
  if (lambda < 64.0) {
    double p = exp(-lambda), sum = p;
    unsigned int k = 0;
    while (sum < u && k < 1000) {
      ++k;
      p *= lambda / k;
      sum += p;
    }
    return k;
  }
  const double z = normcdfinv(u), root = sqrt(lambda);
  const double k = lambda + root * z + (z * z - 1.0) / 6.0 - (z * z * z - z) / (72.0 * root) + 0.5;
  return k < 0.0 ? 0u : (unsigned int)k;
}
#define US_OF_EACH(STATE)                                                                                              \
  US_DEVICE float curand_log_normal(STATE *state, float mean, float deviation) {                                       \
    return expf(mean + deviation * curand_normal(state));                                                              \
  }                                                                                                                    \
  US_DEVICE double curand_log_normal_double(STATE *state, double mean, double deviation) {                             \
    return exp(mean + deviation * curand_normal_double(state));                                                        \
  }                                                                                                                    \
  US_DEVICE unsigned int curand_poisson(STATE *state, double lambda) {                                                 \
    return us_poisson(curand_uniform_double(state), lambda);                                                           \
  }
US_OF_EACH(curandStateXORWOW)
US_OF_EACH(curandStateMRG32k3a)
US_OF_EACH(curandStatePhilox4_32_10)
US_OF_EACH(curandStateSobol32)
US_OF_EACH(curandStateScrambledSobol32)
US_OF_EACH(curandStateSobol64)
US_OF_EACH(curandStateScrambledSobol64)
#undef US_OF_EACH
US_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10 *state, double lambda) {
  const uint4 v = curand4(state);
  return make_uint4(us_poisson(us_uniformDouble(v.x), lambda), us_poisson(us_uniformDouble(v.y), lambda),
                    us_poisson(us_uniformDouble(v.z), lambda), us_poisson(us_uniformDouble(v.w), lambda));
}

// ---- counts by a table of curandCreatePoissonDistribution(): that many, of which the first is of `first` -----------
US_DEVICE unsigned int us_discrete(double u, const curandDiscreteDistribution_st *table) {
  unsigned int low = 0, high = table->count - 1;
  while (low < high) {
    const unsigned int middle = low + (high - low) / 2;
    if (table->cumulative[middle] < u)
      low = middle + 1;
    else
      high = middle;
  }
  return table->first + low;
}
#define US_DISCRETE(STATE)                                                                                             \
  US_DEVICE unsigned int curand_discrete(STATE *state, curandDiscreteDistribution_t distribution) {                    \
    return us_discrete(curand_uniform_double(state), distribution);                                                    \
  }
US_DISCRETE(curandStateXORWOW)
US_DISCRETE(curandStateMRG32k3a)
US_DISCRETE(curandStatePhilox4_32_10)
US_DISCRETE(curandStateSobol32)
US_DISCRETE(curandStateScrambledSobol32)
US_DISCRETE(curandStateSobol64)
US_DISCRETE(curandStateScrambledSobol64)
#undef US_DISCRETE
US_DEVICE uint4 curand_discrete4(curandStatePhilox4_32_10 *state, curandDiscreteDistribution_t distribution) {
  const uint4 v = curand4(state);
  return make_uint4(us_discrete(us_uniformDouble(v.x), distribution), us_discrete(us_uniformDouble(v.y), distribution),
                    us_discrete(us_uniformDouble(v.z), distribution), us_discrete(us_uniformDouble(v.w), distribution));
}
#endif
#undef US_DEVICE
}
