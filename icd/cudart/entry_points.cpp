// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cudart/entry_points.h"

#include "icd/cudart/thread_state.h"

#include <new>

namespace us::cudart {
namespace {

/// No exception leaves a C function.
template <class Body> cudaError_t guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return cudaErrorMemoryAllocation;
  } catch (...) {
    return cudaErrorUnknown;
  }
}

template <class Body> cudaError_t guardedWithOwnDefaultStream(Body body) noexcept {
  const PerThreadDefaultStream own;
  return guarded(body);
}

} // namespace
} // namespace us::cudart

using namespace us::cudart;

#define US_EXPORT extern "C" __attribute__((visibility("default")))
#define US_FORM(SYMBOL, GUARDED, BODY, PARAMETERS, ARGUMENTS)                                                          \
  US_EXPORT cudaError_t SYMBOL PARAMETERS {                                                                            \
    return noteError(GUARDED([&] { return us::cudart::BODY ARGUMENTS; }));                                             \
  }
#define US_RT(SYMBOL, BODY, PARAMETERS, ARGUMENTS) US_FORM(SYMBOL, guarded, BODY, PARAMETERS, ARGUMENTS)
#define US_RT_QUIET(SYMBOL, BODY, PARAMETERS, ARGUMENTS)                                                               \
  US_EXPORT cudaError_t SYMBOL PARAMETERS { return us::cudart::BODY ARGUMENTS; }
#define US_RT_STREAM(SYMBOL, BODY, PARAMETERS, ARGUMENTS)                                                              \
  US_RT(SYMBOL, BODY, PARAMETERS, ARGUMENTS)                                                                           \
  US_FORM(SYMBOL##_ptsz, guardedWithOwnDefaultStream, BODY, PARAMETERS, ARGUMENTS)
#define US_RT_DEFAULT(SYMBOL, BODY, PARAMETERS, ARGUMENTS)                                                             \
  US_RT(SYMBOL, BODY, PARAMETERS, ARGUMENTS)                                                                           \
  US_FORM(SYMBOL##_ptds, guardedWithOwnDefaultStream, BODY, PARAMETERS, ARGUMENTS)
#include "icd/cudart/functions.def"
