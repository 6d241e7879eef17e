// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ndrange_1D, ndrange_2D, ndrange_3D: with a global size, with a local size too, and with an offset before them.
#include "emulator/builtins/opencl/device_queue/request.h"

US_INLINE ndrange_t us_range(uint dimensions, const size_t *offset, const size_t *global_size,
                             const size_t *local_size) {
  ndrange_t range;
  range.workDimension = dimensions;
  for (uint i = 0; i < 3; ++i) {
    const bool has = i < dimensions;
    range.globalWorkOffset[i] = has && offset ? offset[i] : 0;
    range.globalWorkSize[i] = has ? global_size[i] : 1;
    range.localWorkSize[i] = local_size ? (has ? local_size[i] : 1) : 0;
  }
  return range;
}

US_OVERLOAD ndrange_t ndrange_1D(size_t global_size) { return us_range(1, 0, &global_size, 0); }
US_OVERLOAD ndrange_t ndrange_1D(size_t global_size, size_t local_size) {
  return us_range(1, 0, &global_size, &local_size);
}
US_OVERLOAD ndrange_t ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
  return us_range(1, &offset, &global_size, &local_size);
}

#define RANGE(N)                                                                                                       \
  US_OVERLOAD ndrange_t ndrange_##N##D(const __private size_t *global_size) { return us_range(N, 0, global_size, 0); } \
  US_OVERLOAD ndrange_t ndrange_##N##D(const __private size_t *global_size, const __private size_t *local_size) {      \
    return us_range(N, 0, global_size, local_size);                                                                    \
  }                                                                                                                    \
  US_OVERLOAD ndrange_t ndrange_##N##D(const __private size_t *offset, const __private size_t *global_size,            \
                                       const __private size_t *local_size) {                                           \
    return us_range(N, offset, global_size, local_size);                                                               \
  }
RANGE(2)
RANGE(3)
