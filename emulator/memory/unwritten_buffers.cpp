// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/unwritten_buffers.h"

namespace us::memory {

UnwrittenBuffers &UnwrittenBuffers::instance() {
  static UnwrittenBuffers &buffers = *new UnwrittenBuffers;
  return buffers;
}

UnwrittenBuffers::Sizes::const_iterator UnwrittenBuffers::find(uint64_t address) const {
  auto after = sizes_.upper_bound(address);
  if (after == sizes_.begin()) return sizes_.end();
  const auto below = std::prev(after);
  return address - below->first < below->second ? below : sizes_.end();
}

void UnwrittenBuffers::add(uint64_t begin, uint64_t size) {
  const std::scoped_lock lock(mutex_);
  sizes_[begin] = size;
  count_.store(sizes_.size(), std::memory_order_release);
}

void UnwrittenBuffers::written(uint64_t address) {
  if (count_.load(std::memory_order_acquire) == 0) return;
  const std::scoped_lock lock(mutex_);
  if (const auto found = find(address); found != sizes_.end()) sizes_.erase(found);
  count_.store(sizes_.size(), std::memory_order_release);
}

void UnwrittenBuffers::allWritten() {
  if (count_.load(std::memory_order_acquire) == 0) return;
  const std::scoped_lock lock(mutex_);
  sizes_.clear();
  count_.store(0, std::memory_order_release);
}

bool UnwrittenBuffers::holds(uint64_t address) const {
  if (count_.load(std::memory_order_acquire) == 0) return false;
  const std::scoped_lock lock(mutex_);
  return find(address) != sizes_.end();
}

} // namespace us::memory
