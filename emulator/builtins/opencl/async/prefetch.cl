// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// prefetch: "does not affect the functional behavior of the kernel"; the host prefetches by itself.
#include "emulator/builtins/opencl/support.h"

#define PREFETCH(T)                                                                                                    \
  US_OVERLOAD void prefetch(const __global T *p, size_t count) {}
#define ALL(T) US_WIDTHS(PREFETCH, T)
US_ALL_TYPES(ALL)
