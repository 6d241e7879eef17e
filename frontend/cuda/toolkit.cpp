// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/toolkit.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace us::cuda {
namespace fs = std::filesystem;

Expected<Release> toolkitRelease() {
  const char *text = std::getenv("UNDERSTUDY_CUDA_VERSION");
  if (!text || !*text) return Release{};
  Release release;
  char rest = 0;
  if (std::sscanf(text, "%u.%u%c", &release.major, &release.minor, &rest) != 2 || release.major < 9 ||
      release.major > 13 || release.minor > 9)
    return fail(ErrorCode::InvalidValue,
                "UNDERSTUDY_CUDA_VERSION is '" + std::string(text) + "': a release from 9.0 to 13.9 was expected");
  return release;
}

Expected<std::string> toolkitFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return fail(ErrorCode::Internal, "the program's own path cannot be read: " + error.message());
  const fs::path above = program.parent_path().parent_path();
  for (const fs::path &folder : {above / "cuda", above / US_LIBRARY_DIRECTORY / "cuda", above})
    if (fs::exists(folder / "include/cuda_runtime.h", error)) return folder.lexically_normal().string();
  return fail(ErrorCode::Internal, "the toolkit's folder is not beside " + program.string());
}

} // namespace us::cuda
