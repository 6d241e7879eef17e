// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries about the kernel that a block is made into.
#include "emulator/builtins/opencl/device_queue/request.h"

uint __get_kernel_work_group_size_impl(__generic void *kernelName, __generic void *block) {
  us_request request = {.kernelName = kernelName, .block = block};
  return (uint)us_ask(US_WorkGroupSize, &request);
}
uint __get_kernel_preferred_work_group_size_multiple_impl(__generic void *kernelName, __generic void *block) {
  us_request request = {.kernelName = kernelName, .block = block};
  return (uint)us_ask(US_PreferredMultiple, &request);
}

US_INLINE uint us_size_of_sub_groups(__generic void *kernelName, __generic void *block) {
  us_request request = {.kernelName = kernelName, .block = block};
  return (uint)us_ask(US_SubGroupSize, &request);
}
// The work-items of a full work-group; where the device would choose, it takes at least one whole sub-group.
US_INLINE uint us_items(const __private ndrange_t *range, uint subGroup) {
  uint items = 1;
  for (uint i = 0; i < range->workDimension && i < 3; ++i) items *= (uint)range->localWorkSize[i];
  return items ? items : subGroup;
}
uint __get_kernel_max_sub_group_size_for_ndrange_impl(const __private ndrange_t *range, __generic void *kernelName,
                                                      __generic void *block) {
  uint size = us_size_of_sub_groups(kernelName, block);
  return min(us_items(range, size), size);
}
uint __get_kernel_sub_group_count_for_ndrange_impl(const __private ndrange_t *range, __generic void *kernelName,
                                                   __generic void *block) {
  uint size = us_size_of_sub_groups(kernelName, block);
  return (us_items(range, size) + size - 1) / size;
}
