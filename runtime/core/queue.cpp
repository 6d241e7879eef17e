// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/queue.h"

#include "runtime/base/without_exceptions.h"
#include "runtime/core/blocking_submit.h"
#include "runtime/core/buffer.h"
#include "runtime/core/kernel.h"
#include "runtime/core/residency.h"
#include "runtime/core/runtime.h"
#include "runtime/core/ticker.h"
#include "runtime/core/worker_pool.h"

#include <variant>

namespace us::core {
namespace {
// A command waits at least one whole tick, at most two, before the timer submits it.
constexpr uint64_t kTicksBeforeSubmission = 2;
// The same of one that may begin late (CommandWatch).
constexpr uint64_t kTicksWhileWatched = 100;
} // namespace

// A call of execute() in progress on this thread: when its command ends within the call, the loop around the call goes
// on with the queue, and nobody needs to be woken for it.
struct Queue::Execution {
  Execution(Event &event, bool isCall) : event(&event), isCall(isCall), outer(std::exchange(executing, this)) {}
  ~Execution() { executing = outer; }
  Event *const event;
  const bool isCall; ///< by the call that enqueues the command, which returns its failure
  Execution *const outer;
  bool ended = false; ///< within the call: taking it off the list and settle() are left to whoever called execute()
};
thread_local constinit Queue::Execution *Queue::executing = nullptr;

Ref<Queue> Queue::create(Context &context, Device &device, QueueProperties properties) {
  Ref<Queue> queue(new Queue(context, device, properties));
  if (!runtimeDead()) Ticker::add(*queue);
  return queue;
}

Queue::Queue(Context &context, Device &device, QueueProperties properties)
    : context_(&context), device_(&device), deviceQueue_(device.createQueue()), handsOver_(device.info().handsOver),
      profiling_(properties.profiling), commands_(properties.outOfOrder) {}
Queue::~Queue() = default;

void Queue::lastReferenceGone() {
  if (runtimeDead()) return;
  Ticker::remove(*this);
  delete this;
}

QueueProperties Queue::properties() const {
  if (runtimeDead()) return {};
  std::lock_guard hold(mutex_);
  return {commands_.outOfOrder(), profiling_};
}

Expected<void> Queue::setProperties(QueueProperties properties) {
  for (;;) {
    US_CHECK(finish());
    std::lock_guard hold(mutex_);
    if (commands_.first() || commands_.occupied()) continue;
    commands_.setOutOfOrder(properties.outOfOrder);
    profiling_ = properties.profiling;
    return {};
  }
}

std::vector<Ref<Event>> Queue::unfinishedEvents(const Event *before) const {
  std::vector<Ref<Event>> events;
  std::lock_guard hold(mutex_);
  if (before && commands_.outOfOrder()) return events;
  for (Event *event = commands_.first(); event; event = event->links_.next) {
    if (before && event->links_.number >= before->links_.number) break;
    events.push_back(Ref<Event>(event));
  }
  return events;
}

// --- Adding ---

Expected<Ref<Event>> Queue::enqueue(CommandRequest &&request) {
  if (runtimeDead()) return failDead();
  // Behind other commands: machine code may be made while they run, or while theirs is made.
  if (const auto *launch = std::get_if<LaunchCommand>(&request.command);
      launch && launch->kernel->wantsPreparation() && commands_.size() != 0)
    device_->prepare(*launch);
  Ref<Event> event(new Event(nullptr, Ref<Queue>(this), request.apiTag));
  if (const auto *map = std::get_if<MapCommand>(&request.command)) event->links_.lazy = map->unmap;
  event->isHostCall_ = std::holds_alternative<HostCallCommand>(request.command);
  event->isWatched_ = request.isWatched;
  event->links_.barrier = request.order == CommandRequest::Order::Barrier;
  event->command_ = std::move(request.command);
  event->keep_ = std::move(request.keep);
  event->watch_ = std::move(request.watch);
  event->beforeComplete_ = std::move(request.beforeComplete);
  event->onSuccess_ = std::move(request.onSuccess);

  for (const Ref<Event> &dependency : request.waitList)
    if (dependency->queue_ && dependency->queue_.get() != this) dependency->queue_->submitPending(Wake::Dispatchers);
  const bool waitsForAll = request.order != CommandRequest::Order::Plain && request.waitList.empty();

  bool needsTick, isTaken;
  {
    std::lock_guard hold(mutex_);
    // The last thing that may fail: from here the others know the event.
    size_t most = request.waitList.size();
    commands_.visitEarlier(waitsForAll, [&](Event &) { ++most; });
    if (most) event->dependencies_.reserve(most);
    for (const Ref<Event> &dependency : request.waitList) event->waitFor(*dependency, true);
    commands_.visitEarlier(waitsForAll, [&](Event &earlier) { event->waitFor(earlier, false); });
    // Without anything pending, or behind an unmap that the timer leaves alone, the timer may be asleep.
    const bool nothingPending = !commands_.pending();
    needsTick = nothingPending || commands_.last()->links_.lazy;
    if (nothingPending) pendingSince_ = Ticker::now();
    event->profiled_ = profiling_;
    if (event->profiled_) event->times_.queued = device_->now();
    event->retain();
    // The device has all that the command comes after: it is the next.
    isTaken = handsOver_ && commands_.isAllHandedOver() && !commands_.occupied() &&
              event->links_.open.load(std::memory_order_relaxed) == 1;
    if (isTaken)
      commands_.appendTaken(*event);
    else
      commands_.append(*event);
  }
  if (needsTick) Ticker::poke();
  for (const Ref<Event> &dependency : request.waitList)
    if (dependency->queue_ && dependency->queue_->device_ != device_) dependency->wantTelling();
  if (!handsOver_) return event;
  HandedOver done = HandedOver::Done;
  // What the wait list stands for may have moved memory since that was asked.
  if (isTaken) done = handOverTaken(*event, request.isAtHand && request.waitList.empty(), true);
  if (!isTaken || (done != HandedOver::ByOthers && !commands_.isAllHandedOver())) handOverReady();
  // What the device has refused has no event.
  if (done == HandedOver::HasEnded && event->failedByItself()) return std::unexpected(event->failure());
  return event;
}

Expected<void> Queue::add(CommandRequest &&request) {
  if (runtimeDead()) return failDead();
  if (handsOver_ && mayBePassedOn(request)) {
    US_TRY(const bool isPassedOn, passOn(request));
    if (isPassedOn) return {};
  }
  request.isWatched = false;
  US_CHECK(enqueue(std::move(request)));
  return {};
}

// --- Passing on ---
//
// Most commands of most programs are launches without an event, behind others that the device has already, and what
// they use is there. They are the device's at once, and nothing of ours stands for them.

bool Queue::mayBePassedOn(const CommandRequest &request) {
  return request.isAtHand && std::holds_alternative<LaunchCommand>(request.command) && request.waitList.empty() &&
         request.order == CommandRequest::Order::Plain && !request.watch && !request.beforeComplete &&
         !request.onSuccess;
}

// What other threads enqueue meanwhile may come before or after it.
Expected<bool> Queue::passOn(CommandRequest &request) {
  if (!commands_.isAllHandedOver()) return false;
  const auto &launch = std::get<LaunchCommand>(request.command);
  US_TRY(const bool isPassedOn, deviceQueue_->pass(launch, *this, request.keep));
  if (isPassedOn && launch.argumentsNumber == 0) notePassedOn();
  return isPassedOn;
}

PreparedLaunch Queue::prepared(const Kernel &kernel) {
  const PreparedLaunch latest = kernel.preparedFor(*device_);
  if (latest.kernel || !kernel.mayBePreparedFor(*device_)) return latest;
  if (const PreparedLaunch again = kernel.prepareAgain(*device_, *deviceQueue_); again.kernel) return again;
  LaunchCommand launch;
  KeepList keep;
  // What is wrong is told when it is added.
  if (!kernel.prepareLaunch(*device_, launch, keep) || launch.argumentsNumber == 0) return {};
  if (!deviceQueue_->takeArguments(launch)) return {};
  return {launch.kernel.get(), launch.argumentsNumber}; // which `kernel` keeps
}

Expected<bool> Queue::transfer(const Buffer &buffer, uint64_t offset, std::byte *host, uint64_t size, bool reads,
                               std::span<const PassedCommand> after) {
  if (!mayPassAgain() || !buffer.isAtHand(*device_, !reads)) return false;
  DeviceMemory *const memory = buffer.memoryIfApart(*device_);
  if (!memory) return false;
  return deviceQueue_->transfer(*memory, buffer.origin() + offset, host, size, reads, after);
}

Ref<Event> Queue::eventOf(PassedCommand command, uint32_t apiTag) {
  Ref<Event> event(new Event(nullptr, Ref<Queue>(this), apiTag));
  event->isListed_ = false;
  event->links_.stage = CommandStage::HandedOver;
  event->state_.store(EventState::Submitted);
  event->handedOver_.store(true);
  event->retain(); // until it has ended
  deviceQueue_->adopt(command, *event);
  return event;
}

void Queue::notePassedOn() {
  if (passedOn_.fetch_add(1, std::memory_order_acq_rel) == passedOnEnded_.load(std::memory_order_relaxed))
    Ticker::poke();
}

void Queue::passedOnFailed(const Error &error) { context_->reportCommand(error); }

void Queue::passedOnEnded(uint64_t upTo) {
  uint64_t known = passedOnEnded_.load(std::memory_order_relaxed);
  while (known < upTo && !passedOnEnded_.compare_exchange_weak(known, upTo, std::memory_order_relaxed)) {
  }
}

bool Queue::finishPassedOn() {
  const uint64_t upTo = passedOn_.load(std::memory_order_acquire);
  if (deviceQueue_->finishPassedAgain(*this)) return passedOnEnded(upTo), true;
  if (upTo == passedOnEnded_.load(std::memory_order_relaxed)) return false;
  deviceQueue_->finish();
  passedOnEnded(upTo);
  return true;
}

// --- Submitting ---

void Queue::submitPending(Wake wake) {
  if (!commands_.hasPending()) return;
  bool dispatches = false;
  {
    std::lock_guard hold(mutex_);
    flushWanted_ = false;
    commands_.submit();
    // A waiting thread releases as it runs; who flushes sees that all is submitted.
    if (wake == Wake::Dispatchers) {
      commands_.releaseDue();
      dispatches = wantsDispatch();
    }
  }
  if (dispatches) dispatch();
}

void Queue::requestFlush() {
  if (!commands_.hasPending()) return;
  {
    std::lock_guard hold(mutex_);
    flushWanted_ = true;
  }
  Ticker::poke();
}

bool Queue::tick(uint64_t now) {
  const bool isBusy = handsOver_ && tickHandedOver();
  return tickPending(now) || isBusy;
}

// What the device has ends by polling.
bool Queue::tickHandedOver() {
  const uint64_t passedOn = passedOn_.load(std::memory_order_acquire);
  if (passedOn == passedOnEnded_.load(std::memory_order_relaxed)) {
    std::lock_guard hold(mutex_);
    if (!commands_.isAnyHandedOver()) return false;
  }
  deviceQueue_->flush();
  if (!deviceQueue_->poll()) passedOnEnded(passedOn);
  return true;
}

bool Queue::tickPending(uint64_t now) {
  // Out of order: a waiting thread runs one command after the other; if that takes so long, others may help.
  const bool leftReady = leftReady_.exchange(false, std::memory_order_relaxed);
  if (leftReady) dispatchIfRunnable();
  if (!commands_.hasPending()) return leftReady;
  bool dispatches = false;
  {
    std::lock_guard hold(mutex_);
    if (!commands_.pending()) return leftReady;
    Event *end = nullptr; // the first one to leave alone
    if (!flushWanted_) {
      // An unmap that nobody asked for yet is not run behind the program's back, nor unmaps after it.
      end = commands_.lazyTail();
      if (end == commands_.pending()) return false;
      const CommandWatch *const watch = commands_.pending()->watch();
      const bool isWatchedLonger = watch && watch->mayBeginLate();
      if (now - pendingSince_ < (isWatchedLonger ? kTicksWhileWatched : kTicksBeforeSubmission)) return true;
    }
    flushWanted_ = false;
    commands_.submit(end);
    pendingSince_ = now;
    dispatches = wantsDispatch();
  }
  if (dispatches) dispatch();
  return true;
}

void Queue::becameReady(Event &event) {
  bool goesOnHere, dispatches;
  {
    std::lock_guard hold(mutex_);
    commands_.becameReady(event);
    // Out of order, or where the device has the one before, the loop that runs this queue's commands on this very
    // thread can take it next.
    goesOnHere = (commands_.outOfOrder() || handsOver_) && executing && executing->event->queue_.get() == this;
    dispatches = !goesOnHere && wantsDispatch();
  }
  if (goesOnHere) askForHelpLater();
  if (dispatches) dispatch();
}

// --- Running ---

// Whoever makes a command runnable, or leaves one runnable, dispatches the queue; so nothing runnable is ever
// forgotten.
bool Queue::wantsDispatch() {
  if (dispatched_ || !commands_.runnable()) return false;
  return dispatched_ = true;
}

void Queue::dispatch() {
  retain();
  dispatchers().post(dispatch_);
}

void Queue::dispatchIfRunnable() {
  if (commands_.size() == 0) return;
  {
    std::lock_guard hold(mutex_);
    if (!wantsDispatch()) return;
  }
  dispatch();
}

void Queue::askForHelpLater() {
  if (!leftReady_.exchange(true, std::memory_order_relaxed)) Ticker::poke();
}

void Queue::runDispatched() {
  bool first = true;
  for (Event *ended = nullptr;;) {
    Event *run;
    bool more; // out of order: another thread may take the next one now
    {
      std::lock_guard hold(mutex_);
      if (std::exchange(first, false)) dispatched_ = false;
      if (ended) commands_.remove(*ended);
      run = commands_.takeAny();
      more = run && wantsDispatch();
    }
    if (ended) settle(*ended);
    if (!run) return;
    if (more) dispatch();
    ended = execute(*run) ? run : nullptr;
  }
}

template <class Work> void Queue::endIfThrown(Event &event, Work &&work) {
  try {
    work();
  } catch (...) {
    if (event.state_.load() < EventState::Complete) event.end(0, withoutExceptions([]() -> Expected<void> { throw; }));
  }
}

// What can run now, on this thread, as far as the device takes it without making anybody wait.
void Queue::handOverReady() {
  for (bool isFirst = true;; isFirst = false) {
    Ref<Event> run;
    {
      std::lock_guard hold(mutex_);
      if (isFirst) commands_.submit();
      if (dispatched_) return; // somebody will
      run = Ref<Event>(commands_.takeAny());
    }
    if (!run || handOverTaken(*run) == HandedOver::ByOthers) return;
  }
}

Queue::HandedOver Queue::handOverTaken(Event &run, bool isMemoryThere, bool isCall) {
  bool hasEnded = false, dispatches = false;
  if (run.isHostCall_ || !(isMemoryThere || isAtHand(run))) {
    std::lock_guard hold(mutex_);
    commands_.putBack(run);
    dispatches = wantsDispatch();
  } else {
    hasEnded = execute(run, true, isCall);
  }
  if (hasEnded) {
    {
      std::lock_guard hold(mutex_);
      commands_.remove(run);
    }
    settle(run);
    return HandedOver::HasEnded;
  }
  if (!dispatches) return HandedOver::Done;
  dispatch();
  return HandedOver::ByOthers;
}

bool Queue::isAtHand(Event &event) {
  if (!context_->hasSeparateMemory()) return true;
  bool isThere = false;
  (void)withoutExceptions([&]() -> Expected<void> {
    US_TRY(isThere, bringMemoryAtOnce(*device_, event.command_, event.keep_));
    return {};
  });
  return isThere; // a failure is met again by whoever may wait
}

// What the device has in other queues of its own, and the command depends on, is the device's to wait for.
void Queue::followOthers(Event &event) {
  for (const Event::Dependency &dependency : event.dependencies_) {
    if (!dependency.met) continue;
    const Queue &other = *dependency.event->queue_;
    if (other.deviceQueue_ != deviceQueue_ && !dependency.event->settled())
      deviceQueue_->follow(*other.deviceQueue_, *dependency.event);
  }
}

Expected<void> Queue::bring(const Command &command, const KeepList &keep) {
  if (handsOver_) {
    const Expected<bool> isThere = bringMemoryAtOnce(*device_, command, keep);
    if (isThere && *isThere) return {};
    // Contents are not moved by the queue, but after what is in it.
    deviceQueue_->finish();
  }
  return bringMemory(*device_, command, keep);
}

// True if the command has ended: the caller takes it off the list, under the lock under which it looks for the next
// one, and then settles it.
bool Queue::execute(Event &event, bool isMemoryThere, bool isCall) {
  const Ref<Event> held(handsOver_ ? &event : nullptr); // another thread may end it
  Execution here(event, isCall);
  if (event.dependencyFailed_.load(std::memory_order_acquire)) {
    event.end(0, {});
  } else if (event.isHostCall_) {
    endIfThrown(event, [&] { runUserCode([this, held = Ref<Event>(&event)] { submit(*held); }); });
  } else {
    submit(event, isMemoryThere);
    if (handsOver_ && !here.ended) handOver(event);
  }
  return here.ended;
}

// Whoever has taken the command goes on with the queue: nobody needs to be woken for the next one.
void Queue::handOver(Event &event) {
  {
    std::lock_guard hold(mutex_);
    commands_.handOver(event);
  }
  event.handedOver();
}

// A device throws nothing, by its contract. Should it, then not before this: the command ends all the same.
void Queue::submit(Event &event, bool isMemoryThere) {
  endIfThrown(event, [&] {
    if (event.watch_)
      if (Expected<void> begun = event.watch_->begins(); !begun) return event.end(0, std::move(begun));
    if (handsOver_) followOthers(event);
    if (context_->hasSeparateMemory() && !isMemoryThere)
      if (Expected<void> there = bring(event.command_, event.keep_); !there) return event.end(0, std::move(there));
    deviceQueue_->submit(event.command_, event);
  });
}

bool Queue::isFailureOfCall(const Event &event) { return executing && executing->event == &event && executing->isCall; }

bool Queue::leftToExecution(Event &event) {
  if (!executing || executing->event != &event) return false;
  return executing->ended = true;
}

void Queue::ended(Event &event) {
  if (!event.isListed_) return settle(event);
  bool dispatches;
  {
    std::lock_guard hold(mutex_);
    commands_.remove(event);
    dispatches = wantsDispatch();
  }
  if (dispatches) dispatch();
  settle(event); // Event::end holds another reference
}

void Queue::settle(Event &event) {
  event.settle();
  event.release(); // enqueue()'s
}

// --- Waiting ---

// What `wanted` needs next, if it can run now: the command itself, one before it in its queue, or the same for one of
// another queue that it waits for.
Ref<Event> Queue::takeTowards(Event &wanted) {
  for (Ref<Event> target(&wanted); target && target->queue_;) {
    Queue &queue = *target->queue_;
    Ref<Event> blocked;
    {
      std::lock_guard hold(queue.mutex_);
      const auto step = queue.commands_.towards(*target);
      if (step.ready) {
        queue.commands_.take(*step.ready);
        return Ref<Event>(step.ready);
      }
      blocked = Ref<Event>(step.blocked);
    }
    target = blocked ? blocked->firstOpenDependency() : nullptr;
  }
  return nullptr;
}

// Runs what `wanted` needs on this thread as long as something of it can run, then sleeps until it has ended: whatever
// becomes runnable later is dispatched by the thread that makes it so.
void Queue::help(Event &wanted) {
  while (!wanted.settled() && !wanted.isHandedOver()) {
    const Ref<Event> run = takeTowards(wanted);
    if (!run) break;
    Queue &queue = *run->queue_;
    // In order, the next command of the queue is for this loop, too. It stays what it is while a command is unfinished.
    const bool goesOnHere = &queue == wanted.queue_.get() && !queue.commands_.outOfOrder();
    if (queue.execute(*run)) {
      {
        std::lock_guard hold(queue.mutex_);
        queue.commands_.remove(*run);
      }
      settle(*run);
    }
    if (!goesOnHere) queue.dispatchIfRunnable();
  }
  if (wanted.queue_ && !wanted.queue_->commands_.isAllHandedOver()) wanted.queue_->dispatchIfRunnable();
  if (wanted.isHandedOver())
    wanted.queue_->deviceQueue_->await(wanted);
  else
    wanted.wantTelling();
  while (!wanted.settled()) wanted.settled_.wait(0, std::memory_order_acquire);
}

Expected<void> Queue::flush() {
  if (runtimeDead()) return failDead();
  submitPending(Wake::Dispatchers);
  if (handsOver_) deviceQueue_->flush();
  return {};
}

void Queue::releasedByApplication() { (void)flush(); }

Expected<void> Queue::finish() {
  if (runtimeDead()) return failDead();
  uint64_t end = 0;
  bool hidden, isEmpty;
  {
    std::lock_guard hold(mutex_);
    flushWanted_ = false;
    commands_.submit(); // run by this thread
    end = commands_.nextNumber();
    // A blocking call on another thread, which has no event.
    hidden = commands_.occupied() && commands_.isAllHandedOver();
    isEmpty = !commands_.first() && !commands_.occupied();
  }
  if (hidden) {
    US_TRY(const Ref<Event> marker, enqueue({.order = CommandRequest::Order::Marker}));
    (void)marker->wait();
    return {};
  }
  for (Event *ended = nullptr; !isEmpty;) {
    Event *run = nullptr;
    Ref<Event> next;
    bool leavesReady = false, dispatches = false;
    {
      std::lock_guard hold(mutex_);
      if (ended) commands_.remove(*ended);
      Event *const first = commands_.first(), *const last = commands_.last();
      if (!first || first->links_.number >= end) {
        dispatches = wantsDispatch(); // what others have added since
      } else if ((run = commands_.takeAny())) {
        leavesReady = !dispatched_ && commands_.runnable();
      } else {
        // In order the latest is the last to end, unless others go on adding.
        next = Ref<Event>(commands_.outOfOrder() || last->links_.number >= end ? first : last);
      }
    }
    if (ended) settle(*std::exchange(ended, nullptr));
    if (dispatches) dispatch();
    if (leavesReady) askForHelpLater();
    if (run)
      ended = execute(*run) ? run : nullptr;
    else if (next)
      (void)next->wait(); // a command's failure is its event's, not finish's
    else
      break;
  }
  (void)finishPassedOn();
  return {};
}

Expected<void> Queue::run(CommandRequest &&request, Ref<Event> *event) {
  if (runtimeDead()) return failDead();
  if (!event && request.waitList.empty() && request.order == CommandRequest::Order::Plain &&
      !std::holds_alternative<HostCallCommand>(request.command)) {
    bool idle;
    {
      std::lock_guard hold(mutex_);
      idle = !commands_.outOfOrder() && !commands_.occupied() && commands_.isAllHandedOver();
      if (idle) commands_.occupy();
    }
    if (idle) return runWithoutEvent(request);
  }
  US_TRY(Ref<Event> made, enqueue(std::move(request)));
  Expected<void> result = made->wait();
  if (event) *event = std::move(made);
  return result;
}

Expected<void> Queue::runWithoutEvent(CommandRequest &request) {
  Expected<void> result = withoutExceptions([&]() -> Expected<void> {
    Expected<void> ran;
    if (request.watch) ran = request.watch->begins();
    if (ran && context_->hasSeparateMemory() && !request.isAtHand) ran = bring(request.command, request.keep);
    if (ran) ran = submitAndWait(*deviceQueue_, request.command);
    if (ran && handsOver_) notePassedOn(); // DeviceQueue::runToEnd: finish() has to ask the device
    if (request.beforeComplete) request.beforeComplete();
    if (ran && request.onSuccess) request.onSuccess();
    if (request.watch) request.watch->ends(ran.has_value());
    return ran;
  });
  request.keep.clear();
  bool dispatches;
  {
    std::lock_guard hold(mutex_);
    commands_.vacate();
    dispatches = wantsDispatch();
  }
  if (dispatches) dispatch();
  if (!result) context_->reportCommand(result.error());
  return result;
}

} // namespace us::core
