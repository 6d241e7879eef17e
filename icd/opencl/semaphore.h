// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_semaphore_khr.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "icd/opencl/newer_cl.h"
#include "icd/opencl/own_errors.h"
#include "runtime/core/semaphore.h"

#include <vector>

namespace us::opencl {

class ClSemaphore
    : public ClObjectOf<ClSemaphore, cl_semaphore_khr, HandleKind::Semaphore, own(OwnError::InvalidSemaphore)> {
public:
  static constexpr const char *kName = "semaphore";

  Ref<core::Semaphore> core;
  Ref<ClContext> context;
  std::vector<cl_semaphore_properties_khr> properties; ///< as given, with the final 0
  std::vector<Ref<ClDevice>> devices;                  ///< that it is associated with
  bool isExportable = false;                           ///< as a POSIX file descriptor
};

} // namespace us::opencl
