// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries: images of no context, which become a module of each context that asks; kernels are functions of them.
#pragma once

#include "icd/cuda/module.h"

namespace us::cuda {

/// A handle may be a kernel's where a function is wanted.
bool isKernel(CUkernel handle);
/// The function in the current context, or in another. CUDA_ERROR_INVALID_HANDLE.
Expected<Ref<Function>> functionOfKernel(CUkernel handle);
Expected<Ref<Function>> functionOfKernel(CUkernel handle, Context &context);
/// A context that is destroyed takes its modules with it.
void forgetLibraryModulesOf(const Context &context);

} // namespace us::cuda
