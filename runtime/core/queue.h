// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queue: commands for one device, in order or as a graph. Commands are submitted lazily and are run by the thread that
// waits for them, or by the runtime's dispatcher threads (docs/decisions/0003-lazy-submission.md).
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/core/context.h"
#include "runtime/core/event.h"
#include "runtime/core/keep_list.h"
#include "runtime/core/short_lock.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace us::core {

struct QueueProperties {
  bool outOfOrder = false;
  bool profiling = false;
  bool operator==(const QueueProperties &) const = default;
};

/// What a command of a queue is. The caller has checked everything the API demands, and has made the memory exist on
/// the queue's device (Buffer::memoryOn), so that enqueue itself cannot fail for want of device memory.
struct CommandRequest {
  enum class Order : uint8_t {
    Plain,
    Marker,  ///< an empty wait list means: every command before it
    Barrier, ///< the same, and every command after it waits for it
  };

  Command command = NoCommand{};
  KeepList keep = {};                        ///< objects the command needs alive; dropped when it has ended
  std::span<const Ref<Event>> waitList = {}; ///< any queues, user events too; a failed one fails this command
  Order order = Order::Plain;
  uint32_t apiTag = 0; ///< Event::apiTag
  /// Book-keeping of the runtime (never user code), run once the device has ended, before the event says so.
  std::function<void()> beforeComplete = {};
  /// The same, but only if the command has succeeded.
  std::function<void()> onSuccess = {};
};

class Queue final : public Object {
public:
  static Ref<Queue> create(Context &context, Device &device, QueueProperties properties);

  Context &context() const { return *context_; }
  Device &device() const { return *device_; }
  QueueProperties properties() const;
  /// Changes order or profiling for commands enqueued later; waits for all commands before.
  Expected<void> setProperties(QueueProperties properties);

  /// Adds a command, not yet submitted; returns its event. Queues of the wait list's events are flushed. Never waits.
  Expected<Ref<Event>> enqueue(CommandRequest &&request);

  /// Adds a command and waits for it (a blocking call), running it and what it needs on this thread. Returns its
  /// failure: ExecStatusErrorInWaitList if that came from the wait list. `event` receives the event if not null; with
  /// null and an idle in-order queue no event is made at all.
  Expected<void> run(CommandRequest &&request, Ref<Event> *event = nullptr);

  /// Submits what is queued; the dispatcher threads run it. Never waits.
  Expected<void> flush();
  /// Submits what is queued and waits until all commands enqueued so far have ended, running them on this thread.
  Expected<void> finish();
  /// The application has dropped its last handle: flushes. Commands go on; the queue lives until the last has ended.
  void releasedByApplication();

  /// For tests: commands enqueued and not ended.
  size_t unfinished() const;

private:
  friend class Event;
  friend class Ticker;
  friend class Reclaimer;
  enum class Wake : uint8_t { Dispatchers, Nobody };

  Queue(Context &context, Device &device, QueueProperties properties);
  ~Queue() override;
  void lastReferenceGone() override;

  void submitPending(Wake wake);
  void requestFlush();
  /// The timer's: submits what has waited long enough; false if there was nothing to do.
  bool tick(uint64_t now);

  struct Execution;
  static thread_local constinit Execution *executing;

  // With mutex_ held:
  void append(Event &event);
  void releaseUpTo(Event *end, int most = -1);
  void makeDue(Event *end);
  void issueBlocked();
  void issue(Event &event);
  bool runnable();
  Event *takeAny();
  void take(Event &event);
  bool wantsDispatch();
  void unlink(Event &event);

  // Without:
  void dispatch();
  void dispatchIfRunnable();
  void askForHelpLater();
  void runDispatched();
  bool execute(Event &event);
  static bool leftToExecution(Event &event);
  static void settle(Event &event);
  void ended(Event &event);
  void becameReady(Event &event);
  Expected<void> runWithoutEvent(CommandRequest &request);
  static void help(Event &wanted);
  static bool holdsReleased(const Event &event);
  std::vector<Ref<Event>> holdersOfReleased() const;
  std::vector<std::string> commandsHolding(const Object &object) const;
  static bool waitsForApplication(const Ref<Event> &event);

  const Ref<Context> context_;
  const Ref<Device> device_;

  mutable ShortLock mutex_; // guards everything below that is not atomic
  QueueProperties properties_;
  Event *first_ = nullptr, *last_ = nullptr; ///< every unfinished command, oldest first; each holds a reference
  Event *firstPending_ = nullptr;            ///< the oldest command that is not flushed
  Event *nextToIssue_ = nullptr;             ///< in order: the oldest flushed or pending command that is not issued
  Event *firstReady_ = nullptr, *lastReady_ = nullptr; ///< out of order: issued, not taken
  Event *lastBarrier_ = nullptr;                       ///< out of order: the latest unfinished barrier
  bool busy_ = false;                                  ///< in order: a command is running
  bool dispatched_ = false;                            ///< waiting in the dispatchers' list
  uint64_t nextNumber_ = 0;
  uint64_t dueBefore_ = 0;    ///< in order: pending commands with lower numbers are released when their turn comes
  uint64_t pendingSince_ = 0; ///< the ticker's time when the oldest pending command came
  bool flushWanted_ = false;  ///< a status was asked once: the next tick flushes everything
  std::atomic<size_t> unfinished_{0}; ///< changed with mutex_ held
  std::atomic<bool> hasPending_{false};
  std::atomic<uint64_t> codeAwaited_{0}; ///< EventTimes::codeAwaited
  std::atomic<bool> leftReady_{false};   ///< out of order: a waiting thread left commands that could run meanwhile

  // The process's list of queues (the ticker's and the reclaimer's), guarded by its own mutex.
  Queue *nextQueue_ = nullptr, *previousQueue_ = nullptr;
};

} // namespace us::core
