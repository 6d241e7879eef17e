// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's devices: those of the platform that are, or pretend to be, one.
#pragma once

#include "icd/cuda/api.h"
#include "runtime/device/device.h"

#include <array>
#include <vector>

namespace us::cuda {

/// In the order of their numbers; the same for the process's whole life.
const std::vector<Ref<Device>> &devices();
/// CUDA_ERROR_INVALID_DEVICE; CUDA_ERROR_NOT_INITIALIZED.
ExpectedRef<Device> deviceAt(CUdevice number);
/// What the device answers for an attribute.
Expected<int64_t> attributeOf(const Device &device, CUdevice_attribute attribute);

/// What a device's attributes say of launches: each launch is held against it.
struct LaunchLimits {
  explicit LaunchLimits(const Device &device);
  std::array<uint64_t, 3> grid, block; ///< in each dimension
  uint64_t threads;                    ///< of a block
  uint64_t shared, sharedOnRequest;    ///< bytes of a block's shared memory, without and with permission
};

} // namespace us::cuda
