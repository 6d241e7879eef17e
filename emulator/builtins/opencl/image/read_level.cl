// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_imagef, read_imagei and read_imageui of a level of a mipmap. SPIR-V has more reads of levels than OpenCL C: of
// halves, and without a sampler.
#include "emulator/builtins/opencl/image/level.h"

#define US_COLOR(A, T, N, G, DIMENSIONS, ARRAY, AT)                                                                    \
  US_LEVEL_READ(A, T, N, G, DIMENSIONS, ARRAY, AT, float4, f, f, US_AS_FLOAT)                                          \
  US_LEVEL_READ(A, T, N, G, DIMENSIONS, ARRAY, AT, half4, h, f, US_AS_HALF)                                            \
  US_LEVEL_READ(A, T, N, G, DIMENSIONS, ARRAY, AT, int4, i, i, US_AS_INT)                                              \
  US_LEVEL_READ(A, T, N, G, DIMENSIONS, ARRAY, AT, uint4, ui, i, US_AS_UINT)
#define US_EACH(A)                                                                                                     \
  US_COLOR(A, image1d_t, , , 1, false, US_AT_1D)                                                                       \
  US_COLOR(A, image1d_array_t, 2, , 1, true, US_AT_1D_ARRAY)                                                           \
  US_COLOR(A, image2d_t, 2, 2, 2, false, US_AT_2D)                                                                     \
  US_COLOR(A, image2d_array_t, 4, 2, 2, true, US_AT_3D)                                                                \
  US_COLOR(A, image3d_t, 4, 4, 3, false, US_AT_3D)                                                                     \
  US_LEVEL_READ(A, image2d_depth_t, 2, 2, 2, false, US_AT_2D, float, f, f, US_AS_DEPTH)                                \
  US_LEVEL_READ(A, image2d_array_depth_t, 4, 2, 2, true, US_AT_3D, float, f, f, US_AS_DEPTH)
US_EACH(read_only)
US_EACH(read_write)

/// A level that the image has not is its last one.
#define US_PLAIN_LEVEL_READ(R, NAME, RAW, AS, T, A, N, AT)                                                             \
  US_OVERLOAD R read_image##NAME(A T opaque, int##N coord, int lod) {                                                  \
    const us_image image = us_of(opaque);                                                                              \
    const us_image level = US_LEVEL(image, min((uint)lod, image->mipLevels - 1));                                      \
    return AS(us_read_##RAW(level, US_NO_SAMPLER, AT(int4, coord), false));                                            \
  }
#define US_PLAIN_LEVEL_READS(T, N, DIMENSIONS, ARRAY, AT, A)                                                           \
  US_PLAIN_LEVEL_READ(float4, f, f, US_AS_FLOAT, T, A, N, AT)                                                          \
  US_PLAIN_LEVEL_READ(half4, h, f, US_AS_HALF, T, A, N, AT)                                                            \
  US_PLAIN_LEVEL_READ(int4, i, i, US_AS_INT, T, A, N, AT)                                                              \
  US_PLAIN_LEVEL_READ(uint4, ui, i, US_AS_UINT, T, A, N, AT)
#define US_PLAIN_DEPTH_LEVEL_READS(T, N, DIMENSIONS, ARRAY, AT, A)                                                     \
  US_PLAIN_LEVEL_READ(float, f, f, US_AS_DEPTH, T, A, N, AT)
US_SAMPLED_TYPES(US_PLAIN_LEVEL_READS, read_only)
US_SAMPLED_TYPES(US_PLAIN_LEVEL_READS, read_write)
US_DEPTH_TYPES(US_PLAIN_DEPTH_LEVEL_READS, read_only)
US_DEPTH_TYPES(US_PLAIN_DEPTH_LEVEL_READS, read_write)
