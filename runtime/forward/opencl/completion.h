// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver has been given and has not ended, in its order, and who is told of the end. All lies in one in-order
// queue of the driver's: once a command has ended, all before it have.
//
// Nobody waits for a command whose end nobody asks for. Who does waits in the driver itself, and tells of everything
// that has ended meanwhile; a thread of ours waits only for those who do not ask (Attention::Told).
#pragma once

#include "runtime/device/device.h"
#include "runtime/forward/opencl/real_device.h"

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

class Completion {
public:
  explicit Completion(Ref<RealQueue> queue);
  /// Waits for what was given to it.
  ~Completion();

  /// Device::submit, for a command that is made of `pieces`. Several threads give one after the other.
  void submit(PieceSource &pieces, CommandObserver &observer);
  /// Device::pass, for a command that is one call of the driver's.
  Expected<void> pass(OneCall &command, CommandOwner &owner, KeptObjects &keep);
  /// DeviceQueue::runToEnd, for a command that is one call of the driver's. `isEnd`: the call waits for all before it,
  /// too; else only for the host's memory to be free.
  Expected<void> run(OneCall &command, bool isEnd);
  /// Waits for commands of such calls that may not have ended.
  void finishUnlisted();
  bool hasUnlisted() const;
  /// DeviceQueue::follow.
  void follow(Completion &other, const CommandObserver &observer);
  /// Waits for all that was submitted or passed on.
  void finish();
  // As Device's.
  void flush();
  bool poll() { return poll(*state_); }
  void await(const CommandObserver &observer);
  void watch(const CommandObserver &observer);

private:
  struct Passed;
  struct Entry;
  struct State;
  using Lock = std::unique_lock<std::mutex>;
  static void give(State &state, Entry &entry, PieceSource &pieces, Attention attention);
  static uint64_t list(State &state, Entry &entry);
  static void listPassed(State &state, cl_event event);
  static bool poll(State &state);
  static bool askHowFar(State &state);
  static void placeEvent(State &state);
  static cl_event eventOf(State &state, const CommandObserver &observer);
  static void await(State &state, Lock &hold, uint64_t number);
  static cl_int waitFor(State &state, Lock &hold, uint64_t number);
  static void letGo(const State &state, cl_event first, cl_event last);
  template <class Wait> void waitForAll(Wait wait);
  static void tellAll(State &state, Lock &hold);
  static void tell(const State &state, Entry &entry);
  static void work(State &state);

  const std::shared_ptr<State> state_; ///< the thread may be the last that knows it
  std::thread thread_;                 ///< guarded by the state's mutex
};

} // namespace us::forward
