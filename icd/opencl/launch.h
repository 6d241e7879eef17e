// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a launch: checked, and made into the device's command. For queues, command buffers and their
// updates.
#pragma once

#include "icd/opencl/device.h"
#include "icd/opencl/kernel.h"
#include "icd/opencl/queue.h"
#include "runtime/device/command.h"

namespace us::opencl {

struct LaunchRange {
  cl_uint dimensions = 1;
  Size3 offset{0, 0, 0}, global{1, 1, 1};
  bool empty = false; ///< nothing is run
};

/// The kernel of an enqueue call: valid and of the queue's context.
ExpectedRef<ClKernel> kernelFor(const ClQueue &queue, cl_kernel handle);

/// work_dim, global_work_offset and global_work_size. Errors: InvalidWorkDimension, InvalidGlobalWorkSize,
/// InvalidGlobalOffset.
Expected<LaunchRange> launchRangeFrom(const DeviceInfo &device, cl_uint dimensions, const size_t *offset,
                                      const size_t *global);

/// Fills the command of a launch with the kernel's arguments as they are now, and what it must keep alive: true if it
/// moves no memory (core::Kernel::prepareLaunch). `local` may be null. Errors: those of the kernel's program and
/// arguments, InvalidWorkGroupSize, InvalidWorkItemSize.
Expected<bool> fillLaunch(ClQueue &queue, ClKernel &kernel, const LaunchRange &range, const size_t *local,
                          Command &command, core::KeepList &keep);

/// Whether a kernel that enqueues kernels can be recorded for the queue's device. Errors: InvalidOperation.
Expected<void> checkRecordedKernel(const ClQueue &queue, const ClKernel &kernel);

} // namespace us::opencl
