// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shuffle: components picked by a mask; only as many low bits of an index count as the source needs.
#include "emulator/builtins/opencl/vector_data/shuffle.h"

#define US_PICK(M, index) x[(index) & (M - 1)]
#define SHUFFLE(T, U, N, M)                                                                                            \
  US_OVERLOAD T##N shuffle(T##M x, U##N mask) { return (T##N)(US_PICK_##N(M)); }
US_ALL_SHUFFLES
