// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/unwritten_buffers.h"

#include "emulator/memory/shadow.h"

#include <algorithm>
#include <cstring>

namespace us::memory {
namespace {

/// The first byte that is not 0; `end` if there is none.
const uint8_t *firstSet(const uint8_t *at, const uint8_t *end) {
  static constexpr uint8_t kZeros[4096] = {};
  while (size_t(end - at) >= sizeof kZeros && std::memcmp(at, kZeros, sizeof kZeros) == 0) at += sizeof kZeros;
  return std::find_if(at, end, [](uint8_t byte) { return byte != 0; });
}

const uint8_t *shadowAt(uint64_t address) {
  return reinterpret_cast<const uint8_t *>(Shadow::instance().ofShared(address));
}

} // namespace

UnwrittenBuffers &UnwrittenBuffers::instance() {
  static UnwrittenBuffers &buffers = *new UnwrittenBuffers;
  return buffers;
}

UnwrittenBuffers::Buffers::iterator UnwrittenBuffers::find(uint64_t address) {
  auto after = buffers_.upper_bound(address);
  if (after == buffers_.begin()) return buffers_.end();
  const auto below = std::prev(after);
  return address - below->first < below->second.size ? below : buffers_.end();
}

void UnwrittenBuffers::set(Buffers::value_type &buffer, State state) {
  auto &[begin, known] = buffer;
  if (known.state == State::Partly && state != State::Partly) Shadow::instance().setWritten(begin, known.size);
  const bool was = known.state != State::Written, is = state != State::Written;
  known.state = state;
  count_.fetch_add(size_t(is) - size_t(was), std::memory_order_release);
}

/// Where the machine has no addresses left, who writes a byte has written it all.
void UnwrittenBuffers::follow(Buffers::value_type &buffer) {
  if (buffer.second.state != State::Unwritten) return;
  if (!Shadow::instance().coversShared()) return set(buffer, State::Written);
  Shadow::instance().setUnwritten(buffer.first, buffer.second.size);
  buffer.second.unwritten = 0;
  set(buffer, State::Partly);
}

void UnwrittenBuffers::settle(Buffers::value_type &buffer) {
  auto &[begin, known] = buffer;
  if (known.state == State::Unwritten || !Shadow::instance().coversShared()) return;
  const uint8_t *const shadow = shadowAt(begin);
  if (shadow[known.unwritten] != 0) return set(buffer, State::Partly);
  known.unwritten = uint64_t(firstSet(shadow, shadow + known.size) - shadow) % known.size;
  if (shadow[known.unwritten] != 0) return set(buffer, State::Partly);
  Shadow::instance().setWritten(begin, known.size);
  set(buffer, State::Written);
}

void UnwrittenBuffers::written(Buffers::value_type &buffer, uint64_t begin, uint64_t size) {
  auto &[first, known] = buffer;
  size = std::min(size, first + known.size - begin);
  if (known.state == State::Written) return;
  if (size == known.size) return set(buffer, State::Written);
  follow(buffer);
  if (known.state != State::Partly) return;
  Shadow::instance().setWritten(begin, size);
  if (first + known.unwritten - begin < size) settle(buffer);
}

void UnwrittenBuffers::add(uint64_t begin, uint64_t size) {
  const std::scoped_lock lock(mutex_);
  buffers_[begin] = {.size = size};
  count_.fetch_add(1, std::memory_order_release);
}

void UnwrittenBuffers::remove(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  const auto found = find(address);
  if (found == buffers_.end()) return;
  set(*found, State::Written);
  buffers_.erase(found);
}

void UnwrittenBuffers::written(uint64_t address) {
  if (!isAny()) return;
  const std::scoped_lock lock(mutex_);
  if (const auto found = find(address); found != buffers_.end()) set(*found, State::Written);
}

void UnwrittenBuffers::written(uint64_t begin, uint64_t size) {
  if (!isAny() || size == 0) return;
  const std::scoped_lock lock(mutex_);
  if (const auto found = find(begin); found != buffers_.end()) written(*found, begin, size);
}

void UnwrittenBuffers::copied(uint64_t to, uint64_t from, uint64_t size) {
  if (!isAny() || size == 0) return;
  const std::scoped_lock lock(mutex_);
  const auto target = find(to), source = find(from);
  if (target == buffers_.end()) return;
  if (source == buffers_.end() || source->second.state == State::Written) return written(*target, to, size);
  follow(*source);
  if (source->second.state != State::Partly) return written(*target, to, size);
  // Of what is written, the shadow is clear.
  size = std::min({size, source->first + source->second.size - from, target->first + target->second.size - to});
  if (target->second.state == State::Unwritten) follow(*target);
  std::memmove(const_cast<uint8_t *>(shadowAt(to)), shadowAt(from), size);
  settle(*target);
}

void UnwrittenBuffers::allWritten() {
  if (!isAny()) return;
  const std::scoped_lock lock(mutex_);
  for (Buffers::value_type &buffer : buffers_) set(buffer, State::Written);
}

bool UnwrittenBuffers::isIn(uint64_t address, State state) const {
  if (!isAny()) return false;
  const std::scoped_lock lock(mutex_);
  const auto after = buffers_.upper_bound(address);
  if (after == buffers_.begin()) return false;
  const auto &[begin, known] = *std::prev(after);
  return address - begin < known.size && known.state == state;
}

bool UnwrittenBuffers::holds(uint64_t address) const { return isIn(address, State::Unwritten); }

bool UnwrittenBuffers::isPartly(uint64_t address) const { return isIn(address, State::Partly); }

void UnwrittenBuffers::follow(uint64_t address) {
  if (!isAny()) return;
  const std::scoped_lock lock(mutex_);
  if (const auto found = find(address); found != buffers_.end()) follow(*found);
}

void UnwrittenBuffers::settle(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = find(address); found != buffers_.end()) settle(*found);
}

uint64_t UnwrittenBuffers::shadowOf(uint64_t address, bool isStore) {
  if (!isAny()) return Shadow::placeOfNone(isStore);
  const std::scoped_lock lock(mutex_);
  const auto found = find(address);
  if (found == buffers_.end()) return Shadow::placeOfNone(isStore);
  if (isStore) follow(*found);
  const bool isKnown = found->second.state == State::Partly;
  return isKnown ? Shadow::instance().ofShared(address) : Shadow::placeOfNone(isStore);
}

std::pair<uint64_t, uint64_t> UnwrittenBuffers::firstUnwritten(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  const auto found = find(address);
  if (found == buffers_.end() || found->second.state != State::Partly) return {};
  const uint8_t *const shadow = shadowAt(found->first), *const end = shadow + found->second.size;
  const uint8_t *const first = firstSet(shadow, end);
  return {first - shadow, std::find(first, end, 0) - shadow};
}

} // namespace us::memory
