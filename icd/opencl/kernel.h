// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_kernel.
#pragma once

#include "icd/opencl/handle.h"
#include "icd/opencl/program.h"
#include "runtime/core/kernel.h"

namespace us::opencl {

class ClKernel : public ClObjectOf<ClKernel, cl_kernel, HandleKind::Kernel, ErrorCode::InvalidKernel> {
public:
  static constexpr const char *kName = "kernel";

  Ref<core::Kernel> core;
  Ref<ClProgram> program;
};

/// The kernel behind a handle; failures of the call in progress are told to its context's callback from here on.
ExpectedRef<ClKernel> kernelFrom(cl_kernel handle);

/// The device of a query about a kernel on a device; null means the only one.
ExpectedRef<ClDevice> deviceOfKernel(const ClKernel &kernel, cl_device_id handle);

} // namespace us::opencl
