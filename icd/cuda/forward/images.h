// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of understudy-nvcc for a real driver, which knows no container of ours: it is given the PTX that is in it. All
// other images are the driver's own business, and are not looked into.
#pragma once

#include "icd/cuda/api.h"

namespace us::cuda {

CUresult forwardedModuleLoad(CUmodule *module, const char *file);
CUresult forwardedModuleLoadData(CUmodule *module, const void *image);
CUresult forwardedModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                   void **values);
CUresult forwardedModuleLoadFatBinary(CUmodule *module, const void *image);
CUresult forwardedLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitValues,
                                  unsigned jitCount, CUlibraryOption *options, void **values, unsigned count);
CUresult forwardedLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jitOptions, void **jitValues,
                                      unsigned jitCount, CUlibraryOption *options, void **values, unsigned count);
CUresult forwardedLinkAddDataOld(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                 unsigned count, CUjit_option *options, void **values);
CUresult forwardedLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                              unsigned count, CUjit_option *options, void **values);
CUresult forwardedLinkAddFileOld(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                                 CUjit_option *options, void **values);
CUresult forwardedLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                              CUjit_option *options, void **values);

} // namespace us::cuda
