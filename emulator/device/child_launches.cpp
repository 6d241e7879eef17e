// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/child_launches.h"

#include "emulator/device/emulated_device.h"
#include "emulator/device/emulated_program.h"
#include "emulator/exec/device_calls.h"
#include "emulator/exec/launch.h"
#include "emulator/exec/safe_write.h"
#include "runtime/base/align.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/device/command_outcome.h"
#include "runtime/device/device_runtime.h"
#include "runtime/device/finding.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <unordered_map>
#include <utility>

namespace us::emulator {
namespace {

/// Small pieces, which kernels ask for by the thousand, are slots of slabs that are used again.
class SharedMemory final : public KernelMemory {
public:
  uint64_t allocate(uint64_t size, uint64_t alignment) override {
    const uint64_t address = reserve(size, alignment);
    if (address) std::memset(reinterpret_cast<void *>(address), 0, size);
    return address;
  }
  uint64_t copy(uint64_t from, uint64_t size, uint64_t alignment) override {
    const uint64_t address = reserve(size, alignment);
    // A bad address leaves the kernel from here; the piece is known, and freed with the rest.
    if (address) std::memcpy(reinterpret_cast<void *>(address), reinterpret_cast<const void *>(from), size);
    return address;
  }
  void take(uint64_t address, std::span<std::byte> into) override {
    auto *const piece = reinterpret_cast<std::byte *>(address);
    if (!into.empty()) std::memcpy(into.data(), piece, into.size());
    std::lock_guard lock(mutex_);
    if (slabs_.contains(address / kSlab))
      free_ = new (piece) Slot{free_};
    else
      pieces_.erase(address);
  }
  uint64_t addressOf(const char *text) override { return reinterpret_cast<uint64_t>(text); }
  // Kernels share the host's memory, and a fault in what they call is theirs (docs/decisions/0040-signals.md).
  void read(uint64_t address, std::span<std::byte> into) override {
    std::memcpy(into.data(), reinterpret_cast<const void *>(address), into.size());
  }
  void write(uint64_t address, std::span<const std::byte> from) override {
    std::memcpy(reinterpret_cast<void *>(address), from.data(), from.size());
  }
  std::string_view textAt(uint64_t address) override { return reinterpret_cast<const char *>(address); }
  bool writeSafely(uint64_t address, std::span<const std::byte> from) override {
    return exec::writeSafely(reinterpret_cast<void *>(address), from.data(), from.size());
  }

private:
  struct Free {
    void operator()(std::byte *memory) const { std::free(memory); }
  };
  using Piece = std::unique_ptr<std::byte, Free>;
  struct Slot {
    Slot *next;
  };
  static constexpr uint64_t kSlot = 128, kSlab = 65536; ///< bytes

  uint64_t reserve(uint64_t size, uint64_t alignment) {
    std::lock_guard lock(mutex_);
    if (size > kSlot || alignment > kSlot) {
      Piece piece = pieceOf(alignTo(std::max<uint64_t>(size, 1), alignment), alignment);
      const auto address = reinterpret_cast<uint64_t>(piece.get());
      if (piece) pieces_[address] = std::move(piece);
      return address;
    }
    if (!free_) {
      Piece slab = pieceOf(kSlab, kSlab);
      if (!slab) return 0;
      std::byte *const begin = slab.get();
      slabs_[reinterpret_cast<uint64_t>(begin) / kSlab] = std::move(slab);
      for (uint64_t at = 0; at < kSlab; at += kSlot) free_ = new (begin + at) Slot{free_};
    }
    return reinterpret_cast<uint64_t>(std::exchange(free_, free_->next));
  }
  static Piece pieceOf(uint64_t size, uint64_t alignment) {
    return Piece(static_cast<std::byte *>(std::aligned_alloc(alignment, size)));
  }

  std::mutex mutex_;                                   // guards all below
  std::unordered_map<uint64_t, Piece> pieces_, slabs_; ///< by address; by address / kSlab
  Slot *free_ = nullptr;
};

/// A launch from the host with all that its kernels launch.
class LaunchRun {
public:
  LaunchRun(EmulatedDevice &device, const DeviceRuntime &runtime, std::string_view name, CommandObserver &observer)
      : device_(device), name_(name), verb_(runtime.verb()), observer_(observer), begin_(device.now()),
        calls_(runtime.begin(memory_)) {}

  DeviceRuntime::Run &calls() const { return *calls_; }
  Expected<void> launch(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                        DeviceRuntime::Launch &launch);
  /// Runs what is below the launch.
  Expected<void> runBelow(DeviceRuntime::Launch &top, bool isOver);
  /// What went wrong in a call, or while a kernel waited.
  void fails(Error error) {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(error);
  }

private:
  Expected<void> run(const DeviceRuntime::Work &work);
  Expected<void> failure() {
    std::lock_guard lock(mutex_);
    return failure_ ? Expected<void>(std::unexpected(*failure_)) : Expected<void>();
  }

  EmulatedDevice &device_;
  const std::string_view name_; ///< of the host's kernel
  const std::string_view verb_;
  CommandObserver &observer_; ///< of its launch
  const uint64_t begin_;
  SharedMemory memory_;
  const std::unique_ptr<DeviceRuntime::Run> calls_;
  std::mutex mutex_; // guards failure_
  std::optional<Error> failure_;
};

class Calls final : public exec::DeviceCalls {
public:
  Calls(LaunchRun &run, DeviceRuntime::Launch &launch) : run_(run), launch_(launch) {}

  std::optional<uint64_t> call(DeviceFunction function, DeviceCall &call) override {
    std::optional<uint64_t> result;
    // Nothing can be thrown through a kernel. It goes on, but to no good end.
    Expected<void> done = withoutExceptions([&]() -> Expected<void> {
      result = run_.calls().call(launch_, function, call);
      return {};
    });
    if (!done) {
      run_.fails(std::move(done.error()));
      return ~uint64_t(0);
    }
    if (function == DeviceFunction::DeviceSynchronize && result == uint64_t(0)) runChildren();
    return result;
  }

private:
  /// This thread is inside a kernel, and its stack is a kernel's: another one runs the children.
  void runChildren() {
    std::lock_guard lock(mutex_);
    // Nor can anything be thrown out of a thread.
    Expected<void> started = withoutExceptions([&]() -> Expected<void> {
      std::thread([&] {
        Expected<void> result = withoutExceptions([&] { return run_.runBelow(launch_, false); });
        if (!result) run_.fails(std::move(result.error()));
      }).join();
      return {};
    });
    if (!started) run_.fails(std::move(started.error()));
  }

  LaunchRun &run_;
  DeviceRuntime::Launch &launch_;
  std::mutex mutex_; // one walk at a time
};

Expected<void> LaunchRun::launch(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                                 DeviceRuntime::Launch &launch) {
  Calls calls(*this, launch);
  plan.calls = &calls;
  US_CHECK(device_.runPlanned(command, kernel, plan, observer_));
  return failure();
}

Expected<void> LaunchRun::run(const DeviceRuntime::Work &work) {
  const auto *command = std::get_if<LaunchCommand>(work.command);
  if (!command) {
    CommandOutcome inner; // a copy or a fill: it runs on this thread and has ended when submit returns
    device_.submit(*work.command, inner);
    return inner.result;
  }
  US_CHECK(device_.check(*command));
  if (command->globalSize[0] == 0 || command->globalSize[1] == 0 || command->globalSize[2] == 0) return {};
  KernelCode &kernel = static_cast<EmulatedKernel &>(*command->kernel).code();
  exec::LaunchPlan plan;
  US_CHECK(device_.planLaunch(*command, kernel, plan, observer_));
  return launch(*command, kernel, plan, *work.launch);
}

Expected<void> LaunchRun::runBelow(DeviceRuntime::Launch &top, bool isOver) {
  // The time limit is that of the whole: a kernel may launch itself for ever.
  const uint64_t limit = device_.engine().options.timeLimit;
  DeviceRuntime::Launch *at = &top;
  for (;;) {
    US_TRY(const DeviceRuntime::Work work, calls_->next(top, at, isOver));
    if (!work.command) return {};
    if (limit && device_.now() - begin_ > limit * 1'000'000)
      return std::unexpected(errorOf({.kind = FindingKind::TreeTimeLimit,
                                      .kernel = std::string(name_),
                                      .number = limit,
                                      .text = std::string(verb_)}));
    if (Expected<void> result = run(work); !result)
      return fail(result.error().code, std::string(verb_) + " on the device by kernel '" + std::string(name_) +
                                           "': " + result.error().message);
  }
}

} // namespace

Expected<void> runWithChildren(EmulatedDevice &device, const LaunchCommand &command, KernelCode &kernel,
                               exec::LaunchPlan &plan, CommandObserver &observer) {
  if (!command.deviceRuntime)
    return device.runPlanned(command, kernel, plan, observer); // a call of the kernel's is a trap
  LaunchRun run(device, *command.deviceRuntime, kernel.info().name, observer);
  DeviceRuntime::Launch &root = run.calls().root();
  US_CHECK(run.launch(command, kernel, plan, root));
  if (observer.wantsTimes()) observer.ownPartEnded(device.now());
  return run.runBelow(root, true);
}

} // namespace us::emulator
