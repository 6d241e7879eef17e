// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries: device code that a program loads while it runs.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/registry.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {
namespace {

/// Options have the driver's numbers; its functions do not write to the lists.
struct Options {
  cudaJitOption *compiler;
  void **compilerValues;
  unsigned compilerCount;
  cudaLibraryOption *library;
  void **libraryValues;
  unsigned libraryCount;
};

template <class Load> cudaError_t load(cudaLibrary_t *library, const Options &options, Load call) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(call(library, reinterpret_cast<CUjit_option *>(options.compiler), options.compilerValues,
                      options.compilerCount, reinterpret_cast<CUlibraryOption *>(options.library),
                      options.libraryValues, options.libraryCount));
}

template <class Get> cudaError_t addressIn(void **pointer, Get call) {
  US_RETURN_IF_ERROR(useContext());
  CUdeviceptr address = 0;
  US_RETURN_IF_ERROR(errorOf(call(pointer ? &address : nullptr)));
  if (pointer) *pointer = reinterpret_cast<void *>(address);
  return cudaSuccess;
}

} // namespace

cudaError_t libraryLoadData(cudaLibrary_t *library, const void *code, cudaJitOption *compiler, void **compilerValues,
                            unsigned compilerCount, cudaLibraryOption *options, void **values, unsigned count) {
  return load(library, {compiler, compilerValues, compilerCount, options, values, count},
              [&](cudaLibrary_t *made, auto... rest) { return driver().cuLibraryLoadData(made, code, rest...); });
}

cudaError_t libraryLoadFromFile(cudaLibrary_t *library, const char *file, cudaJitOption *compiler,
                                void **compilerValues, unsigned compilerCount, cudaLibraryOption *options,
                                void **values, unsigned count) {
  return load(library, {compiler, compilerValues, compilerCount, options, values, count},
              [&](cudaLibrary_t *made, auto... rest) { return driver().cuLibraryLoadFromFile(made, file, rest...); });
}

cudaError_t libraryUnload(cudaLibrary_t library) {
  US_RETURN_IF_ERROR(startDriver());
  forgetKernelsOf(library);
  return errorOf(driver().cuLibraryUnload(library));
}

cudaError_t libraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  US_RETURN_IF_ERROR(useContext());
  US_RETURN_IF_ERROR(errorOf(driver().cuLibraryGetKernel(kernel, library, name)));
  noteKernel(*kernel, library);
  return cudaSuccess;
}

cudaError_t libraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuLibraryGetKernelCount(count, library));
}

cudaError_t libraryEnumerateKernels(cudaKernel_t *kernels, unsigned count, cudaLibrary_t library) {
  US_RETURN_IF_ERROR(useContext());
  unsigned present = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuLibraryGetKernelCount(&present, library)));
  US_RETURN_IF_ERROR(errorOf(driver().cuLibraryEnumerateKernels(kernels, count, library)));
  for (unsigned i = 0; i < count && i < present; ++i) noteKernel(kernels[i], library);
  return cudaSuccess;
}

cudaError_t libraryGetGlobal(void **pointer, size_t *size, cudaLibrary_t library, const char *name) {
  return addressIn(pointer,
                   [&](CUdeviceptr *address) { return driver().cuLibraryGetGlobal(address, size, library, name); });
}

cudaError_t libraryGetManaged(void **pointer, size_t *size, cudaLibrary_t library, const char *name) {
  return addressIn(pointer,
                   [&](CUdeviceptr *address) { return driver().cuLibraryGetManaged(address, size, library, name); });
}

cudaError_t libraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *symbol) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuLibraryGetUnifiedFunction(function, library, symbol));
}

cudaError_t kernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int device) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value, kernel, device));
}

} // namespace us::cudart
