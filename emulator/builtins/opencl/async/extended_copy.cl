// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_extended_async_copies: lines and planes. cl_khr_async_work_group_copy_fence: work-item 0 makes all copies, one
// after the other, so nothing is left to be ordered.
#include "emulator/builtins/opencl/workitem/linear.h"

// "The src_offset, dst_offset, src_total_line_length, dst_total_line_length, src_total_plane_area and
// dst_total_plane_area function arguments are expressed in elements"; "All pointer arithmetic is performed with
// implicit casting to char*".
#define EXTENDED_COPY(TO, FROM)                                                                                        \
  static inline __attribute__((always_inline, overloadable)) void us_copy_box(                                         \
      TO uchar *target, const FROM uchar *source, size_t bytes, size_t elements, size_t lines, size_t planes,          \
      size_t source_line, size_t source_plane, size_t target_line, size_t target_plane) {                              \
    if (us_linear_id() != 0) return;                                                                                   \
    for (size_t plane = 0; plane < planes; ++plane)                                                                    \
      for (size_t line = 0; line < lines; ++line) {                                                                    \
        TO uchar *to = target + (plane * target_plane + line * target_line) * bytes;                                   \
        const FROM uchar *from = source + (plane * source_plane + line * source_line) * bytes;                         \
        for (size_t i = 0; i < elements * bytes; ++i) to[i] = from[i];                                                 \
      }                                                                                                                \
  }                                                                                                                    \
  US_OVERLOAD event_t async_work_group_copy_2D2D(TO void *target, size_t target_offset, const FROM void *source,       \
                                                 size_t source_offset, size_t bytes, size_t elements, size_t lines,    \
                                                 size_t source_line, size_t target_line, event_t event) {              \
    us_copy_box((TO uchar *)target + target_offset * bytes, (const FROM uchar *)source + source_offset * bytes, bytes, \
                elements, lines, 1, source_line, 0, target_line, 0);                                                   \
    return event;                                                                                                      \
  }                                                                                                                    \
  US_OVERLOAD event_t async_work_group_copy_3D3D(TO void *target, size_t target_offset, const FROM void *source,       \
                                                 size_t source_offset, size_t bytes, size_t elements, size_t lines,    \
                                                 size_t planes, size_t source_line, size_t source_plane,               \
                                                 size_t target_line, size_t target_plane, event_t event) {             \
    us_copy_box((TO uchar *)target + target_offset * bytes, (const FROM uchar *)source + source_offset * bytes, bytes, \
                elements, lines, planes, source_line, source_plane, target_line, target_plane);                        \
    return event;                                                                                                      \
  }
EXTENDED_COPY(__local, __global)
EXTENDED_COPY(__global, __local)

US_OVERLOAD void async_work_group_copy_fence(cl_mem_fence_flags fences) {}
