// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exported symbols, from functions.def: each jumps through an entry of its own, whatever its type is.
#include "icd/cuda/table.h"

#include "icd/cuda/entry_points.h"

namespace us::cuda {
namespace {

#define US_CU(symbol, ...) constexpr const char *kNameOf_##symbol = #symbol;
#define US_CU_PER_THREAD US_CU
#define US_CU_ABSENT(...)
#include "icd/cuda/functions.def"
#undef US_CU
#undef US_CU_PER_THREAD
#undef US_CU_ABSENT

template <auto Declared, auto Body, const char *const &Name>
using Entry = icd::EntryPoint<Api, decltype(Declared), Body, Name>;

/// The same, where stream 0 is the thread's own.
template <auto Declared, auto Body, const char *const &Name> struct PerThreadEntry;
template <class... Arguments, CUresult (*Declared)(Arguments...), auto Body, const char *const &Name>
struct PerThreadEntry<Declared, Body, Name> {
  static CUresult call(Arguments... arguments) {
    const PerThreadScope scope;
    return Entry<Declared, Body, Name>::call(arguments...);
  }
};

/// Takes whatever a caller passes.
CUresult notSupported() { return CUDA_ERROR_NOT_SUPPORTED; }

} // namespace
} // namespace us::cuda

#define US_HIDDEN extern "C" __attribute__((visibility("hidden")))

// The entries. Their type is open: what is called has the type of the symbol.
#define US_CU(symbol, declared, body, name, version)                                                                   \
  US_HIDDEN void *usCudaEntry_##symbol;                                                                                \
  void *usCudaEntry_##symbol =                                                                                         \
      reinterpret_cast<void *>(&us::cuda::Entry<&declared, &us::cuda::body, us::cuda::kNameOf_##symbol>::call);
#define US_CU_PER_THREAD(symbol, declared, body, name, version)                                                        \
  US_HIDDEN void *usCudaEntry_##symbol;                                                                                \
  void *usCudaEntry_##symbol = reinterpret_cast<void *>(                                                               \
      &us::cuda::PerThreadEntry<&declared, &us::cuda::body, us::cuda::kNameOf_##symbol>::call);
#define US_CU_ABSENT(symbol, name, version, flags)                                                                     \
  US_HIDDEN void *usCudaEntry_##symbol;                                                                                \
  void *usCudaEntry_##symbol = reinterpret_cast<void *>(&us::cuda::notSupported);
#include "icd/cuda/functions.def"
#undef US_CU
#undef US_CU_PER_THREAD
#undef US_CU_ABSENT

// The symbols.
#define US_SYMBOL(symbol, ...)                                                                                         \
  __asm__(".text\n.globl " #symbol "\n.type " #symbol ", @function\n.p2align 4\n" #symbol ":\n  endbr64\n"             \
          "  jmpq *usCudaEntry_" #symbol "(%rip)\n.size " #symbol ", .-" #symbol "\n");
#define US_CU US_SYMBOL
#define US_CU_PER_THREAD US_SYMBOL
#define US_CU_ABSENT US_SYMBOL
#include "icd/cuda/functions.def"
#undef US_CU
#undef US_CU_PER_THREAD
#undef US_CU_ABSENT

namespace us::cuda::symbols {
// Declared under other names: what cuda.h declares has types, and not all of these have one.
#define US_DECLARE(symbol, ...) extern "C" void usSymbolOf_##symbol() __asm__(#symbol);
#define US_CU US_DECLARE
#define US_CU_PER_THREAD US_DECLARE
#define US_CU_ABSENT US_DECLARE
#include "icd/cuda/functions.def"
#undef US_CU
#undef US_CU_PER_THREAD
#undef US_CU_ABSENT
} // namespace us::cuda::symbols

namespace us::cuda {

std::span<const FunctionRow> functionRows() {
#define US_ADDRESS(symbol) reinterpret_cast<void *>(&symbols::usSymbolOf_##symbol), &usCudaEntry_##symbol
#define US_CU(symbol, declared, body, name, version) {#symbol, name, version, 0, US_ADDRESS(symbol), true},
#define US_CU_PER_THREAD(symbol, declared, body, name, version) {#symbol, name, version, 2, US_ADDRESS(symbol), true},
#define US_CU_ABSENT(symbol, name, version, flags) {#symbol, name, version, flags, US_ADDRESS(symbol), false},
  static const FunctionRow rows[] = {
#include "icd/cuda/functions.def"
  };
#undef US_CU
#undef US_CU_PER_THREAD
#undef US_CU_ABSENT
  return rows;
}

} // namespace us::cuda
