// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The architectures a release of CUDA compiles for, and what Clang generates for each.
#pragma once
#include "frontend/cuda/cuda_release.h"

#include <span>
#include <string>

namespace us::frontend::cuda {

using Release = CudaRelease;

struct Architecture {
  unsigned number = 0; ///< 86 of sm_86, compute_86
  std::string suffix;  ///< "a" of sm_90a
  std::string clang;   ///< what Clang calls the nearest one below that it knows
};

/// Those of a release, the oldest first.
std::span<const unsigned> architecturesOf(const Release &release);

/// From sm_86, compute_86, lto_86, native, all or all-major; empty is the release's default.
Expected<Architecture> architectureNamed(const std::string &name, const Release &release);

} // namespace us::frontend::cuda
