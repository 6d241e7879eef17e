// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/event.h"

#include "runtime/core/context.h"
#include "runtime/core/object_pool.h"
#include "runtime/core/queue.h"
#include "runtime/core/runtime.h"

#include <algorithm>

namespace us::core {
namespace {
using Pool = ObjectPool<sizeof(Event)>;
static_assert(alignof(Event) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
Pool &pool() {
  static Pool &pool = *new Pool;
  return pool;
}
} // namespace

void *Event::operator new(size_t) { return pool().allocate(); }
void Event::operator delete(void *memory) { pool().release(memory); }

Event::Event(Ref<Context> context, Ref<Queue> queue, uint32_t apiTag)
    : context_(std::move(context)), queue_(std::move(queue)), apiTag_(apiTag) {}
Event::~Event() = default;

Context &Event::context() const { return queue_ ? queue_->context() : *context_; }

void Event::lastReferenceGone() {
  if (runtimeDead()) return;
  delete this;
}

Ref<Event> Event::createUser(Context &context) {
  Ref<Event> event(new Event(Ref<Context>(&context), nullptr, 0));
  event->state_.store(EventState::Submitted);
  return event;
}

Expected<void> Event::completeUser(int32_t code) {
  if (runtimeDead()) return failDead();
  if (!isUser()) return fail(ErrorCode::InvalidEvent, "only a user event's status can be set");
  if (code > 0) return fail(ErrorCode::InvalidValue, "a user event ends with 0 or a negative status");
  // Two threads may both try: the first one wins.
  if (queried_.exchange(true)) return fail(ErrorCode::InvalidOperation, "the user event's status was already set");
  userCode_ = code;
  end(0, code == 0 ? Expected<void>() : fail(ErrorCode::Internal, "the application failed the user event"));
  return {};
}

EventStatus Event::statusOf(EventState state) const {
  EventStatus status{state};
  if (state != EventState::Failed) return status;
  std::lock_guard hold(mutex_);
  status.error = error_->code;
  status.userCode = userCode_;
  return status;
}

EventStatus Event::peekStatus() const { return statusOf(state_.load(std::memory_order_acquire)); }

EventStatus Event::queryStatus() {
  if (isUser() || state_.load(std::memory_order_acquire) >= EventState::Complete || runtimeDead()) return peekStatus();
  if (queried_.exchange(true, std::memory_order_relaxed)) {
    queue_->submitPending(Queue::Wake::Dispatchers);
    return peekStatus();
  }
  const EventStatus status = peekStatus();
  queue_->requestFlush();
  return status;
}

Error Event::failure() const {
  std::lock_guard hold(mutex_);
  return error_ ? *error_ : Error{};
}

void Event::addCallback(EventState state, EventCallback callback) {
  if (runtimeDead()) return;
  {
    std::lock_guard hold(mutex_);
    callbacks_.push_back({state, std::move(callback)});
    hasCallbacks_.store(true);
  }
  // Either whoever changes the state sees the flag, or this sees the state: both are sequentially consistent.
  fireCallbacks(state_.load());
  if (queue_) queue_->submitPending(Queue::Wake::Dispatchers);
}

void Event::fireCallbacks(EventState reached) {
  std::vector<Callback> due;
  EventStatus failed;
  {
    std::lock_guard hold(mutex_);
    const auto isDue = [&](const Callback &callback) { return callback.state <= reached; };
    for (Callback &callback : callbacks_)
      if (isDue(callback)) due.push_back(std::move(callback));
    std::erase_if(callbacks_, isDue);
    if (error_) failed = {EventState::Failed, error_->code, userCode_};
  }
  for (Callback &callback : due) {
    const EventStatus status = reached == EventState::Failed ? failed : EventStatus{callback.state};
    // The event lives as long as its callbacks have to be called.
    runUserCode([self = Ref<Event>(this), function = std::move(callback.function), status] { function(status); });
  }
}

void Event::reach(EventState state) {
  state_.store(state);
  if (hasCallbacks_.load()) fireCallbacks(state);
}

void Event::started(uint64_t time) {
  times_.started = std::max(time, times_.submitted);
  reach(EventState::Running);
}

void Event::codeAwaited(uint64_t nanoseconds) {
  queue_->codeAwaited_.fetch_add(nanoseconds, std::memory_order_relaxed);
}

void Event::finished(uint64_t time, Expected<void> result) { end(time, std::move(result)); }

bool Event::addDependent(Event &event, bool propagates) {
  std::lock_guard hold(mutex_);
  const EventState state = state_.load(std::memory_order_relaxed);
  if (state < EventState::Complete) {
    event.open_.fetch_add(1, std::memory_order_relaxed);
    dependents_.push_back({&event, propagates});
    return true;
  }
  if (state == EventState::Failed && propagates) event.dependencyFailed_.store(true, std::memory_order_relaxed);
  return false;
}

Ref<Event> Event::firstOpenDependency() const {
  std::lock_guard hold(mutex_);
  for (const Ref<Event> &dependency : dependencies_)
    if (!dependency->settled()) return dependency;
  return nullptr;
}

// The order matters: book-keeping, the ended state, release of what the command held, then those who wait, so that
// whoever has waited finds everything released, and destructor callbacks find their last command ended.
void Event::end(uint64_t time, Expected<void> result) {
  const Ref<Event> self(this);
  const bool failed = !result;
  if (beforeComplete_) beforeComplete_();
  if (onSuccess_ && !failed) onSuccess_();
  const bool ownFailure = failed && queue_ && result.error().code != ErrorCode::ExecStatusErrorInWaitList;
  const Error reported = ownFailure ? result.error() : Error{};

  std::vector<Dependent> dependents;
  KeepList keep;
  std::vector<Ref<Event>> dependencies;
  {
    std::lock_guard hold(mutex_);
    if (failed) error_ = std::make_unique<Error>(std::move(result).error());
    if (profiled_ && !failed) {
      times_.started = std::max(times_.started, times_.submitted);
      times_.ended = std::max(times_.ended ? times_.ended : time, times_.started);
      times_.completed = std::max(time, times_.ended);
      if (queue_) times_.codeAwaited = queue_->codeAwaited_.load(std::memory_order_relaxed);
    }
    state_.store(failed ? EventState::Failed : EventState::Complete);
    dependents.swap(dependents_);
    keep = std::move(keep_);
    dependencies.swap(dependencies_);
  }
  command_.emplace<NoCommand>();
  beforeComplete_ = onSuccess_ = nullptr;
  keep.clear();
  dependencies.clear();
  if (ownFailure) context().reportCommand(reported);

  for (const Dependent &dependent : dependents) {
    if (failed && dependent.propagates) dependent.event->dependencyFailed_.store(true, std::memory_order_relaxed);
    // Once its count falls another thread may run and free it, so its queue is held first.
    const Ref<Queue> queue = dependent.event->queue_;
    if (dependent.event->open_.fetch_sub(1, std::memory_order_acq_rel) == 1) queue->becameReady(*dependent.event);
  }
  if (!queue_) return settle();
  if (!Queue::leftToExecution(*this)) queue_->ended(*this);
}

void Event::settle() {
  settled_.store(1, std::memory_order_release);
  settled_.notify_all();
  if (hasCallbacks_.load()) fireCallbacks(state_.load(std::memory_order_relaxed));
}

Expected<void> Event::wait() {
  if (runtimeDead()) return failDead();
  if (!settled()) {
    if (queue_) queue_->submitPending(Queue::Wake::Nobody);
    Queue::help(*this);
  }
  if (state_.load(std::memory_order_acquire) == EventState::Failed) return std::unexpected(failure());
  return {};
}

Expected<void> Event::waitAll(std::span<const Ref<Event>> events) {
  if (runtimeDead()) return failDead();
  // This thread runs the first one's queue; the others' go on meanwhile.
  for (const Ref<Event> &event : events)
    if (event->queue_ && event->queue_ != events.front()->queue_)
      event->queue_->submitPending(Queue::Wake::Dispatchers);
  const Event *failed = nullptr;
  for (const Ref<Event> &event : events)
    if (!event->wait() && !failed) failed = event.get();
  if (!failed) return {};
  return fail(ErrorCode::ExecStatusErrorInWaitList,
              "an event waited for ended with an error: " + failed->failure().message);
}

Expected<EventTimes> Event::times() const {
  if (!profiled_) return fail(ErrorCode::ProfilingInfoNotAvailable, "the event's queue does not profile");
  std::lock_guard hold(mutex_);
  if (state_.load(std::memory_order_relaxed) != EventState::Complete)
    return fail(ErrorCode::ProfilingInfoNotAvailable, "the command is not complete");
  return times_;
}

Expected<int64_t> Event::timeBetween(const Event &from, const Event &to) {
  US_TRY(const EventTimes first, from.times());
  US_TRY(const EventTimes second, to.times());
  const int64_t all = static_cast<int64_t>(second.ended - first.ended);
  if (from.queue() != to.queue()) return all;
  return all - static_cast<int64_t>(second.codeAwaited - first.codeAwaited);
}

} // namespace us::core
