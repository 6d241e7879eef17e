// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: markers in streams, with times.
#pragma once

#include "icd/cuda/context.h"
#include "icd/cuda/ipc.h"

namespace us::cuda {

struct EventCapture;

class Event final : public Object {
public:
  Event(Context &context, unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr)
      : context_(&context), flags_(flags), shared_(std::move(shared)) {}

  Context &context() const { return *context_; }
  bool hasTiming() const { return (flags_ & CU_EVENT_DISABLE_TIMING) == 0; }
  /// Of events of two processes; else null.
  const std::shared_ptr<SharedEvent> &shared() const { return shared_; }
  /// The marker of the last recording; null: never recorded.
  Ref<core::Event> recorded() const {
    std::lock_guard hold(mutex_);
    return marker_;
  }
  /// The frees of pools' memory that lie before it.
  core::FreeOrder order() const {
    std::lock_guard hold(mutex_);
    return order_;
  }
  void record(Ref<core::Event> marker, core::FreeOrder order) {
    std::lock_guard hold(mutex_);
    isCaptured.store(false, std::memory_order_release);
    marker_ = std::move(marker);
    order_ = std::move(order);
  }

  std::atomic<bool> isCaptured{false};   ///< last recorded in a stream that captured
  std::shared_ptr<EventCapture> capture; ///< as what; guarded by graphMutex

private:
  const Ref<Context> context_;
  const unsigned flags_;
  const std::shared_ptr<SharedEvent> shared_;
  mutable std::mutex mutex_; // guards all below
  Ref<core::Event> marker_;
  core::FreeOrder order_;
};

/// The last recording is this place in the stream.
Expected<void> recordEvent(Event &event, Stream &stream);
/// The stream's next commands run behind the last recording.
Expected<void> waitForEvent(Stream &stream, const Event &event);

/// A context that is destroyed takes its events with it.
void forgetEventsOf(const Context &context);

CUevent addEvent(Ref<Event> event);
/// CUDA_ERROR_INVALID_HANDLE.
Expected<Ref<Event>> eventOf(CUevent handle);

} // namespace us::cuda
