// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included before each math family of the OpenCL C library when it is compiled for NVPTX: scalars only, and one form of
// what takes a pointer, because NVPTX's private pointers are generic ones.
#pragma once
#include "emulator/builtins/opencl/math/widths.h"

#undef US_FOR_WIDTHS
#define US_FOR_WIDTHS(M, ...)
#undef US_FOR_SPACES
#define US_FOR_SPACES(M, ...)
