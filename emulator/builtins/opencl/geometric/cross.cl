// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cross; "The w component of double4 result returned will be 0.0".
#include "emulator/builtins/opencl/support.h"

#define CROSS(T)                                                                                                       \
  US_OVERLOAD T##3 cross(T##3 x, T##3 y) { return x.yzx * y.zxy - x.zxy * y.yzx; }                                     \
  US_OVERLOAD T##4 cross(T##4 x, T##4 y) { return (T##4)(cross(x.xyz, y.xyz), (T)0); }
US_FLOAT_TYPES(CROSS)
