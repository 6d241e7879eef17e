// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queue: commands for one device, in order or as a graph. Commands are submitted lazily and are run by the thread that
// waits for them, or by the runtime's dispatcher threads (docs/decisions/0003-lazy-submission.md). What state a command
// is in, and which may run next, is in unfinished_commands.h; here is who runs it, and who is woken.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/base/short_lock.h"
#include "runtime/core/command_watch.h"
#include "runtime/core/context.h"
#include "runtime/core/event.h"
#include "runtime/core/keep_list.h"
#include "runtime/core/task.h"
#include "runtime/core/unfinished_commands.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace us::core {

class Buffer;
class Kernel;

/// That a launch would be as one was before (Kernel::preparedFor).
struct PreparedLaunch {
  DeviceKernel *kernel = nullptr; ///< null: it would not, or that is not known
  uint64_t argumentsNumber = 0;   ///< LaunchCommand's
};

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
  bool isAtHand = false;                     ///< the memory that it uses need not be moved: Buffer::isAtHand of each
  std::span<const Ref<Event>> waitList = {}; ///< any queues, user events too; a failed one fails this command
  Order order = Order::Plain;
  bool isWatched = true; ///< the caller keeps the event: somebody may ask how the command goes on
  uint32_t apiTag = 0;   ///< Event::apiTag
  Ref<CommandWatch> watch = {};
  /// Book-keeping of the runtime (never user code), run once the device has ended, before the event says so.
  std::function<void()> beforeComplete = {};
  /// The same, but only if the command has succeeded.
  std::function<void()> onSuccess = {};
};

class Queue final : public CommandOwner {
public:
  static Ref<Queue> create(Context &context, Device &device, QueueProperties properties);

  Context &context() const { return *context_; }
  Device &device() const { return *device_; }
  QueueProperties properties() const;
  /// Changes order or profiling for commands enqueued later; waits for all commands before.
  Expected<void> setProperties(QueueProperties properties);

  /// Adds a command, not yet submitted; returns its event. Queues of the wait list's events are flushed. Never waits.
  /// Where the device takes it at once (DeviceInfo::handsOver), its refusal is this call's error.
  Expected<Ref<Event>> enqueue(CommandRequest &&request);
  /// The same where nobody wants the event. What the device refuses at once is this call's error.
  Expected<void> add(CommandRequest &&request);

  // Launches that the device alone knows of: nothing of ours stands for them until somebody asks for more than that.

  /// False: the functions below do nothing. Cheap.
  bool mayPassAgain() const { return handsOver_ && commands_.isAllHandedOver(); }
  /// What launchAgain needs for a kernel with its arguments as they are.
  PreparedLaunch prepared(const Kernel &kernel);
  /// Launches a kernel with the arguments that were prepared just now, if the device has had a launch
  /// with these, and everything that was added before. False, and nothing was done: it takes add(). After those in
  /// `after`, which are of queues of the same device; `passed` is null, or gets the launch, for which releasePassed is
  /// owed: not of a queue that profiles.
  Expected<bool> launchAgain(const PreparedLaunch &launch, const LaunchShape &shape,
                             std::span<const PassedCommand> after = {}, PassedCommand *passed = nullptr) {
    if (!mayPassAgain()) return false;
    return deviceQueue_->passAgain(*launch.kernel, launch.argumentsNumber, shape, after, passed);
  }
  bool isProfiling() const { return profiling_.load(std::memory_order_relaxed); }
  /// Copies between a buffer and the host's memory, and waits, if the device takes that at once; as launchAgain.
  Expected<bool> transfer(const Buffer &buffer, uint64_t offset, std::byte *host, uint64_t size, bool reads,
                          std::span<const PassedCommand> after = {});
  void releasePassed(PassedCommand command) { deviceQueue_->releasePassed(command); }
  /// Waits for launches of queues of the same device. False: not all have ended well, and their events say more.
  bool awaitPassed(std::span<const PassedCommand> commands) { return deviceQueue_->awaitPassed(commands); }
  /// The event of a launch of this queue.
  Ref<Event> eventOf(PassedCommand command, uint32_t apiTag);

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

  /// For tests: commands enqueued and not ended, without those that were passed on.
  size_t unfinished() const { return commands_.size(); }
  /// Every command that has not ended, oldest first; with `before`, those that must end before that one may run because
  /// of their places.
  std::vector<Ref<Event>> unfinishedEvents(const Event *before = nullptr) const;

  /// Waits for what the device was passed on; false if there is nothing.
  bool finishPassedOn();

  /// The timer's: submits what has waited long enough; false if there was nothing to do.
  bool tick(uint64_t now);

private:
  friend class Event;
  enum class Wake : uint8_t { Dispatchers, Nobody };
  /// Lets a dispatcher thread run commands; there is one at most that no thread has taken yet.
  struct Dispatch final : Task {
    explicit Dispatch(Queue &queue) : queue(queue) {}
    void run() override { Ref<Queue>::adopt(&queue)->runDispatched(); }
    Queue &queue;
  };
  struct Execution;
  static thread_local constinit Execution *executing;

  Queue(Context &context, Device &device, QueueProperties properties);
  ~Queue() override;
  void lastReferenceGone() override;

  void submitPending(Wake wake);
  bool tickPending(uint64_t now);
  bool tickHandedOver();
  void requestFlush();
  void becameReady(Event &event);

  bool wantsDispatch(); ///< with mutex_ held; true: the caller calls dispatch() without it
  void dispatch();
  void dispatchIfRunnable();
  void runDispatched();
  void askForHelpLater();

  static bool mayBePassedOn(const CommandRequest &request);
  Expected<bool> passOn(CommandRequest &request);
  void passedOnFailed(const Error &error) override;
  void notePassedOn();
  void passedOnEnded(uint64_t upTo);
  void handOverReady();
  enum class HandedOver : uint8_t { Done, HasEnded, ByOthers }; ///< ByOthers: they go on with the queue, too
  HandedOver handOverTaken(Event &run, bool isMemoryThere = false, bool isCall = false);
  bool isAtHand(Event &event);
  void followOthers(Event &event);
  Expected<void> bring(const Command &command, const KeepList &keep);
  bool execute(Event &event, bool isMemoryThere = false, bool isCall = false);
  void handOver(Event &event);
  void submit(Event &event, bool isMemoryThere = false);
  /// Calls `work`; should that throw before the command has ended, this is how it ends.
  template <class Work> static void endIfThrown(Event &event, Work &&work);
  static bool leftToExecution(Event &event);
  static bool isFailureOfCall(const Event &event);
  void ended(Event &event);
  static void settle(Event &event);

  static void help(Event &wanted);
  static Ref<Event> takeTowards(Event &wanted);
  Expected<void> runWithoutEvent(CommandRequest &request);

  const Ref<Context> context_;
  const Ref<Device> device_;
  const Ref<DeviceQueue> deviceQueue_; ///< where the commands go
  const bool handsOver_;               ///< DeviceInfo::handsOver
  Dispatch dispatch_{*this};

  mutable ShortLock mutex_;            // guards everything below that is not atomic
  std::atomic<bool> profiling_;        ///< read without the mutex, too
  UnfinishedCommands<Event> commands_; ///< holds a reference to each
  bool dispatched_ = false;            ///< dispatch_ waits for a thread
  uint64_t pendingSince_ = 0;          ///< the ticker's time when the oldest pending command came
  bool flushWanted_ = false;           ///< a status was asked once: the next tick flushes everything
  // Without the mutex:
  std::atomic<uint64_t> passedOn_{0};      ///< commands that the device has or had and that no event stands for
  std::atomic<uint64_t> passedOnEnded_{0}; ///< so many of them have ended, or more
  std::atomic<uint64_t> codeAwaited_{0};   ///< EventTimes::codeAwaited
  std::atomic<bool> leftReady_{false};     ///< out of order: a waiting thread left commands that could run meanwhile
};

} // namespace us::core
