// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image<NAME> with a sampler, for float and for integer coordinates; a family defines US_RESULT, US_NAME, US_RAW
// (f or i) and US_AS (what becomes of the four channels).
#pragma once
#include "emulator/builtins/opencl/image/sample.h"

#define US_JOINED(a, b) a##b
#define US_JOIN(a, b) US_JOINED(a, b)
#define US_SAMPLED(T, N, DIMENSIONS, ARRAY, AT)                                                                        \
  US_OVERLOAD US_RESULT US_JOIN(read_image, US_NAME)(read_only T image, sampler_t sampler, float##N coord) {           \
    return US_AS(                                                                                                      \
        US_JOIN(us_sample_, US_RAW)(us_of(image), us_sampler(sampler), AT(float4, coord), DIMENSIONS, ARRAY));         \
  }                                                                                                                    \
  US_OVERLOAD US_RESULT US_JOIN(read_image, US_NAME)(read_only T image, sampler_t sampler, int##N coord) {             \
    return US_AS(US_JOIN(us_read_, US_RAW)(us_of(image), us_sampler(sampler), AT(int4, coord), ARRAY));                \
  }
