/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The release that the compiler is for, where it does not say so itself. */
#include <limits.h>
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
