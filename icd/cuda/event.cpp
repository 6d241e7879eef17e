// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/event.h"

#include "icd/cuda/api_checks.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/managed_access.h"
#include "icd/cuda/memory_pool.h"
#include "icd/cuda/stream_checks.h"

namespace us::cuda {
namespace {

auto &events() {
  static auto &set = *new HandleSet<Event, CUevent>;
  return set;
}

/// That what it was recorded behind has ended. An event of several processes may stand for anything.
void programKnows(const Event &event) {
  StreamChecks *const checks = streamChecks();
  if (!checks) return;
  if (event.shared()) return checks->hostMayKnowAll();
  if (const Ref<core::Event> marker = event.recorded()) checks->hostKnows(*marker);
}

/// What the event was recorded as, if that has ended and has times.
Expected<Ref<core::Event>> timedMarkerOf(const Event &event) {
  const Ref<core::Event> marker = event.recorded();
  if (!marker || !event.hasTiming())
    return fail(CUDA_ERROR_INVALID_HANDLE, "the event was not recorded, or was made without timing");
  if (!marker->queryStatus().ended()) return fail(CUDA_ERROR_NOT_READY, "the event's work has not ended");
  programKnows(event);
  return marker;
}

} // namespace

void forgetEventsOf(const Context &context) {
  events().removeIf([&](const Event &event) { return &event.context() == &context; });
}

CUevent addEvent(Ref<Event> event) { return events().add(std::move(event)); }

Expected<Ref<Event>> eventOf(CUevent handle) {
  US_CHECK(checkInitialised());
  Ref<Event> event = events().find(handle);
  if (!event) return fail(CUDA_ERROR_INVALID_HANDLE, "the event is not valid");
  return event;
}

Expected<void> eventCreate(CUevent *event, unsigned flags) {
  US_CHECK(checkOut(event, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  constexpr unsigned kAll = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  // "CU_EVENT_INTERPROCESS must be specified along with CU_EVENT_DISABLE_TIMING."
  const bool lacksTiming = (flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING);
  if ((flags & ~kAll) || lacksTiming)
    return fail(CUDA_ERROR_INVALID_VALUE, format("event flags {:#x} are not possible", flags));
  std::shared_ptr<SharedEvent> shared;
  if (flags & CU_EVENT_INTERPROCESS) {
    US_TRY(shared, SharedEvent::create());
  }
  *event = addEvent(Ref<Event>(new Event(*context, flags, std::move(shared))));
  return {};
}

Expected<void> eventDestroy(CUevent handle) {
  US_CHECK(checkInitialised());
  if (!events().remove(handle)) return fail(CUDA_ERROR_INVALID_HANDLE, "the event is not valid");
  return {};
}

Expected<void> recordEvent(Event &event, Stream &stream) {
  if (const std::shared_ptr<SharedEvent> &shared = event.shared()) {
    // Work that failed has ended too: what is never called is destroyed.
    struct Recording {
      std::shared_ptr<SharedEvent> event;
      uint64_t number;
      ~Recording() { event->completed(number); }
    };
    const std::shared_ptr<Recording> recording(new Recording{shared, shared->record()});
    HostCallCommand call{[recording] { recording->event->completed(recording->number); }};
    US_CHECK(stream.enqueue({.command = std::move(call)}));
    return stream.queue().flush();
  }
  core::FreeOrder order = poolsAreUsed() ? stream.order() : core::FreeOrder();
  US_TRY(Ref<core::Event> marker, stream.enqueue({}));
  event.record(std::move(marker), std::move(order));
  return {};
}

Expected<void> eventRecordWithFlags(CUevent handle, CUstream streamHandle, unsigned flags) {
  if (flags > CU_EVENT_RECORD_EXTERNAL)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  US_TRY(const Ref<Event> event, eventOf(handle));
  US_TRY(const Ref<Stream> stream, streamOf(streamHandle));
  if (&stream->context() != &event->context())
    return fail(CUDA_ERROR_INVALID_HANDLE, "the event and the stream belong to different contexts");
  US_TRY(const Ref<Capture> capture, captureOf(*stream));
  if (!capture) return recordEvent(*event, *stream);
  // "CU_EVENT_RECORD_EXTERNAL: When using stream capture, create an event record node instead of the default behavior."
  if (flags == CU_EVENT_RECORD_EXTERNAL) return capture->add(*stream, EventWork{true, event, handle});
  return capture->record(*stream, *event);
}

Expected<void> eventRecord(CUevent handle, CUstream stream) { return eventRecordWithFlags(handle, stream, 0); }

Expected<void> eventQuery(CUevent handle) {
  US_TRY(const Ref<Event> event, eventOf(handle));
  US_CHECK(event->context().check());
  US_CHECK(checkNotCaptured(*event));
  if (event->shared() && !event->shared()->hasCompleted(event->shared()->recorded()))
    return fail(CUDA_ERROR_NOT_READY, "the event's work has not ended");
  const Ref<core::Event> marker = event->recorded();
  if (marker && !marker->queryStatus().ended()) return fail(CUDA_ERROR_NOT_READY, "the event's work has not ended");
  programKnows(*event);
  if (guardsManaged()) event->context().settle();
  return {};
}

Expected<void> eventSynchronize(CUevent handle) {
  US_TRY(const Ref<Event> event, eventOf(handle));
  US_CHECK(checkNotCaptured(*event));
  if (event->shared()) event->shared()->wait(event->shared()->recorded());
  const Ref<core::Event> marker = event->recorded();
  if (marker) (void)marker->wait();
  programKnows(*event);
  // What failed is found by looking at the streams.
  event->context().settle();
  if (poolsAreUsed()) {
    const core::FreeOrder order = event->order();
    poolsSynchronised(&order);
  }
  return event->context().check();
}

Expected<void> eventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  US_CHECK(checkOut(milliseconds, "the result"));
  US_TRY(const Ref<Event> first, eventOf(begin));
  US_TRY(const Ref<Event> second, eventOf(end));
  US_CHECK(checkNotCaptured(*first));
  US_CHECK(checkNotCaptured(*second));
  US_TRY(const Ref<core::Event> from, timedMarkerOf(*first));
  US_TRY(const Ref<core::Event> to, timedMarkerOf(*second));
  US_TRY(const int64_t between, core::Event::timeBetween(*from, *to));
  *milliseconds = float(double(between) / 1e6);
  return {};
}

} // namespace us::cuda
