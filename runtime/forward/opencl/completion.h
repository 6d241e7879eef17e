// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver has been given and has not ended, in its order, and who is told of the end. All lies in one in-order
// queue of the driver's: once a command has ended, all before it have.
//
// Nobody waits for a command whose end nobody asks for. Who does waits in the driver itself, and tells of everything
// that has ended meanwhile; a thread of ours waits only for those who do not ask (Attention::Told).
#pragma once

#include "runtime/base/short_lock.h"
#include "runtime/device/device.h"
#include "runtime/forward/opencl/real_device.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace us::forward {

/// A piece of a command that was given to the driver. As it is made: there was nothing to do.
struct Begun {
  cl_event event = nullptr;        ///< the driver's, of its end; ours to release
  const char *call = "";           ///< that began it
  std::vector<std::byte> source{}; ///< what it reads of ours
  bool hasNoEvent = false;         ///< it was begun without one
  bool hasEnded = false;           ///< the call has waited for it
};

/// What is asked of the driver's calls for a command.
struct Manner {
  bool wantsEvent = true; ///< else its end is learnt from what comes after it
  bool mayBlock = false;  ///< the call may wait for the end
};

/// Gives the driver the next piece of a command; none is left if nothing comes.
class PieceSource {
public:
  virtual Expected<std::optional<Begun>> next(Manner manner) = 0;

protected:
  ~PieceSource() = default;
};

/// What a command needs alive.
using KeptObjects = InlineVector<Ref<Object>, 4>;

/// Gives the driver a command of one call.
class OneCall {
public:
  /// `event` is null, or gets the event of its end.
  virtual Expected<void> give(cl_event *event) = 0;

protected:
  ~OneCall() = default;
};

/// The order in which one queue of the driver's is given commands, and how many of them keep nothing alive and are in
/// no list: only who waits for all learns of these, or who has their event.
struct GivingOrder {
  ShortLock giving;        // held while the driver is given a command, so that lists have its order; before all others
  uint64_t nextNumber = 1; ///< guarded by giving
  std::atomic<uint64_t> unkept{0};      ///< changed with giving held
  std::atomic<uint64_t> unkeptEnded{0}; ///< so many of them have ended, or more
  std::atomic<bool> wantsFlush{false};

  /// One was given; its place. With giving held.
  uint64_t noteUnkept() {
    unkept.store(unkept.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    wantsFlush.store(true, std::memory_order_relaxed);
    return nextNumber++;
  }
  bool mayHaveUnkept() const {
    return unkept.load(std::memory_order_acquire) != unkeptEnded.load(std::memory_order_acquire);
  }
  void haveEnded(uint64_t upTo) {
    uint64_t known = unkeptEnded.load(std::memory_order_relaxed);
    while (known < upTo && !unkeptEnded.compare_exchange_weak(known, upTo, std::memory_order_release)) {
    }
  }
};

class Completion {
public:
  explicit Completion(Ref<RealQueue> queue);
  /// Waits for what was given to it.
  ~Completion();

  /// Device::submit, for a command that is made of `pieces`. Several threads give one after the other.
  void submit(PieceSource &pieces, CommandObserver &observer);
  /// Device::pass, for a command that is one call of the driver's.
  Expected<void> pass(OneCall &command, CommandOwner &owner, KeptObjects &keep);
  GivingOrder &order() { return order_; }
  /// Lets `give` call a function of the driver's that waits, but for the host's memory alone.
  template <class Give> Expected<void> runUnkept(Give give) {
    Expected<void> given = give();
    const std::lock_guard hold(order_.giving);
    order_.noteUnkept();
    noteUnlisted();
    return given;
  }
  /// The same of a function that waits for all before it, too.
  template <class Give> Expected<void> runEnding(Give give) {
    struct Call final : OneCall {
      explicit Call(Give &function) : function(function) {}
      Expected<void> give(cl_event *) override { return function(); }
      Give &function;
    } call(give);
    if (mayHaveOthers()) return run(call, true);
    const uint64_t unkept = order_.unkept.load(std::memory_order_acquire);
    Expected<void> given = give();
    if (given) order_.haveEnded(unkept);
    return given;
  }
  /// DeviceQueue::adopt, of the command with that event and place, which `call` began.
  void adopt(cl_event event, uint64_t number, const char *call, CommandObserver &observer);
  /// DeviceQueue::finishPassedAgain.
  bool finishUnkept(CommandOwner &owner);
  /// DeviceQueue::runToEnd, for a command that is one call of the driver's. `isEnd`: the call waits for all before it,
  /// too; else only for the host's memory to be free.
  Expected<void> run(OneCall &command, bool isEnd);
  /// Waits for commands of such calls that may not have ended.
  void finishUnlisted();
  bool hasUnlisted() const;
  /// DeviceQueue::follow.
  void follow(Completion &other, const CommandObserver &observer);
  /// Waits for all that was submitted or passed on; `owner`, if there is one, is told of what was passed unkept.
  void finish(CommandOwner *owner = nullptr);
  // As Device's.
  void flush();
  bool poll() { return poll(*state_); }
  void await(const CommandObserver &observer);
  void watch(const CommandObserver &observer);

private:
  /// The driver may have more that has not ended than what is unkept.
  bool mayHaveOthers() const;
  void noteUnlisted();
  static void tellOwner(CommandOwner &owner, cl_int code);
  struct Passed;
  struct Entry;
  struct State;
  using Lock = std::unique_lock<std::mutex>;
  static void give(State &state, Entry &entry, PieceSource &pieces, Attention attention);
  static void endBehindUnkept(State &state, Entry &entry);
  static uint64_t list(State &state, Entry &entry);
  static void listPassed(State &state, cl_event event);
  static bool poll(State &state);
  static bool askHowFar(State &state);
  static void placeEvent(State &state);
  static cl_event eventOf(State &state, const CommandObserver &observer);
  static void await(State &state, Lock &hold, uint64_t number);
  static cl_int waitFor(State &state, Lock &hold, uint64_t number);
  static void letGo(const State &state, cl_event first, cl_event last);
  template <class Wait> void waitForAll(Wait wait, CommandOwner *owner = nullptr);
  static void tellAll(State &state, Lock &hold);
  static void tell(const State &state, Entry &entry);
  static void work(State &state);

  const std::shared_ptr<State> state_; ///< the thread may be the last that knows it
  GivingOrder &order_;                 ///< the state's
  std::thread thread_;                 ///< guarded by the state's mutex
};

} // namespace us::forward
