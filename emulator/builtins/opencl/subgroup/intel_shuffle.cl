// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, _short, _char: intel_sub_group_shuffle and _xor, of vectors too. Ids beyond the sub-group are
// undefined: ours give the caller's own value.
#include "emulator/builtins/opencl/subgroup/collective.h"

#define SHUFFLE(T)                                                                                                     \
  US_OVERLOAD US_CONVERGENT T intel_sub_group_shuffle(T x, uint lane) { return us_read_lane(x, lane); }                \
  US_OVERLOAD US_CONVERGENT T intel_sub_group_shuffle_xor(T x, uint mask) {                                            \
    return us_read_lane(x, us_sub_group_lane() ^ mask);                                                                \
  }
#include "emulator/builtins/opencl/subgroup/intel_types.h"
