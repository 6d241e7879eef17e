// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a work-item stands in its group and sub-group, from the linear local id. Sub-groups are consecutive runs of
// US_SUB_GROUP_SIZE work-items; the last one of a work-group may be smaller.
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
static inline __attribute__((always_inline)) uint us_sub_group_lane(void) { return us_linear_id() % US_SUB_GROUP_SIZE; }
static inline __attribute__((always_inline)) uint us_sub_group_first(void) {
  return us_linear_id() / US_SUB_GROUP_SIZE * US_SUB_GROUP_SIZE;
}
static inline __attribute__((always_inline)) uint us_sub_group_items(void) {
  if (us_group_items() % US_SUB_GROUP_SIZE == 0) return US_SUB_GROUP_SIZE; // known where the local size is
  uint rest = us_group_items() - us_sub_group_first();
  return rest < US_SUB_GROUP_SIZE ? rest : US_SUB_GROUP_SIZE;
}
