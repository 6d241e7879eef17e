// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shuffle2: components picked by a mask; only as many low bits of an index count as two sources need.
#include "emulator/builtins/opencl/vector_data/shuffle.h"

#define US_PICK(M, index) (((index) & M) ? y[(index) & (M - 1)] : x[(index) & (M - 1)])
#define SHUFFLE(T, U, N, M)                                                                                            \
  US_OVERLOAD T##N shuffle2(T##M x, T##M y, U##N mask) { return (T##N)(US_PICK_##N(M)); }
US_ALL_SHUFFLES
