// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs are linked with where there is no driver: every function of the library by its name, and nothing behind
// it. Unlike the library itself it needs no other one.
#include "icd/cuda/include/cuda.h"

#define US_CU_EACH(SYMBOL, ...)                                                                                        \
  extern "C" __attribute__((visibility("default"))) CUresult us_stub_##SYMBOL() __asm__(#SYMBOL);                      \
  CUresult us_stub_##SYMBOL() { return CUDA_ERROR_STUB_LIBRARY; }
#include "icd/cuda/functions.def"
