// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/open_mp.h"

#include <llvm/Config/llvm-config.h>

#include <algorithm>
#include <filesystem>

namespace us::frontend::cuda {
namespace fs = std::filesystem;

OpenMpFolders openMpFolders() {
  std::error_code error;
  // Where Debian's package libomp-19-dev puts it.
  const std::string release = std::to_string(LLVM_VERSION_MAJOR);
  const fs::path root = "/usr/lib/llvm-" + release, include = root / "lib/clang" / release / "include";
  if (!fs::exists(include / "omp.h", error) || !fs::exists(root / "lib/libomp.so", error)) return {};
  return {include.string(), (root / "lib").string()};
}

bool asksForOpenMp(const std::vector<std::string> &options) {
  return std::find(options.begin(), options.end(), "-fopenmp") != options.end();
}

} // namespace us::frontend::cuda
