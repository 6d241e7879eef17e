// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Among the threads of a warp: match.sync, and redux.sync of floats.
#include "emulator/builtins/opencl/ptx/ptx.h"
#include "emulator/builtins/opencl/subgroup/collective.h"

// Bit i: thread i, one of `members`, holds the caller's value.
US_CONVERGENT uint us_ptx_match(ulong value, uint members) {
  __local ulong *slots = US_SLOTS(ulong);
  slots[us_sub_group_lane()] = value;
  members &= us_participants();
  uint same = 0;
  for (uint lane = 0; lane < US_SUB_GROUP_SIZE; ++lane)
    if (members >> lane & 1) same |= slots[lane] == value ? 1u << lane : 0;
  us_participants();
  return same;
}

// redux.sync of f32: flags 1 maximum, 2 of magnitudes, 4 NaN wins. Without it a NaN loses against every number.
US_CONVERGENT float us_ptx_redux_f32(float value, uint members, uint flags) {
  __local float *slots = US_SLOTS(float);
  slots[us_sub_group_lane()] = flags & 2 ? fabs(value) : value;
  members &= us_participants();
  float result = NAN;
  bool hasNan = false;
  for (uint lane = 0; lane < US_SUB_GROUP_SIZE; ++lane) {
    if (!(members >> lane & 1)) continue;
    float other = slots[lane];
    hasNan |= isnan(other);
    if (isnan(result) || (flags & 1 ? other > result : other < result) ||
        (other == result && (flags & 1 ? !signbit(other) : signbit(other))))
      result = isnan(other) ? result : other;
  }
  us_participants();
  return hasNan && (flags & 4) ? NAN : result;
}
