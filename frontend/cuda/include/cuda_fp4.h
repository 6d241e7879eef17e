// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 4-bit floating-point numbers: E2M1. A pair is a byte, four are two. Conversions are calculated: they need no
// instructions of the newest devices.
#pragma once

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __CUDA_FP4_H__

#include "cuda_fp6.h"

extern "C++" {
typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

__host__ __device__ inline us_tinyFormat us_formatOf(__nv_fp4_interpretation_t) { return {1, 1}; }

#define US_KINDS __nv_fp4_interpretation_t
#define US_WIDTH 4
#define US_PAIR_SHIFT 4
#define US_KIND __NV_E2M1
#define US_NUMBER __nv_fp4_e2m1
#define US_PAIR __nv_fp4x2_e2m1
#define US_FOUR __nv_fp4x4_e2m1
#include "understudy/tiny_float.inc"
#undef US_HAS_CONVERSIONS
#undef US_KINDS
#undef US_WIDTH
#undef US_PAIR_SHIFT
}
