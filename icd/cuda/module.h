// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and their functions.
#pragma once

#include "icd/cuda/context.h"
#include "icd/cuda/ptx_parts.h"
#include "icd/cuda/texture_reference.h"
#include "runtime/device/device.h"

namespace us::cuda {

class Function;
class JitOptions;

/// What only the text says of a kernel.
struct KernelText {
  uint64_t constBytes = 0, localBytes = 0;
  unsigned registers = 16;
};

class Module final : public Object {
public:
  /// `program`: of the whole text; null where that is in parts.
  Module(Context &context, Ref<DeviceProgram> program, std::optional<PtxParts> parts,
         std::shared_ptr<const std::string> ptx, unsigned mostRegisters)
      : context_(&context), ptx_(std::move(ptx)), mostRegisters_(mostRegisters), parts_(std::move(parts)),
        program_(std::move(program)) {}

  Context &context() const { return *context_; }
  /// That of variables and of what reaches them. CUDA_ERROR_NOT_FOUND: there is no such variable. Other errors: it is
  /// built now, and cannot be.
  Expected<Ref<DeviceProgram>> programOf(const std::string &variable);
  /// In the order of the text.
  std::vector<std::string> kernelNames() const;
  /// Always the same object for a name. CUDA_ERROR_NOT_FOUND.
  Expected<Ref<Function>> function(const std::string &name);
  /// The same by what a pointer to the kernel holds on the device, for launches that are under way also when the module
  /// was unloaded.
  Expected<Ref<Function>> functionAt(uint64_t address);
  /// The module and its functions keep each other; this ends it, and there are no more functions.
  void close();
  ReferenceTable references;
  KernelText textOf(const std::string &kernel);
  bool isManaged(const std::string &variable);

private:
  /// Builds the kernel's part, where there are parts, if it is not built yet.
  Expected<Ref<DeviceProgram>> programWith(const std::string &kernel);
  Expected<Ref<DeviceProgram>> common(); ///< building_ is held
  Expected<Ref<DeviceProgram>> build(const std::string &part);

  const Ref<Context> context_;
  const std::shared_ptr<const std::string> ptx_;
  const unsigned mostRegisters_;  ///< CU_JIT_MAX_REGISTERS, or 0
  std::mutex building_;           // held while a part is built; guards the next two
  std::optional<PtxParts> parts_; ///< none: one program
  Ref<DeviceProgram> program_;    ///< of the common part; null: not built yet
  std::mutex mutex_;              // guards all below
  std::map<std::string, KernelText> texts_;
  std::map<std::string, Ref<Function>> functions_;
  bool isClosed_ = false;
  std::map<uint64_t, std::string> addresses_; ///< made when first asked for
};

class Function final : public Object {
public:
  Function(Module &module, std::string name, Ref<DeviceProgram> program, Ref<DeviceKernel> kernel)
      : module_(&module), name_(std::move(name)), program_(std::move(program)), kernel_(std::move(kernel)) {}

  Module &module() const { return *module_; }
  DeviceProgram &program() const { return *program_; }
  Context &context() const { return module_->context(); }
  const std::string &name() const { return name_; }
  DeviceKernel &kernel() const { return *kernel_; }
  const KernelInfo &info() const { return kernel_->info(); }
  /// Its parameters, without the hidden one for the memory that a launch adds.
  std::span<const ArgumentInfo> parameters() const;
  bool takesDynamicShared() const { return parameters().size() != info().arguments.size(); }

  std::atomic<int> maxDynamicShared{-1}, carveout{-1}; ///< -1: not set
  std::atomic<int> requiredCluster[3] = {0, 0, 0};     ///< set, where the text says nothing; zeros: it was not
  std::atomic<bool> mayBeNonPortable{false};           ///< its clusters
  std::atomic<int> clusterPolicy{0};
  // What the oldest way of launching sets step by step.
  std::mutex mutex; ///< guards all below
  unsigned blockShape[3] = {1, 1, 1};
  unsigned sharedSize = 0;
  std::vector<std::byte> parameterBytes;

private:
  const Ref<Module> module_; ///< another thread may unload it meanwhile
  const std::string name_;
  const Ref<DeviceProgram> program_;
  const Ref<DeviceKernel> kernel_;
};

/// A module of an image's PTX (imageText), whose handle is valid from then on. The options' logs are written, whatever
/// comes of it.
Expected<Ref<Module>> loadModule(Context &context, Expected<std::string> ptx, const JitOptions &options);
/// `parts`: those of the text.
Expected<Ref<Module>> loadModule(Context &context, const std::shared_ptr<const std::string> &ptx,
                                 std::optional<PtxParts> parts, const JitOptions &options);
/// Its handle, and those of its functions, are valid no more; launches that are under way keep the program.
void unloadModule(Module &module);
CUmodule handleOf(Module &module);

/// CUDA_ERROR_INVALID_HANDLE.
Expected<Ref<Module>> moduleOf(CUmodule handle);
Expected<Ref<Function>> functionOf(CUfunction handle);
CUfunction handleOf(Function &function);
/// Blocks of that size that the whole device holds at once.
int64_t blocksOnDevice(const Function &function, int blockSize, size_t dynamicBytes);
/// A context that is destroyed takes its modules with it.
void forgetModulesOf(const Context &context);

} // namespace us::cuda
