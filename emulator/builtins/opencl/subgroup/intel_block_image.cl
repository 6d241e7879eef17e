// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, _short, _char, _long: blocks of images. "The coordinate is a byte coordinate, not an image
// element coordinate"; "the image data is read without format conversion"; "the data is read row-by-row". Beyond the
// image reads give what lies at its edge, and writes do nothing.
#include "emulator/builtins/opencl/image/image.h"
#include "emulator/builtins/opencl/subgroup/collective.h"

// A block is at the place that the first work-item names, as in memory (intel_block.cl).
US_OF_FIRST(ulong)
US_INLINE int2 us_block_place(int2 at) {
  ulong bits = __builtin_astype(at, ulong);
  return us_same_in_sub_group(bits) ? at : __builtin_astype(us_of_first(bits), int2);
}

/// The byte of a row at which this work-item's part of a block begins, moved into the row.
US_INLINE __global uchar *us_block_at(us_image image, int x, int y, uint size) {
  int begin = x + (int)(us_sub_group_lane() * size), end = (int)(image->width * image->elementSize - size);
  begin = begin > end ? end : begin;
  int row = y < (int)image->height ? y : (int)image->height - 1;
  return image->data + (ulong)(uint)(row < 0 ? 0 : row) * image->rowPitch + (uint)(begin < 0 ? 0 : begin);
}
US_INLINE bool us_block_inside(us_image image, int x, int y, uint size) {
  int begin = x + (int)(us_sub_group_lane() * size);
  return ((begin >= 0) & (begin <= (int)(image->width * image->elementSize - size)) & (y >= 0) &
          (y < (int)image->height)) != 0;
}

// Reads may begin at any byte.
#define PART(T)                                                                                                        \
  typedef T us_part_##T __attribute__((aligned(1)));                                                                   \
  US_INLINE T us_block_read_##T(us_image image, int x, int y) {                                                        \
    return *(__global const us_part_##T *)us_block_at(image, x, y, sizeof(T));                                         \
  }                                                                                                                    \
  US_INLINE void us_block_write_##T(us_image image, int x, int y, T data) {                                            \
    if (us_block_inside(image, x, y, sizeof(T))) *(__global us_part_##T *)us_block_at(image, x, y, sizeof(T)) = data;  \
  }
PART(uchar)
PART(ushort)
PART(uint)
PART(ulong)

#define READ(T, N, ENDING, A)                                                                                          \
  US_OVERLOAD US_CONVERGENT T##N intel_sub_group_block_read##ENDING##N(A image2d_t image, int2 at) {                   \
    T##N data;                                                                                                         \
    at = us_block_place(at);                                                                                           \
    for (int i = 0; i < N; ++i) data[i] = us_block_read_##T(us_of(image), at.x, at.y + i);                             \
    return data;                                                                                                       \
  }
#define WRITE(T, N, ENDING, A)                                                                                         \
  US_OVERLOAD US_CONVERGENT void intel_sub_group_block_write##ENDING##N(A image2d_t image, int2 at, T##N data) {       \
    at = us_block_place(at);                                                                                           \
    for (int i = 0; i < N; ++i) us_block_write_##T(us_of(image), at.x, at.y + i, data[i]);                             \
  }
#define READ_ONE(T, ENDING, A)                                                                                         \
  US_OVERLOAD US_CONVERGENT T intel_sub_group_block_read##ENDING(A image2d_t image, int2 at) {                         \
    at = us_block_place(at);                                                                                           \
    return us_block_read_##T(us_of(image), at.x, at.y);                                                                \
  }
#define WRITE_ONE(T, ENDING, A)                                                                                        \
  US_OVERLOAD US_CONVERGENT void intel_sub_group_block_write##ENDING(A image2d_t image, int2 at, T data) {             \
    at = us_block_place(at);                                                                                           \
    us_block_write_##T(us_of(image), at.x, at.y, data);                                                                \
  }
#define ROWS(T, N, ENDING)                                                                                             \
  READ(T, N, ENDING, read_only)                                                                                        \
  READ(T, N, ENDING, read_write) WRITE(T, N, ENDING, write_only) WRITE(T, N, ENDING, read_write)
#define BLOCKS(T, ENDING)                                                                                              \
  READ_ONE(T, ENDING, read_only)                                                                                       \
  READ_ONE(T, ENDING, read_write)                                                                                      \
  WRITE_ONE(T, ENDING, write_only)                                                                                     \
  WRITE_ONE(T, ENDING, read_write) ROWS(T, 2, ENDING) ROWS(T, 4, ENDING) ROWS(T, 8, ENDING)
BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(ulong, _ul)
BLOCKS(ushort, _us)
ROWS(ushort, 16, _us)
BLOCKS(uchar, _uc)
ROWS(uchar, 16, _uc)
