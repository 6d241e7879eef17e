// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directory that makes an ICD loader see our platform and no other.
#pragma once

#include "runtime/base/expected.h"

#include <string>

namespace us::install {

/// Path of libunderstudy-icd.so beside this command: in the build tree or in a (relocatable) installation.
Expected<std::string> icdLibrary();

/// The folder of our libcuda.so.1 beside this command; empty if it is not installed.
std::string cudaDirectory();
/// One that has that folder's libcuda.so.1 alone, and a second one for what this needs; with a colon between them.
Expected<std::string> cudaDriverDirectories(const std::string &cudaDirectory);

/// A directory that holds one .icd file naming icdLibrary(); made on first use under the user's cache directory, else
/// under the temporary one. ocl-icd, the Khronos loader and the loader in PyOpenCL's wheel all take a directory.
Expected<std::string> vendorsDirectory();

} // namespace us::install
