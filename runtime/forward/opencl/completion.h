// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for what the driver runs: one thread for a device's queue, which ends in the order in which it was begun.
#pragma once

#include "runtime/device/device.h"
#include "runtime/forward/opencl/real_device.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace us::forward {

/// A piece of work that the driver has. `event` is null where there was nothing to do for it.
struct Begun {
  cl_event event = nullptr;
  const char *call = "";           ///< that began it
  std::vector<std::byte> source{}; ///< what it reads of ours
};

/// A command that has been submitted. Its owner begins its pieces, one after the other.
class Submission {
public:
  virtual ~Submission() = default;
  /// Begins the next piece: none is left if nothing comes.
  virtual Expected<std::optional<Begun>> next() = 0;
  CommandObserver *observer = nullptr;
  uint64_t submitted = 0;
  uint64_t begin = 0; ///< of its first piece; 0: none has ended
};

class Completion {
public:
  explicit Completion(Ref<RealDevice> device);
  /// Waits for what was given to it.
  ~Completion();

  /// Begins the submission on this thread and tells its observer how it went on, here or on the thread that waits.
  void start(std::unique_ptr<Submission> submission);

private:
  struct Waiting {
    std::unique_ptr<Submission> submission;
    Begun piece;
  };
  struct State {
    std::mutex mutex; // guards all below
    std::condition_variable changed;
    std::deque<Waiting> waiting;
    bool stops = false;
  };
  static void go(const Ref<RealDevice> &device, State &state, std::unique_ptr<Submission> submission);
  static void work(const Ref<RealDevice> &device, State &state);
  static Expected<void> wait(const RealDevice &device, Waiting &waiting);

  const Ref<RealDevice> device_;
  const std::shared_ptr<State> state_; ///< the thread may be the last that knows it
  std::thread thread_;
};

} // namespace us::forward
