// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program: source or binaries of a context, and what was built of them for each device.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/context.h"
#include "runtime/core/intermediate_language.h"
#include "runtime/device/device.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace us::core {

class Kernel;

enum class BuildStatus : uint8_t { None, InProgress, Success, Failed };
enum class ProgramOrigin : uint8_t { Source, Binary, IntermediateLanguage, Linked };

/// How far a program is on one device. A copy: builds go on meanwhile.
struct BuildState {
  BuildStatus status = BuildStatus::None;
  std::string options; ///< of the latest build, compile or link
  std::string log;
  Ref<DeviceProgram> program; ///< null unless loaded or built
  ProgramKind kind() const { return program ? program->kind() : ProgramKind::None; }
};

/// Called on a runtime thread when a build has ended on every device.
using BuildCallback = std::function<void()>;

class Program final : public Object {
public:
  static Ref<Program> fromSource(Context &context, std::string source);
  /// A module in an intermediate language. InvalidValue unless it is well-formed.
  static Expected<Ref<Program>> fromIl(Context &context, std::span<const std::byte> il);
  /// One binary per device. `results` receives each binary's own outcome. Fails with the first failure (InvalidBinary,
  /// InvalidValue for an empty one).
  static Expected<Ref<Program>> fromBinaries(Context &context, std::span<const Ref<Device>> devices,
                                             std::span<const std::span<const std::byte>> binaries,
                                             std::vector<Expected<void>> *results = nullptr);
  /// Links compiled programs into a new one. With a callback it returns at once (InProgress), else it blocks and
  /// returns the program even if linking failed; `outcome` then receives the failure (LinkProgramFailure,
  /// InvalidLinkerOptions …). Fails with InvalidProgram if an input has nothing compiled on some but not on all devices
  /// (InvalidOperation), or if there are no inputs (InvalidValue).
  static Expected<Ref<Program>> link(Context &context, std::span<const Ref<Device>> devices,
                                     std::span<const Ref<Program>> inputs, const std::string &options,
                                     BuildCallback callback, Expected<void> *outcome);

  Context &context() const { return *context_; }
  ProgramOrigin origin() const { return origin_; }
  const std::string &source() const { return source_; }
  /// Empty unless created from an intermediate language.
  std::span<const std::byte> il() const { return il_.bytes; }
  /// For the builds to come. InvalidProgram without an intermediate language, InvalidSpecId, InvalidValue for a value
  /// of another size.
  Expected<void> setSpecializationConstant(uint32_t id, std::span<const std::byte> value);
  /// The devices it is for, in order.
  std::span<const Ref<Device>> devices() const { return devices_; }

  /// Compiles and links on `devices` (empty: all of them). Blocks and returns the failure, or with a callback returns
  /// at once; the callback comes in either outcome. A program from binaries takes its executable, or links its object.
  /// InvalidOperation while a build is in progress or kernels are attached; InvalidDevice for a foreign device;
  /// InvalidBinary if there is no binary for a device.
  Expected<void> build(std::span<const Ref<Device>> devices, const std::string &options, BuildCallback callback = {});
  struct Header {
    std::string name; ///< as written in the #include
    Ref<Program> program;
  };
  /// Compiles only. Errors as build, and InvalidOperation unless it has source or an intermediate language.
  Expected<void> compile(std::span<const Ref<Device>> devices, const std::string &options,
                         const std::vector<Header> &headers, BuildCallback callback = {});

  /// Where nothing was built for a sub-device, its nearest parent's state. InvalidDevice if the program is not for this
  /// device.
  Expected<BuildState> stateOn(const Device &device) const;
  /// The binary for a device; empty (and no error) if nothing is built there.
  Expected<std::vector<std::byte>> binaryFor(const Device &device) const;
  /// Names of the kernels, in source order. InvalidProgramExecutable if no device has an executable.
  Expected<std::vector<std::string>> kernelNames() const;

  /// InvalidProgramExecutable, InvalidKernelName, or InvalidKernelDefinition if the devices disagree.
  Expected<Ref<Kernel>> createKernel(const std::string &name);
  uint32_t attachedKernels() const { return attachedKernels_.load(std::memory_order_acquire); }

  /// Called on a runtime thread, in reverse order of registration, when the program goes.
  void addDestructorCallback(std::function<void()> callback) { destructorCallbacks_.add(std::move(callback)); }

private:
  friend class Kernel;
  using Job = std::function<BuildResult(Device &device, const BuildState &before)>;

  Program(Context &context, ProgramOrigin origin, std::string source, std::vector<Ref<Device>> devices,
          IntermediateLanguage il = {});
  void lastReferenceGone() override;
  Expected<std::vector<size_t>> beginBuild(std::span<const Ref<Device>> devices, const std::string &options);
  Expected<void> start(std::vector<size_t> places, Job job, BuildCallback callback);
  CompileRequest requestFor(const std::string &options) const;
  Expected<void> runJob(const std::vector<size_t> &places, const Job &job);
  const BuildState &stateFor(const Device &device) const;

  const Ref<Context> context_;
  const ProgramOrigin origin_;
  const std::string source_;
  const std::vector<Ref<Device>> devices_;
  const IntermediateLanguage il_;
  std::atomic<uint32_t> attachedKernels_{0};
  DestructorCallbacks destructorCallbacks_;

  mutable std::mutex mutex_;                         // guards states_
  std::vector<BuildState> states_;                   ///< one per device
  std::vector<SpecializationValue> specializations_; // guarded by mutex_
};

} // namespace us::core
