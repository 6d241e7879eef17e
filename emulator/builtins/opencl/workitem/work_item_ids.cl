// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-item functions: sizes and ids. "Valid values of dimindx are 0 to get_work_dim() - 1"; others give 0, or 1 for
// sizes.
#include "emulator/builtins/opencl/support.h"

#define QUERY(NAME, MACHINE, OTHERWISE)                                                                                \
  US_OVERLOAD size_t NAME(uint dim) { return dim < 3 ? MACHINE(dim) : OTHERWISE; }

QUERY(get_global_size, us_global_size, 1)
QUERY(get_global_id, us_global_id, 0)
QUERY(get_local_size, us_local_size, 1)
QUERY(get_enqueued_local_size, us_enqueued_local_size, 1)
QUERY(get_local_id, us_local_id, 0)
QUERY(get_num_groups, us_num_groups, 1)
QUERY(get_group_id, us_group_id, 0)
QUERY(get_global_offset, us_global_offset, 0)

US_OVERLOAD uint get_work_dim(void) { return us_work_dim(); }

// Dimensions beyond get_work_dim() have size 1 and id 0, so one formula serves all three cases of the specification.
US_OVERLOAD size_t get_global_linear_id(void) {
  size_t x = us_global_id(0) - us_global_offset(0);
  size_t y = us_global_id(1) - us_global_offset(1);
  size_t z = us_global_id(2) - us_global_offset(2);
  return (z * us_global_size(1) + y) * us_global_size(0) + x;
}

US_OVERLOAD size_t get_local_linear_id(void) {
  return (us_local_id(2) * us_local_size(1) + us_local_id(1)) * us_local_size(0) + us_local_id(0);
}
