// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/event.h"

#include "runtime/base/without_exceptions.h"
#include "runtime/core/context.h"
#include "runtime/core/object_pool.h"
#include "runtime/core/queue.h"
#include "runtime/core/runtime.h"
#include "runtime/core/task.h"

#include <algorithm>

namespace us::core {
namespace {
using Pool = ObjectPool<sizeof(Event)>;
static_assert(alignof(Event) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
Pool &eventPool() {
  static Pool &pool = *new Pool;
  return pool;
}

Error waitListFailure() {
  Error failure{ErrorCode::ExecStatusErrorInWaitList, {}};
  (void)withoutExceptions([&]() -> Expected<void> {
    failure.message = "an event of the command's wait list ended with an error";
    return {};
  });
  return failure;
}
} // namespace

// Made when it is asked for, so that calling it back needs no memory.
struct Event::Callback final : Task {
  Callback(EventState state, EventCallback function) : state(state), function(std::move(function)) {}
  void run() override {
    const std::unique_ptr<Callback> self(this);
    function(status);
  }
  const EventState state;
  const EventCallback function;
  EventStatus status;
  Ref<Event> event; ///< lives as long as its callbacks have to be called
  Callback *next = nullptr;
};

void *Event::operator new(size_t) { return eventPool().allocate(); }
void Event::operator delete(void *memory) { eventPool().release(memory); }

Event::Event(Ref<Context> context, Ref<Queue> queue, uint32_t apiTag)
    : context_(std::move(context)), queue_(std::move(queue)), apiTag_(apiTag) {}
Event::~Event() = default;

Context &Event::context() const { return queue_ ? queue_->context() : *context_; }

void Event::lastReferenceGone() {
  if (runtimeDead()) return;
  delete this;
}

Ref<Event> Event::createUser(Context &context, Ref<CommandWatch> watch) {
  Ref<Event> event(new Event(Ref<Context>(&context), nullptr, 0));
  event->watch_ = std::move(watch);
  event->state_.store(EventState::Submitted);
  return event;
}

Expected<void> Event::completeUser(int32_t code) {
  if (runtimeDead()) return failDead();
  if (!isUser()) return fail(ErrorCode::InvalidEvent, "only a user event's status can be set");
  if (code > 0) return fail(ErrorCode::InvalidValue, "a user event ends with 0 or a negative status");
  Expected<void> result;
  if (code < 0) result = fail(ErrorCode::Internal, "the application failed the user event");
  // Two threads may both try: the first one wins.
  if (queried_.exchange(true)) return fail(ErrorCode::InvalidOperation, "the user event's status was already set");
  userCode_ = code;
  end(0, std::move(result));
  return {};
}

EventStatus Event::statusOf(EventState state) const {
  EventStatus status{state};
  if (state != EventState::Failed) return status;
  std::lock_guard hold(mutex_);
  status.error = error_.code;
  status.userCode = userCode_;
  return status;
}

EventStatus Event::peekStatus() const { return statusOf(state_.load(std::memory_order_acquire)); }

EventStatus Event::queryStatus() {
  if (isUser() || state_.load(std::memory_order_acquire) >= EventState::Complete || runtimeDead()) return peekStatus();
  if (queue_->handsOver_) {
    queue_->deviceQueue_->flush();
    queue_->deviceQueue_->poll();
    return peekStatus();
  }
  if (queried_.exchange(true, std::memory_order_relaxed)) {
    queue_->submitPending(Queue::Wake::Dispatchers);
    return peekStatus();
  }
  const EventStatus status = peekStatus();
  queue_->requestFlush();
  return status;
}

Attention Event::attention() const {
  if (wantsTelling_.load() || hasCallbacks_.load()) return Attention::Told;
  // Nobody asks of whom only the queue knows any more.
  return isWatched_ && !unique() ? Attention::Asks : Attention::Leaves;
}

void Event::wantTelling() {
  if (!queue_ || !queue_->handsOver_) return;
  wantsTelling_.store(true);
  if (handedOver_.load()) queue_->deviceQueue_->watch(*this);
}

void Event::handedOver() {
  // Commands of the same device need not wait any longer.
  Dependency *due = nullptr, **end = &due;
  {
    std::lock_guard hold(mutex_);
    if (state_.load(std::memory_order_relaxed) >= EventState::Complete) return;
    handedOver_.store(true);
    Dependency *rest = std::exchange(firstDependent_, nullptr);
    lastDependent_ = nullptr;
    while (rest) {
      Dependency &dependency = *std::exchange(rest, rest->next);
      dependency.next = nullptr;
      if (dependency.command->queue_->device_ == queue_->device_) {
        dependency.met = true;
        *end = &dependency;
        end = &dependency.next;
      } else {
        (lastDependent_ ? lastDependent_->next : firstDependent_) = &dependency;
        lastDependent_ = &dependency;
      }
    }
  }
  while (due) {
    Dependency &dependency = *std::exchange(due, due->next);
    Event &command = *dependency.command;
    const Ref<Queue> queue = command.queue_;
    {
      std::lock_guard hold(mutex_);
      list(dependency);
    }
    // Once its count falls another thread may run and free the command.
    if (command.links_.open.fetch_sub(1, std::memory_order_acq_rel) == 1) queue->becameReady(command);
  }
  if (wantsTelling_.load() || hasCallbacks_.load()) queue_->deviceQueue_->watch(*this);
}

void Event::list(Dependency &dependency) {
  // The event may have ended since: nothing more to pass on but what it says already.
  const EventState state = state_.load(std::memory_order_relaxed);
  if (state >= EventState::Complete) {
    if (state == EventState::Failed && dependency.propagates)
      dependency.command->dependencyFailed_.store(true, std::memory_order_relaxed);
    return;
  }
  dependency.isListed = true;
  dependency.previous = nullptr;
  dependency.next = firstMet_;
  if (firstMet_) firstMet_->previous = &dependency;
  firstMet_ = &dependency;
}

void Event::unlist(Dependency &dependency) {
  if (!std::exchange(dependency.isListed, false)) return;
  (dependency.previous ? dependency.previous->next : firstMet_) = dependency.next;
  if (dependency.next) dependency.next->previous = dependency.previous;
}

bool Event::hasDependents() const {
  std::lock_guard hold(mutex_);
  return firstDependent_ != nullptr;
}

bool Event::failedByItself() const {
  return state_.load(std::memory_order_acquire) == EventState::Failed &&
         failure().code != ErrorCode::ExecStatusErrorInWaitList;
}

Error Event::failure() const {
  std::lock_guard hold(mutex_);
  return error_;
}

void Event::addCallback(EventState state, EventCallback callback) {
  if (runtimeDead()) return;
  auto made = std::make_unique<Callback>(state, std::move(callback));
  {
    std::lock_guard hold(mutex_);
    callbacks_.push_back(std::move(made));
    hasCallbacks_.store(true);
  }
  wantTelling();
  // Either whoever changes the state sees the flag, or this sees the state: both are sequentially consistent.
  fireCallbacks(state_.load());
  if (queue_) queue_->submitPending(Queue::Wake::Dispatchers);
}

void Event::fireCallbacks(EventState reached) {
  Callback *due = nullptr, **end = &due;
  {
    std::lock_guard hold(mutex_);
    for (std::unique_ptr<Callback> &callback : callbacks_) {
      if (callback->state > reached) continue;
      callback->event = Ref<Event>(this);
      callback->status = EventStatus{callback->state};
      if (reached == EventState::Failed) callback->status = {EventState::Failed, error_.code, userCode_};
      *end = callback.release();
      end = &(*end)->next;
    }
    std::erase(callbacks_, nullptr);
  }
  while (due) runUserCode(*std::exchange(due, due->next));
}

void Event::reach(EventState state) {
  state_.store(state);
  if (hasCallbacks_.load()) fireCallbacks(state);
}

void Event::issued() {
  if (profiled_) times_.submitted = std::max(queue_->device().now(), times_.queued);
  reach(EventState::Submitted);
}

void Event::started(uint64_t time) {
  times_.started = std::max(time, times_.submitted);
  reach(EventState::Running);
}

void Event::codeAwaited(uint64_t nanoseconds) {
  queue_->codeAwaited_.fetch_add(nanoseconds, std::memory_order_relaxed);
}

void Event::foundByCheck(const std::string &sentence, const std::string &json) {
  context().reportFinding(sentence, json);
}

void Event::finished(uint64_t time, Expected<void> result) { end(time, std::move(result)); }

void Event::waitFor(Event &event, bool propagates) {
  std::lock_guard hold(event.mutex_);
  const EventState state = event.state_.load(std::memory_order_relaxed);
  if (state >= EventState::Complete) {
    if (state == EventState::Failed && propagates) dependencyFailed_.store(true, std::memory_order_relaxed);
    return;
  }
  Dependency &added = dependencies_.emplace_back(Ref<Event>(&event), this, propagates);
  if (event.isHandedOver() && event.queue_->device_ == queue_->device_) {
    added.met = true;
    return event.list(added);
  }
  links_.open.fetch_add(1, std::memory_order_relaxed);
  (event.lastDependent_ ? event.lastDependent_->next : event.firstDependent_) = &added;
  event.lastDependent_ = &added;
}

Ref<Event> Event::firstOpenDependency() const {
  std::lock_guard hold(mutex_);
  for (const Dependency &dependency : dependencies_)
    if (!dependency.event->settled()) return dependency.event;
  return nullptr;
}

// The order matters: book-keeping, the ended state, release of what the command held, then those who wait, so that
// whoever has waited finds everything released, and destructor callbacks find their last command ended. Nothing on the
// way may be left out for want of memory: only what is told about a failure needs any.
void Event::end(uint64_t time, Expected<void> result) {
  const Ref<Event> self(this);
  if (dependencyFailed_.load(std::memory_order_acquire)) result = std::unexpected(waitListFailure());
  if (beforeComplete_ || onSuccess_) {
    Expected<void> kept = withoutExceptions([&]() -> Expected<void> {
      if (beforeComplete_) beforeComplete_();
      if (onSuccess_ && result) onSuccess_();
      return {};
    });
    if (!kept && result) result = std::move(kept);
  }
  if (watch_) {
    (void)withoutExceptions([&]() -> Expected<void> {
      watch_->ends(result.has_value());
      return {};
    });
  }
  const bool failed = !result;
  const bool ownFailure = failed && queue_ && result.error().code != ErrorCode::ExecStatusErrorInWaitList;

  Dependency *dependents;
  KeepList keep;
  std::vector<Dependency> dependencies;
  {
    std::lock_guard hold(mutex_);
    if (failed) error_ = std::move(result).error();
    if (profiled_ && !failed) {
      times_.started = std::max(times_.started, times_.submitted);
      times_.ended = std::max(times_.ended ? times_.ended : time, times_.started);
      times_.completed = std::max(time, times_.ended);
      if (queue_) times_.codeAwaited = queue_->codeAwaited_.load(std::memory_order_relaxed);
    }
    state_.store(failed ? EventState::Failed : EventState::Complete);
    dependents = firstDependent_;
    for (; firstMet_; unlist(*firstMet_))
      if (failed && firstMet_->propagates) firstMet_->command->dependencyFailed_.store(true, std::memory_order_release);
    keep = std::move(keep_);
    dependencies.swap(dependencies_);
  }
  command_.emplace<NoCommand>();
  beforeComplete_ = onSuccess_ = nullptr;
  keep.clear();
  for (Dependency &dependency : dependencies) {
    if (!dependency.met) continue;
    std::lock_guard hold(dependency.event->mutex_);
    dependency.event->unlist(dependency);
  }
  dependencies.clear();
  if (ownFailure && !Queue::isFailureOfCall(*this)) context().reportCommand(error_); // changes no more

  while (dependents) {
    // Once its count falls another thread may run and free the command, so its queue is held first.
    Event &command = *dependents->command;
    const Ref<Queue> queue = command.queue_;
    if (failed && dependents->propagates) command.dependencyFailed_.store(true, std::memory_order_relaxed);
    dependents = dependents->next;
    if (command.links_.open.fetch_sub(1, std::memory_order_acq_rel) == 1) queue->becameReady(command);
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
