// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async_work_group_copy and _strided_copy: work-item 0 copies, wait_group_events makes the others wait for it. The
// event only has to be something; "If the event argument supplied is non-zero, the event object supplied in event
// argument will be returned."
#include "emulator/builtins/opencl/workitem/linear.h"

#define COPY(T, TO, FROM)                                                                                              \
  US_OVERLOAD event_t async_work_group_copy(TO T *target, const FROM T *source, size_t count, event_t event) {         \
    if (us_linear_id() == 0)                                                                                           \
      for (size_t i = 0; i < count; ++i) target[i] = source[i];                                                        \
    return event;                                                                                                      \
  }
// "src_stride and dst_stride specify the stride in elements" on the side of global memory.
#define STRIDED_COPY(T)                                                                                                \
  US_OVERLOAD event_t async_work_group_strided_copy(__local T *target, const __global T *source, size_t count,         \
                                                    size_t stride, event_t event) {                                    \
    if (us_linear_id() == 0)                                                                                           \
      for (size_t i = 0; i < count; ++i) target[i] = source[i * stride];                                               \
    return event;                                                                                                      \
  }                                                                                                                    \
  US_OVERLOAD event_t async_work_group_strided_copy(__global T *target, const __local T *source, size_t count,         \
                                                    size_t stride, event_t event) {                                    \
    if (us_linear_id() == 0)                                                                                           \
      for (size_t i = 0; i < count; ++i) target[i * stride] = source[i];                                               \
    return event;                                                                                                      \
  }
#define ALL(T) COPY(T, __local, __global) COPY(T, __global, __local) STRIDED_COPY(T)
#define TYPES(T) US_WIDTHS(ALL, T)
US_ALL_TYPES(TYPES)
