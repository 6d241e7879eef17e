// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all enqueue calls share: checks of queue, buffers and wait list, and the way into the core's queue.
#pragma once

#include "icd/opencl/command_buffer.h"
#include "icd/opencl/event.h"
#include "icd/opencl/image_region.h"
#include "icd/opencl/memory.h"
#include "icd/opencl/queue.h"
#include "runtime/core/queue.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace us::opencl {

/// The (num_events_in_wait_list, event_wait_list, event) of an enqueue call.
struct EventParameters {
  cl_uint count;
  const cl_event *list;
  cl_event *event;
};

/// What every call that records a command has beside the command's own parameters.
struct RecordParameters {
  cl_command_buffer_khr buffer;
  cl_command_queue queue; ///< NULL: the only one of the command buffer
  const cl_command_properties_khr *properties;
  cl_uint count;
  const cl_sync_point_khr *list;
  cl_sync_point_khr *syncPoint;
  cl_mutable_command_khr *mutableHandle;
};

/// An array of three numbers that a call was given, for longer than that.
class KeptSize {
public:
  explicit KeptSize(const size_t *given) : isNull_(!given) {
    if (given) values_ = {given[0], given[1], given[2]};
  }
  /// An origin in an image, which may have a fourth number.
  KeptSize(const size_t *given, cl_mem image) : KeptSize(given) {
    if (given && namesLevelFourth(image)) values_[3] = given[3];
  }
  const size_t *get() const { return isNull_ ? nullptr : values_.data(); }

private:
  bool isNull_;
  std::array<size_t, 4> values_{};
};

/// The same of bytes: patterns and colours.
class KeptBytes {
public:
  KeptBytes(const void *given, size_t size) : isNull_(!given), size_(size) {
    const auto *const bytes = static_cast<const std::byte *>(given);
    if (given && size <= kMost) values_.assign(bytes, bytes + size);
  }
  /// Null, too, for more than any pattern has.
  const void *get() const { return isNull_ || size_ > kMost ? nullptr : values_.data(); }

private:
  static constexpr size_t kMost = 128;
  bool isNull_;
  size_t size_;
  std::vector<std::byte> values_;
};

/// A command being put together: the checks in their order, then `enqueue` or `run`.
class CommandBuilder {
public:
  CommandBuilder() = default;
  /// Checks the queue and the wait list.
  static Expected<CommandBuilder> start(cl_command_queue queue, cl_command_type type, const EventParameters &events);

  /// Checks the command buffer and the sync points: `enqueue` then records the command for the buffer's queue.
  static Expected<CommandBuilder> record(const RecordParameters &parameters);
  /// The same for a command that has properties and a handle: the caller looks at these.
  static Expected<CommandBuilder> recordMutable(const RecordParameters &parameters);
  /// For a command that was recorded in another command buffer, with everything but its queue checked there.
  CommandBuilder(ClCommandBuffer &buffer, uint32_t queue, std::vector<core::CommandBuffer::SyncPoint> after);

  ClQueue &queue() const { return *queue_; }
  Device &device() const { return queue_->coreDevice(); }
  /// Where the command is recorded; null if it is enqueued.
  ClCommandBuffer *commandBuffer() const { return recording_ ? recording_->buffer : nullptr; }

  /// A memory object the command uses: of the same context, aligned for the device, kept alive until the command has
  /// ended.
  ExpectedRef<ClMem> memory(cl_mem handle);
  /// The same for a buffer.
  ExpectedRef<ClMem> buffer(cl_mem handle);
  /// The same for an image, which the device must be able to have.
  ExpectedRef<ClMem> image(cl_mem handle);
  /// Its first byte on the device. Errors: MemObjectAllocationFailure.
  Expected<std::byte *> addressOf(ClMem &memory) { return memory.buffer->addressOn(device()); }

  core::CommandRequest request;
  /// What the command maps or unmaps, where that is looked at.
  Ref<CheckedMap> maps, unmaps;

  /// A recorded command that cannot be made yet: an update will.
  bool isComplete = true;
  /// Where a command was recorded.
  cl_sync_point_khr recordedAt = 0;

  bool isBarrier = false; ///< a recorded one

  /// Adds the command to the queue, or to the command buffer.
  Expected<void> enqueue();
  /// Runs `make`, which checks the command's own parameters and calls `enqueue`; the command buffer keeps it, to record
  /// the command for other queues. It holds whatever it needs, but for the memory objects of this builder.
  Expected<void> recordBy(std::function<Expected<void>(CommandBuilder &)> make);
  /// Adds it to the queue: its event, whether the application has asked for one or not.
  Expected<Ref<core::Event>> enqueueForEvent();
  /// An event that the command waits for beside those of its list.
  void waitFor(Ref<core::Event> event) { waitList_.push_back(std::move(event)); }
  /// Adds it and waits for it.
  Expected<void> run();
  /// One of the two, by the call's "blocking" parameter.
  Expected<void> go(cl_bool blocking) { return blocking ? run() : enqueue(); }

private:
  ExpectedRef<ClMem> use(ExpectedRef<ClMem> memory);
  Expected<void> runAndWait();
  void prepare(bool isBlocking);
  void watch(CommandChecks &checks, bool isBlocking) {
    request.watch = checks.watch(*queue_, request, {isBlocking, std::move(maps), std::move(unmaps)});
  }

  ClQueue *queue_ = nullptr;
  WaitList waitList_;
  cl_event *event_ = nullptr;
  struct Recording {
    ClCommandBuffer *buffer = nullptr;
    uint32_t queue = 0; ///< which of the buffer's
    std::vector<core::CommandBuffer::SyncPoint> after = {};
    std::vector<Ref<ClObject>> objects = {}; ///< the memory objects that the command uses
    cl_sync_point_khr *syncPoint = nullptr;
  };
  std::unique_ptr<Recording> recording_; ///< null: the command is enqueued
};

} // namespace us::opencl
