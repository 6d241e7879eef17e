// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffer: linear memory of a context, made on a device when a command first needs it there; sub-buffers; and what
// images lie in (image.h).
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/geometry.h"
#include "runtime/base/ref.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/context.h"
#include "runtime/core/current_copies.h"
#include "runtime/core/patience.h"
#include "runtime/core/svm.h"
#include "runtime/core/weak.h"
#include "runtime/device/image.h"
#include "runtime/device/memory.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace us::core {

enum class HostMemory : uint8_t {
  None,     ///< the device's own memory
  Allocate, ///< memory the host can reach (CL_MEM_ALLOC_HOST_PTR)
  Use,      ///< the application's memory is the buffer
};

struct BufferRequest {
  uint64_t size = 0;
  HostMemory hostMemory = HostMemory::None;
  std::byte *hostPointer = nullptr;    ///< Use: the memory
  Ref<SvmAllocation> shared{};         ///< Use: what the pointer lies in, if it is shared virtual memory; kept alive
  const std::byte *copyFrom = nullptr; ///< initial contents (size bytes), taken before create returns
  const char *what = "buffer";         ///< MemoryOwner::what
  KernelAccess access{};
  std::shared_ptr<const ImageDescription> image{}; ///< what lies in it, if that is an image of its own
  const CallSite *madeAt = nullptr;                ///< MemoryOwner::madeAt
};

/// What a command does with a range of a buffer.
struct MemoryUse {
  bool keeps = true; ///< it needs the contents, or leaves some of them
  bool writes = false;
};

/// A region of a buffer, or of an image in one, that the application has mapped.
struct Mapping {
  std::byte *pointer = nullptr;
  uint64_t offset = 0, size = 0; ///< in the buffer that was mapped; from a box's first byte to its last
  bool read = false, write = false;
  PitchedLayout layout; ///< of a box; pitches 0: one range
  Size3 region{0, 1, 1};
};

class Buffer final : public Object {
public:
  /// InvalidBufferSize if the size is zero or more than every device's largest allocation. With copyFrom, memory is
  /// made now: MemObjectAllocationFailure. Without, no memory is made yet.
  static Expected<Ref<Buffer>> create(Context &context, const BufferRequest &request);

  /// [origin, origin + size) of this buffer, which must not be a sub-buffer itself (InvalidMemObject). InvalidValue if
  /// out of bounds, InvalidBufferSize if empty, MisalignedSubBufferOffset if misaligned for every device.
  Expected<Ref<Buffer>> createSubBuffer(uint64_t origin, uint64_t size, KernelAccess access = {});
  /// [0, size) of this buffer, or of this part of one, as a memory object of its own: what an image made from another
  /// object lies in. The caller has checked that it fits.
  Ref<Buffer> createView(uint64_t size);

  Context &context() const { return *context_; }
  uint64_t size() const { return size_; }
  const BufferRequest &request() const { return request_; }
  Buffer *parent() const { return parent_.get(); } ///< null unless a sub-buffer or a view
  uint64_t origin() const { return origin_; }      ///< in the memory that is divided
  /// False for a sub-buffer whose origin the device cannot address ("CL_MISALIGNED_SUB_BUFFER_OFFSET").
  bool isAlignedFor(const Device &device) const;
  /// True if the two share a byte.
  bool overlaps(const Buffer &other) const;

  /// The memory on a device, made (and charged) at the first call; a sub-buffer's is its parent's. When the device's
  /// account is full, pending commands that hold released objects are flushed and waited for (unless they wait for the
  /// application), then it is tried once more: MemObjectAllocationFailure. Devices that share the host's memory share
  /// one allocation; each other one has one of its own, and moveTo says what is in it.
  Expected<DeviceMemory *> memoryOn(Device &device);
  /// The address of this (sub-)buffer's first byte there. Errors as memoryOn.
  Expected<std::byte *> addressOn(Device &device);
  /// The same if the memory was made there; else 0.
  uint64_t addressIfOn(const Device &device) const;
  /// The memory on a device that does not share the host's, if it was made there and no other such device came first;
  /// else null. Of the whole buffer, in which this one lies from origin() on.
  DeviceMemory *memoryIfApart(const Device &device) const {
    const Buffer &whole = root();
    return whole.firstApart_.load(std::memory_order_acquire) == &device ? whole.firstApartMemory_ : nullptr;
  }
  /// True if memoryOn has made the memory there.
  bool isOn(const Device &device) const;
  /// True if memoryOn has made memory anywhere.
  bool materialised() const;

  // In a context with separate memory only: what a command does that is about to be submitted. A range of this (sub-)
  // buffer is brought to the device, or to the host's copy, waiting for the transfers that takes, and is current
  // nowhere else once it is written. False if the caller has no patience and something had to be waited for: then
  // nothing has changed. Errors: those of making memory and of transfers.
  Expected<bool> moveTo(Device &device, uint64_t offset, uint64_t size, MemoryUse use, Patience patience);
  Expected<bool> moveToHost(uint64_t offset, uint64_t size, MemoryUse use, Patience patience);

  /// True if a command that uses the whole of it on that device moves nothing: all contents are there, and if it writes
  /// some, nowhere else. Cheap; false where that is not known. Always true in a context without separate memory.
  bool isAtHand(const Device &device, bool writes) const;

  /// Registers a mapped region and returns it with the host's pointer. InvalidValue if out of bounds or empty,
  /// InvalidOperation if it overlaps a region and one of the two is for writing, MapFailure if the host cannot reach
  /// the memory, errors of memoryOn. The map command itself is the caller's to enqueue.
  Expected<Mapping> map(Device &device, uint64_t offset, uint64_t size, bool read, bool write);
  /// The same for a box of {bytes, rows, slices}; the caller has checked that it is not empty and lies within. Boxes of
  /// one view overlap only where they share a byte; others where their ranges do.
  Expected<Mapping> map(Device &device, const PitchedLayout &layout, const Size3 &region, bool read, bool write);
  /// Takes back a registration whose command could not be enqueued, or begins an unmap: the map count falls now, and
  /// InvalidValue if `pointer` is not mapped through this buffer.
  Expected<Mapping> unmap(const void *pointer);
  uint32_t mapCount() const;

  /// An unmap command was enqueued; returns what must be its CommandRequest::beforeComplete.
  std::function<void()> countUnmap();

  /// What the application's reference count reports beside its own: one per sub-buffer and per unfinished unmap.
  uint32_t extraReferences() const;

  /// The application has dropped its last handle.
  void releasedByApplication() { released_.store(true, std::memory_order_release); }
  bool isReleased() const { return released_.load(std::memory_order_acquire); }

  /// Called on a runtime thread in reverse order of registration, after the last command, before memory is freed.
  void addDestructorCallback(std::function<void()> callback);
  /// A device that keeps its own memory until commands have ended is not enough: the program learns when the buffer
  /// goes, or the memory is the program's.
  bool outlivesCommands() const;

  const Ref<WeakLink<Buffer>> &weak() const { return weak_; }

private:
  struct Place {
    Device *device; ///< null: every device that shares the host's memory
    Ref<Device> owner;
    std::unique_ptr<DeviceMemory> memory;
  };
  struct Mapped {
    const Buffer *through;
    Mapping mapping;
  };

  Buffer(Context &context, Ref<Buffer> parent, uint64_t origin, const BufferRequest &request);
  ~Buffer() override;
  void lastReferenceGone() override;
  Buffer &root() { return parent_ ? parent_->root() : *this; }
  const Buffer &root() const { return parent_ ? parent_->root() : *this; }
  /// It lies in shared memory of the context's one device, which is not the host's: there is no other copy, and maps
  /// are the device's.
  bool liesInDevicesShared() const { return request_.shared && request_.shared->isOneDevices(); }
  DeviceMemory *find(const Device &device) const;
  Expected<DeviceMemory *> allocateOn(Device &device);
  Expected<void> copyIn(const std::byte *from);
  CopySet copyOn(const Device &device) const;
  Expected<std::byte *> hostCopy();
  Expected<bool> move(Device *to, uint64_t begin, uint64_t end, MemoryUse use, Patience patience);
  Expected<void> fetch(Device *to, uint64_t begin, uint64_t end, CopySet from);
  void setCurrent(uint64_t begin, uint64_t end, CopySet copies);

  const Ref<Context> context_;
  const Ref<Buffer> parent_;
  const uint64_t origin_, size_;
  const BufferRequest request_;
  const Ref<WeakLink<Buffer>> weak_;
  std::atomic<bool> released_{false}, tellsOfItsEnd_{false};
  std::atomic<uint32_t> subBuffers_{0}, unfinishedUnmaps_{0};
  std::atomic<DeviceMemory *> shared_{nullptr}; ///< the memory of devices that share the host's, once made
  // Likewise of the first other device, which is the only one nearly always: read without the mutex.
  std::atomic<const Device *> firstApart_{nullptr};
  DeviceMemory *firstApartMemory_ = nullptr;
  CopySet firstApartCopy_ = 0;
  DestructorCallbacks destructorCallbacks_;

  std::mutex moving_;     // held while contents move; guards current_ (of the root)
  CurrentCopies current_; ///< kHostCopy, and a bit for each other place
  enum class Whereabouts : uint8_t { Elsewhere, Nowhere, Also, Only };
  std::atomic<Whereabouts> onFirstApart_{Whereabouts::Nowhere}; ///< how far the first other device has the contents
  std::mutex allocating_; // held while memory is made, so that it is made once; guards hostCopy_
  std::byte *hostCopy_ =
      nullptr; ///< the host's own pages, where it needed a copy and no device of the context shares one

  mutable std::mutex mutex_; // guards places_ and mapped_ (of the root)
  std::vector<Place> places_;
  std::vector<Mapped> mapped_;
};

} // namespace us::core
