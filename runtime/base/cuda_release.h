// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA release that the driver library and the compiler stand for.
#pragma once

#include "runtime/base/expected.h"

#include <string>

namespace us {

struct CudaRelease {
  unsigned major = 13, minor = 0;

  unsigned number() const { return major * 1000 + minor * 10; }
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor); }
};

/// What the option CUDA_VERSION says. InvalidValue if that is no release from 9.0 to 13.9.
Expected<CudaRelease> cudaRelease();

} // namespace us
