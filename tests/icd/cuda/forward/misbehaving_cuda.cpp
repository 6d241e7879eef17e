// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA driver that goes wrong as US_TEST_CUDA says. Without it, it has one device that does nothing.
#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "icd/cuda/include/cuda.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

bool is(const char *word) {
  const char *const wanted = std::getenv("US_TEST_CUDA");
  return wanted && std::string_view(wanted) == word;
}

__attribute__((constructor)) void load() {
  if (is("crashes when it is opened")) std::raise(SIGSEGV);
}

} // namespace

US_EXPORT CUresult cuInit(unsigned) {
  if (is("crashes in cuInit")) std::abort();
  if (is("hangs in cuInit"))
    for (;;) pause();
  if (is("is a stub")) return CUDA_ERROR_STUB_LIBRARY;
  if (is("has no device")) return CUDA_ERROR_NO_DEVICE;
  if (is("fails")) return CUDA_ERROR_OPERATING_SYSTEM;
  return CUDA_SUCCESS;
}
US_EXPORT CUresult cuDriverGetVersion(int *version) {
  *version = is("is of no version") ? -7 : 13000;
  return CUDA_SUCCESS;
}
US_EXPORT CUresult cuDeviceGetCount(int *count) {
  *count = is("has two billion devices") ? 0x7fffffff : is("has less than no device") ? -3 : 1;
  return CUDA_SUCCESS;
}
US_EXPORT CUresult cuDeviceGet(CUdevice *device, int) {
  *device = 0;
  return is("does not give its device") ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
US_EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  std::snprintf(name, size_t(length), "Nothing\twith breaks\n");
  return CUDA_SUCCESS;
}
US_EXPORT CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = nullptr;
  return CUDA_SUCCESS;
}
/// Found by its name alone: the names of later ones are not for us to know.
US_EXPORT CUresult cuGetProcAddress(const char *, void **function, int, cuuint64_t) {
  *function = reinterpret_cast<void *>(&is);
  return CUDA_SUCCESS;
}
