// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event: one command of a queue (or a user event) and how far it is. An event is also the node of the command graph:
// it holds its command until that has finished.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/base/short_lock.h"
#include "runtime/core/command_watch.h"
#include "runtime/core/keep_list.h"
#include "runtime/core/unfinished_commands.h"
#include "runtime/device/command.h"
#include "runtime/device/device.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace us::core {

class Context;
class Queue;

enum class EventState : uint8_t {
  Queued,    ///< in its queue: not flushed, or waiting for other events
  Submitted, ///< handed to the device (a user event: waiting for the application)
  Running,
  Complete,
  Failed, ///< ended with an error
};

struct EventStatus {
  EventState state = EventState::Queued;
  ErrorCode error{};    ///< of a Failed command
  int32_t userCode = 0; ///< what the application ended a user event with, if negative: report it unchanged
  bool ended() const { return state >= EventState::Complete; }
  bool failed() const { return state == EventState::Failed; }
};

/// Nanoseconds of Device::now(), queued <= submitted <= started <= ended <= completed.
struct EventTimes {
  uint64_t queued = 0, submitted = 0, started = 0, ended = 0, completed = 0;
  /// How long, all together, the queue's commands up to this one have waited for machine code: time of the host's,
  /// which lies between commands and is no part of any.
  uint64_t codeAwaited = 0;
};

/// Called on a thread of the runtime with the state asked for, or with Failed and why.
using EventCallback = std::function<void(const EventStatus &)>;

class Event final : public Object, private CommandObserver {
public:
  /// A user event: Submitted until completeUser.
  static Ref<Event> createUser(Context &context, Ref<CommandWatch> watch = {});
  /// Ends a user event; a negative code fails it and every command that waits for it. Never waits.
  /// InvalidOperation if it has ended already; InvalidEvent if this is no user event; InvalidValue if code > 0.
  Expected<void> completeUser(int32_t code);

  /// What the application sees when it asks. The first query of an event answers at once and makes the runtime flush
  /// its queue within the next two milliseconds; every later one flushes first
  /// (docs/decisions/0003-lazy-submission.md).
  EventStatus queryStatus();
  /// The state as it is, with no effect.
  EventStatus peekStatus() const;
  /// The failure's sentence; empty unless Failed.
  Error failure() const;

  /// Calls back when the state (Submitted, Running or Complete) is reached or has been reached; flushes the queue.
  void addCallback(EventState state, EventCallback callback);

  /// Waits until all have ended; flushes their queues first, and runs ready commands that they need on this thread.
  /// ExecStatusErrorInWaitList if any of them failed.
  static Expected<void> waitAll(std::span<const Ref<Event>> events);
  /// Waits for this event alone; returns the failure itself.
  Expected<void> wait();

  /// ProfilingInfoNotAvailable for a user event, if the queue did not profile when the command was enqueued, or before
  /// the command is Complete.
  Expected<EventTimes> times() const;
  /// Nanoseconds between the ends of two commands. In one queue, without those in which code was made for what lies
  /// between them: drivers compile when a program is loaded, we do at the first launch, and clients who time that one
  /// want the device's work (hashcat gives up after two seconds).
  static Expected<int64_t> timeBetween(const Event &from, const Event &to);

  Context &context() const;
  /// The queue, or null for a user event.
  Queue *queue() const { return queue_.get(); }
  bool isUser() const { return !queue_; }
  /// CommandRequest::watch; null: none.
  CommandWatch *watch() const { return watch_.get(); }
  /// Commands wait for it.
  bool hasDependents() const;
  /// What the API called the command (e.g. its command type); meaningless to the core.
  uint32_t apiTag() const { return apiTag_; }

  static void *operator new(size_t size);
  static void operator delete(void *memory);

private:
  friend class Queue;
  friend class Reclaimer;
  friend class UnfinishedCommands<Event>;
  struct Callback;
  /// That a command waits for an event: held by the command, listed by the event until that has ended, so that neither
  /// needs memory when one of them moves on.
  ///
  /// Where the event's device has it and will run the command after it (DeviceInfo::handsOver), the command waits no
  /// more and may end first: then the dependency is `met`, and only there for the event's failure.
  struct Dependency {
    Ref<Event> event;
    Event *command;  ///< alive: its queue holds it until it has ended, which is after `event` or unlinks this
    bool propagates; ///< the event's failure is the command's
    Dependency *next = nullptr;
    // Guarded by the event's mutex:
    bool met = false;
    Dependency *previous = nullptr; ///< of the event's met ones
    bool isListed = false;          ///< among those
  };

  Event(Ref<Context> context, Ref<Queue> queue, uint32_t apiTag);
  ~Event() override;
  void lastReferenceGone() override;

  Attention attention() const override;
  bool wantsTimes() const override { return profiled_; }
  void started(uint64_t time) override;
  void codeAwaited(uint64_t nanoseconds) override;
  void ownPartEnded(uint64_t time) override { times_.ended = time; }
  bool wantsTouched() const override { return watch_ && watch_->wantsTouched(); }
  void touched(const std::vector<TouchedRange> &ranges) override {
    if (watch_) watch_->touched(ranges);
  }
  void foundByCheck(const std::string &sentence, const std::string &json) override;
  void finished(uint64_t time, Expected<void> result) override;

  /// Makes this command wait for `event`, unless that has ended already (its failure is passed on at once).
  /// dependencies_ has room.
  void waitFor(Event &event, bool propagates);
  void issued();
  /// The queue's device has the command and runs what it is given later after it.
  void handedOver();
  bool isHandedOver() const { return handedOver_.load(); }
  /// Somebody who does not ask the device waits for the end.
  void wantTelling();
  /// With mutex_ held: the met dependencies on this event.
  void list(Dependency &dependency);
  void unlist(Dependency &dependency);
  void reach(EventState state);
  void fireCallbacks(EventState reached);
  void end(uint64_t time, Expected<void> result);
  /// The last step: wakes those who wait and calls back.
  void settle();
  /// It has ended with a failure that is not one of its wait list.
  bool failedByItself() const;
  Ref<Event> firstOpenDependency() const;
  EventStatus statusOf(EventState state) const;
  bool settled() const { return settled_.load(std::memory_order_acquire) != 0; }

  const Ref<Context> context_; ///< of a user event; others have their queue's
  const Ref<Queue> queue_;
  const uint32_t apiTag_;
  bool profiled_ = false;
  bool isHostCall_ = false; ///< application code: never run by a waiting thread
  bool isWatched_ = true;   ///< CommandRequest::isWatched
  bool isListed_ = true;    ///< the queue's list has it, until it has ended

  std::atomic<EventState> state_{EventState::Queued};
  std::atomic<uint32_t> settled_{0}; ///< 1 once ended and everything it held is released: what waits look at
  std::atomic<bool> dependencyFailed_{false};
  std::atomic<bool> queried_{false}; ///< its status was asked; a user event: the application has ended it
  std::atomic<bool> hasCallbacks_{false};
  // Who sets one of these looks at the other: the device is asked to tell by whoever comes second.
  std::atomic<bool> handedOver_{false}, wantsTelling_{false};
  int32_t userCode_ = 0;
  EventTimes times_;

  Ref<CommandWatch> watch_;
  Command command_;
  KeepList keep_;                        ///< what the command needs alive
  std::vector<Dependency> dependencies_; ///< what it waits for; grows no more once the first is listed
  std::function<void()> beforeComplete_, onSuccess_;

  // Guards keep_ and dependencies_ once enqueued, dependents, callbacks_, error_, and the step to the ended state.
  mutable ShortLock mutex_;
  Dependency *firstDependent_ = nullptr, *lastDependent_ = nullptr;
  Dependency *firstMet_ = nullptr;
  std::vector<std::unique_ptr<Callback>> callbacks_;
  Error error_{}; ///< meaningful only if Failed

  CommandLinks<Event> links_; ///< guarded by the queue's mutex
};

} // namespace us::core
