// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/local_size.h"

#include <algorithm>
#include <bit>

namespace us::emulator {
namespace {

/// Long enough for the vectoriser and for hiding what a group costs, short enough to leave groups for every core.
constexpr uint64_t kMostItems = 256, kFewestItems = 32;
constexpr uint64_t kGroupsPerUnit = 4;
/// Of a range with more than one.
constexpr uint64_t kRow = 128, kRows = 4;

uint64_t wantedItems(const DeviceInfo &device, uint32_t dimensions, const Size3 &globalSize) {
  uint64_t total = 1;
  for (uint32_t d = 0; d < dimensions; ++d)
    if (__builtin_mul_overflow(total, globalSize[d], &total)) total = UINT64_MAX;
  uint64_t share = std::bit_floor(std::max<uint64_t>(total / (device.maxComputeUnits * kGroupsPerUnit), 1));
  return std::min(std::clamp(share, kFewestItems, kMostItems), std::bit_floor(device.maxWorkGroupSize));
}

/// The smallest power of two that holds `size`, or `limit` where that is smaller: the power of a size above 2^63 is
/// none.
uint64_t powerFor(uint64_t size, uint64_t limit) {
  return std::min(limit, std::bit_ceil(std::clamp<uint64_t>(size, 1, limit)));
}

/// The largest divisor of `size` that is at most `limit`; powers of two are preferred unless much smaller.
uint64_t largestDivisor(uint64_t size, uint64_t limit) {
  uint64_t power = std::min(std::bit_floor(limit), uint64_t{1} << std::countr_zero(size));
  if (power >= 32 || power * 4 >= limit) return power;
  for (uint64_t divisor = std::min(size, limit); divisor > power; --divisor)
    if (size % divisor == 0) return divisor;
  return power;
}

} // namespace

bool shapeIsInvisible(const KernelInfo &kernel) {
  return !kernel.usesWorkGroupShape && !kernel.usesBarrier && !kernel.usesSubGroupSync && !kernel.usesLocalMemory &&
         !kernel.usesExchange;
}

Size3 internalLocalSize(const KernelInfo &kernel, const DeviceInfo &device, uint32_t dimensions,
                        const Size3 &globalSize) {
  uint64_t left = wantedItems(device, dimensions, globalSize);
  // Two sizes only: each shape is machine code of its own, and launches of many sizes should find theirs made.
  if (left > kFewestItems && left < kMostItems) left = kFewestItems;
  if (dimensions == 1) return {left, 1, 1};
  Size3 local{1, 1, 1};
  // In each turn of a loop rows that are done together find in the cache what they share: the columns of a product.
  if (kernel.hasLoops && left == kMostItems && globalSize[0] >= kRow && globalSize[1] >= kRows) return {kRow, kRows, 1};
  for (uint32_t d = 0; d < dimensions && left > 1; ++d) {
    // A narrow range: the next dimension takes what this one leaves. A last dimension may be ragged at its edge.
    local[d] = powerFor(globalSize[d], left);
    left /= local[d];
  }
  return local;
}

Size3 chooseLocalSize(const KernelInfo &kernel, const DeviceInfo &device, uint32_t dimensions,
                      const Size3 &globalSize) {
  if (kernel.requiredWorkGroupSize[0] != 0) return kernel.requiredWorkGroupSize;
  uint64_t left = wantedItems(device, dimensions, globalSize);
  auto divides = [&](const Size3 &local) {
    for (uint32_t d = 0; d < dimensions; ++d)
      if (globalSize[d] % local[d] != 0) return false;
    return true;
  };
  const Size3 &hint = kernel.workGroupSizeHint;
  if (hint[0] != 0 && hint[0] * hint[1] * hint[2] <= device.maxWorkGroupSize && divides(hint)) return hint;
  Size3 local{1, 1, 1};
  for (uint32_t d = 0; d < dimensions && left > 1; ++d) {
    const uint64_t most = std::min(left, device.maxWorkItemSizes[d]);
    uint64_t divisor = largestDivisor(std::max<uint64_t>(globalSize[d], 1), most);
    uint64_t whole = powerFor(globalSize[d], most);
    // "non-uniform work-groups": a prime size need not mean groups of one work-item.
    bool useWhole = !kernel.uniformWorkGroups && device.nonUniformWorkGroups && divisor * 4 < whole;
    local[d] = useWhole ? std::min(whole, std::bit_floor(most)) : divisor;
    left = std::bit_floor(left / local[d]);
  }
  return local;
}

} // namespace us::emulator
