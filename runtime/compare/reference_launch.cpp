// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/reference_launch.h"

#include "runtime/compare/compared_program.h"

#include <map>
#include <mutex>

namespace us::compare {
namespace {

class ReferenceRun final : public DeviceRuntime::Run {
public:
  explicit ReferenceRun(std::unique_ptr<Run> run) : run_(std::move(run)) {}

  DeviceRuntime::Launch &root() override { return run_->root(); }
  std::optional<uint64_t> call(DeviceRuntime::Launch &caller, DeviceFunction function, DeviceCall &call) override {
    return run_->call(caller, function, call);
  }
  Expected<DeviceRuntime::Work> next(DeviceRuntime::Launch &top, DeviceRuntime::Launch *&at, bool isOver) override {
    US_TRY(DeviceRuntime::Work work, run_->next(top, at, isOver));
    const auto *const launch = work.command ? std::get_if<LaunchCommand>(work.command) : nullptr;
    if (!launch) return work;
    std::lock_guard hold(mutex_);
    HandedOut &handed = handedOut_[&top];
    handed.launch = std::make_unique<ReferenceLaunch>(*launch);
    handed.command = handed.launch->launch();
    work.command = &handed.command;
    return work;
  }

private:
  struct HandedOut {
    std::unique_ptr<ReferenceLaunch> launch;
    Command command;
  };
  const std::unique_ptr<Run> run_;
  std::mutex mutex_; // guards handedOut_
  /// By the walk: what a walk handed out before has ended.
  std::map<const DeviceRuntime::Launch *, HandedOut> handedOut_;
};

/// The launches that come of what kernels call name our kernels, too.
class ReferenceRuntime final : public DeviceRuntime {
public:
  explicit ReferenceRuntime(const DeviceRuntime &runtime) : runtime_(runtime) {}
  std::unique_ptr<Run> begin(KernelMemory &memory) const override {
    return std::make_unique<ReferenceRun>(runtime_.begin(memory));
  }
  std::string_view verb() const override { return runtime_.verb(); }

private:
  const DeviceRuntime &runtime_; ///< lives as long as the launch that names it
};

} // namespace

ReferenceLaunch::ReferenceLaunch(const LaunchCommand &launch) : launch_(launch) {
  launch_.kernel = referenceKernel(launch.kernel);
  if (!launch.deviceRuntime) return;
  runtime_ = Ref<DeviceRuntime>(new ReferenceRuntime(*launch.deviceRuntime));
  launch_.deviceRuntime = runtime_.get();
}

} // namespace us::compare
