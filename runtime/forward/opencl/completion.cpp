// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/completion.h"

#include "runtime/base/clock.h"
#include "runtime/base/own_thread.h"
#include "runtime/base/without_exceptions.h"

#include <algorithm>
#include <csignal>

namespace us::forward {
namespace {

/// What the driver says of a piece that has ended: its duration in nanoseconds, or its failure.
Expected<uint64_t> resultOf(const RealDevice &device, const Begun &piece) {
  cl_int status = CL_COMPLETE;
  US_CHECK(driverResult("clGetEventInfo", device.call().clGetEventInfo(piece.event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                                       sizeof status, &status, nullptr)));
  if (status < 0) return std::unexpected(driverError(std::string("the end of ") + piece.call, status));
  cl_ulong begin = 0, end = 0;
  const bool timed = device.call().clGetEventProfilingInfo(piece.event, CL_PROFILING_COMMAND_START, sizeof begin,
                                                           &begin, nullptr) == CL_SUCCESS &&
                     device.call().clGetEventProfilingInfo(piece.event, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                                           nullptr) == CL_SUCCESS;
  return timed && end > begin ? end - begin : 0;
}

} // namespace

Completion::Completion(Ref<RealDevice> device) : device_(std::move(device)), state_(std::make_shared<State>()) {}

Completion::~Completion() {
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

void Completion::start(std::unique_ptr<Submission> submission) {
  {
    // With the first command: a device that only answers questions needs no thread.
    std::lock_guard hold(state_->mutex);
    if (!thread_.joinable()) {
      sigset_t all, before;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
      const Expected<void> made = withoutExceptions([&]() -> Expected<void> {
        thread_ = std::thread([device = device_, state = state_] {
          thisThreadIsOurs();
          work(device, *state);
        });
        return {};
      });
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      if (!made) {
        submission->observer->started(monotonicNanoseconds());
        return submission->observer->finished(monotonicNanoseconds(), made);
      }
    }
  }
  go(device_, *state_, std::move(submission));
}

/// Begins the next piece, or ends the command.
void Completion::go(const Ref<RealDevice> &device, State &state, std::unique_ptr<Submission> submission) {
  Expected<void> result;
  for (;;) {
    Expected<std::optional<Begun>> piece = submission->next();
    if (!piece) result = std::unexpected(std::move(piece).error());
    if (!piece || !*piece) break;
    if (!(*piece)->event) continue;
    {
      std::lock_guard hold(state.mutex);
      state.waiting.push_back({std::move(submission), **std::move(piece)});
    }
    state.changed.notify_one();
    return;
  }
  CommandObserver &observer = *submission->observer;
  const uint64_t begin = submission->begin ? submission->begin : monotonicNanoseconds();
  submission.reset(); // it knows the command, which goes with the next call
  observer.started(begin);
  observer.finished(monotonicNanoseconds(), std::move(result));
}

Expected<void> Completion::wait(const RealDevice &device, Waiting &waiting) {
  const cl_int code = device.call().clWaitForEvents(1, &waiting.piece.event);
  Expected<uint64_t> duration = resultOf(device, waiting.piece);
  device.call().clReleaseEvent(waiting.piece.event);
  if (!duration) return std::unexpected(std::move(duration).error());
  US_CHECK(driverResult("clWaitForEvents", code));
  // The driver's clock is not ours: durations are its own, and the end is when we have learnt of it.
  const uint64_t now = monotonicNanoseconds();
  Submission &submission = *waiting.submission;
  if (!submission.begin) submission.begin = std::max(now - std::min(now, *duration), submission.submitted);
  return {};
}

void Completion::work(const Ref<RealDevice> &device, State &state) {
  std::unique_lock hold(state.mutex);
  for (;;) {
    state.changed.wait(hold, [&] { return state.stops || !state.waiting.empty(); });
    if (state.waiting.empty()) return;
    Waiting waiting = std::move(state.waiting.front());
    state.waiting.pop_front();
    hold.unlock();
    Expected<void> result = wait(*device, waiting);
    if (result) {
      go(device, state, std::move(waiting.submission));
    } else {
      CommandObserver &observer = *waiting.submission->observer;
      const uint64_t begin = waiting.submission->submitted;
      waiting.submission.reset();
      observer.started(begin);
      observer.finished(monotonicNanoseconds(), std::move(result));
    }
    hold.lock();
  }
}

} // namespace us::forward
