// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA release that the driver library and the compiler stand for.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/options.h"

#include <cstdio>
#include <string>

namespace us {

struct CudaRelease {
  unsigned major = 13, minor = 0;

  unsigned number() const { return major * 1000 + minor * 10; }
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor); }
};

/// What the option CUDA_VERSION says. InvalidValue if that is no release from 9.0 to 13.9.
inline Expected<CudaRelease> cudaRelease() {
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
