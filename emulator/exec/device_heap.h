// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that kernels allocate themselves (CUDA's device-side malloc): one arena of a fixed size, which lives as
// long as its owner, a context.
#pragma once

#include "runtime/device/device.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

namespace us::exec {

class DeviceHeap final : public KernelHeap {
public:
  explicit DeviceHeap(uint64_t limit) : limit_(limit) {}
  ~DeviceHeap() override;

  bool resize(uint64_t size) override;
  /// Aligned to 16 bytes; null if the heap has no room of that size.
  std::byte *allocate(uint64_t size);
  /// False if no allocation begins there.
  bool giveBack(const std::byte *begin);

private:
  std::mutex mutex_; ///< guards all below
  uint64_t limit_;
  std::byte *arena_ = nullptr;        ///< made when first used
  uint64_t top_ = 0;                  ///< behind it nothing is in use
  std::map<uint64_t, uint64_t> free_; ///< offsets and sizes below top_, never side by side
  std::unordered_map<uint64_t, uint64_t> used_;
};

} // namespace us::exec
