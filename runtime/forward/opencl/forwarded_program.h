// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of a real device: what its driver has built, and what our own compiler knows of the arguments of its
// kernels.
#pragma once

#include "runtime/base/inline_vector.h"
#include "runtime/base/short_lock.h"
#include "runtime/device/device.h"
#include "runtime/device/driver_answers.h"
#include "runtime/forward/opencl/real_device.h"

namespace us::forward {

class ForwardedKernel final : public DeviceKernel, public DriverAnswers {
public:
  ForwardedKernel(Ref<RealDevice> device, Ref<Object> program, cl_kernel kernel, const KernelInfo &info)
      : device_(std::move(device)), program_(std::move(program)), kernel_(kernel), info_(info) {}
  ~ForwardedKernel() override { device_->call().clReleaseKernel(kernel_); }

  const KernelInfo &info() const override { return info_; }
  Expected<size_t> answer(uint32_t question, std::span<const std::byte> input, void *value, size_t size) const override;
  cl_kernel object() const { return kernel_; }
  using Block = InlineVector<std::byte, 64>;
  /// What the driver's kernel has as arguments.
  struct Arguments {
    ShortLock mutex; // held from the first argument that is set until the launch is enqueued; guards all below
    /// The block of the latest launch and its local memory: the next one with the same need set nothing. Empty if the
    /// block does not say all. Addresses of memory are never used twice.
    Block block;
    uint64_t localMemory = 0;
    uint64_t number = 0; ///< LaunchCommand::argumentsNumber of these
  };
  Arguments &arguments() { return arguments_; }

private:
  const Ref<RealDevice> device_;
  const Ref<Object> program_;
  const cl_kernel kernel_;
  const KernelInfo &info_; ///< the program's
  Arguments arguments_;
};

class ForwardedProgram final : public DeviceProgram {
public:
  /// Takes the driver's program over. What its kernels are, `described` tells, or `known`. A kernel of whose arguments
  /// nobody knows what they are is refused when it is asked for (InvalidKernelDefinition).
  static Expected<Ref<ForwardedProgram>> create(Ref<RealDevice> device, cl_program program,
                                                Ref<DeviceProgram> described, KernelList known = nullptr);
  ~ForwardedProgram() override { device_->call().clReleaseProgram(program_); }

  ProgramKind kind() const override { return kind_; }
  std::span<const KernelInfo> kernels() const override { return kernels_; }
  Expected<Ref<DeviceKernel>> kernel(std::string_view name) override;
  Expected<std::vector<std::byte>> binary() override;
  uint64_t globalVariableSize() const override { return 0; }

  cl_program object() const { return program_; }
  /// The same program as our own compiler has it; null if it has not.
  const Ref<DeviceProgram> &described() const { return described_; }

private:
  ForwardedProgram(Ref<RealDevice> device, cl_program program, Ref<DeviceProgram> described)
      : device_(std::move(device)), program_(program), described_(std::move(described)) {}
  Expected<void> addKernels(std::span<const KernelInfo> known);

  const Ref<RealDevice> device_;
  const cl_program program_;
  const Ref<DeviceProgram> described_;
  ProgramKind kind_ = ProgramKind::None;
  std::vector<KernelInfo> kernels_;
  std::vector<std::pair<std::string, Error>> unknown_;
};

/// Whether a driver with these functions builds programs from an intermediate language, if its device says so.
bool takesIl(const cl_icd_dispatch &call);

/// Whether it answers questions about sub-groups, if its device has any.
bool tellsOfSubGroups(const cl_icd_dispatch &call);

/// Builds by the driver. `describer` is a device that our own compiler builds for, or null.
class Builder {
public:
  Builder(Ref<RealDevice> device, Ref<Device> describer)
      : device_(std::move(device)), describer_(std::move(describer)) {}
  BuildResult compile(const CompileRequest &request) const;
  BuildResult link(const LinkRequest &request) const;
  Expected<Ref<DeviceProgram>> load(std::span<const std::byte> binary) const;

private:
  BuildResult finish(cl_program program, const char *call, cl_int code, ErrorCode failure,
                     const std::function<Ref<DeviceProgram>()> &describe) const;
  const Ref<RealDevice> device_;
  const Ref<Device> describer_;
};

} // namespace us::forward
