// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of tiles and coalesced groups, in the order of ranks.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace __v1 {

template <class Group, class T, class Operation>
__device__ __forceinline__ T inclusive_scan(const Group &group, T value, Operation operation) {
  const unsigned int rank = group.thread_rank(), count = static_cast<unsigned int>(__popc(int(group.us_mask())));
  for (unsigned int distance = 1; distance < count; distance *= 2) {
    const T lower = group.shfl_up(value, distance);
    if (rank >= distance) value = operation(lower, value);
  }
  return value;
}
template <class Group, class T> __device__ __forceinline__ T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// Rank 0 has T().
template <class Group, class T, class Operation>
__device__ __forceinline__ T exclusive_scan(const Group &group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> __device__ __forceinline__ T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
