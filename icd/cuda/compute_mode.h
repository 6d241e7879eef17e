// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may make contexts on a device: the option CUDA_COMPUTE_MODE.
#pragma once

#include "icd/cuda/api.h"

namespace us::cuda {

/// What the option says; the default where it says nothing that is known.
CUcomputemode computeMode();
/// Before a context is made. CUDA_ERROR_DEVICE_UNAVAILABLE where the mode forbids it: PROHIBITED always,
/// EXCLUSIVE_PROCESS while another process of the same user has the device. The claim lasts until the process ends.
Expected<void> claimDevice(CUdevice number);

} // namespace us::cuda
