// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of nvrtcCompileProgram.
#pragma once
#include "frontend/cuda/compile.h"

#include <span>
#include <string>

namespace us::nvrtc {

struct NvrtcOptions {
  frontend::cuda::CodeOptions code;
  std::string architecture;
  bool linkTime = false; ///< LLVM's code instead of PTX
  bool cache = true;
  bool precompile = false; ///< the headers that a source begins with
};

/// The error names the option.
Expected<NvrtcOptions> parseNvrtcOptions(std::span<const char *const> words);

} // namespace us::nvrtc
