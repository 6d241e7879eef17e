// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/file.h"
#include "runtime/base/file.h"

namespace us::cuda {

Expected<std::string> readFile(const char *path) {
  US_CHECK(checkOut(path, "the file's name"));
  Expected<std::string> content = us::readFile(path);
  if (!content) return fail(CUDA_ERROR_FILE_NOT_FOUND, content.error().message);
  return *std::move(content);
}

} // namespace us::cuda
