// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the archive libcufft_callbacks.a asks of the library: callbacks that are pointers to device functions can be
// called by code that is linked with them only, so the archive has the kernels. Both are of one build.
#pragma once

#include "icd/cuda/include/cufftXt.h"

extern "C" {

/// The kernel of the program that calls callbacks of a type, in the current context: a CUfunction.
typedef cufftResult (*UnderstudyKernelOf)(cufftXtCallbackType type, void **kernel);

/// cufftXtSetCallback(), cufftXtClearCallback() and cufftXtSetCallbackSharedSize() of such a program.
cufftResult cufftUnderstudySetCallback(cufftHandle plan, void **callbackRoutine, cufftXtCallbackType type,
                                       void **callerInfo, UnderstudyKernelOf kernelOf);
cufftResult cufftUnderstudyClearCallback(cufftHandle plan, cufftXtCallbackType type);
cufftResult cufftUnderstudySetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t sharedSize);
}
