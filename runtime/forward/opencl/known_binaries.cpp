// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/known_binaries.h"

#include <functional>
#include <string_view>

namespace us::forward {
namespace {

uint64_t hashOf(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

} // namespace

void KnownBinaries::remember(std::span<const std::byte> binary, const std::vector<KernelInfo> &kernels) {
  if (kernels.empty()) return; // an object, or a library
  const uint64_t hash = hashOf(binary);
  std::lock_guard hold(mutex_);
  if (KernelList &known = byHash_[hash]; !known) known = std::make_shared<const std::vector<KernelInfo>>(kernels);
}

KernelList KnownBinaries::find(std::span<const std::byte> binary) const {
  const uint64_t hash = hashOf(binary);
  std::lock_guard hold(mutex_);
  const auto found = byHash_.find(hash);
  return found == byHash_.end() ? nullptr : found->second;
}

} // namespace us::forward
