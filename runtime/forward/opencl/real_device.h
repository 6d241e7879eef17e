// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RealDevice: a device of a driver, with the driver's objects that all commands for it need. RealQueue: a queue of it.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/opencl/errors.h"
#include "runtime/forward/opencl/known_binaries.h"
#include "runtime/forward/opencl/samplers.h"

#include <atomic>
#include <memory>

namespace us::forward {

class RealDevice final : public Object {
public:
  /// `owns`: a sub-device, to be released with this, also where this cannot be made.
  static Expected<Ref<RealDevice>> create(const DriverPlatform &platform, cl_device_id device, bool owns = false);
  ~RealDevice() override;

  /// The driver's functions.
  const cl_icd_dispatch &call() const { return *platform_.call; }
  const DriverPlatform &platform() const { return platform_; }
  cl_device_id id() const { return id_; }
  cl_context context() const { return context_; }
  /// What an argument block's bits of a sampler are to the driver.
  Expected<cl_sampler> sampler(uint64_t bits) const { return samplers_->find(context_, bits); }
  KnownBinaries &knownBinaries() const { return *knownBinaries_; }

private:
  RealDevice(const DriverPlatform &platform, cl_device_id device, bool owns)
      : platform_(platform), id_(device), owns_(owns), samplers_(std::make_unique<Samplers>(*platform.call)) {}

  const DriverPlatform platform_;
  const cl_device_id id_;
  const bool owns_;
  cl_context context_ = nullptr;
  std::unique_ptr<Samplers> samplers_; ///< of the context, and gone before it
  const std::unique_ptr<KnownBinaries> knownBinaries_ = std::make_unique<KnownBinaries>();
};

class RealQueue final : public Object {
public:
  static Expected<Ref<RealQueue>> create(Ref<RealDevice> device);
  ~RealQueue() override;

  const RealDevice &device() const { return *device_; }
  const cl_icd_dispatch &call() const { return device_->call(); }
  /// In order.
  cl_command_queue queue() const { return queue_.load(std::memory_order_acquire); }
  /// From now on what is put into queue() has times. Waits, the first time, for what is in it. Called by one thread at
  /// a time, while nothing is put there.
  Expected<void> takeTimes();

private:
  explicit RealQueue(Ref<RealDevice> device) : device_(std::move(device)) {}

  const Ref<RealDevice> device_;
  std::atomic<cl_command_queue> queue_ = nullptr;
  cl_command_queue withoutTimes_ = nullptr; ///< the one before takeTimes()
};

} // namespace us::forward
