// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/toolkit.h"

#include <filesystem>

namespace us::frontend::cuda {
namespace fs = std::filesystem;

Expected<std::string> toolkitFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return fail(ErrorCode::Internal, "the program's own path cannot be read: " + error.message());
  const fs::path above = program.parent_path().parent_path();
  for (const fs::path &folder : {above / "cuda", above / US_LIBRARY_DIRECTORY / "cuda", above})
    if (fs::exists(folder / "include/cuda_runtime.h", error)) return folder.lexically_normal().string();
  return fail(ErrorCode::Internal, "the toolkit's folder is not beside " + program.string());
}

} // namespace us::frontend::cuda
