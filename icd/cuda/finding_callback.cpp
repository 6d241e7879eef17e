// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuUnderstudySetFindingCallback: not one of CUDA's functions, so none of functions.def.
#include "icd/cuda/include/understudy.h"
#include "runtime/base/finding_listener.h"

extern "C" __attribute__((visibility("default"))) void
cuUnderstudySetFindingCallback(UnderstudyFindingCallback callback, void *userData) {
  us::setFindingListener(callback, userData);
}
