// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/device/finding.h"

#include <string>

namespace us::check {

struct FoundPlace {
  SourcePlace place;
  std::string function, text; ///< of the source line; empty: unknown
  uint32_t lineOfPtx = 0;     ///< that was made of it; 0: none was
};

} // namespace us::check
