// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder of programs that CUDA's clients start by name.
#pragma once

#include <string>

namespace us::install {

/// Where our `nvcc` lies, beside this command in the build tree or in an installation; empty if it is not there.
std::string cudaProgramsFolder();

} // namespace us::install
