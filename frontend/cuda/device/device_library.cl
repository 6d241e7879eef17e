// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device functions that CUDA C++ code needs, in one unit: `frontend/cuda/CMakeLists.txt` links it with
// `machine.cpp` and the math families of the OpenCL C library. The names are those that Clang's CUDA headers call.
#include "frontend/cuda/device/scalar_math.h"

#include "frontend/cuda/device/forwarded.cl"
#include "frontend/cuda/device/special.cl"
