// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/queue.h"

#include "runtime/core/blocking_submit.h"
#include "runtime/core/runtime.h"
#include "runtime/core/ticker.h"
#include "runtime/core/worker_pool.h"

#include <algorithm>
#include <variant>

namespace us::core {
namespace {
// A command waits at least one whole tick, at most two, before the timer submits it.
constexpr uint64_t kTicksBeforeSubmission = 2;

// In order, commands that are due are released so many at a time: the lock is never held for thousands of them, and
// who releases them is who runs them.
constexpr int kReleasedAtOnce = 32;

Error waitListFailure() {
  return {ErrorCode::ExecStatusErrorInWaitList, "an event of the command's wait list ended with an error"};
}
} // namespace

// A call of execute() in progress on this thread: when its command ends within the call, the loop around the call goes
// on with the queue, and nobody needs to be woken for it.
struct Queue::Execution {
  explicit Execution(Event &event) : event(&event), outer(std::exchange(executing, this)) {}
  ~Execution() { executing = outer; }
  Event *const event;
  Execution *const outer;
  bool ended = false; ///< within the call: unlink() and settle() are left to whoever called execute()
};
thread_local constinit Queue::Execution *Queue::executing = nullptr;

Ref<Queue> Queue::create(Context &context, Device &device, QueueProperties properties) {
  Ref<Queue> queue(new Queue(context, device, properties));
  if (!runtimeDead()) Ticker::add(*queue);
  return queue;
}

Queue::Queue(Context &context, Device &device, QueueProperties properties)
    : context_(&context), device_(&device), properties_(properties) {}
Queue::~Queue() = default;

void Queue::lastReferenceGone() {
  if (runtimeDead()) return;
  Ticker::remove(*this);
  delete this;
}

QueueProperties Queue::properties() const {
  if (runtimeDead()) return {};
  std::lock_guard hold(mutex_);
  return properties_;
}

Expected<void> Queue::setProperties(QueueProperties properties) {
  for (;;) {
    US_CHECK(finish());
    std::lock_guard hold(mutex_);
    if (first_ || busy_) continue;
    properties_ = properties;
    return {};
  }
}

size_t Queue::unfinished() const { return unfinished_.load(std::memory_order_acquire); }

// --- Adding ---

Expected<Ref<Event>> Queue::enqueue(CommandRequest &&request) {
  if (runtimeDead()) return failDead();
  // Behind other commands: machine code may be made while they run, or while theirs is made.
  if (const auto *launch = std::get_if<LaunchCommand>(&request.command);
      launch && launch->kernel->wantsPreparation() && unfinished_.load(std::memory_order_relaxed))
    device_->prepare(*launch);
  Ref<Event> event(new Event(nullptr, Ref<Queue>(this), request.apiTag));
  if (const auto *map = std::get_if<MapCommand>(&request.command)) event->isUnmap_ = map->unmap;
  event->isHostCall_ = std::holds_alternative<HostCallCommand>(request.command);
  event->barrier_ = request.order == CommandRequest::Order::Barrier;
  event->command_ = std::move(request.command);
  event->keep_ = std::move(request.keep);
  event->beforeComplete_ = std::move(request.beforeComplete);
  event->onSuccess_ = std::move(request.onSuccess);

  // From here the others may know the event. Should memory run out before it is in the queue, it is leaked: never
  // flushed, it never becomes ready, and nobody is left with a pointer to nothing.
  event->retain();
  event->dependencies_.reserve(request.waitList.size());
  for (const Ref<Event> &dependency : request.waitList) {
    if (dependency->queue_ && dependency->queue_.get() != this) dependency->queue_->submitPending(Wake::Dispatchers);
    if (dependency->addDependent(*event, true)) event->dependencies_.push_back(dependency);
  }
  const bool waitsForAll = request.order != CommandRequest::Order::Plain && request.waitList.empty();

  bool needsTick;
  {
    std::lock_guard hold(mutex_);
    // Without anything pending, or behind an unmap that the timer leaves alone, the timer may be asleep.
    needsTick = !firstPending_ || last_->isUnmap_;
    event->profiled_ = properties_.profiling;
    if (properties_.outOfOrder) {
      // What came before the latest barrier has ended once the barrier has.
      Event *from = waitsForAll ? (lastBarrier_ ? lastBarrier_ : first_) : lastBarrier_;
      for (Event *earlier = from; earlier; earlier = waitsForAll ? earlier->next_ : nullptr)
        if (earlier->addDependent(*event, false)) event->dependencies_.push_back(Ref<Event>(earlier));
      if (event->barrier_) lastBarrier_ = event.get();
    }
    append(*event);
  }
  if (needsTick) Ticker::poke();
  return event;
}

void Queue::append(Event &event) {
  event.number_ = nextNumber_++;
  if (event.profiled_) event.times_.queued = device_->now();
  event.previous_ = last_;
  (last_ ? last_->next_ : first_) = &event;
  last_ = &event;
  unfinished_.store(unfinished_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (!nextToIssue_) nextToIssue_ = &event;
  if (!firstPending_) {
    firstPending_ = &event;
    pendingSince_ = Ticker::now();
    hasPending_.store(true, std::memory_order_relaxed);
  }
}

// --- Submitting ---

void Queue::submitPending(Wake wake) {
  if (!hasPending_.load(std::memory_order_acquire)) return;
  bool dispatches = false;
  {
    std::lock_guard hold(mutex_);
    makeDue(nullptr);
    // A waiting thread releases as it runs; who flushes sees that all is submitted.
    if (wake == Wake::Dispatchers) {
      releaseUpTo(nullptr);
      dispatches = wantsDispatch();
    }
  }
  if (dispatches) dispatch();
}

void Queue::requestFlush() {
  if (!hasPending_.load(std::memory_order_acquire)) return;
  {
    std::lock_guard hold(mutex_);
    flushWanted_ = true;
  }
  Ticker::poke();
}

bool Queue::tick(uint64_t now) {
  // Out of order: a waiting thread runs one command after the other; if that takes so long, others may help.
  const bool leftReady = leftReady_.exchange(false, std::memory_order_relaxed);
  if (leftReady) dispatchIfRunnable();
  if (!hasPending_.load(std::memory_order_acquire)) return leftReady;
  bool dispatches = false;
  {
    std::lock_guard hold(mutex_);
    if (!firstPending_) return leftReady;
    Event *end = nullptr; // the first one to leave alone
    if (!flushWanted_) {
      // An unmap that nobody asked for yet is not run behind the program's back, nor unmaps after it.
      for (Event *event = last_; event && event->isUnmap_; event = event->previous_) {
        end = event;
        if (event == firstPending_) return false;
      }
      if (now - pendingSince_ < kTicksBeforeSubmission) return true;
    }
    makeDue(end);
    pendingSince_ = now;
    dispatches = wantsDispatch();
  }
  if (dispatches) dispatch();
  return true;
}

// With `most`: so many at most, and only those that are due.
void Queue::releaseUpTo(Event *end, int most) {
  const bool onlyDue = most > 0;
  for (; firstPending_ != end; firstPending_ = firstPending_->next_) {
    if (onlyDue && (firstPending_->number_ >= dueBefore_ || most-- == 0)) break;
    if (firstPending_->open_.fetch_sub(1, std::memory_order_acq_rel) == 1 && properties_.outOfOrder)
      issue(*firstPending_);
  }
  if (!properties_.outOfOrder) issueBlocked();
  hasPending_.store(firstPending_ != nullptr, std::memory_order_release);
}

// Submits what is pending before `end`; in order, whoever runs the queue releases it when its turn comes.
void Queue::makeDue(Event *end) {
  flushWanted_ = false;
  if (properties_.outOfOrder) return releaseUpTo(end);
  dueBefore_ = std::max(dueBefore_, end ? end->number_ : nextNumber_);
}

// In order: a command is issued only after all before it are, so that one behind an open wait stays Queued.
void Queue::issueBlocked() {
  for (; nextToIssue_ && nextToIssue_->open_.load(std::memory_order_acquire) == 0; nextToIssue_ = nextToIssue_->next_)
    issue(*nextToIssue_);
}

void Queue::issue(Event &event) {
  event.issued_ = true;
  if (event.profiled_) event.times_.submitted = std::max(device_->now(), event.times_.queued);
  event.reach(EventState::Submitted);
  if (!properties_.outOfOrder) return;
  event.previousReady_ = lastReady_;
  (lastReady_ ? lastReady_->nextReady_ : firstReady_) = &event;
  lastReady_ = &event;
}

void Queue::becameReady(Event &event) {
  bool goesOnHere, dispatches;
  {
    std::lock_guard hold(mutex_);
    // In order, `event` may be gone by now: another thread may have issued it since its count fell.
    if (properties_.outOfOrder)
      issue(event);
    else
      issueBlocked();
    // Out of order, the loop that runs this queue's commands on this very thread can take it next.
    goesOnHere = properties_.outOfOrder && executing && executing->event->queue_.get() == this;
    dispatches = !goesOnHere && wantsDispatch();
  }
  if (goesOnHere) askForHelpLater();
  if (dispatches) dispatch();
}

// --- Running ---

// Whoever makes a command runnable, or leaves one runnable, dispatches the queue; so nothing runnable is ever
// forgotten.
bool Queue::runnable() {
  if (properties_.outOfOrder) return firstReady_ != nullptr;
  if (busy_ || !first_) return false;
  if (first_ == firstPending_ && first_->number_ < dueBefore_) releaseUpTo(nullptr, kReleasedAtOnce);
  return first_->issued_;
}

bool Queue::wantsDispatch() {
  if (dispatched_ || !runnable()) return false;
  return dispatched_ = true;
}

void Queue::dispatch() {
  retain();
  dispatchers().post([this] { Ref<Queue>::adopt(this)->runDispatched(); });
}

void Queue::dispatchIfRunnable() {
  if (unfinished_.load(std::memory_order_acquire) == 0) return;
  {
    std::lock_guard hold(mutex_);
    if (!wantsDispatch()) return;
  }
  dispatch();
}

void Queue::askForHelpLater() {
  if (!leftReady_.exchange(true, std::memory_order_relaxed)) Ticker::poke();
}

Event *Queue::takeAny() {
  if (!runnable()) return nullptr;
  Event &event = properties_.outOfOrder ? *firstReady_ : *first_;
  take(event);
  return &event;
}

void Queue::take(Event &event) {
  event.taken_ = true;
  if (!properties_.outOfOrder) {
    busy_ = true;
    return;
  }
  (event.previousReady_ ? event.previousReady_->nextReady_ : firstReady_) = event.nextReady_;
  (event.nextReady_ ? event.nextReady_->previousReady_ : lastReady_) = event.previousReady_;
}

void Queue::runDispatched() {
  bool more = false; // out of order: another thread may take the next one now
  Event *event;
  {
    std::lock_guard hold(mutex_);
    dispatched_ = false;
    event = takeAny();
    if (event) more = wantsDispatch();
  }
  while (event) {
    if (more) dispatch();
    Event *const ended = execute(*event) ? event : nullptr;
    {
      std::lock_guard hold(mutex_);
      if (ended) unlink(*ended);
      event = takeAny();
      if (event) more = wantsDispatch();
    }
    if (ended) settle(*ended);
  }
}

// True if the command has ended: the caller unlinks it, under the lock under which it looks for the next one, and then
// settles it.
bool Queue::execute(Event &event) {
  if (event.isHostCall_ && !event.dependencyFailed_.load(std::memory_order_acquire)) {
    runUserCode([this, held = Ref<Event>(&event)] { device_->submit(held->command_, *held); });
    return false;
  }
  Execution here(event);
  if (event.dependencyFailed_.load(std::memory_order_acquire))
    event.end(0, std::unexpected(waitListFailure()));
  else
    device_->submit(event.command_, event);
  return here.ended;
}

bool Queue::leftToExecution(Event &event) {
  if (!executing || executing->event != &event) return false;
  return executing->ended = true;
}

void Queue::unlink(Event &event) {
  (event.previous_ ? event.previous_->next_ : first_) = event.next_;
  (event.next_ ? event.next_->previous_ : last_) = event.previous_;
  if (lastBarrier_ == &event) lastBarrier_ = nullptr;
  if (nextToIssue_ == &event) nextToIssue_ = event.next_;
  unfinished_.store(unfinished_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  if (!properties_.outOfOrder) busy_ = false;
}

void Queue::settle(Event &event) {
  event.settle();
  event.release(); // enqueue()'s
}

void Queue::ended(Event &event) {
  bool dispatches;
  {
    std::lock_guard hold(mutex_);
    unlink(event);
    dispatches = wantsDispatch();
  }
  if (dispatches) dispatch();
  settle(event); // Event::end holds another reference
}

// --- Waiting ---

// Runs what `wanted` needs on this thread as long as something of it can run, then sleeps until it has ended: whatever
// becomes runnable later is dispatched by the thread that makes it so.
void Queue::help(Event &wanted) {
  while (!wanted.settled()) {
    Ref<Event> run, target(&wanted);
    bool goesOnHere = false; // the next command of the queue is for this loop, too
    while (!run && target && target->queue_) {
      Queue &queue = *target->queue_;
      Ref<Event> blocker;
      {
        std::lock_guard hold(queue.mutex_);
        if (queue.properties_.outOfOrder) {
          if (target->issued_ && !target->taken_)
            queue.take(*(run = target));
          else if (!target->issued_)
            blocker = target;
        } else if (queue.busy_ || !queue.first_ || queue.first_->number_ > target->number_) {
          // Running on another thread, or just ended.
        } else if (queue.runnable()) {
          run = Ref<Event>(queue.first_);
          queue.take(*run);
          goesOnHere = &queue == wanted.queue_.get();
        } else {
          blocker = Ref<Event>(queue.first_);
        }
      }
      if (!run) target = blocker ? blocker->firstOpenDependency() : nullptr;
    }
    if (!run) break;
    Queue &queue = *run->queue_;
    if (queue.execute(*run)) {
      {
        std::lock_guard hold(queue.mutex_);
        queue.unlink(*run);
      }
      settle(*run);
    }
    if (!goesOnHere) queue.dispatchIfRunnable();
  }
  if (wanted.queue_) wanted.queue_->dispatchIfRunnable();
  while (!wanted.settled()) wanted.settled_.wait(0, std::memory_order_acquire);
}

Expected<void> Queue::flush() {
  if (runtimeDead()) return failDead();
  submitPending(Wake::Dispatchers);
  return {};
}

void Queue::releasedByApplication() {
  if (!runtimeDead()) submitPending(Wake::Dispatchers);
}

Expected<void> Queue::finish() {
  if (runtimeDead()) return failDead();
  uint64_t end = 0;
  bool outOfOrder, hidden;
  {
    std::lock_guard hold(mutex_);
    makeDue(nullptr); // run by this thread
    end = nextNumber_;
    outOfOrder = properties_.outOfOrder;
    hidden = busy_ && !first_; // a blocking call on another thread that has no event
  }
  if (hidden) {
    US_TRY(const Ref<Event> marker, enqueue({.order = CommandRequest::Order::Marker}));
    (void)marker->wait();
    return {};
  }
  for (Event *ended = nullptr;;) {
    Ref<Event> next;
    Event *run = nullptr;
    bool over, leavesReady = false, dispatches = false;
    {
      std::lock_guard hold(mutex_);
      if (ended) unlink(*ended);
      over = !first_ || first_->number_ >= end;
      if (over) {
        dispatches = wantsDispatch(); // what others have added since
      } else {
        run = takeAny();
        leavesReady = firstReady_ && !dispatched_;
        // In order the latest is the last to end, unless others go on adding.
        if (!run) next = Ref<Event>(outOfOrder || last_->number_ >= end ? first_ : last_);
      }
    }
    if (ended) settle(*std::exchange(ended, nullptr));
    if (dispatches) dispatch();
    if (over) return {};
    if (leavesReady) askForHelpLater();
    if (!run)
      (void)next->wait(); // a command's failure is its event's, not finish's
    else if (execute(*run))
      ended = run;
  }
}

Expected<void> Queue::run(CommandRequest &&request, Ref<Event> *event) {
  if (runtimeDead()) return failDead();
  if (!event && request.waitList.empty() && request.order == CommandRequest::Order::Plain &&
      !std::holds_alternative<HostCallCommand>(request.command)) {
    bool idle;
    {
      std::lock_guard hold(mutex_);
      idle = !properties_.outOfOrder && !first_ && !busy_;
      if (idle) busy_ = true;
    }
    if (idle) return runWithoutEvent(request);
  }
  US_TRY(Ref<Event> made, enqueue(std::move(request)));
  Expected<void> result = made->wait();
  if (event) *event = std::move(made);
  return result;
}

Expected<void> Queue::runWithoutEvent(CommandRequest &request) {
  Expected<void> result = submitAndWait(*device_, request.command);
  if (request.beforeComplete) request.beforeComplete();
  if (result && request.onSuccess) request.onSuccess();
  request.keep.clear();
  bool dispatches;
  {
    std::lock_guard hold(mutex_);
    busy_ = false;
    dispatches = wantsDispatch();
  }
  if (dispatches) dispatch();
  if (!result) context_->reportCommand(result.error());
  return result;
}

} // namespace us::core
