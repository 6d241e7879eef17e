// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_program.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "runtime/core/program.h"

#include <vector>

namespace us::opencl {

class ClProgram : public ClObjectOf<ClProgram, cl_program, HandleKind::Program, ErrorCode::InvalidProgram> {
public:
  static constexpr const char *kName = "program";

  Ref<core::Program> core;
  Ref<ClContext> context;
  std::vector<Ref<ClDevice>> devices; ///< CL_PROGRAM_DEVICES
};

/// The program behind a handle; failures of the call in progress are told to its context's callback from here on.
ExpectedRef<ClProgram> programFrom(cl_program handle);

} // namespace us::opencl
