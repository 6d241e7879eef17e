// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device that is its reference to whoever uses it, and compares each launch with its candidate's.
#pragma once

#include "runtime/compare/blocking_run.h"
#include "runtime/compare/compare_devices.h"
#include "runtime/compare/compared_program.h"
#include "runtime/compare/session.h"

namespace us::compare {

class ComparedDevice final : public Device {
public:
  ComparedDevice(Ref<Session> session, DevicePair devices, Ref<Device> parent = {});

  const DeviceInfo &info() const override { return info_; }
  const Device *parent() const override { return parent_.get(); }
  uint64_t now() const override { return devices_.reference->now(); }
  Expected<std::unique_ptr<DeviceMemory>> allocate(const MemoryRequest &request) override;
  Expected<std::unique_ptr<DeviceImage>> createImage(const ImageDescription &image, std::byte *memory) override;
  Expected<Ref<DeviceTexture>> createTexture(const TextureRequest &texture) override;
  uint64_t pipeBytes(const PipeDescription &pipe) const override { return devices_.reference->pipeBytes(pipe); }
  Expected<uint64_t> createPipe(const PipeDescription &pipe, std::byte *memory) override;
  Ref<KernelHeap> createHeap(uint64_t size) override { return devices_.reference->createHeap(size); }
  BuildResult compile(const CompileRequest &request) override;
  BuildResult link(const LinkRequest &request) override;
  Expected<Ref<DeviceProgram>> load(std::span<const std::byte> binary) override;
  void unloadCompiler() override;
  Expected<Size3> suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &globalOffset,
                                   const Size3 &globalSize) override;
  Expected<void> check(const LaunchCommand &launch) const override;
  /// The command has ended when this returns, whatever the reference is like: its own threads never run what the
  /// observer does, so they are free to end what a comparison waits for.
  void submit(const Command &command, CommandObserver &observer) override;
  void prepare(const LaunchCommand &command) override;
  Expected<std::vector<Ref<Device>>> partition(const Partition &partition) override;

private:
  Ref<DeviceProgram> pair(Ref<DeviceProgram> reference, BuildResult candidate, ProgramNotes notes);
  LaunchRecord recordOf(const LaunchCommand &launch, const ComparedKernel &kernel) const;
  RunOutcome run(const Command &command);
  RunOutcome run(const LaunchCommand &launch);
  RunOutcome run(const SequenceCommand &sequence);
  RunOutcome run(const BranchCommand &branch);

  const Ref<Session> session_;
  const DevicePair devices_;
  const Ref<Device> parent_;
  const DeviceInfo info_;
};

} // namespace us::compare
