// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled sources on the disk, in a folder of the user's cache (docs/decisions/0042-whose-files.md). An entry counts
// while every file that its compilation looked for is as it was: the same size and time, or still not there.
#pragma once
#include "frontend/cuda/compile.h"

#include <optional>
#include <string>
#include <string_view>

namespace us::nvrtc {

/// What a compilation came to.
struct Cached {
  frontend::cuda::Compiled compiled;
  std::string log;
};

/// `key` is all that the result follows from but the files.
std::optional<Cached> findCached(std::string_view key);
void storeCached(std::string_view key, const Cached &made);

} // namespace us::nvrtc
