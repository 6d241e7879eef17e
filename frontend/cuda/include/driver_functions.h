/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   What makes the descriptions of memory in two and three dimensions. */
#ifndef UNDERSTUDY_DRIVER_FUNCTIONS_H
#define UNDERSTUDY_DRIVER_FUNCTIONS_H

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width,
                                                                     size_t height) {
  struct cudaPitchedPtr made = {pointer, pitch, width, height};
  return made;
}
static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos made = {x, y, z};
  return made;
}
static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent made = {width, height, depth};
  return made;
}

#endif
