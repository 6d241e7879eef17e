// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cublas/blas.h"

#include <dlfcn.h>

namespace us::cublas {
namespace {

/// What may have the routines, best first. None is closed: their threads outlive us.
struct Libraries {
  void *all[3] = {};
  Libraries() {
    unsigned count = 0;
    for (const char *name : {"libopenblas.so.0", "libblas.so.3", "liblapack.so.3"})
      if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) all[count++] = library;
  }
};

} // namespace

void *findRoutine(const char *symbol) {
  static const Libraries libraries;
  for (void *library : libraries.all)
    if (void *found = library ? dlsym(library, symbol) : nullptr) return found;
  return nullptr;
}

} // namespace us::cublas
