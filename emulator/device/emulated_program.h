// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A built program on an emulated device: its kernels, its variables, and the machine code made so far.
#pragma once

#include "emulator/device/emulated_kernel.h"
#include "emulator/device/engine.h"
#include "emulator/device/serialize.h"
#include "runtime/device/device.h"

#include <memory>
#include <mutex>
#include <vector>

namespace us::emulator {

class EmulatedProgram final : public DeviceProgram {
public:
  EmulatedProgram(Ref<Engine> engine, StoredProgram stored);
  ~EmulatedProgram() override;

  ProgramKind kind() const override { return static_cast<ProgramKind>(stored_.module.kind); }
  std::span<const KernelInfo> kernels() const override;
  Expected<Ref<DeviceKernel>> kernel(std::string_view name) override;
  Expected<std::vector<std::byte>> binary() override;
  /// The kernel that a block was made into; null if there is none of that name.
  KernelCode *blockKernel(std::string_view name) const;
  uint64_t globalVariableSize() const override { return stored_.module.variables.size; }

  Expected<DeviceVariable> variable(std::string_view name) override;
  Expected<TextureVariable> textureVariable(std::string_view name) override;
  Expected<DeviceVariable> variables() override;
  bool shareVariables(DeviceProgram &other) override;

  Engine &engine() const { return *engine_; }
  const abi::ModuleData &module() const { return stored_.module; }
  /// Hash of the IR, for the cache's names.
  const CacheKey &key();
  /// Storage of the program-scope variables; null if there are none. Valid once a kernel exists.
  std::byte *storage() const { return storage_; }

private:
  Expected<void> prepareVariables();

  const Ref<Engine> engine_;
  const StoredProgram stored_; ///< its kernels sorted: what blocks were made into comes last
  std::mutex mutex_;           ///< guards the making of all below; what is made stays
  std::unique_ptr<DeviceMemory> variables_;
  Ref<EmulatedProgram> owner_;   ///< of the variables, if they are another program's
  std::byte *storage_ = nullptr; ///< in either
  CacheKey key_;
  std::vector<std::unique_ptr<KernelCode>> code_; ///< one per kernel
};

} // namespace us::emulator
