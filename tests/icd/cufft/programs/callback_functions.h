// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks of every type, which count their calls and change numbers by their place. Compiled with the program, or
// while it runs; Offset is what the type of their second parameter is called.
#pragma once

struct Info {
  unsigned *calls; // for each offset
  float factor;
};

__device__ inline float scaled(float x, float by) { return x * by; }
__device__ inline double scaled(double x, float by) { return x * by; }
__device__ inline float2 scaled(float2 x, float by) { return make_float2(x.x * by, x.y * by); }
__device__ inline double2 scaled(double2 x, float by) { return make_double2(x.x * by, x.y * by); }

// What the host does the same: exact in both precisions.
#define FACTOR(factor, offset) ((factor) + float((offset) % 4))

__device__ inline float note(void *info, Offset offset) {
  Info *const all = static_cast<Info *>(info);
  atomicAdd(&all->calls[offset], 1u);
  return FACTOR(all->factor, offset);
}

#define CALLBACKS(LETTER, T)                                                                                           \
  __device__ T load##LETTER(void *data, Offset offset, void *info, void *) {                                           \
    return scaled(static_cast<T *>(data)[offset], note(info, offset));                                                 \
  }                                                                                                                    \
  __device__ void store##LETTER(void *data, Offset offset, T element, void *info, void *) {                            \
    static_cast<T *>(data)[offset] = scaled(element, note(info, offset));                                              \
  }
CALLBACKS(C, float2)
CALLBACKS(Z, double2)
CALLBACKS(R, float)
CALLBACKS(D, double)

// A number through memory that the block shares.
__device__ float2 loadShared(void *data, Offset offset, void *, void *shared) {
  float2 *const own = static_cast<float2 *>(shared) + threadIdx.x;
  *own = static_cast<float2 *>(data)[offset];
  own->y += 1;
  return *own;
}
// Numbers that are nowhere, and numbers that are left out.
__device__ float2 loadMade(void *, Offset offset, void *, void *) { return make_float2(offset == 1, 0); }
__device__ void storeEven(void *data, Offset offset, float2 element, void *, void *) {
  if (offset % 2 == 0) static_cast<float2 *>(data)[offset / 2] = element;
}
