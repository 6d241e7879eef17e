// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is declared and not made.
#include "icd/cuda/include/cusolverDn.h"
#include "icd/cuda/include/cusolverSp.h"
#include "icd/math/session.h"

#define US_EXPORT extern "C" __attribute__((visibility("default")))

static cusolverStatus_t missing(const char *function) {
  us::math::say(function, "not supported: it is not made yet");
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

#define US_MISSING(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS)                                                             \
  US_EXPORT cusolverStatus_t SYMBOL PARAMETERS { return missing(#SYMBOL); }
US_CUSOLVERDN(US_MISSING)
US_CUSOLVERSP(US_MISSING)
