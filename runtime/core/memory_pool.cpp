// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/memory_pool.h"

#include "runtime/base/align.h"

#include <algorithm>
#include <limits>

namespace us::core {
namespace {

/// Sizes are multiples of this, so that nearly equal ones find each other's blocks; of files a page.
constexpr uint64_t kGrain = 512, kPage = 4096;
/// A block is whole or free. It may be larger than what is asked for by as much again, or by this.
constexpr uint64_t kMostSpare = 64 * 1024;
constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

} // namespace

bool FreeOrder::knows(const FreePoint &point) const {
  for (const auto &[queue, number] : upTo_)
    if (queue == point.queue) return point.number <= number;
  return false;
}

void FreeOrder::learn(uint64_t queue, uint64_t number) {
  if (number == 0) return; // nothing was freed there
  for (auto &[known, upTo] : upTo_)
    if (known == queue) {
      upTo = std::max(upTo, number);
      return;
    }
  upTo_.emplace_back(queue, number);
}

void FreeOrder::learn(const FreeOrder &other) {
  for (const auto &[queue, number] : other.upTo_) learn(queue, number);
}

PoolRules MemoryPool::rules() const {
  std::lock_guard hold(mutex_);
  return rules_;
}

void MemoryPool::setRules(PoolRules rules) {
  std::lock_guard hold(mutex_);
  rules_ = rules;
}

uint64_t MemoryPool::threshold() const {
  std::lock_guard hold(mutex_);
  return threshold_;
}

void MemoryPool::setThreshold(uint64_t bytes) {
  std::lock_guard hold(mutex_);
  threshold_ = bytes;
}

PoolUse MemoryPool::use() const {
  std::lock_guard hold(mutex_);
  return use_;
}

void MemoryPool::resetReservedHigh() {
  std::lock_guard hold(mutex_);
  use_.reservedHigh = use_.reserved;
}

void MemoryPool::resetUsedHigh() {
  std::lock_guard hold(mutex_);
  use_.usedHigh = use_.used;
}

bool MemoryPool::isUnused(const Block &block) const {
  return !block.point.event || block.point.event->peekStatus().ended();
}

bool MemoryPool::isUsableBy(const Block &block, uint64_t queue, const FreeOrder &order) const {
  if (!block.point.event || block.point.queue == queue) return true;
  if (rules_.followsOrder && order.knows(block.point)) return true;
  return rules_.takesEnded && isUnused(block);
}

MemoryPool::Free::iterator MemoryPool::findFree(uint64_t size, uint64_t most, uint64_t queue, const FreeOrder &order) {
  for (auto at = free_.lower_bound(size); at != free_.end() && at->first <= most; ++at)
    if (isUsableBy(at->second, queue, order)) return at;
  return free_.end();
}

Expected<MemoryPool::Block> MemoryPool::grow(uint64_t size) {
  if (request_.maxSize != 0 && (use_.reserved > request_.maxSize || size > request_.maxSize - use_.reserved))
    return fail(ErrorCode::MemObjectAllocationFailure, "asked for " + std::to_string(size) + " bytes; the pool has " +
                                                           std::to_string(use_.reserved) + " of at most " +
                                                           std::to_string(request_.maxSize));
  MemoryRequest request{.size = size, .alignment = kGrain, .isPointedTo = true, .owner = {"part of a memory pool"}};
  Block block;
  if (request_.file) {
    block.offset = std::max(request_.file->size(), kPage);
    US_CHECK(request_.file->resize(block.offset + size));
    request.file = request_.file->descriptor();
    request.fileOffset = block.offset;
  }
  US_TRY(block.memory, device_->allocate(request));
  use_.reserved += size;
  use_.reservedHigh = std::max(use_.reservedHigh, use_.reserved);
  return block;
}

uint64_t MemoryPool::hand(Block block, uint64_t size) {
  const uint64_t address = block.memory->address();
  block.taken = size;
  block.point = {};
  use_.used += size;
  use_.usedHigh = std::max(use_.usedHigh, use_.used);
  used_.emplace(address, std::move(block));
  return address;
}

uint64_t MemoryPool::handFree(Free::iterator at, uint64_t size) {
  Block block = std::move(at->second);
  free_.erase(at);
  return hand(std::move(block), size);
}

Expected<MemoryPool::Grant> MemoryPool::allocate(uint64_t size, uint64_t queue, const FreeOrder &order) {
  const DeviceInfo &info = device_->info();
  if (!info.sharesHostMemory) return fail(ErrorCode::Unsupported, info.name + " does not share the host's memory");
  const uint64_t grain = request_.file ? kPage : kGrain;
  if (size > info.globalMemory)
    return fail(ErrorCode::MemObjectAllocationFailure,
                "asked for " + std::to_string(size) + " bytes of " + std::to_string(info.globalMemory));
  size = alignTo(size, grain);
  std::lock_guard hold(mutex_);
  auto at = findFree(size, size + std::max(size, kMostSpare), queue, order);
  if (at != free_.end()) return Grant{handFree(at, size)};
  Expected<Block> made = grow(size);
  if (made) return Grant{hand(std::move(*made), size)};
  if (made.error().code != ErrorCode::MemObjectAllocationFailure) return std::unexpected(std::move(made).error());
  // A larger one than is wanted; then the room that unused ones leave; then one for which the queue has to wait.
  at = findFree(size, kNoLimit, queue, order);
  if (at != free_.end()) return Grant{handFree(at, size)};
  giveBack(0);
  made = grow(size);
  if (made) return Grant{hand(std::move(*made), size)};
  at = free_.lower_bound(size);
  if (!rules_.addsOrder || at == free_.end()) return std::unexpected(std::move(made).error());
  Ref<Event> after = at->second.point.event;
  return Grant{handFree(at, size), std::move(after)};
}

bool MemoryPool::free(uint64_t address, FreePoint point) {
  std::lock_guard hold(mutex_);
  const auto at = used_.find(address);
  if (at == used_.end()) return false;
  Block block = std::move(at->second);
  used_.erase(at);
  use_.used -= block.taken;
  block.point = std::move(point);
  const uint64_t capacity = block.capacity();
  free_.emplace(capacity, std::move(block));
  return true;
}

void MemoryPool::giveBack(uint64_t keep) {
  // "IPC pools do not support releasing physical blocks": another process may have mapped them.
  if (request_.file && !request_.isForeign && !isClosed_) return;
  for (auto at = free_.begin(); at != free_.end();) {
    const uint64_t capacity = at->first;
    const bool leavesEnough = use_.reserved - capacity >= keep;
    if (!leavesEnough || !isUnused(at->second)) {
      ++at;
      continue;
    }
    use_.reserved -= capacity;
    at = free_.erase(at);
  }
}

void MemoryPool::observe(const FreeOrder *order) {
  std::lock_guard hold(mutex_);
  for (auto &[capacity, block] : free_)
    if (block.point.event && (order ? order->knows(block.point) : isUnused(block))) block.point.event = nullptr;
  if (use_.reserved > threshold_) giveBack(threshold_);
}

void MemoryPool::trim(uint64_t keep) {
  std::lock_guard hold(mutex_);
  giveBack(keep);
}

bool MemoryPool::close() {
  std::lock_guard hold(mutex_);
  isClosed_ = true;
  threshold_ = 0;
  giveBack(0);
  return use_.reserved == 0;
}

std::optional<MemoryPool::Place> MemoryPool::placeOf(uint64_t address) const {
  std::lock_guard hold(mutex_);
  const auto at = used_.find(address);
  if (!request_.file || at == used_.end()) return std::nullopt;
  return Place{at->second.offset, at->second.capacity()};
}

Expected<uint64_t> MemoryPool::adopt(const Place &place) {
  const uint64_t fileSize = request_.file ? request_.file->size() : 0;
  const bool isWhole = place.offset % kPage == 0 && place.size % kPage == 0 && place.offset >= kPage && place.size != 0;
  if (!isWhole || place.offset > fileSize || place.size > fileSize - place.offset)
    return fail(ErrorCode::InvalidValue, std::to_string(place.size) + " bytes at " + std::to_string(place.offset) +
                                             " are no part of a pool of " + std::to_string(fileSize) + " bytes");
  std::lock_guard hold(mutex_);
  Block block;
  block.offset = place.offset;
  US_TRY(block.memory, device_->allocate({.size = place.size,
                                          .file = request_.file->descriptor(),
                                          .fileOffset = place.offset,
                                          .isPointedTo = true,
                                          .isForeign = true}));
  use_.reserved += place.size;
  use_.reservedHigh = std::max(use_.reservedHigh, use_.reserved);
  return hand(std::move(block), place.size);
}

} // namespace us::core
