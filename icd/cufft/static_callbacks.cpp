// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcufft_callbacks.a, which libcufft_static.a stands for beside the shared library: the functions for callbacks, and
// kernels that call them. A program that refers to one of the functions gets all of it. As an object of relocatable
// device code registers its part, so do the kernels, and the runtime links them with the program's.
#include "icd/cufft/static_callbacks.h"

#include "icd/cufft/callback_kernels.h"

#include <cuda_runtime_api.h>

extern "C" void **__cudaRegisterFatBinaryPart(void *wrapper);

namespace {
using namespace us::cufft;

/// What objects have in the section .nvFatBinSegment. It says which program or library the part belongs to.
struct Wrapper {
  unsigned magic = 0x466243b1, version = 1;
  const void *image;
  void *linked = nullptr;
};

/// Where each kernel is known from.
char kernels[kCallbackTypes];

[[gnu::constructor]] void registerKernels() {
  static char text[kKernelText * kCallbackTypes];
  size_t size = beginKernels(text, sizeof text);
  for (int type = 0; type < kCallbackTypes; ++type) size = appendKernel(text, sizeof text, size, type, nullptr);
  static Wrapper wrapper{.image = text};
  void **const part = __cudaRegisterFatBinaryPart(&wrapper);
  for (int type = 0; type < kCallbackTypes; ++type) {
    const char *const name = kCallbackTypeTable[type].kernel;
    __cudaRegisterFunction(part, &kernels[type], const_cast<char *>(name), name, -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
  }
}

cufftResult kernelOf(cufftXtCallbackType type, void **kernel) {
  cudaFunction_t function = nullptr;
  if (cudaGetFuncBySymbol(&function, &kernels[type]) != cudaSuccess) return CUFFT_INTERNAL_ERROR;
  *kernel = function;
  return CUFFT_SUCCESS;
}

} // namespace

// Nobody else is to call these: another program or library has kernels of its own.
#define US_OWN extern "C" __attribute__((visibility("hidden")))

US_OWN cufftResult cufftXtSetCallback(cufftHandle plan, void **callbackRoutine, cufftXtCallbackType type,
                                      void **callerInfo) {
  return cufftUnderstudySetCallback(plan, callbackRoutine, type, callerInfo, kernelOf);
}
US_OWN cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type) {
  return cufftUnderstudyClearCallback(plan, type);
}
US_OWN cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t sharedSize) {
  return cufftUnderstudySetCallbackSharedSize(plan, type, sharedSize);
}
