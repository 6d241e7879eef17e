// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulated device, and its sub-devices.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/device/emulated_texture.h"
#include "emulator/device/engine.h"
#include "runtime/device/command_outcome.h"
#include "runtime/device/device.h"

namespace us::exec {
struct LaunchPlan;
}

namespace us::emulator {

class KernelCode;
struct PreparedList;
struct PreparedLaunch;
struct ReadyCode;

class EmulatedDevice final : public Device {
public:
  /// `maxThreads`: how many threads may run its work at once; 0: as many as there are. `cores`: the only ones that run
  /// its work; empty: any.
  EmulatedDevice(Ref<Engine> engine, DeviceInfo info, unsigned maxThreads, Ref<EmulatedDevice> parent = {},
                 std::vector<int> cores = {});

  Engine &engine() const { return *engine_; }
  const DeviceInfo &info() const override { return info_; }
  const Device *parent() const override { return parent_.get(); }
  HostFindings *hostFindings() override { return engine_->checks.get(); }
  uint64_t now() const override;
  Expected<std::unique_ptr<DeviceMemory>> allocate(const MemoryRequest &request) override;
  Expected<std::unique_ptr<DeviceImage>> createImage(const ImageDescription &image, std::byte *memory) override;
  Expected<Ref<DeviceTexture>> createTexture(const TextureRequest &texture) override;
  uint64_t pipeBytes(const PipeDescription &pipe) const override;
  Ref<KernelHeap> createHeap(uint64_t size) override;
  Expected<uint64_t> createPipe(const PipeDescription &pipe, std::byte *memory) override;
  BuildResult compile(const CompileRequest &request) override;
  BuildResult link(const LinkRequest &request) override;
  Expected<Ref<DeviceProgram>> load(std::span<const std::byte> binary) override;
  void unloadCompiler() override;
  Expected<Size3> suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &globalOffset,
                                   const Size3 &globalSize) override;
  Expected<void> check(const LaunchCommand &launch) const override;
  void submit(const Command &command, CommandObserver &observer) override;
  void prepare(const LaunchCommand &command) override;
  Expected<std::vector<Ref<Device>>> partition(const Partition &partition) override;

  // For launches that come from the host or from kernels.
  /// Everything but the arguments, for a launch that was checked and has work-items. The observer hears how long code
  /// was made. `prepared`, which may be null: what is known of the launch from an earlier run of its list.
  Expected<void> planLaunch(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                            CommandObserver &observer, PreparedLaunch *prepared = nullptr) const;
  Expected<void> runPlanned(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                            CommandObserver &observer);

private:
  /// The same with code that checks itself: tells the engine's checks what failed.
  Expected<void> runWithChecks(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                               CommandObserver &observer);
  /// Machine code for a launch; the observer hears how long it was made.
  Expected<ReadyCode *> codeFor(KernelCode &kernel, const abi::Specialization &wanted, CommandObserver &observer) const;
  struct Choice {
    ReadyCode *code;
    bool isPassing; ///< it counts the work-items that it runs: after some there is better code
  };
  /// The code for a launch whose work-groups have this size.
  Expected<Choice> chooseCode(const LaunchCommand &command, KernelCode &kernel, const Size3 &local,
                              CommandObserver &observer) const;
  void run(const LaunchCommand &command, CommandObserver &observer, PreparedLaunch *prepared);
  /// What is known of the list's launches; made in its first run. Null: another device ran it first.
  PreparedList *preparedFor(const CommandList &list) const;
  /// One command after the other, to the first that fails; `prepared` may be null.
  void runList(const CommandList &list, PreparedList *prepared, CommandOutcome &inner);
  /// Ahead of the launch, on this thread.
  void makeCode(const LaunchCommand &command, CommandObserver &observer) const;
  void makeCode(const CommandList &list, CommandObserver &observer) const;
  void run(const NoCommand &command, CommandObserver &observer);
  void run(const LaunchCommand &command, CommandObserver &observer);
  void run(const CopyCommand &command, CommandObserver &observer);
  void run(const FillCommand &command, CommandObserver &observer);
  void run(const MapCommand &command, CommandObserver &observer);
  void run(const HostCallCommand &command, CommandObserver &observer);
  void run(const SequenceCommand &command, CommandObserver &observer);
  void run(const BindCommand &command, CommandObserver &observer);
  void run(const BranchCommand &command, CommandObserver &observer);

  const Ref<Engine> engine_;
  const DeviceInfo info_;
  const unsigned maxThreads_;
  const Ref<EmulatedDevice> parent_; ///< null for a root device
  const std::vector<int> cores_;
  const Ref<KernelHeap> heap_; ///< an exec::DeviceHeap, for launches that bring none
  const LanguageFacts facts_;
  const Ref<TexturePool> textures_;
};

} // namespace us::emulator
