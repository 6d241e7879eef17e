// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of every entry point that works, declared from functions.def: the C type comes from include/cuda.h, the
// result becomes an Expected (icd/common/entry_guard.h, BodyOf).
#pragma once

#include "icd/common/entry_guard.h"
#include "icd/cuda/api.h"

namespace us::cuda {

template <class Signature> using Body = typename icd::BodyOf<CUresult, Signature>::Type;

#define US_CU(symbol, declared, body, name, version) Body<decltype(&::declared)> body;
#define US_CU_PER_THREAD(...)
#define US_CU_ABSENT(...)
#define US_CU_UNNAMED(...)
#include "icd/cuda/functions.def"

} // namespace us::cuda
