// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code generation was asked for; every pass that needs to know gets it in its constructor.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <string>

namespace us::codegen {

struct KernelRequest {
  std::string kernel; ///< name of the kernel's function
  abi::Specialization specialization;
};

} // namespace us::codegen
