// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP in the host's code of CUDA sources: Clang makes calls of its own library, libomp.
#pragma once

#include <string>
#include <vector>

namespace us::frontend::cuda {

/// Where libomp of our Clang's release has its header and its library; empty where it is not installed.
struct OpenMpFolders {
  std::string include, library;
};
OpenMpFolders openMpFolders();
/// A folder with an omp.h, for sources that include it and do not ask for OpenMP: that one, or g++'s; empty without.
std::string openMpHeader();
/// Whether it is among the options for the host's compiler.
bool asksForOpenMp(const std::vector<std::string> &options);

} // namespace us::frontend::cuda
