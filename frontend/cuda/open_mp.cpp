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

std::string openMpHeader() {
  if (const OpenMpFolders own = openMpFolders(); !own.include.empty()) return own.include;
  // /usr/lib/gcc/x86_64-linux-gnu/12/include
  std::error_code error;
  for (fs::directory_iterator machine("/usr/lib/gcc", error), end; !error && machine != end; machine.increment(error))
    for (fs::directory_iterator release(machine->path(), error); !error && release != end; release.increment(error))
      if (fs::exists(release->path() / "include/omp.h", error)) return (release->path() / "include").string();
  return {};
}

bool asksForOpenMp(const std::vector<std::string> &options) {
  return std::find(options.begin(), options.end(), "-fopenmp") != options.end();
}

} // namespace us::frontend::cuda
