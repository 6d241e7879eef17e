// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image without a sampler: "the samplerless read image functions behave exactly as the corresponding read image
// functions that take integer coordinates and a sampler with CLK_FILTER_NEAREST, CLK_NORMALIZED_COORDS_FALSE and
// CLK_ADDRESS_NONE". A coordinate outside of the image reads the edge.
#include "emulator/builtins/opencl/image/sample.h"

#define US_READ_AS(R, NAME, RAW, AS, T, A, N, AT)                                                                      \
  US_OVERLOAD R read_image##NAME(A T image, int##N coord) {                                                            \
    return AS(us_read_##RAW(us_of(image), US_NO_SAMPLER, AT(int4, coord), false));                                     \
  }
#define US_READS(T, N, DIMENSIONS, ARRAY, AT, A)                                                                       \
  US_READ_AS(float4, f, f, US_AS_FLOAT, T, A, N, AT)                                                                   \
  US_READ_AS(half4, h, f, US_AS_HALF, T, A, N, AT)                                                                     \
  US_READ_AS(int4, i, i, US_AS_INT, T, A, N, AT)                                                                       \
  US_READ_AS(uint4, ui, i, US_AS_UINT, T, A, N, AT)
#define US_DEPTH_READS(T, N, DIMENSIONS, ARRAY, AT, A) US_READ_AS(float, f, f, US_AS_DEPTH, T, A, N, AT)
US_COLOR_TYPES(US_READS, read_only)
US_COLOR_TYPES(US_READS, read_write)
US_DEPTH_TYPES(US_DEPTH_READS, read_only)
US_DEPTH_TYPES(US_DEPTH_READS, read_write)
