// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches by the kernels of an API with a device runtime (runtime/device/device_runtime.h): it says what to run, this
// runs it, on the thread of the host's launch. A kernel that waits for its children has them run on a thread of its
// own.
#include "emulator/device/child_launches.h"

#include "emulator/device/emulated_device.h"
#include "emulator/device/emulated_program.h"
#include "emulator/exec/launch.h"
#include "emulator/exec/launch_tree.h"
#include "runtime/base/align.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/device/command_outcome.h"
#include "runtime/device/finding.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace us::emulator {
namespace {

class HandedMemory final : public KernelMemory {
public:
  uint64_t allocate(uint64_t size) override {
    constexpr uint64_t kAlignment = 64;
    const uint64_t room = alignTo(std::max<uint64_t>(size, 1), kAlignment);
    Piece piece(static_cast<std::byte *>(std::aligned_alloc(kAlignment, room)));
    if (!piece) return 0;
    std::memset(piece.get(), 0, room);
    const auto address = reinterpret_cast<uint64_t>(piece.get());
    std::lock_guard lock(mutex_);
    pieces_[address] = std::move(piece);
    return address;
  }
  void take(uint64_t address, std::span<std::byte> into) override {
    Piece piece;
    {
      std::lock_guard lock(mutex_);
      const auto found = pieces_.find(address);
      if (found == pieces_.end()) return;
      piece = std::move(found->second);
      pieces_.erase(found);
    }
    std::memcpy(into.data(), piece.get(), into.size());
  }
  uint64_t addressOf(const char *text) override { return reinterpret_cast<uint64_t>(text); }

private:
  struct Free {
    void operator()(std::byte *memory) const { std::free(memory); }
  };
  using Piece = std::unique_ptr<std::byte, Free>;
  std::mutex mutex_; // guards pieces_
  std::unordered_map<uint64_t, Piece> pieces_;
};

class GridRun {
public:
  GridRun(EmulatedDevice &device, DeviceRuntime &runtime, std::string_view name, CommandObserver &observer)
      : device_(device), runtime_(runtime), name_(name), observer_(observer), begin_(device.now()) {}

  DeviceRuntime &runtime() const { return runtime_; }
  KernelMemory &memory() { return memory_; }
  Expected<void> launch(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                        DeviceRuntime::Grid &grid);
  /// Runs what is below the grid.
  Expected<void> runBelow(DeviceRuntime::Grid &top, bool isOver);

  /// What went wrong while a kernel waited.
  Expected<void> failure() {
    std::lock_guard lock(mutex_);
    return failure_ ? Expected<void>(std::unexpected(*failure_)) : Expected<void>();
  }
  void fails(const Error &error) {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = error;
  }

private:
  Expected<void> run(const DeviceRuntime::Work &work);

  EmulatedDevice &device_;
  DeviceRuntime &runtime_;
  const std::string_view name_; ///< of the host's kernel
  CommandObserver &observer_;   ///< of its launch
  const uint64_t begin_;
  HandedMemory memory_;
  std::mutex mutex_; // guards failure_
  std::optional<Error> failure_;
};

class Calls final : public exec::GridCalls {
public:
  Calls(GridRun &run, DeviceRuntime::Grid &grid) : GridCalls(run.runtime(), grid, run.memory()), run_(run) {}

private:
  /// This thread is inside a kernel, and its stack is a kernel's: another one runs the children.
  void runChildren() override {
    std::lock_guard lock(mutex_);
    // Nothing can be thrown through the kernel, nor out of a thread.
    const Expected<void> started = withoutExceptions([&]() -> Expected<void> {
      std::thread([&] {
        Expected<void> result = withoutExceptions([&] { return run_.runBelow(grid_, false); });
        if (!result) run_.fails(result.error());
      }).join();
      return {};
    });
    if (!started) run_.fails(started.error());
  }

  GridRun &run_;
  std::mutex mutex_; // one walk at a time
};

Expected<void> GridRun::launch(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                               DeviceRuntime::Grid &grid) {
  Calls calls(*this, grid);
  exec::LaunchNode node;
  node.grids = &calls;
  plan.node = &node;
  US_CHECK(device_.runPlanned(command, kernel, plan));
  return failure();
}

Expected<void> GridRun::run(const DeviceRuntime::Work &work) {
  const auto *command = std::get_if<LaunchCommand>(work.command);
  if (!command) {
    CommandOutcome inner; // a copy or a fill: it runs on this thread and has ended when submit returns
    device_.submit(*work.command, inner);
    return inner.result;
  }
  KernelCode &kernel = static_cast<EmulatedKernel &>(*command->kernel).code();
  US_CHECK(device_.checkLaunch(*command, kernel.info()));
  exec::LaunchPlan plan;
  US_CHECK(device_.planLaunch(*command, kernel, plan, observer_));
  return launch(*command, kernel, plan, *work.grid);
}

Expected<void> GridRun::runBelow(DeviceRuntime::Grid &top, bool isOver) {
  // The time limit is that of the whole: a kernel may launch itself for ever.
  const uint64_t limit = device_.engine().options.timeLimit;
  DeviceRuntime::Grid *at = &top;
  for (;;) {
    US_TRY(const DeviceRuntime::Work work, runtime_.next(top, at, isOver));
    if (!work.command) return {};
    if (limit && device_.now() - begin_ > limit * 1'000'000)
      return std::unexpected(errorOf(
          {.kind = FindingKind::TreeTimeLimit, .kernel = std::string(name_), .number = limit, .text = "launched"}));
    if (Expected<void> result = run(work); !result)
      return fail(result.error().code,
                  "launched on the device by kernel '" + std::string(name_) + "': " + result.error().message);
  }
}

} // namespace

Expected<void> runWithGrids(EmulatedDevice &device, const LaunchCommand &command, KernelCode &kernel,
                            exec::LaunchPlan &plan, CommandObserver &observer) {
  GridRun run(device, *command.deviceRuntime, kernel.info().name, observer);
  US_CHECK(run.launch(command, kernel, plan, command.deviceRuntime->root()));
  if (observer.wantsTimes()) observer.ownPartEnded(device.now());
  return run.runBelow(command.deviceRuntime->root(), true);
}

} // namespace us::emulator
