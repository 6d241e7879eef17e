// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/buffer.h"

#include "runtime/core/blocking_submit.h"
#include "runtime/core/runtime.h"
#include "runtime/device/device.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/mman.h>

namespace us::core {
namespace {
/// The copy that the host can reach: the application's memory, that of devices that share it, or one made for it.
constexpr CopySet kHostCopy = 1;

std::string text(uint64_t number) { return std::to_string(number); }

bool contains(uint64_t outer, uint64_t offset, uint64_t size) { return offset <= outer && size <= outer - offset; }

/// Where a box begins in each dimension, for boxes of the same pitches within one view. Ranges of two levels of a
/// mipmap have no byte in common: boxes that are compared are of the same one.
Size3 beginOf(const PitchedLayout &layout) {
  const uint64_t offset = layout.offset - layout.base, inSlice = offset % layout.slicePitch;
  return {inSlice % layout.rowPitch, inSlice / layout.rowPitch, offset / layout.slicePitch};
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
  if (context.hasSeparateMemory() && !parent_ && request_.hostMemory == HostMemory::Use && !liesInDevicesShared())
    setCurrent(0, size_, kHostCopy);
}

Buffer::~Buffer() {
  places_.clear(); // one of them may lie in the host's copy
  if (hostCopy_) munmap(hostCopy_, size_);
  if (parent_) parent_->subBuffers_.fetch_sub(1, std::memory_order_relaxed);
}

void Buffer::lastReferenceGone() {
  if (runtimeDead()) return;
  weak_->cut();
  if (!weak_->unique()) context_->memoryChanges();
  destructorCallbacks_.runAndDelete(*this);
}

void Buffer::addDestructorCallback(std::function<void()> callback) {
  destructorCallbacks_.add(std::move(callback));
  tellsOfItsEnd_.store(true, std::memory_order_release);
  context_->memoryChanges();
}

bool Buffer::outlivesCommands() const {
  const Buffer &whole = root();
  return whole.request_.shared || whole.tellsOfItsEnd_.load(std::memory_order_acquire) ||
         tellsOfItsEnd_.load(std::memory_order_acquire);
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
  // Nobody else knows the buffer yet.
  if (context_->hasSeparateMemory()) setCurrent(0, size_, copyOn(device));
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

Expected<Ref<Buffer>> Buffer::createSubBuffer(uint64_t origin, uint64_t size, KernelAccess access) {
  if (runtimeDead()) return failDead();
  if (parent_) return fail(ErrorCode::InvalidMemObject, "a sub-buffer of a sub-buffer was asked for");
  if (size == 0) return fail(ErrorCode::InvalidBufferSize, "a sub-buffer of 0 bytes was asked for");
  if (!contains(size_, origin, size))
    return fail(ErrorCode::InvalidValue, "a sub-buffer of " + text(size) + " bytes at " + text(origin) +
                                             " was asked for, the buffer has " + text(size_));
  BufferRequest request = request_;
  request.size = size;
  request.access = access;
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
  if (firstApart_.load(std::memory_order_acquire) == &device) return firstApartMemory_;
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
  if (whole.firstApart_.load(std::memory_order_acquire) == &device) return whole.firstApartMemory_;
  return whole.allocateOn(device);
}

Expected<DeviceMemory *> Buffer::allocateOn(Device &device) {
  // The device never calls back, and waiting for commands never needs a buffer's memory: holding this is safe.
  std::lock_guard once(allocating_);
  if (DeviceMemory *memory = find(device)) return memory;
  if (size_ > device.info().maxAllocation)
    return fail(ErrorCode::MemObjectAllocationFailure, "a buffer of " + text(size_) + " bytes is needed on " +
                                                           device.info().name + ", whose largest allocation is " +
                                                           text(device.info().maxAllocation));
  MemoryRequest request;
  request.size = size_;
  request.owner.what = request_.what;
  request.owner.madeAt = request_.madeAt;
  request.image = request_.image.get();
  const bool shared = device.info().sharesHostMemory;
  // A device with memory of its own gets what lies in the host's when a command needs it.
  if (shared || liesInDevicesShared())
    request.hostPointer = request_.hostMemory == HostMemory::Use ? request_.hostPointer : hostCopy_;
  // Images have formats of their own for what nobody wrote, and pipes a state.
  request.startsUnwritten = !request.hostPointer && !request_.image && std::string_view(request_.what) == "buffer" &&
                            !context_->hasSeparateMemory();
  US_TRY(std::unique_ptr<DeviceMemory> memory, core::allocateOn(device, request));
  DeviceMemory *const made = memory.get();
  std::lock_guard hold(mutex_);
  places_.push_back({shared ? nullptr : &device, Ref<Device>(&device), std::move(memory)});
  if (shared) {
    shared_.store(made, std::memory_order_release);
  } else if (!firstApart_.load(std::memory_order_relaxed)) {
    firstApartMemory_ = made;
    firstApartCopy_ = kHostCopy << places_.size();
    firstApart_.store(&device, std::memory_order_release);
  }
  return made;
}

Expected<std::byte *> Buffer::addressOn(Device &device) {
  US_TRY(const DeviceMemory *const memory, memoryOn(device));
  return reinterpret_cast<std::byte *>(memory->address() + origin_);
}

uint64_t Buffer::addressIfOn(const Device &device) const {
  const Buffer &whole = root();
  const DeviceMemory *memory = device.info().sharesHostMemory ? whole.shared_.load(std::memory_order_acquire) : nullptr;
  if (!memory) memory = whole.find(device);
  return memory ? memory->address() + origin_ : 0;
}

// --- Copies ---

/// The copy that is the device's: its bit is its place among the places, which never go.
CopySet Buffer::copyOn(const Device &device) const {
  if (device.info().sharesHostMemory) return kHostCopy;
  if (firstApart_.load(std::memory_order_acquire) == &device) return firstApartCopy_;
  std::lock_guard hold(mutex_);
  for (size_t i = 0; i < places_.size(); ++i)
    if (places_[i].device == &device) return kHostCopy << (i + 1);
  return 0;
}

Expected<std::byte *> Buffer::hostCopy() {
  if (request_.hostMemory == HostMemory::Use) return request_.hostPointer;
  std::lock_guard once(allocating_);
  if (const DeviceMemory *const memory = shared_.load(std::memory_order_acquire)) return memory->hostAddress();
  if (!hostCopy_) {
    // Whole pages, of which those that nobody touches cost nothing.
    void *const made = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) return fail(ErrorCode::OutOfHostMemory, text(size_) + " bytes for the host's copy");
    hostCopy_ = static_cast<std::byte *>(made);
  }
  return hostCopy_;
}

/// With moving_ held, or before anybody else knows the buffer.
void Buffer::setCurrent(uint64_t begin, uint64_t end, CopySet copies) {
  current_.set(begin, end, copies);
  Whereabouts now = Whereabouts::Elsewhere;
  if (firstApart_.load(std::memory_order_acquire)) {
    now = Whereabouts::Only;
    current_.visit(0, size_, [&](uint64_t, uint64_t, CopySet there) {
      // Where nobody has written there is nothing to bring, but a writer has to be noted.
      if (there != firstApartCopy_)
        now = std::min(now, there == 0 || there & firstApartCopy_ ? Whereabouts::Also : Whereabouts::Elsewhere);
    });
  }
  if (onFirstApart_.exchange(now, std::memory_order_acq_rel) != now) context_->memoryChanges();
}

bool Buffer::isAtHand(const Device &device, bool writes) const {
  if (!context_->hasSeparateMemory()) return true;
  const Buffer &whole = root();
  if (whole.liesInDevicesShared()) return true;
  const Whereabouts now = whole.onFirstApart_.load(std::memory_order_acquire);
  return whole.firstApart_.load(std::memory_order_acquire) == &device &&
         (now == Whereabouts::Only || (!writes && now != Whereabouts::Elsewhere));
}

Expected<bool> Buffer::moveTo(Device &device, uint64_t offset, uint64_t size, MemoryUse use, Patience patience) {
  if (patience == Patience::Waits) US_CHECK(memoryOn(device));
  return root().move(&device, origin_ + offset, origin_ + offset + size, use, patience);
}

Expected<bool> Buffer::moveToHost(uint64_t offset, uint64_t size, MemoryUse use, Patience patience) {
  return root().move(nullptr, origin_ + offset, origin_ + offset + size, use, patience);
}

/// Of the root. To the host's copy if there is no device.
Expected<bool> Buffer::move(Device *to, uint64_t begin, uint64_t end, MemoryUse use, Patience patience) {
  const CopySet wanted = to ? copyOn(*to) : kHostCopy;
  if (liesInDevicesShared()) return true;
  if (!wanted) return false; // no memory was made there yet
  // Transfers wait for devices only, and these for nothing that is done with this held.
  std::unique_lock hold(moving_, std::defer_lock);
  if (patience == Patience::Waits)
    hold.lock();
  else if (!hold.try_lock())
    return false;
  struct Part {
    uint64_t begin, end;
    CopySet copies;
  };
  std::vector<Part> missing;
  bool changes = false;
  current_.visit(begin, end, [&](uint64_t from, uint64_t until, CopySet copies) {
    if (use.keeps && copies && !(copies & wanted)) missing.push_back({from, until, copies});
    changes |= copies != wanted;
  });
  if (!missing.empty() && patience == Patience::None) return false;
  for (const Part &part : missing) US_CHECK(fetch(to, part.begin, part.end, part.copies));
  if (use.writes && changes) setCurrent(begin, end, wanted);
  return true;
}

/// Copies a range from where it is current, by way of the host.
Expected<void> Buffer::fetch(Device *to, uint64_t begin, uint64_t end, CopySet from) {
  US_TRY(std::byte *const host, hostCopy());
  CopyCommand copy;
  copy.region = {end - begin, 1, 1};
  if (!(from & kHostCopy)) {
    Ref<Device> owner;
    const DeviceMemory *memory = nullptr;
    {
      std::lock_guard hold(mutex_);
      for (size_t i = 0; i < places_.size() && !memory; ++i)
        if (from & kHostCopy << (i + 1)) owner = places_[i].owner, memory = places_[i].memory.get();
    }
    copy.to = host + begin;
    copy.from = reinterpret_cast<const std::byte *>(memory->address() + begin);
    US_CHECK(submitAndWait(*owner, copy));
    setCurrent(begin, end, from |= kHostCopy);
  }
  if (!to || to->info().sharesHostMemory) return {};
  copy.to = reinterpret_cast<std::byte *>(find(*to)->address() + begin);
  copy.from = host + begin;
  US_CHECK(submitAndWait(*to, copy));
  setCurrent(begin, end, from | copyOn(*to));
  return {};
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
  Buffer &whole = root();
  std::byte *base = memory->hostAddress();
  if (context_->hasSeparateMemory()) {
    US_TRY(base, whole.hostCopy());
  }
  if (!base) return fail(ErrorCode::MapFailure, "the host cannot reach the device's memory");
  const uint64_t size = spanOf(layout, region);
  std::byte *const pointer = base + origin_ + layout.offset;
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
