// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that one lane sets, and that the others get from it: to them it is undefined until then, and nothing
// follows from their handing it to a function.
#include "../check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum class Way { Shuffle, OwnFunction, Group, Member, Rounded };

template <class T> __device__ T fromFirst(T value) { return __shfl_sync(0xffffffff, value, 0); }

struct Reservation {
  unsigned int place;
  __device__ Reservation(unsigned int reserved) : place(__shfl_sync(0xffffffff, reserved, 0)) {}
};

/// Each warp takes as many places as it has lanes, and each lane marks one of these.
template <Way way> __global__ void mark(unsigned int *taken, unsigned int *marks) {
  const unsigned int lane = threadIdx.x % warpSize;
  unsigned int first;
  if (lane == 0) first = atomicAdd(taken, warpSize);
  if constexpr (way == Way::Shuffle) first = __shfl_sync(0xffffffff, first, 0);
  if constexpr (way == Way::OwnFunction) first = fromFirst(first);
  if constexpr (way == Way::Group) first = cg::coalesced_threads().shfl(first, 0);
  if constexpr (way == Way::Member) first = Reservation(first).place;
  if constexpr (way == Way::Rounded) first = static_cast<unsigned int>(fromFirst(floorf(static_cast<float>(first))));
  if (first + lane < 256) atomicAdd(&marks[first + lane], 1);
}

template <Way way> void marksEachOnce() {
  unsigned int *memory;
  OK(cudaMallocManaged(&memory, 257 * sizeof(*memory)));
  OK(cudaMemset(memory, 0, 257 * sizeof(*memory)));
  mark<way><<<4, 64>>>(memory, memory + 1);
  OK(cudaDeviceSynchronize());
  CHECK(memory[0] == 256);
  for (int i = 0; i < 256; ++i) CHECK(memory[1 + i] == 1);
  OK(cudaFree(memory));
}

int main() {
  marksEachOnce<Way::Shuffle>();
  marksEachOnce<Way::OwnFunction>();
  marksEachOnce<Way::Group>();
  marksEachOnce<Way::Member>();
  marksEachOnce<Way::Rounded>();
  return failures != 0;
}
