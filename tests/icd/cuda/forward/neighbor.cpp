// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library of the real driver's, beside it and with a name as it has them. It opens libcuda.so.1 by that name, as
// NVIDIA's OpenCL does.
#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "icd/cuda/include/cuda.h"

#include <dlfcn.h>

/// The name of device 0, of whoever it was that answered.
extern "C" __attribute__((visibility("default"))) CUresult usNameOfDevice0(char *name, int length) {
  void *const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
  const auto init = reinterpret_cast<decltype(&cuInit)>(dlsym(library, "cuInit"));
  const auto getName = reinterpret_cast<decltype(&cuDeviceGetName)>(dlsym(library, "cuDeviceGetName"));
  if (!init || !getName) return CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND;
  // Their results are looked at afterwards, so that the calls return here and not to whoever called this function.
  const CUresult started = init(0);
  const CUresult named = getName(name, length, 0);
  return started == CUDA_SUCCESS ? named : started;
}
