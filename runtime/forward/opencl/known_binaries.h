// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the kernels in binaries that this process has asked a driver for: the driver does not tell of a
// binary all that the compiler told of its source.
#pragma once

#include "runtime/device/executable.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace us::forward {

/// Null: nothing is known.
using KernelList = std::shared_ptr<const std::vector<KernelInfo>>;

/// Thread-safe.
class KnownBinaries {
public:
  void remember(std::span<const std::byte> binary, const std::vector<KernelInfo> &kernels);
  KernelList find(std::span<const std::byte> binary) const;

private:
  mutable std::mutex mutex_;                        // guards byHash_
  std::unordered_map<uint64_t, KernelList> byHash_; ///< of 64 bits of a binary's bytes
};

} // namespace us::forward
