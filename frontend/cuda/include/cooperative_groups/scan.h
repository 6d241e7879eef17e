// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of tiles and coalesced groups, in the order of ranks; of several warps each warp's first, then behind those
// below.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace __v1 {

template <class Group, class T, class Operation>
__device__ __forceinline__ T inclusive_scan(const Group &group, T value, Operation operation);

namespace details {

/// Of a tile of several warps: each warp's own scan, and what the warps below come to.
template <class T> struct scan_by_warps {
  template <class Group, class Operation>
  __device__ __forceinline__ scan_by_warps(const Group &group, T value, Operation operation)
      : inclusive(inclusive_scan(warp(), value, operation)), isFirst(group.thread_rank() < 32) {
    const unsigned int mine = group.thread_rank() / 32;
    if (lane() + 1 == static_cast<unsigned int>(__popc(int(warp().us_mask())))) group.us_give(inclusive, mine);
    group.sync();
    below = group.template us_given<T>(0);
    for (unsigned int i = 1; i < mine; ++i) below = operation(below, group.template us_given<T>(i));
    group.sync();
  }
  T inclusive, below; ///< `below` means something where it is not the first warp
  bool isFirst;
};

} // namespace details

template <class Group, class T, class Operation>
__device__ __forceinline__ T inclusive_scan(const Group &group, T value, Operation operation) {
  if constexpr (details::is_wide<Group>::value) {
    const details::scan_by_warps<T> scan(group, value, operation);
    return scan.isFirst ? scan.inclusive : operation(scan.below, scan.inclusive);
  } else {
    const unsigned int rank = group.thread_rank(), count = static_cast<unsigned int>(__popc(int(group.us_mask())));
    for (unsigned int distance = 1; distance < count; distance *= 2) {
      const T lower = group.shfl_up(value, distance);
      if (rank >= distance) value = operation(lower, value);
    }
    return value;
  }
}
template <class Group, class T> __device__ __forceinline__ T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// Rank 0 has T().
template <class Group, class T, class Operation>
__device__ __forceinline__ T exclusive_scan(const Group &group, T value, Operation operation) {
  if constexpr (details::is_wide<Group>::value) {
    const details::scan_by_warps<T> scan(group, value, operation);
    const T before = details::warp().shfl_up(scan.inclusive, 1);
    if (scan.isFirst) return details::lane() == 0 ? T() : before;
    return details::lane() == 0 ? scan.below : operation(scan.below, before);
  } else {
    const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : before;
  }
}
template <class Group, class T> __device__ __forceinline__ T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
