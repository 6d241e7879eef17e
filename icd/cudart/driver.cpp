// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cudart/driver.h"

#include <dlfcn.h>

namespace us::cudart {
namespace {

constexpr const char *kLibrary = "libcuda.so.1";

template <class... Arguments> CUresult absent(Arguments...) { return CUDA_ERROR_NOT_SUPPORTED; }

template <class... Arguments> void find(void *library, const char *symbol, CUresult (*&function)(Arguments...)) {
  function = reinterpret_cast<CUresult (*)(Arguments...)>(dlsym(library, symbol));
  if (!function) function = &absent<Arguments...>;
}

struct Opened {
  Driver functions;
  cudaError_t error;

  Opened() : functions(), error(open()) {}

private:
  cudaError_t open() {
    // Never closed: its threads outlive us.
    void *const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    // "This indicates that the installed NVIDIA CUDA driver is older than the CUDA runtime library", or that there is
    // none.
    if (!library) return cudaErrorInsufficientDriver;
#define US_DRIVER(SYMBOL) find(library, #SYMBOL, functions.SYMBOL);
#include "icd/cudart/driver_functions.def"
    // Drivers before CUDA 12 have no libraries.
    if (!dlsym(library, "cuLibraryLoadData")) return cudaErrorInsufficientDriver;
    return errorOf(functions.cuInit(0));
  }
};

const Opened &opened() {
  static const Opened driver; // destroyed trivially: calls come while the process ends
  return driver;
}

} // namespace

cudaError_t startDriver() { return opened().error; }
const Driver &driver() { return opened().functions; }

} // namespace us::cudart
