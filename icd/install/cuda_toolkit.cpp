// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/cuda_toolkit.h"

#include <filesystem>

namespace us::install {
namespace fs = std::filesystem;

std::string cudaProgramsFolder() {
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char *candidate : {"../cuda/bin", "../" US_LIBRARY_DIRECTORY "/cuda/bin"})
    if (fs::exists(beside / candidate / "nvcc", error)) return fs::canonical(beside / candidate, error).string();
  return {};
}

} // namespace us::install
