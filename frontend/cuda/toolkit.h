// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder shaped like a CUDA toolkit, and the CUDA release that the compiler stands for.
#pragma once
#include "runtime/base/expected.h"

#include <string>

namespace us::cuda {

struct Release {
  unsigned major = 13, minor = 0;

  unsigned number() const { return major * 1000 + minor * 10; }
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor); }
};

/// 13.0, or what UNDERSTUDY_CUDA_VERSION says ("11.8").
Expected<Release> toolkitRelease();

/// The folder with bin, include, lib64 and clang: beside the program in the build tree, below the library folder when
/// installed.
Expected<std::string> toolkitFolder();

} // namespace us::cuda
