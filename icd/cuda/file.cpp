// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/file.h"

#include <fstream>
#include <sstream>

namespace us::cuda {

Expected<std::string> readFile(const char *path) {
  US_CHECK(checkOut(path, "the file's name"));
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail(CUDA_ERROR_FILE_NOT_FOUND, format("{} cannot be read", path));
  return std::move(text).str();
}

} // namespace us::cuda
