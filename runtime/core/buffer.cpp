// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/buffer.h"

#include "runtime/core/blocking_submit.h"
#include "runtime/core/runtime.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace us::core {
namespace {
std::string text(uint64_t number) { return std::to_string(number); }

bool contains(uint64_t outer, uint64_t offset, uint64_t size) { return offset <= outer && size <= outer - offset; }

/// Where a box begins in each dimension, for boxes of the same pitches within one view.
Size3 beginOf(const PitchedLayout &layout) {
  const uint64_t inSlice = layout.offset % layout.slicePitch;
  return {inSlice % layout.rowPitch, inSlice / layout.rowPitch, layout.offset / layout.slicePitch};
}

bool shareABox(const Mapping &a, const Mapping &b) {
  const Size3 beginA = beginOf(a.layout), beginB = beginOf(b.layout);
  for (int d = 0; d < 3; ++d)
    if (beginA[d] >= beginB[d] + b.region[d] || beginB[d] >= beginA[d] + a.region[d]) return false;
  return true;
}

uint64_t largestAllocation(const Context &context) {
  uint64_t largest = 0;
  for (const Ref<Device> &device : context.devices()) largest = std::max(largest, device->info().maxAllocation);
  return largest;
}
} // namespace

Buffer::Buffer(Context &context, Ref<Buffer> parent, uint64_t origin, const BufferRequest &request)
    : context_(&context), parent_(std::move(parent)), origin_(origin), size_(request.size), request_(request),
      weak_(makeRef<WeakLink<Buffer>>(this)) {
  if (parent_) parent_->subBuffers_.fetch_add(1, std::memory_order_relaxed);
}

Buffer::~Buffer() {
  if (parent_) parent_->subBuffers_.fetch_sub(1, std::memory_order_relaxed);
}

void Buffer::lastReferenceGone() {
  if (runtimeDead()) return;
  weak_->cut();
  destructorCallbacks_.runAndDelete(*this);
}

Expected<Ref<Buffer>> Buffer::create(Context &context, const BufferRequest &request) {
  if (runtimeDead()) return failDead();
  if (request.size == 0) return fail(ErrorCode::InvalidBufferSize, "a buffer of 0 bytes was asked for");
  if (const uint64_t largest = largestAllocation(context); request.size > largest)
    return fail(ErrorCode::InvalidBufferSize, "a buffer of " + text(request.size) +
                                                  " bytes was asked for, the largest allocation is " + text(largest));
  BufferRequest kept = request;
  kept.copyFrom = nullptr; // the application's only for this call
  Ref<Buffer> buffer(new Buffer(context, nullptr, 0, kept));
  if (request.copyFrom) US_CHECK(buffer->copyIn(request.copyFrom));
  return buffer;
}

Expected<void> Buffer::copyIn(const std::byte *from) {
  Device &device = *context_->devices().front();
  US_TRY(DeviceMemory *const memory, memoryOn(device));
  if (std::byte *to = memory->hostAddress()) {
    std::memcpy(to, from, size_);
    return {};
  }
  CopyCommand copy;
  copy.to = reinterpret_cast<std::byte *>(memory->address());
  copy.from = from;
  copy.region = {size_, 1, 1};
  return submitAndWait(device, copy);
}

Expected<Ref<Buffer>> Buffer::createSubBuffer(uint64_t origin, uint64_t size) {
  if (runtimeDead()) return failDead();
  if (parent_) return fail(ErrorCode::InvalidMemObject, "a sub-buffer of a sub-buffer was asked for");
  if (size == 0) return fail(ErrorCode::InvalidBufferSize, "a sub-buffer of 0 bytes was asked for");
  if (!contains(size_, origin, size))
    return fail(ErrorCode::InvalidValue, "a sub-buffer of " + text(size) + " bytes at " + text(origin) +
                                             " was asked for, the buffer has " + text(size_));
  BufferRequest request = request_;
  request.size = size;
  if (request.hostPointer) request.hostPointer += origin;
  Ref<Buffer> part(new Buffer(*context_, Ref<Buffer>(this), origin, request));
  const auto aligned = [&](const Ref<Device> &device) { return part->isAlignedFor(*device); };
  if (std::none_of(context_->devices().begin(), context_->devices().end(), aligned))
    return fail(ErrorCode::MisalignedSubBufferOffset,
                "the sub-buffer's origin " + text(origin) + " is no multiple of the devices' base address alignment");
  return part;
}

Ref<Buffer> Buffer::createView(uint64_t size) {
  BufferRequest request = request_;
  request.size = size;
  return Ref<Buffer>(new Buffer(*context_, Ref<Buffer>(this), origin_, request));
}

bool Buffer::isAlignedFor(const Device &device) const {
  const uint64_t alignment = std::max<uint64_t>(device.info().baseAddressAlignBits / 8, 1);
  return origin_ % alignment == 0;
}

bool Buffer::overlaps(const Buffer &other) const {
  return &root() == &other.root() && origin_ < other.origin_ + other.size_ && other.origin_ < origin_ + size_;
}

// --- Memory ---

DeviceMemory *Buffer::find(const Device &device) const {
  std::lock_guard hold(mutex_);
  for (const Place &place : places_)
    if (place.device == &device || (!place.device && device.info().sharesHostMemory)) return place.memory.get();
  return nullptr;
}

bool Buffer::isOn(const Device &device) const {
  const Buffer &whole = root();
  return (whole.shared_.load(std::memory_order_acquire) && device.info().sharesHostMemory) || whole.find(device);
}

bool Buffer::materialised() const {
  const Buffer &whole = root();
  std::lock_guard hold(whole.mutex_);
  return !whole.places_.empty();
}

Expected<DeviceMemory *> Buffer::memoryOn(Device &device) {
  if (runtimeDead()) return failDead();
  Buffer &whole = root();
  if (DeviceMemory *memory = whole.shared_.load(std::memory_order_acquire); memory && device.info().sharesHostMemory)
    return memory;
  return whole.allocateOn(device);
}

Expected<DeviceMemory *> Buffer::allocateOn(Device &device) {
  // The device never calls back, and waiting for commands never needs a buffer's memory: holding this is safe.
  std::lock_guard once(allocating_);
  if (DeviceMemory *memory = find(device)) return memory;
  if (materialised())
    return fail(ErrorCode::Unsupported, "a buffer cannot move between devices that do not share the host's memory");
  if (size_ > device.info().maxAllocation)
    return fail(ErrorCode::MemObjectAllocationFailure, "a buffer of " + text(size_) + " bytes is needed on " +
                                                           device.info().name + ", whose largest allocation is " +
                                                           text(device.info().maxAllocation));
  MemoryRequest request;
  request.size = size_;
  request.owner.what = request_.what;
  request.hostPointer = request_.hostMemory == HostMemory::Use ? request_.hostPointer : nullptr;
  US_TRY(std::unique_ptr<DeviceMemory> memory, core::allocateOn(device, request));
  DeviceMemory *const made = memory.get();
  const bool shared = device.info().sharesHostMemory;
  std::lock_guard hold(mutex_);
  places_.push_back({shared ? nullptr : &device, Ref<Device>(&device), std::move(memory)});
  if (shared) shared_.store(made, std::memory_order_release);
  return made;
}

Expected<std::byte *> Buffer::addressOn(Device &device) {
  US_TRY(const DeviceMemory *const memory, memoryOn(device));
  return reinterpret_cast<std::byte *>(memory->address() + origin_);
}

// --- Maps ---

Expected<Mapping> Buffer::map(Device &device, uint64_t offset, uint64_t size, bool read, bool write) {
  if (size == 0 || !contains(size_, offset, size))
    return fail(ErrorCode::InvalidValue, "a map of " + text(size) + " bytes at " + text(offset) +
                                             " was asked for, the buffer has " + text(size_));
  return map(device, {offset, 0, 0}, {size, 1, 1}, read, write);
}

Expected<Mapping> Buffer::map(Device &device, const PitchedLayout &layout, const Size3 &region, bool read, bool write) {
  US_TRY(const DeviceMemory *const memory, memoryOn(device));
  if (!memory->hostAddress()) return fail(ErrorCode::MapFailure, "the host cannot reach the device's memory");
  Buffer &whole = root();
  const uint64_t size = spanOf(layout, region);
  std::byte *const pointer = memory->hostAddress() + origin_ + layout.offset;
  const Mapped added{this, {pointer, layout.offset, size, read, write, layout, region}};
  std::lock_guard hold(whole.mutex_);
  for (const Mapped &other : whole.mapped_) {
    if (!write && !other.mapping.write) continue;
    bool overlap = other.mapping.pointer < added.mapping.pointer + size &&
                   added.mapping.pointer < other.mapping.pointer + other.mapping.size;
    if (overlap && other.through == this && layout.rowPitch && other.mapping.layout.rowPitch)
      overlap = shareABox(added.mapping, other.mapping);
    if (overlap)
      return fail(ErrorCode::InvalidOperation, "the region is mapped already, and one of the two is for writing");
  }
  whole.mapped_.push_back(added);
  return added.mapping;
}

Expected<Mapping> Buffer::unmap(const void *pointer) {
  if (runtimeDead()) return failDead();
  Buffer &whole = root();
  std::lock_guard hold(whole.mutex_);
  const auto found = std::find_if(whole.mapped_.begin(), whole.mapped_.end(), [&](const Mapped &mapped) {
    return mapped.through == this && mapped.mapping.pointer == pointer;
  });
  if (found == whole.mapped_.end()) return fail(ErrorCode::InvalidValue, "the pointer is not mapped from this buffer");
  const Mapping mapping = found->mapping;
  whole.mapped_.erase(found);
  return mapping;
}

uint32_t Buffer::mapCount() const {
  if (runtimeDead()) return 0;
  const Buffer &whole = root();
  std::lock_guard hold(whole.mutex_);
  return static_cast<uint32_t>(std::count_if(whole.mapped_.begin(), whole.mapped_.end(),
                                             [&](const Mapped &mapped) { return mapped.through == this; }));
}

std::function<void()> Buffer::countUnmap() {
  unfinishedUnmaps_.fetch_add(1, std::memory_order_relaxed);
  return [self = Ref<Buffer>(this)] { self->unfinishedUnmaps_.fetch_sub(1, std::memory_order_relaxed); };
}

uint32_t Buffer::extraReferences() const {
  return subBuffers_.load(std::memory_order_relaxed) + unfinishedUnmaps_.load(std::memory_order_relaxed);
}

} // namespace us::core
