// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler behind the libraries of this folder, which is opened when something is compiled for the first time.
#pragma once
#include "frontend/cuda/compiler_api.h"

#include <string>

namespace us::nvrtc {

/// libunderstudy-cuda-compiler.so, in a folder above this library; never closed.
Expected<const frontend::cuda::CompilerApi *> compilerLibrary();

/// The folder with include, clang and device.
Expected<std::string> toolkitFolder();

/// Changes with the compiler. Empty if it is not there.
const std::string &compilerIdentity();

} // namespace us::nvrtc
