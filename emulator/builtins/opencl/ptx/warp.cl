// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Among the threads of a warp: shuffles, votes, match.sync, redux.sync. They wait for the threads of the member mask;
// others may go on looking at memory meanwhile. Threads outside of it that happen to be there do not count.
#include "emulator/builtins/opencl/ptx/ptx.h"
#include "emulator/builtins/opencl/subgroup/collective.h"

US_INLINE uint us_meet(uint members) { return us_sub_group_sync(CLK_LOCAL_MEM_FENCE, members); }

US_CONVERGENT uint us_ptx_shuffle(uint x, uint from, uint members) {
  __local uint *slots = US_SLOTS(uint);
  const uint lane = us_sub_group_lane();
  US_NEXT_AT(slots, lane) = x;
  us_meet(members);
  const uint result = US_NEXT_AT(slots, from < us_sub_group_items() ? from : lane);
  us_meet(members);
  return result;
}

// A bit for each that is there and whose predicate holds. Whoever waits for nobody in particular (no members) counts
// all that came.
US_CONVERGENT uint us_ptx_ballot(int predicate, uint members) {
  if (us_side_by_side()) return us_votes(predicate != 0);
  __local uint *slots = US_SLOTS(uint);
  US_AT(slots, us_sub_group_lane()) = predicate;
  const uint there = us_meet(members);
  uint votes = 0;
  for (uint lane = 0; lane < US_WARP_SIZE; ++lane)
    if (there >> lane & 1) votes |= US_AT(slots, lane) << lane;
  us_meet(members);
  return votes;
}

#define US_PTX_REDUCE(T, name, combine)                                                                                \
  US_CONVERGENT T us_ptx_reduce_##name(T x, uint members) {                                                            \
    __local T *slots = US_SLOTS(T);                                                                                    \
    const uint self = us_sub_group_lane();                                                                             \
    if (us_all_at_once() && members == ~0u) {                                                                          \
      for (uint other = 1; other < US_WARP_SIZE; other *= 2) {                                                         \
        const T y = us_value_of(x, self ^ other);                                                                      \
        x = combine;                                                                                                   \
      }                                                                                                                \
      return x;                                                                                                        \
    }                                                                                                                  \
    US_AT(slots, self) = x;                                                                                            \
    const uint there = us_meet(members) & members;                                                                     \
    for (uint lane = 0; lane < US_WARP_SIZE; ++lane)                                                                   \
      if (lane != self && there >> lane & 1) {                                                                         \
        const T y = US_AT(slots, lane);                                                                                \
        x = combine;                                                                                                   \
      }                                                                                                                \
    us_meet(members);                                                                                                  \
    return x;                                                                                                          \
  }
US_PTX_REDUCE(uint, add_u32, x + y)
US_PTX_REDUCE(uint, min_u32, min(x, y))
US_PTX_REDUCE(uint, max_u32, max(x, y))
US_PTX_REDUCE(int, min_s32, min(x, y))
US_PTX_REDUCE(int, max_s32, max(x, y))
US_PTX_REDUCE(uint, and_u32, (x & y))
US_PTX_REDUCE(uint, or_u32, (x | y))
US_PTX_REDUCE(uint, xor_u32, (x ^ y))

// Bit i: thread i, one of `members`, holds the caller's value.
US_CONVERGENT uint us_ptx_match(ulong value, uint members) {
  __local ulong *slots = US_SLOTS(ulong);
  US_AT(slots, us_sub_group_lane()) = value;
  const uint there = us_meet(members) & members;
  uint same = 0;
  for (uint lane = 0; lane < US_WARP_SIZE; ++lane)
    if (there >> lane & 1) same |= US_AT(slots, lane) == value ? 1u << lane : 0;
  us_meet(members);
  return same;
}

// redux.sync of f32: flags 1 maximum, 2 of magnitudes, 4 NaN wins. Without it a NaN loses against every number.
US_CONVERGENT float us_ptx_redux_f32(float value, uint members, uint flags) {
  __local float *slots = US_SLOTS(float);
  US_AT(slots, us_sub_group_lane()) = flags & 2 ? fabs(value) : value;
  const uint there = us_meet(members) & members;
  float result = NAN;
  bool hasNan = false;
  for (uint lane = 0; lane < US_WARP_SIZE; ++lane) {
    if (!(there >> lane & 1)) continue;
    float other = US_AT(slots, lane);
    hasNan |= isnan(other);
    if (isnan(result) || (flags & 1 ? other > result : other < result) ||
        (other == result && (flags & 1 ? !signbit(other) : signbit(other))))
      result = isnan(other) ? result : other;
  }
  us_meet(members);
  return hasNan && (flags & 4) ? NAN : result;
}
