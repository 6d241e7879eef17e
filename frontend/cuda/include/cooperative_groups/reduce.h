// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of tiles and coalesced groups: pairs of neighbours, then pairs of pairs; of several warps then warp by
// warp. All threads have the result.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace __v1 {

template <class Group, class T, class Operation>
__device__ __forceinline__ T reduce(const Group &group, T value, Operation operation) {
  if constexpr (details::is_wide<Group>::value) {
    value = reduce(details::warp(), value, operation);
    if (details::lane() == 0) group.us_give(value, group.thread_rank() / 32);
    group.sync();
    value = group.template us_given<T>(0);
    for (unsigned int i = 1; i < group.us_warps(); ++i) value = operation(value, group.template us_given<T>(i));
    group.sync();
    return value;
  } else {
    const unsigned int rank = group.thread_rank(), count = static_cast<unsigned int>(__popc(int(group.us_mask())));
    for (unsigned int distance = 1; distance < count; distance *= 2) {
      const T other = group.shfl_down(value, distance);
      if (rank % (2 * distance) == 0 && rank + distance < count) value = operation(value, other);
    }
    return group.shfl(value, 0);
  }
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
