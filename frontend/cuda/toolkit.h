// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder shaped like a CUDA toolkit.
#pragma once
#include "runtime/base/expected.h"

#include <string>

namespace us::frontend::cuda {

/// The folder with bin, include, lib64 and clang: beside the program in the build tree, below the library folder when
/// installed.
Expected<std::string> toolkitFolder();

} // namespace us::frontend::cuda
