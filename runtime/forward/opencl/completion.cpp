// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/completion.h"

#include "runtime/base/clock.h"
#include "runtime/base/own_thread.h"
#include "runtime/base/without_exceptions.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <deque>

namespace us::forward {
namespace {

/// Of so many commands in a row one has an event of the driver's, so that the others are not kept for ever.
constexpr uint32_t kWithoutEvent = 64;
/// So many events are waited for together.
constexpr size_t kMostAwaited = 16;
/// So many objects of one command are compared with those that the ones before it keep.
constexpr size_t kMostKept = 8;

} // namespace

/// Commands that the driver has and that were passed on, one after the other, by one owner: most use the same.
struct Completion::Passed {
  uint64_t count = 0; ///< 0: none
  Ref<CommandOwner> owner{};
  KeptObjects keep{};
};

/// A command that the driver has, or several that were passed on, or an event of the driver's by which the ends of
/// those before it are learnt.
struct Completion::Entry {
  uint64_t number = 0;
  CommandObserver *observer = nullptr; ///< null: nobody is told of success
  std::unique_ptr<Passed> passed{};    ///< null: none
  bool isTold = false;                 ///< its observer asks nobody
  bool isGiven = false;                ///< the driver has work of it
  bool hasEnded = false;               ///< and has ended it when it is listed
  bool isGood = false;                 ///< the driver has said that it did not fail
  uint64_t submitted = 0;
  cl_event first = nullptr, last = nullptr; ///< of its first and last piece, which may be one; null: none
  const char *call = "";
  std::vector<std::vector<std::byte>> sources{};
  std::shared_ptr<State> followed{}; ///< of another queue: a command of it has ended before
  std::optional<Error> failure{};
};

struct Completion::State : GivingOrder {
  explicit State(Ref<RealQueue> real) : queue(std::move(real)) {}
  const cl_icd_dispatch &call() const { return queue->call(); }

  const Ref<RealQueue> queue;
  uint32_t withoutEvent = 0;            ///< commands since the latest event; guarded by giving
  Passed passed;                        ///< not listed yet; guarded by giving
  std::atomic<uint32_t> finishing{0};   ///< threads that have taken `passed` and wait for all; raised with giving held
  std::atomic<bool> hasUnlisted{false}; ///< the driver may have work that is no entry's
  std::atomic<bool> hasOthers{false};   ///< commands were listed or passed on for which nobody has waited yet

  std::mutex mutex; // guards all below; the driver is only asked what it knows with this held
  std::deque<Entry> entries;
  uint64_t ended = 0;             ///< the driver has ended all up to this one
  uint32_t waiting = 0;           ///< threads that wait for events of entries
  std::vector<cl_event> forsaken; ///< events of entries that are gone, for which one of those may wait
  std::optional<std::thread::id> teller;
  std::condition_variable told;    ///< nobody tells any more
  std::condition_variable changed; ///< for the thread
  bool stops = false;
};

Completion::Completion(Ref<RealQueue> queue) : state_(std::make_shared<State>(std::move(queue))), order_(*state_) {}

Completion::~Completion() {
  finish();
  {
    std::lock_guard hold(state_->mutex);
    state_->stops = true;
  }
  state_->changed.notify_all();
  if (!thread_.joinable()) return;
  // The last reference to the device may go in the thread itself, when it ends a command.
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
}

// --- Giving ---

void Completion::submit(PieceSource &pieces, CommandObserver &observer) {
  State &state = *state_;
  const Attention attention = observer.attention();
  Entry entry{.observer = &observer, .isTold = attention == Attention::Told};
  uint64_t number = 0;
  bool isGiven = false;
  Expected<void> listed;
  {
    std::lock_guard order(state.giving);
    give(state, entry, pieces, attention);
    if (!entry.isGiven) endBehindUnkept(state, entry);
    isGiven = entry.isGiven;
    listed = withoutExceptions([&]() -> Expected<void> {
      listPassed(state, nullptr);
      number = list(state, entry);
      return {};
    });
    if (!listed) state.call().clFinish(state.queue->queue());
  }
  if (!listed) return tell(state, entry);
  if (!isGiven) {
    Lock hold(state.mutex);
    tellAll(state, hold); // it ends with what came before it, which may have ended
  }
  if (attention == Attention::Told)
    watch(observer);
  else if (attention == Attention::Waits)
    await(observer);
  else if (number % kWithoutEvent == 0)
    poll(state);
}

/// With State::giving held.
uint64_t Completion::list(State &state, Entry &entry) {
  Lock hold(state.mutex);
  state.entries.push_back(std::move(entry));
  state.hasOthers.store(true, std::memory_order_relaxed);
  Entry &listed = state.entries.back();
  listed.number = state.nextNumber++;
  if (listed.hasEnded) state.ended = listed.number;
  return listed.number;
}

Expected<void> Completion::pass(OneCall &command, CommandOwner &owner, KeptObjects &keep) {
  State &state = *state_;
  bool isListed = false;
  {
    std::lock_guard order(state.giving);
    const bool wantsEvent = state.withoutEvent >= kWithoutEvent;
    cl_event event = nullptr;
    US_CHECK(command.give(wantsEvent ? &event : nullptr));
    state.withoutEvent = wantsEvent ? 0 : state.withoutEvent + 1;
    state.wantsFlush.store(true, std::memory_order_relaxed);
    const Expected<void> kept = withoutExceptions([&]() -> Expected<void> {
      Passed &passed = state.passed;
      if (passed.owner.get() != &owner || passed.keep.size() > kMostKept) {
        listPassed(state, nullptr);
        passed.owner = Ref<CommandOwner>(&owner);
      }
      for (Ref<Object> &object : keep)
        if (std::ranges::find(passed.keep, object) == passed.keep.end()) passed.keep.push_back(std::move(object));
      ++passed.count;
      state.hasOthers.store(true, std::memory_order_relaxed);
      if (event) listPassed(state, event);
      return {};
    });
    if (!kept) state.call().clFinish(state.queue->queue());
    isListed = event != nullptr;
  }
  if (isListed) poll(state);
  return {};
}

void Completion::adopt(cl_event event, uint64_t number, const char *call, CommandObserver &observer) {
  State &state = *state_;
  state.call().clRetainEvent(event);
  Entry entry{.number = number, .observer = &observer, .isGiven = true, .first = event, .last = event, .call = call};
  Lock hold(state.mutex);
  const Expected<void> listed = withoutExceptions([&]() -> Expected<void> {
    const auto next = std::ranges::upper_bound(state.entries, number, {}, &Entry::number);
    state.entries.insert(next, std::move(entry));
    state.hasOthers.store(true, std::memory_order_relaxed);
    return {};
  });
  if (listed) return tellAll(state, hold); // it may have ended
  hold.unlock();
  state.call().clWaitForEvents(1, &event);
  tell(state, entry);
  state.call().clReleaseEvent(event);
}

bool Completion::mayHaveOthers() const { return state_->hasOthers.load(std::memory_order_acquire) || hasUnlisted(); }

void Completion::noteUnlisted() { state_->hasUnlisted.store(true, std::memory_order_relaxed); }

void Completion::tellOwner(CommandOwner &owner, cl_int code) {
  (void)withoutExceptions([&]() -> Expected<void> {
    owner.passedOnFailed(driverError("clFinish", code));
    return {};
  });
}

bool Completion::finishUnkept(CommandOwner &owner) {
  if (!order_.mayHaveUnkept()) return false;
  if (mayHaveOthers()) {
    finish(&owner);
    return true;
  }
  const uint64_t unkept = order_.unkept.load(std::memory_order_acquire);
  const cl_int code = state_->call().clFinish(state_->queue->queue());
  order_.haveEnded(unkept);
  if (code != CL_SUCCESS) tellOwner(owner, code);
  return true;
}

/// With State::giving held: what was passed on becomes an entry, with the event of the last of it if there is one.
void Completion::listPassed(State &state, cl_event event) {
  if (state.passed.count == 0) return;
  Entry entry{.isGiven = true, .first = event, .last = event, .call = "what was enqueued"};
  entry.passed = std::make_unique<Passed>();
  *entry.passed = std::exchange(state.passed, {});
  const Expected<void> listed = withoutExceptions([&]() -> Expected<void> {
    list(state, entry);
    return {};
  });
  if (listed) return;
  state.call().clFinish(state.queue->queue());
  if (event) state.call().clReleaseEvent(event);
}

/// Gives the driver all pieces of a command, and keeps what is known of them. Throws nothing.
void Completion::give(State &state, Entry &entry, PieceSource &pieces, Attention attention) {
  CommandObserver &observer = *entry.observer;
  const bool mayAsk = attention == Attention::Told || attention == Attention::Asks;
  const bool isTimed = mayAsk && observer.wantsTimes();
  const Manner manner{.wantsEvent = mayAsk || state.withoutEvent >= kWithoutEvent,
                      .mayBlock = attention == Attention::Waits};
  if (observer.wantsTimes()) entry.submitted = monotonicNanoseconds();
  const Expected<void> given = withoutExceptions([&]() -> Expected<void> {
    if (isTimed) US_CHECK(state.queue->takeTimes());
    for (;;) {
      US_TRY(std::optional<Begun> piece, pieces.next(manner));
      if (!piece) return {};
      if (!piece->event && !piece->hasNoEvent && !piece->hasEnded) continue;
      entry.call = piece->call;
      entry.isGiven = true;
      if (entry.last && entry.last != entry.first) state.call().clReleaseEvent(entry.last);
      entry.last = piece->event;
      if (!entry.first) entry.first = entry.last;
      if (!piece->source.empty()) entry.sources.push_back(std::move(piece->source));
      entry.hasEnded = piece->hasEnded;
    }
  });
  if (!given) entry.failure = given.error();
  if (!entry.isGiven) return;
  state.withoutEvent = entry.last ? 0 : state.withoutEvent + 1;
  state.wantsFlush.store(true, std::memory_order_relaxed);
}

/// With State::giving held: what the driver has no work of ends with what is before it, of which nothing may be listed.
void Completion::endBehindUnkept(State &state, Entry &entry) {
  if (entry.failure || !state.mayHaveUnkept()) return;
  const cl_command_queue queue = state.queue->queue();
  if (state.call().clEnqueueMarkerWithWaitList(queue, 0, nullptr, &entry.last) != CL_SUCCESS) {
    state.call().clFinish(queue);
    return;
  }
  entry.first = entry.last;
  entry.call = "clEnqueueMarkerWithWaitList";
  entry.isGiven = true;
}

/// Puts an event behind commands that have none.
void Completion::placeEvent(State &state) {
  (void)withoutExceptions([&]() -> Expected<void> {
    std::unique_lock order(state.giving, std::try_to_lock);
    if (!order) return {};
    cl_event event = nullptr;
    if (state.call().clEnqueueMarkerWithWaitList(state.queue->queue(), 0, nullptr, &event) != CL_SUCCESS) return {};
    Entry entry{.isGiven = true, .first = event, .last = event};
    state.hasUnlisted.store(false, std::memory_order_relaxed);
    listPassed(state, nullptr);
    list(state, entry);
    state.withoutEvent = 0;
    state.wantsFlush.store(true, std::memory_order_relaxed);
    return {};
  });
}

/// An event of the driver's that says that the command of this observer has ended; null if it has. The caller's.
cl_event Completion::eventOf(State &state, const CommandObserver &observer) {
  cl_event event = nullptr;
  {
    std::lock_guard hold(state.mutex);
    const auto entry = std::find_if(state.entries.rbegin(), state.entries.rend(),
                                    [&](const Entry &entry) { return entry.observer == &observer; });
    if (entry == state.entries.rend() || entry->number <= state.ended) return nullptr;
    event = entry->last;
    if (event) state.call().clRetainEvent(event);
  }
  if (!event) state.call().clEnqueueMarkerWithWaitList(state.queue->queue(), 0, nullptr, &event);
  // "To use event objects that refer to commands enqueued in a command-queue as event objects to wait on by commands
  // enqueued in a different command-queue, the application must call a clFlush".
  state.call().clFlush(state.queue->queue());
  return event;
}

void Completion::follow(Completion &other, const CommandObserver &observer) {
  State &state = *state_;
  const cl_event awaited = eventOf(*other.state_, observer);
  if (!awaited) return;
  (void)withoutExceptions([&]() -> Expected<void> {
    std::lock_guard order(state.giving);
    Entry entry{.isGiven = true, .call = "a barrier behind another queue", .followed = other.state_};
    if (state.call().clEnqueueBarrierWithWaitList(state.queue->queue(), 1, &awaited, &entry.last) != CL_SUCCESS) {
      state.call().clWaitForEvents(1, &awaited);
      return {};
    }
    entry.first = entry.last;
    listPassed(state, nullptr);
    list(state, entry);
    state.withoutEvent = 0;
    state.wantsFlush.store(true, std::memory_order_relaxed);
    return {};
  });
  state.call().clReleaseEvent(awaited);
}

void Completion::flush() {
  if (state_->wantsFlush.load(std::memory_order_relaxed) &&
      state_->wantsFlush.exchange(false, std::memory_order_relaxed))
    state_->call().clFlush(state_->queue->queue());
}

// --- Learning of ends ---

/// Tells of everything that has ended. Returns when nobody else tells any more either.
void Completion::tellAll(State &state, Lock &hold) {
  // An observer may submit while it is told.
  if (state.teller == std::this_thread::get_id()) return;
  state.told.wait(hold, [&] { return !state.teller; });
  const auto hasEnded = [&] {
    if (state.entries.empty()) return false;
    const Entry &next = state.entries.front();
    return !next.isGiven || next.number <= state.ended;
  };
  if (!hasEnded()) return;
  state.teller = std::this_thread::get_id();
  while (hasEnded()) {
    std::optional<Entry> entry = std::move(state.entries.front());
    state.entries.pop_front();
    const bool mayBeAwaited = state.waiting != 0;
    const cl_event first = entry->first, last = entry->last;
    hold.unlock();
    if (entry->followed) poll(*entry->followed); // its failures come first
    tell(state, *entry);
    entry.reset(); // what it keeps may go, and call the driver
    if (last && !mayBeAwaited) letGo(state, first, last);
    hold.lock();
    if (last && mayBeAwaited)
      (void)withoutExceptions([&]() -> Expected<void> { // without memory they stay
        state.forsaken.push_back(last);
        if (first != last) state.forsaken.push_back(first);
        return {};
      });
  }
  state.teller.reset();
  state.told.notify_all();
}

void Completion::tell(const State &state, Entry &entry) {
  const cl_icd_dispatch &call = state.call();
  CommandObserver *const observer = entry.observer;
  const bool isTimed = observer && observer->wantsTimes();
  uint64_t duration = 0;
  if (entry.last) {
    cl_int status = CL_COMPLETE, code = CL_SUCCESS;
    // Of one that nobody looks at only what follows tells.
    if (!entry.isGood && (!observer || observer->attention() != Attention::Leaves))
      code = call.clGetEventInfo(entry.last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (code == CL_SUCCESS) code = std::min(status, CL_SUCCESS);
    if (code != CL_SUCCESS && !entry.failure)
      (void)withoutExceptions([&]() -> Expected<void> {
        entry.failure = driverError(std::string("the end of ") + entry.call, code);
        return {};
      });
    cl_ulong begin = 0, end = 0;
    if (isTimed &&
        call.clGetEventProfilingInfo(entry.first, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr) ==
            CL_SUCCESS &&
        call.clGetEventProfilingInfo(entry.last, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) == CL_SUCCESS)
      duration = end - std::min(begin, end);
  }
  if (entry.passed && entry.failure) entry.passed->owner->passedOnFailed(*entry.failure);
  if (!observer) return;
  // The driver's clock is not ours: durations are its own, and the end is when we have learnt of it.
  const uint64_t now = isTimed ? monotonicNanoseconds() : 0;
  if (isTimed) observer->started(std::max(now - std::min(now, duration), entry.submitted));
  if (entry.failure) return observer->finished(now, std::unexpected(*std::move(entry.failure)));
  observer->finished(now, {});
}

void Completion::letGo(const State &state, cl_event first, cl_event last) {
  state.call().clReleaseEvent(last);
  if (first != last) state.call().clReleaseEvent(first);
}

/// Waits for the event of the entry of that number, and in the same call for those before it: then the driver need not
/// be asked of each whether it has failed.
cl_int Completion::waitFor(State &state, Lock &hold, uint64_t number) {
  cl_event events[kMostAwaited];
  uint64_t first = number;
  cl_uint count = 0;
  for (auto at = std::ranges::upper_bound(state.entries, number, {}, &Entry::number);
       at != state.entries.begin() && count < kMostAwaited;) {
    --at;
    if (at->number <= state.ended) break;
    if (!at->last) continue;
    events[count++] = at->last;
    first = at->number;
  }
  ++state.waiting;
  hold.unlock();
  cl_int code = state.call().clWaitForEvents(count, events);
  const bool areGood = code == CL_SUCCESS;
  if (!areGood && count > 1) code = state.call().clWaitForEvents(1, events);
  hold.lock();
  if (areGood)
    for (auto at = std::ranges::lower_bound(state.entries, first, {}, &Entry::number);
         at != state.entries.end() && at->number <= number; ++at)
      at->isGood = true;
  if (--state.waiting != 0 || state.forsaken.empty()) return code;
  const std::vector<cl_event> forsaken = std::exchange(state.forsaken, {});
  hold.unlock();
  for (const cl_event event : forsaken) state.call().clReleaseEvent(event);
  hold.lock();
  return code;
}

/// Waits until the driver has ended the command of that number, and tells.
void Completion::await(State &state, Lock &hold, uint64_t number) {
  // What the driver has no work of ends with what is before it.
  auto at = std::ranges::lower_bound(state.entries, number, {}, &Entry::number);
  while (at != state.entries.begin() && !at->isGiven) --at;
  if (!at->isGiven || at->number <= state.ended) return tellAll(state, hold);
  const auto withEvent = std::find_if(at, state.entries.end(), [](const Entry &entry) { return entry.last; });
  const bool hasEvent = withEvent != state.entries.end();
  const uint64_t until = hasEvent ? withEvent->number : state.entries.back().number;
  cl_int code;
  if (hasEvent) {
    code = waitFor(state, hold, until);
  } else {
    hold.unlock();
    code = state.call().clFinish(state.queue->queue());
    hold.lock();
  }
  if (code != CL_SUCCESS)
    for (Entry &entry : state.entries)
      if (entry.number <= until && entry.isGiven && !entry.last && !entry.failure)
        (void)withoutExceptions([&]() -> Expected<void> {
          entry.failure = driverError(std::string("the end of ") + entry.call, code);
          return {};
        });
  state.ended = std::max(state.ended, until);
  tellAll(state, hold);
}

void Completion::await(const CommandObserver &observer) {
  Lock hold(state_->mutex);
  const auto entry = std::find_if(state_->entries.rbegin(), state_->entries.rend(),
                                  [&](const Entry &entry) { return entry.observer == &observer; });
  if (entry == state_->entries.rend()) return tellAll(*state_, hold); // somebody tells of it, or has
  await(*state_, hold, entry->number);
}

/// `wait` returns the driver's code when all has ended that the driver was given before.
template <class Wait> void Completion::waitForAll(Wait wait, CommandOwner *owner) {
  State &state = *state_;
  Passed passed;
  uint64_t until, unkept;
  {
    std::lock_guard order(state.giving);
    if (state.passed.count) {
      passed = std::exchange(state.passed, {});
      state.finishing.fetch_add(1, std::memory_order_relaxed);
    }
    state.withoutEvent = 0; // of what has none the driver is asked now
    state.hasOthers.store(false, std::memory_order_relaxed);
    state.hasUnlisted.store(false, std::memory_order_relaxed);
    until = state.nextNumber - 1;
    unkept = state.unkept.load(std::memory_order_relaxed);
  }
  // Whoever else waits may have taken what was passed on: the driver is asked in any case.
  const cl_int code = wait();
  if (passed.count) state.finishing.fetch_sub(1, std::memory_order_release);
  state.haveEnded(unkept);
  if (passed.owner) owner = passed.owner.get();
  if (code != CL_SUCCESS && owner) tellOwner(*owner, code);
  Lock hold(state.mutex);
  if (code == CL_SUCCESS) state.ended = std::max(state.ended, until);
  if (code == CL_SUCCESS || state.entries.empty()) return tellAll(state, hold);
  await(state, hold, state.entries.back().number);
}

void Completion::finish(CommandOwner *owner) {
  waitForAll([&] { return state_->call().clFinish(state_->queue->queue()); }, owner);
}

bool Completion::hasUnlisted() const { return state_->hasUnlisted.load(std::memory_order_relaxed); }

void Completion::finishUnlisted() {
  if (hasUnlisted()) finish();
}

Expected<void> Completion::run(OneCall &command, bool isEnd) {
  if (!isEnd) {
    US_CHECK(command.give(nullptr));
    state_->hasUnlisted.store(true, std::memory_order_relaxed);
    return {};
  }
  Expected<void> result;
  waitForAll([&] {
    result = command.give(nullptr);
    return result ? CL_SUCCESS : state_->call().clFinish(state_->queue->queue());
  });
  return result;
}

/// Asks the driver of as few events as may be: what has ended has no gap. False if there was none to ask of.
bool Completion::askHowFar(State &state) {
  const std::deque<Entry> &entries = state.entries;
  const auto hasEnded = [&](const Entry &entry) {
    cl_int status = CL_COMPLETE;
    const cl_int code =
        state.call().clGetEventInfo(entry.last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (code == CL_SUCCESS && status > CL_COMPLETE) return false;
    state.ended = entry.number;
    return true;
  };
  const auto firstToAsk = [&](size_t from, size_t to) {
    while (from < to && (!entries[from].last || entries[from].number <= state.ended)) ++from;
    return from;
  };
  size_t high = entries.size(), low = firstToAsk(0, high);
  if (low == high) return false;
  if (!hasEnded(entries[low++])) return true; // mostly
  while (low < high) {
    const size_t middle = low + (high - low) / 2, asked = firstToAsk(middle, high);
    if (asked < high && hasEnded(entries[asked]))
      low = asked + 1;
    else
      high = middle;
  }
  return true;
}

bool Completion::poll(State &state) {
  bool needsEvent = false, isBusy = true;
  if (const std::unique_lock order(state.giving, std::try_to_lock); order)
    isBusy = state.finishing.load(std::memory_order_acquire) != 0 || !withoutExceptions([&]() -> Expected<void> {
               listPassed(state, nullptr);
               return {};
             });
  {
    Lock hold(state.mutex);
    const bool isUnlisted = state.hasUnlisted.load(std::memory_order_relaxed);
    if (state.entries.empty() && !isUnlisted) return isBusy || state.teller;
    const bool isAsked = askHowFar(state);
    needsEvent = isUnlisted || (!isAsked && state.entries.back().number > state.ended);
    // Whoever tells already tells of these, too.
    if (!state.teller) tellAll(state, hold);
    isBusy |= state.teller || needsEvent || !state.entries.empty();
  }
  if (needsEvent) placeEvent(state);
  return isBusy;
}

void Completion::watch(const CommandObserver &observer) {
  State &state = *state_;
  flush();
  const Expected<void> isWatched = withoutExceptions([&]() -> Expected<void> {
    std::lock_guard hold(state.mutex);
    const auto entry = std::find_if(state.entries.rbegin(), state.entries.rend(),
                                    [&](const Entry &entry) { return entry.observer == &observer; });
    if (entry == state.entries.rend()) return {};
    entry->isTold = true;
    if (thread_.joinable()) return {};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const Expected<void> made = withoutExceptions([&]() -> Expected<void> {
      thread_ = std::thread([kept = state_] {
        thisThreadIsOurs();
        work(*kept);
      });
      return {};
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
  });
  // Without a thread there is nobody else.
  if (!isWatched) return await(observer);
  state.changed.notify_one();
}

void Completion::work(State &state) {
  Lock hold(state.mutex);
  for (;;) {
    const auto next = [&] { return std::ranges::find_if(state.entries, &Entry::isTold); };
    state.changed.wait(hold, [&] { return state.stops || next() != state.entries.end(); });
    if (next() == state.entries.end()) return;
    await(state, hold, next()->number);
  }
}

} // namespace us::forward
