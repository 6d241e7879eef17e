// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the image family knows of an image and a sampler: the descriptor (emulator/abi/image_abi.h, a test compares),
// the numbers of formats (runtime/device/image.h) and the bits of samplers. specialize_images puts constants in the
// place of `order`, `type`, `elementSize` and the sampler; everything here is written so that the branches on them then
// fold.
#pragma once
#include "emulator/builtins/opencl/support.h"

typedef struct __attribute__((aligned(64))) {
  __global uchar *data;
  ulong rowPitch, slicePitch;
  uint width, height, depth, arraySize, order, type, elementSize, mipLevels, samples, reserved;
} us_descriptor;
typedef __private const us_descriptor *us_image;

enum us_order {
  US_R,
  US_A,
  US_RG,
  US_RA,
  US_RGB,
  US_RGBA,
  US_BGRA,
  US_ARGB,
  US_INTENSITY,
  US_LUMINANCE,
  US_RX,
  US_RGX,
  US_RGBX,
  US_DEPTH,
  US_DEPTH_STENCIL,
  US_SRGB,
  US_SRGBX,
  US_SRGBA,
  US_SBGRA,
  US_ABGR
};
enum us_type {
  US_SNORM_INT8,
  US_SNORM_INT16,
  US_UNORM_INT8,
  US_UNORM_INT16,
  US_UNORM_SHORT_565,
  US_UNORM_SHORT_555,
  US_UNORM_INT_101010,
  US_SIGNED_INT8,
  US_SIGNED_INT16,
  US_SIGNED_INT32,
  US_UNSIGNED_INT8,
  US_UNSIGNED_INT16,
  US_UNSIGNED_INT32,
  US_HALF_FLOAT,
  US_FLOAT,
  US_UNORM_INT24,
  US_UNORM_INT_101010_2
};
enum us_addressing { US_NONE, US_CLAMP_TO_EDGE, US_CLAMP, US_REPEAT, US_MIRRORED_REPEAT };
#define US_NORMALIZED(sampler) (((sampler) & 1) != 0)
#define US_ADDRESSING(sampler) ((uint)(sampler) >> 1 & 7)
#define US_LINEAR(sampler) (((sampler) & 0x20) != 0)
#define US_MIXES_LEVELS(sampler) (((sampler) & 0x40) != 0)
#define US_LEAST_LEVEL(sampler) as_float((uint)((sampler) >> 16) << 8)
#define US_MOST_LEVEL(sampler) as_float((uint)((sampler) >> 40 ^ 0x7f7fff) << 8)
#define US_NO_SAMPLER 0x10 // "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST"

// Calls of these two the packer replaces by their argument, which kernel IR has as a pointer and as 8 bytes.
ulong us_sampler(sampler_t sampler) __asm("us.sampler");
#define US_IMAGE_ACCESSOR(T, A) US_OVERLOAD us_image us_of(A T image) __asm("us.image." #T #A);

// X(type, …) for each type with the coordinates it takes: as int or float, and how they are three: x, y, and slice or
// layer. DIMENSIONS is the number of those that are filtered; ARRAY: what would be z is a layer.
#define US_AT_1D(V, c) ((V)((c), 0, 0, 0))
#define US_AT_1D_ARRAY(V, c) ((V)((c).x, 0, (c).y, 0))
#define US_AT_2D(V, c) ((V)((c).x, (c).y, 0, 0))
#define US_AT_3D(V, c) ((V)((c).x, (c).y, (c).z, 0))
#define US_SAMPLED_TYPES(X, ...)                                                                                       \
  X(image1d_t, , 1, false, US_AT_1D __VA_OPT__(, ) __VA_ARGS__)                                                        \
  X(image1d_array_t, 2, 1, true, US_AT_1D_ARRAY __VA_OPT__(, ) __VA_ARGS__)                                            \
  X(image2d_t, 2, 2, false, US_AT_2D __VA_OPT__(, ) __VA_ARGS__)                                                       \
  X(image2d_array_t, 4, 2, true, US_AT_3D __VA_OPT__(, ) __VA_ARGS__)                                                  \
  X(image3d_t, 4, 3, false, US_AT_3D __VA_OPT__(, ) __VA_ARGS__)
#define US_COLOR_TYPES(X, ...)                                                                                         \
  US_SAMPLED_TYPES(X __VA_OPT__(, ) __VA_ARGS__) X(image1d_buffer_t, , 1, false, US_AT_1D __VA_OPT__(, ) __VA_ARGS__)
#define US_DEPTH_TYPES(X, ...)                                                                                         \
  X(image2d_depth_t, 2, 2, false, US_AT_2D __VA_OPT__(, ) __VA_ARGS__)                                                 \
  X(image2d_array_depth_t, 4, 2, true, US_AT_3D __VA_OPT__(, ) __VA_ARGS__)

#define US_ACCESSORS(T, N, DIMENSIONS, ARRAY, AT)                                                                      \
  US_IMAGE_ACCESSOR(T, read_only) US_IMAGE_ACCESSOR(T, write_only) US_IMAGE_ACCESSOR(T, read_write)
US_COLOR_TYPES(US_ACCESSORS)
US_DEPTH_TYPES(US_ACCESSORS)

// A function that looks at format or sampler. Copies of it that are made for one are small and inlined; the whole of it
// is called, which happens only where specialize_images does not know what it gets.
#define US_GENERAL static __attribute__((cold))

/// Pixels of the three directions; what a kind of image does not have is 1.
US_INLINE int4 us_size(us_image image) {
  return (int4)(image->width, image->height, image->depth * image->arraySize, 1);
}
/// The pixel at a place inside of the image.
US_INLINE __global uchar *us_pixel(us_image image, int4 at) {
  return image->data + (ulong)(uint)at.z * image->slicePitch + (ulong)(uint)at.y * image->rowPitch +
         (ulong)(uint)at.x * image->elementSize;
}
US_INLINE bool us_inside(int4 at, int4 size) {
  return ((uint)at.x < (uint)size.x) & ((uint)at.y < (uint)size.y) & ((uint)at.z < (uint)size.z);
}
US_INLINE int us_clamp(int at, int size) {
  return __builtin_elementwise_max(__builtin_elementwise_min(at, size - 1), 0);
}
US_INLINE int4 us_clamp(int4 at, int4 size) {
  return (int4)(us_clamp(at.x, size.x), us_clamp(at.y, size.y), us_clamp(at.z, size.z), 0);
}
/// As the machine's instructions do it: the second if the first is not a number.
#define US_LIMITS(V)                                                                                                   \
  US_INLINE V us_least(V x, V most) { return x < most ? x : most; }                                                    \
  US_INLINE V us_most(V x, V least) { return x > least ? x : least; }
US_LIMITS(float)
US_LIMITS(float4)
