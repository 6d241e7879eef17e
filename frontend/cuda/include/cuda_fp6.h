// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 6-bit floating-point numbers: E2M3 and E3M2, each in a byte of its own, whose upper bits are zero. Conversions are
// calculated: they need no instructions of the newest devices.
#pragma once

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __CUDA_FP6_H__

#include "cuda_fp8.h"
#include "understudy/tiny_float.h"

extern "C++" {
typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

__host__ __device__ inline us_tinyFormat us_formatOf(__nv_fp6_interpretation_t kind) {
  return kind == __NV_E2M3 ? us_tinyFormat{3, 1} : us_tinyFormat{2, 3};
}

#define US_KINDS __nv_fp6_interpretation_t
#define US_WIDTH 6
#define US_PAIR_SHIFT 8
#define US_KIND __NV_E2M3
#define US_NUMBER __nv_fp6_e2m3
#define US_PAIR __nv_fp6x2_e2m3
#define US_FOUR __nv_fp6x4_e2m3
#include "understudy/tiny_float.inc"
#define US_KIND __NV_E3M2
#define US_NUMBER __nv_fp6_e3m2
#define US_PAIR __nv_fp6x2_e3m2
#define US_FOUR __nv_fp6x4_e3m2
#include "understudy/tiny_float.inc"
#undef US_HAS_CONVERSIONS
#undef US_KINDS
#undef US_WIDTH
#undef US_PAIR_SHIFT
}
