// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the entry points, as functions.def lists them: what a function means, without the last error,
// exceptions and default streams.
#pragma once

#include "icd/cudart/driver.h"

namespace us::cudart {

#define US_RT(SYMBOL, BODY, PARAMETERS, ARGUMENTS) cudaError_t BODY PARAMETERS;
#define US_RT_QUIET US_RT
#define US_RT_STREAM US_RT
#define US_RT_DEFAULT US_RT
#include "icd/cudart/functions.def"

} // namespace us::cudart
