// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-item functions: sub-groups, and the masks of cl_khr_subgroup_ballot.
#include "emulator/builtins/opencl/workitem/linear.h"

US_OVERLOAD uint get_sub_group_size(void) { return us_sub_group_items(); }
US_OVERLOAD uint get_max_sub_group_size(void) { return us_sub_group_size(); }
US_OVERLOAD uint get_num_sub_groups(void) { return (us_group_items() + us_sub_group_size() - 1) / us_sub_group_size(); }
US_OVERLOAD uint get_enqueued_num_sub_groups(void) {
  return (us_enqueued_group_items() + us_sub_group_size() - 1) / us_sub_group_size();
}
US_OVERLOAD uint get_sub_group_id(void) { return us_linear_id() / us_sub_group_size(); }
US_OVERLOAD uint get_sub_group_local_id(void) { return us_sub_group_lane(); }

// A mask has a bit for each possible work-item of a full sub-group: all fit in the first component. "Bits [...] for
// every bit index [...] less than get_max_sub_group_size()".
US_OVERLOAD uint4 get_sub_group_eq_mask(void) { return (uint4)(1u << us_sub_group_lane(), 0, 0, 0); }
US_OVERLOAD uint4 get_sub_group_ge_mask(void) {
  return (uint4)(us_full_sub_group() & ~0u << us_sub_group_lane(), 0, 0, 0);
}
US_OVERLOAD uint4 get_sub_group_gt_mask(void) {
  return (uint4)(us_full_sub_group() & ~1u << us_sub_group_lane(), 0, 0, 0);
}
US_OVERLOAD uint4 get_sub_group_le_mask(void) { return (uint4)(~(~1u << us_sub_group_lane()), 0, 0, 0); }
US_OVERLOAD uint4 get_sub_group_lt_mask(void) { return (uint4)(~(~0u << us_sub_group_lane()), 0, 0, 0); }
