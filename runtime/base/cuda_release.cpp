// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/cuda_release.h"

#include "runtime/base/options.h"

#include <cstdio>

namespace us {

Expected<CudaRelease> cudaRelease() {
  const std::string &text = options().cudaVersion;
  CudaRelease release;
  if (text.empty()) return release;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%u.%u%c", &release.major, &release.minor, &rest) != 2 || release.major < 9 ||
      release.major > 13 || release.minor > 9)
    return fail(ErrorCode::InvalidValue,
                "UNDERSTUDY_CUDA_VERSION is '" + text + "': a release from 9.0 to 13.9 was expected");
  return release;
}

} // namespace us
