// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by all threads of a group, which are done when the group has synchronised.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace __v1 {

template <class Group>
__device__ __forceinline__ void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes; i += group.size())
    static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
}
/// As many elements as both sides have.
template <class Group, class T>
__device__ __forceinline__ void memcpy_async(const Group &group, T *to, size_t room, const T *from, size_t count) {
  memcpy_async(group, static_cast<void *>(to), static_cast<const void *>(from),
               (room < count ? room : count) * sizeof(T));
}
template <class Group> __device__ __forceinline__ void wait(const Group &group) { group.sync(); }
/// As all copies are done in order, more are ready than are asked for.
template <unsigned int Stages, class Group> __device__ __forceinline__ void wait_prior(const Group &group) {
  group.sync();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
