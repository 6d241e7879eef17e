/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Always included already in CUDA C++: programs written for other compilers name it. */
#include "cuda_runtime.h"
/* The last before Clang's own intrinsics, where clang++ has a header of its own for CUDA. */
#if defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__) && !defined(UNDERSTUDY_BEHIND_CLANGS_HEADERS)
#include "understudy/reductions_before.h"
#endif
