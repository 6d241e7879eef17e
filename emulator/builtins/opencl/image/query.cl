// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an image is: fields of its descriptor.
#include "emulator/builtins/opencl/image/image.h"

#define US_ANY_ACCESS(X, T) X(T, read_only) X(T, write_only) X(T, read_write)
#define US_QUERY(T, A, RESULT, NAME, VALUE)                                                                            \
  US_OVERLOAD RESULT get_image_##NAME(A T opaque) {                                                                    \
    const us_image image = us_of(opaque);                                                                              \
    return VALUE;                                                                                                      \
  }

#define US_EVERY_IMAGE(T, A)                                                                                           \
  US_QUERY(T, A, int, width, (int)image->width)                                                                        \
  US_QUERY(T, A, int, channel_data_type, (int)image->type + CLK_SNORM_INT8)                                            \
  US_QUERY(T, A, int, channel_order, (int)image->order + CLK_R)
#define US_PLANE(T, A)                                                                                                 \
  US_QUERY(T, A, int, height, (int)image->height)                                                                      \
  US_QUERY(T, A, int2, dim, (int2)(image->width, image->height))
#define US_ARRAY(T, A) US_QUERY(T, A, size_t, array_size, image->arraySize)
#define US_VOLUME(T, A)                                                                                                \
  US_QUERY(T, A, int, height, (int)image->height)                                                                      \
  US_QUERY(T, A, int, depth, (int)image->depth)                                                                        \
  US_QUERY(T, A, int4, dim, (int4)(image->width, image->height, image->depth, 0))

#define US_EVERY(T, N, DIMENSIONS, ARRAY, AT) US_ANY_ACCESS(US_EVERY_IMAGE, T)
US_COLOR_TYPES(US_EVERY)
US_DEPTH_TYPES(US_EVERY)
US_ANY_ACCESS(US_PLANE, image2d_t)
US_ANY_ACCESS(US_PLANE, image2d_array_t)
US_ANY_ACCESS(US_PLANE, image2d_depth_t)
US_ANY_ACCESS(US_PLANE, image2d_array_depth_t)
US_ANY_ACCESS(US_ARRAY, image1d_array_t)
US_ANY_ACCESS(US_ARRAY, image2d_array_t)
US_ANY_ACCESS(US_ARRAY, image2d_array_depth_t)
US_ANY_ACCESS(US_VOLUME, image3d_t)

// cl_khr_mipmap_image
#define US_LEVELS(T, A) US_QUERY(T, A, int, num_mip_levels, (int)image->mipLevels)
#define US_MIPMAP(T, N, DIMENSIONS, ARRAY, AT) US_ANY_ACCESS(US_LEVELS, T)
US_SAMPLED_TYPES(US_MIPMAP)
US_DEPTH_TYPES(US_MIPMAP)
