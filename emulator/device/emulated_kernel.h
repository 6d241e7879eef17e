// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of a program, and its machine code: made when a launch first needs it, one piece per specialization.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/exec/scheduler.h"
#include "runtime/base/expected.h"
#include "runtime/device/device.h"

#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace us::emulator {

class EmulatedProgram;
struct ReadyCode;

/// The one that runs what no other can.
inline constexpr abi::Tier kTierOfAll = abi::kTiers[std::size(abi::kTiers) - 1].tier;

/// Owned by the program. All functions are thread-safe.
class KernelCode {
public:
  KernelCode(EmulatedProgram &program, const KernelInfo &info);
  ~KernelCode();
  KernelCode(const KernelCode &) = delete;
  KernelCode &operator=(const KernelCode &) = delete;

  const KernelInfo &info() const { return info_; }
  EmulatedProgram &program() const { return program_; }
  exec::CostEstimate &cost() { return cost_; }
  /// Of the widest argument, in bytes: the argument block has to begin at a multiple of it.
  uint32_t argumentAlignment() const { return argumentAlignment_; }
  /// The images and samplers among the arguments, in order: code is made for their formats and modes.
  std::span<const ArgumentInfo *const> opaqueArguments() const { return opaqueArguments_; }
  /// The address of counters for a launch that counts lines; 0: so many have counted.
  uint64_t takeCounters();
  void countLaunches(uint64_t launches) { launches_.fetch_add(launches, std::memory_order_relaxed); }

  /// Code for such a launch, if it has been made.
  ReadyCode *readyCode(const abi::Specialization &asked);
  /// Code for such a launch: of the tier asked for, or of a slower one if that cannot run the kernel. Valid for the
  /// program's life.
  Expected<ReadyCode *> code(const abi::Specialization &asked);
  /// Makes code for such a launch ahead of it, unless there is some or a thread is at it. What goes wrong is found
  /// again, and said, by the launch.
  void prepare(const abi::Specialization &asked);
  /// True once, for the first that asks.
  bool takePreparation() { return !prepared_.exchange(true, std::memory_order_relaxed); }
  bool wantsPreparation() const { return !prepared_.load(std::memory_order_relaxed); }
  /// The tier to ask for: the fastest that the option allows and that, as far as is known, can run the kernel.
  abi::Tier tier() const;
  /// Why faster tiers do not run it, as far as that was found out.
  std::vector<TierObstacle> obstacles();
  /// Whether baseline code is enough for a launch of so many work-items, after those that ran before.
  bool baselineSuffices(uint64_t items) const;
  uint64_t baselineItems() const { return baselineItems_.load(std::memory_order_relaxed); }
  void countBaselineItems(uint64_t items) { baselineItems_.fetch_add(items, std::memory_order_relaxed); }

private:
  /// Optimized code serves those who ask for baseline code too.
  ReadyCode *find(const abi::Specialization &wanted) const;
  Expected<ReadyCode *> make(const abi::Specialization &wanted, std::unique_lock<std::mutex> lock);

  EmulatedProgram &program_;
  const KernelInfo &info_;
  uint32_t argumentAlignment_ = 1;
  std::vector<const ArgumentInfo *> opaqueArguments_; ///< as many as a specialization holds
  exec::CostEstimate cost_;
  std::atomic<uint64_t> &launches_;                   ///< of all kernels of this name, for the summary
  std::atomic<ReadyCode *> latest_{nullptr};          ///< the code used last: most kernels have one
  std::atomic<ReadyCode *> all_{nullptr};             ///< a list that only grows
  std::atomic<uint64_t> baselineItems_{0};            ///< work-items that baseline code ran
  std::atomic<uint32_t> refusals_{0};                 ///< a bit for each tier that cannot run the kernel
  std::vector<TierObstacle> found_;                   ///< when code was made; guarded by mutex_
  std::atomic<bool> prepared_{false};                 ///< a launch was seen before it was submitted, or was submitted
  std::vector<std::unique_ptr<uint64_t[]>> counters_; ///< of launches that counted; guarded by mutex_
  std::mutex mutex_;                                  ///< held while code is made
};

class EmulatedKernel final : public DeviceKernel {
public:
  EmulatedKernel(Ref<EmulatedProgram> program, KernelCode &code);
  ~EmulatedKernel() override;
  const KernelInfo &info() const override { return code_.info(); }
  bool wantsPreparation() const override { return code_.wantsPreparation(); }
  Ref<DeviceKernel> block(std::string_view name) const override;
  KernelCode &code() const { return code_; }

private:
  const Ref<EmulatedProgram> program_;
  KernelCode &code_;
};

} // namespace us::emulator
