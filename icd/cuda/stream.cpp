// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, and the rules between the legacy default stream and the others: its work runs after everything before it in
// blocking streams, and theirs after its.
#include "icd/cuda/api_checks.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/context.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/event.h"
#include "icd/cuda/managed_access.h"
#include "icd/cuda/memory.h"
#include "icd/cuda/memory_pool.h"
#include "icd/cuda/stream_checks.h"

#include <algorithm>

namespace us::cuda {
namespace {

auto &streams() {
  static auto &set = *new HandleSet<Stream, CUstream>;
  return set;
}

std::atomic<uint64_t> nextStreamId{1};

} // namespace

void forgetStreamsOf(const Context &context) {
  streams().removeIf([&](const Stream &stream) { return &stream.context() == &context; });
}

Stream::Stream(Context &context, unsigned flags, int priority)
    : context_(&context), queue_(core::Queue::create(context.core(), context.device(), {.profiling = true})),
      flags_(flags), id_(nextStreamId++) {
  CUlaunchAttributeValue value = {};
  value.priority = priority;
  attributes_[CU_LAUNCH_ATTRIBUTE_PRIORITY] = value;
  if (StreamChecks *const checks = streamChecks()) checks->made(*this);
}

void Stream::addLast(std::vector<Ref<core::Event>> &events) {
  std::lock_guard hold(mutex_);
  if (!unsettled_.empty() && !unsettled_.back()->peekStatus().ended()) events.push_back(unsettled_.back());
}

std::vector<Ref<core::Event>> Stream::mustPrecede() {
  std::vector<Ref<core::Event>> events;
  if (Ref<core::Event> fence = context_->fence()) events.push_back(std::move(fence));
  if (!isBlocking()) return events;
  Stream &legacy = context_->legacyStream();
  if (this != &legacy) {
    legacy.addLast(events);
    return events;
  }
  for (const Ref<Stream> &stream : context_->streams())
    if (stream->isBlocking()) stream->addLast(events);
  return events;
}

void Stream::note(const Ref<core::Event> &event) {
  settle();
  std::lock_guard hold(mutex_);
  unsettled_.push_back(event);
}

void Stream::settle() {
  for (;;) {
    Ref<core::Event> ended;
    {
      std::lock_guard hold(mutex_);
      if (unsettled_.empty() && guardsManaged()) managedIdle(*this);
      if (unsettled_.empty() || !unsettled_.front()->peekStatus().ended()) return;
      ended = std::move(unsettled_.front());
      unsettled_.pop_front();
    }
    if (!ended->peekStatus().failed()) continue;
    const Error error = ended->failure();
    // It could not run behind something of another stream: that is what the application has to hear of.
    if (error.code == ErrorCode::ExecStatusErrorInWaitList && !context_->hasFailed_.load(std::memory_order_acquire))
      context_->settle();
    context_->fails(error);
  }
}

Expected<Ref<core::Event>> Stream::enqueue(core::CommandRequest &&request) {
  US_CHECK(refuseCapture(*this, "a command that cannot be captured"));
  const bool launches = std::holds_alternative<LaunchCommand>(request.command);
  if (StreamChecks *const checks = streamChecks(); checks && !request.watch)
    request.watch = checks->watch(*this, request);
  const std::vector<Ref<core::Event>> before = mustPrecede();
  std::vector<Ref<core::Event>> all(request.waitList.begin(), request.waitList.end());
  all.insert(all.end(), before.begin(), before.end());
  request.waitList = all;
  US_TRY(Ref<core::Event> event, queue_->enqueue(std::move(request)));
  note(event);
  orderLegacy();
  if (launches && guardsManaged()) managedLaunched(*this);
  return event;
}

Expected<void> Stream::enqueueBetweenAll(core::CommandRequest &&request) {
  std::vector<Ref<core::Event>> last;
  context_->legacyStream().addLast(last);
  for (const Ref<Stream> &stream : context_->streams()) stream->addLast(last);
  request.waitList = last;
  if (StreamChecks *const checks = streamChecks()) checks->hostMayKnowAll(); // which orders all there is, too
  US_TRY(Ref<core::Event> event, enqueue(std::move(request)));
  context_->setFence(std::move(event));
  return {};
}

Expected<core::FreePoint> Stream::freePoint(core::CommandRequest &&request) {
  US_TRY(Ref<core::Event> event, enqueue(std::move(request)));
  std::lock_guard hold(mutex_);
  return core::FreePoint{id_, ++frees_, std::move(event)};
}

core::FreeOrder Stream::known() const {
  std::lock_guard hold(mutex_);
  core::FreeOrder order = behind_;
  order.learn(id_, frees_);
  return order;
}

core::FreeOrder Stream::order() {
  core::FreeOrder order = known();
  if (!isBlocking()) return order;
  Stream &legacy = context_->legacyStream();
  if (this != &legacy) {
    order.learn(legacy.known());
    return order;
  }
  for (const Ref<Stream> &stream : context_->streams())
    if (stream->isBlocking()) order.learn(stream->known());
  return order;
}

void Stream::learn(const core::FreeOrder &order) {
  std::lock_guard hold(mutex_);
  behind_.learn(order);
}

void Stream::orderLegacy() {
  if (poolsAreUsed() && this == &context_->legacyStream()) learn(order());
}

Expected<void> Stream::run(core::CommandRequest &&request) {
  US_CHECK(refuseCapture(*this, "a command that the host waits for"));
  const std::vector<Ref<core::Event>> before = mustPrecede();
  request.waitList = before;
  StreamChecks *const checks = streamChecks();
  if (checks) request.watch = checks->watch(*this, request);
  const Ref<core::CommandWatch> watched = request.watch;
  const Expected<void> done = queue_->run(std::move(request));
  if (watched) checks->hostKnows(*watched);
  orderLegacy();
  settle();
  // A kernel that failed earlier is what the caller has to hear of, not that this command could not run behind it.
  US_CHECK(context_->check());
  return done;
}

Expected<void> Stream::synchronise() {
  const Expected<void> done = queue_->finish();
  if (StreamChecks *const checks = streamChecks()) checks->hostKnows(*this);
  settle();
  US_CHECK(context_->check());
  return done;
}

bool Stream::isIdle() {
  (void)queue_->flush();
  settle();
  std::lock_guard hold(mutex_);
  return unsettled_.empty();
}

Expected<Ref<Stream>> streamOf(CUstream handle) {
  US_TRY(const Ref<Context> context, currentContext());
  if (handle == CU_STREAM_PER_THREAD || (!handle && perThreadDefault())) return context->threadStream();
  if (!handle || handle == CU_STREAM_LEGACY) return Ref<Stream>(&context->legacyStream());
  Ref<Stream> stream = streams().find(handle);
  // An H200's driver says this of a stream that is no more.
  if (!stream) return fail(CUDA_ERROR_INVALID_CONTEXT, "the stream is not valid");
  // A stream may be used from a thread whose current context is another one of the same process.
  US_CHECK(stream->context().check());
  return stream;
}

Expected<Ref<Stream>> streamAnywhere(CUstream handle) {
  US_CHECK(checkInitialised());
  if (const Ref<Stream> stream = streams().find(handle)) {
    US_CHECK(stream->context().check());
    return stream;
  }
  return streamOf(handle);
}

Expected<void> streamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  US_CHECK(checkOut(stream, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  if (flags & ~unsigned(CU_STREAM_NON_BLOCKING))
    return fail(CUDA_ERROR_INVALID_VALUE, format("stream flags {:#x} are not defined", flags));
  // "If the specified priority is outside the range it is clamped."
  *stream = streams().add(context->makeStream(flags, std::clamp(priority, kHighestPriority, 0)));
  return {};
}

Expected<void> streamCreate(CUstream *stream, unsigned flags) { return streamCreateWithPriority(stream, flags, 0); }

Expected<void> streamDestroy(CUstream handle) {
  US_CHECK(checkInitialised());
  const Ref<Stream> stream = streams().remove(handle);
  if (!stream) return fail(CUDA_ERROR_INVALID_HANDLE, "the stream is not valid");
  // "The function returns at once; the stream's resources are released when its work has completed."
  endCaptureOf(*stream);
  (void)stream->queue().flush();
  stream->context().forget(*stream);
  return {};
}

Expected<void> streamQuery(CUstream handle) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  US_CHECK(refuseCapture(*stream, "a query"));
  const bool idle = stream->isIdle();
  US_CHECK(stream->context().check());
  if (!idle) return fail(CUDA_ERROR_NOT_READY, "the stream has work to do");
  if (StreamChecks *const checks = streamChecks()) checks->hostKnows(*stream);
  return {};
}

Expected<void> streamSynchronize(CUstream handle) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  US_CHECK(refuseCapture(*stream, "to be waited for"));
  if (!poolsAreUsed()) return stream->synchronise();
  const core::FreeOrder order = stream->known();
  US_CHECK(stream->synchronise());
  poolsSynchronised(&order);
  return {};
}

Expected<void> waitForEvent(Stream &stream, const Event &event) {
  if (const std::shared_ptr<SharedEvent> &shared = event.shared()) {
    HostCallCommand call{[shared, number = shared->recorded()] { shared->wait(number); }};
    if (StreamChecks *const checks = streamChecks()) checks->hostMayKnowAll(); // what the other process has waited for
    US_CHECK(stream.enqueue({.command = std::move(call)}));
    return stream.queue().flush();
  }
  const Ref<core::Event> recorded = event.recorded();
  if (!recorded) return {}; // "If the event was not recorded the call has no effect."
  const Ref<core::Event> list[] = {recorded};
  const core::FreeOrder order = event.order();
  US_CHECK(stream.enqueue({.waitList = list}));
  stream.learn(order);
  return {};
}

Expected<void> streamWaitEvent(CUstream handle, CUevent eventHandle, unsigned flags) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  US_TRY(const Ref<Event> event, eventOf(eventHandle));
  if (flags > CU_EVENT_WAIT_EXTERNAL)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  if (anyCapture() || event->isCaptured.load(std::memory_order_acquire)) {
    US_TRY(const bool isCaptured, captureWait(*stream, event, eventHandle, flags == CU_EVENT_WAIT_EXTERNAL));
    if (isCaptured) return {};
  }
  return waitForEvent(*stream, *event);
}

Expected<void> streamGetFlags(CUstream handle, unsigned *flags) {
  US_CHECK(checkOut(flags, "the result"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  *flags = stream->flags();
  return {};
}

Expected<void> streamGetPriority(CUstream handle, int *priority) {
  US_CHECK(checkOut(priority, "the result"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  *priority = stream->priority();
  return {};
}

Expected<void> streamGetCtx(CUstream handle, CUcontext *context) {
  US_CHECK(checkOut(context, "the result"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  *context = handleOf(stream->context());
  return {};
}

/// No stream belongs to a part of a device.
Expected<void> streamGetCtxs(CUstream handle, CUcontext *context, CUgreenCtx *greenContext) {
  US_CHECK(checkOut(greenContext, "the green context"));
  US_CHECK(streamGetCtx(handle, context));
  *greenContext = nullptr;
  return {};
}

Expected<void> streamGetDevice(CUstream handle, CUdevice *device) {
  US_CHECK(checkOut(device, "the result"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  *device = stream->context().number();
  return {};
}

Expected<void> streamGetId(CUstream handle, unsigned long long *id) {
  US_CHECK(checkOut(id, "the result"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  *id = stream->id();
  return {};
}

Expected<void> streamAddCallback(CUstream handle, CUstreamCallback callback, void *userData, unsigned flags) {
  US_CHECK(checkOut(callback, "the callback"));
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, "cuStreamAddCallback takes the flags 0");
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  HostCallCommand call{[=] { callback(handle, CUDA_SUCCESS, userData); }};
  US_CHECK(stream->enqueue({.command = std::move(call)}));
  return stream->queue().flush();
}

Expected<void> launchHostFunc(CUstream handle, CUhostFn function, void *userData) {
  US_CHECK(checkOut(function, "the function"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  US_TRY(const Ref<Capture> capture, captureOf(*stream));
  if (capture) return capture->add(*stream, HostWork{function, userData});
  HostCallCommand call{[=] { function(userData); }};
  US_CHECK(stream->enqueue({.command = std::move(call)}));
  return stream->queue().flush();
}

/// Where access is concurrent, managed memory is reached by everybody at any time.
Expected<void> streamAttachMemAsync(CUstream handle, CUdeviceptr pointer, size_t, unsigned flags) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  // "dptr must be a pointer to managed memory or to a valid host-accessible region of system-allocated memory"
  if (!pointer) return fail(CUDA_ERROR_INVALID_VALUE, "no memory was named");
  const Ref<Allocation> found = findMemory(pointer);
  if (found) attachManaged(found->address(), flags, *stream);
  return {};
}

} // namespace us::cuda
