// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/device_heap.h"

#include "emulator/memory/address_space.h"
#include "runtime/base/align.h"

#include <algorithm>

namespace us::exec {

using memory::AddressSpace;

namespace {
constexpr uint64_t kAlignment = 16;
} // namespace

DeviceHeap::~DeviceHeap() {
  if (arena_) AddressSpace::instance().release(arena_);
}

bool DeviceHeap::resize(uint64_t size) {
  std::lock_guard lock(mutex_);
  if (arena_) return false;
  limit_ = size;
  return true;
}

std::byte *DeviceHeap::allocate(uint64_t size) {
  std::lock_guard lock(mutex_);
  if (size == 0 || size > limit_) return nullptr;
  size = alignTo(size, kAlignment);
  if (!arena_) arena_ = AddressSpace::instance().allocate(memory::RangeKind::Buffer, limit_);
  if (!arena_) return nullptr;
  uint64_t begin = top_;
  if (size <= limit_ && top_ <= limit_ - size) {
    top_ += size;
  } else {
    const auto fits = std::ranges::find_if(free_, [size](const auto &piece) { return piece.second >= size; });
    if (fits == free_.end()) return nullptr;
    begin = fits->first;
    if (const uint64_t rest = fits->second - size) free_[begin + size] = rest;
    free_.erase(begin);
  }
  used_[begin] = size;
  return arena_ + begin;
}

bool DeviceHeap::giveBack(const std::byte *address) {
  std::lock_guard lock(mutex_);
  const auto found = arena_ ? used_.find(uint64_t(address - arena_)) : used_.end();
  if (found == used_.end()) return false;
  uint64_t begin = found->first, size = found->second;
  used_.erase(found);
  const auto behind = free_.lower_bound(begin);
  if (behind != free_.end() && behind->first == begin + size) {
    size += behind->second;
    free_.erase(behind);
  }
  const auto next = free_.lower_bound(begin);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      begin = before->first;
      size += before->second;
      free_.erase(before);
    }
  }
  if (begin + size == top_)
    top_ = begin;
  else
    free_[begin] = size;
  return true;
}

} // namespace us::exec
