// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a work-item stands in its group and sub-group, from the linear local id. Sub-groups are consecutive runs of
// us_sub_group_size() work-items; the last one of a work-group may be smaller.
#pragma once
#include "emulator/builtins/opencl/support.h"

static inline __attribute__((always_inline)) uint us_linear_id(void) {
  return (uint)((us_local_id(2) * us_local_size(1) + us_local_id(1)) * us_local_size(0) + us_local_id(0));
}
static inline __attribute__((always_inline)) uint us_group_items(void) {
  return (uint)(us_local_size(0) * us_local_size(1) * us_local_size(2));
}
static inline __attribute__((always_inline)) uint us_enqueued_group_items(void) {
  return (uint)(us_enqueued_local_size(0) * us_enqueued_local_size(1) * us_enqueued_local_size(2));
}
static inline __attribute__((always_inline)) uint us_sub_group_lane(void) {
  return us_linear_id() & (us_sub_group_size() - 1);
}
static inline __attribute__((always_inline)) uint us_sub_group_first(void) {
  return us_linear_id() & ~(us_sub_group_size() - 1);
}
// A bit for each work-item of a full sub-group.
static inline __attribute__((always_inline)) uint us_full_sub_group(void) { return ~0u >> (32u - us_sub_group_size()); }
static inline __attribute__((always_inline)) uint us_sub_group_items(void) {
  if ((us_group_items() & (us_sub_group_size() - 1)) == 0) return us_sub_group_size(); // known where the local size is
  uint rest = us_group_items() - us_sub_group_first();
  return rest < us_sub_group_size() ? rest : us_sub_group_size();
}
