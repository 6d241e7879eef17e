// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a checked run went, besides what was found.
#pragma once

#include <string>

namespace us::install {

struct CheckOutcome {
  int programCode = 0;    ///< the program's exit code
  int code = 0;           ///< ours
  std::string began = {}; ///< "2026-01-31T23:59:59Z"
  std::string ended = {};
  double seconds = 0;
  std::string version = {}; ///< of Understudy
};

} // namespace us::install
