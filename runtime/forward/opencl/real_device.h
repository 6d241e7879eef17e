// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RealDevice: a device of a driver, with the driver's objects that all commands for it need.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/opencl/errors.h"

namespace us::forward {

class RealDevice final : public Object {
public:
  static Expected<Ref<RealDevice>> create(const DriverPlatform &platform, cl_device_id device);
  ~RealDevice() override;

  /// The driver's functions.
  const cl_icd_dispatch &call() const { return *platform_.call; }
  const DriverPlatform &platform() const { return platform_; }
  cl_device_id id() const { return id_; }
  cl_context context() const { return context_; }
  /// In order, with times. All that is put there has nothing left to wait for.
  cl_command_queue queue() const { return queue_; }

private:
  RealDevice(const DriverPlatform &platform, cl_device_id device) : platform_(platform), id_(device) {}

  const DriverPlatform platform_;
  const cl_device_id id_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

} // namespace us::forward
