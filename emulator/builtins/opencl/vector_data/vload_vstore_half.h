// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vload_halfn, vloada_halfn, vstore_halfn, vstorea_halfn with every rounding mode, in the address space US_SPACE.
// The a forms place 3-vectors four elements apart. They may expect alignment to the whole vector but do not: clients
// pass arrays of short on the stack, and an unaligned access of aligned data costs nothing.
#include "emulator/builtins/opencl/conversion/half.h"

#define US_UNALIGNED(N) typedef half##N us_half##N __attribute__((aligned(2)));
US_UNALIGNED(2)
US_UNALIGNED(4)
US_UNALIGNED(8)
US_UNALIGNED(16)

US_OVERLOAD float vload_half(size_t offset, const US_SPACE half *p) { return (float)p[offset]; }
US_OVERLOAD float vloada_half(size_t offset, const US_SPACE half *p) { return (float)p[offset]; }
US_INLINE float3 us_load3(const US_SPACE half *p) { return __builtin_convertvector((half3)(p[0], p[1], p[2]), float3); }
US_OVERLOAD float3 vload_half3(size_t offset, const US_SPACE half *p) { return us_load3(p + offset * 3); }
US_OVERLOAD float3 vloada_half3(size_t offset, const US_SPACE half *p) { return us_load3(p + offset * 4); }
#define US_LOAD(N)                                                                                                     \
  US_OVERLOAD float##N vload_half##N(size_t offset, const US_SPACE half *p) {                                          \
    return __builtin_convertvector(*(const US_SPACE us_half##N *)(p + offset * N), float##N);                          \
  }                                                                                                                    \
  US_OVERLOAD float##N vloada_half##N(size_t offset, const US_SPACE half *p) { return vload_half##N(offset, p); }
US_LOAD(2)
US_LOAD(4)
US_LOAD(8)
US_LOAD(16)

#if !US_READ_ONLY
#define US_STORE(N, F, SUFFIX, MODE)                                                                                   \
  US_OVERLOAD void vstore_half##N##SUFFIX(F##N value, size_t offset, US_SPACE half *p) {                               \
    *(US_SPACE us_half##N *)(p + offset * N) = us_half_##MODE(value);                                                  \
  }                                                                                                                    \
  US_OVERLOAD void vstorea_half##N##SUFFIX(F##N value, size_t offset, US_SPACE half *p) {                              \
    *(US_SPACE us_half##N *)(p + offset * N) = us_half_##MODE(value);                                                  \
  }
US_INLINE void us_store3(half3 value, US_SPACE half *p) {
  p[0] = value.s0;
  p[1] = value.s1;
  p[2] = value.s2;
}
#define US_STORES(F, SUFFIX, MODE)                                                                                     \
  US_OVERLOAD void vstore_half##SUFFIX(F value, size_t offset, US_SPACE half *p) {                                     \
    p[offset] = us_half_##MODE(value);                                                                                 \
  }                                                                                                                    \
  US_OVERLOAD void vstorea_half##SUFFIX(F value, size_t offset, US_SPACE half *p) {                                    \
    p[offset] = us_half_##MODE(value);                                                                                 \
  }                                                                                                                    \
  US_OVERLOAD void vstore_half3##SUFFIX(F##3 value, size_t offset, US_SPACE half *p) {                                 \
    us_store3(us_half_##MODE(value), p + offset * 3);                                                                  \
  }                                                                                                                    \
  US_OVERLOAD void vstorea_half3##SUFFIX(F##3 value, size_t offset, US_SPACE half *p) {                                \
    us_store3(us_half_##MODE(value), p + offset * 4);                                                                  \
  }                                                                                                                    \
  US_STORE(2, F, SUFFIX, MODE)                                                                                         \
  US_STORE(4, F, SUFFIX, MODE)                                                                                         \
  US_STORE(8, F, SUFFIX, MODE)                                                                                         \
  US_STORE(16, F, SUFFIX, MODE)
#define US_MODES(F)                                                                                                    \
  US_STORES(F, , rte)                                                                                                  \
  US_STORES(F, _rte, rte)                                                                                              \
  US_STORES(F, _rtz, rtz)                                                                                              \
  US_STORES(F, _rtp, rtp)                                                                                              \
  US_STORES(F, _rtn, rtn)
US_MODES(float)
US_MODES(double)
#endif
