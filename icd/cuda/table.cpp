// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exported symbols, from functions.def: each jumps through an entry of its own, whatever its type is. With
// US_CUDA_FORWARDS the first call finds out who answers; without it we do.
#include "icd/cuda/table.h"

#include "icd/cuda/entry_points.h"
#include "icd/cuda/handles.h"

namespace us::cuda {
namespace {

#define US_CU(symbol, ...) constexpr const char *kNameOf_##symbol = #symbol;
#define US_CU_PER_THREAD US_CU
#define US_CU_ABSENT(...)
#define US_CU_UNNAMED(...)
#include "icd/cuda/functions.def"

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

// The symbols, declared under other names: what cuda.h declares has types, and not all of these have one.
#define US_CU_EACH(symbol, ...)                                                                                        \
  extern "C" void usSymbolOf_##symbol() __asm__(#symbol);                                                              \
  extern "C" void usCudaFirst_##symbol();
#include "icd/cuda/functions.def"

// The table. At first each entry leads to what finds out who answers, or there is nobody but us.
#ifdef US_CUDA_FORWARDS
#define US_FIRST(symbol, emulated) reinterpret_cast<void *>(&usCudaFirst_##symbol)
#else
#define US_FIRST(symbol, emulated) emulated
#endif
#define US_FUNCTION(symbol, name, version, flags, body)                                                                \
  us::cuda::TableRow usCudaFunction_##symbol = {US_FIRST(symbol, reinterpret_cast<void *>(body)),                      \
                                                #symbol,                                                               \
                                                name,                                                                  \
                                                version,                                                               \
                                                flags,                                                                 \
                                                reinterpret_cast<void *>(&usSymbolOf_##symbol),                        \
                                                reinterpret_cast<void *>(body)};
#define US_CU(symbol, declared, body, name, version)                                                                   \
  US_FUNCTION(symbol, name, version, 0,                                                                                \
              (&us::cuda::Entry<&declared, &us::cuda::body, us::cuda::kNameOf_##symbol>::call))
#define US_CU_PER_THREAD(symbol, declared, body, name, version)                                                        \
  US_FUNCTION(symbol, name, version, 2,                                                                                \
              (&us::cuda::PerThreadEntry<&declared, &us::cuda::body, us::cuda::kNameOf_##symbol>::call))
#define US_CU_ABSENT(symbol, name, version, flags) US_FUNCTION(symbol, name, version, flags, &us::cuda::notSupported)
#define US_CU_UNNAMED(symbol) US_FUNCTION(symbol, nullptr, 0, 0, &us::cuda::notSupported)
#include "icd/cuda/functions.def"

// The symbols' code, and for each the way to usCudaChoose, which is told of what it was called for in %rax: a function
// with a fixed number of arguments is given nothing there.
#define US_CU_EACH(symbol, ...)                                                                                        \
  __asm__(".text\n.globl " #symbol "\n.type " #symbol ", @function\n.p2align 4\n" #symbol ":\n  endbr64\n"             \
          "  jmpq *usCudaFunction_" #symbol "(%rip)\n.size " #symbol ", .-" #symbol "\n");                             \
  US_CHOICE(symbol)
#ifdef US_CUDA_FORWARDS
#define US_CHOICE(symbol)                                                                                              \
  __asm__(".text\n.globl usCudaFirst_" #symbol "\n.hidden usCudaFirst_" #symbol "\n.type usCudaFirst_" #symbol         \
          ", @function\n.p2align 4\nusCudaFirst_" #symbol ":\n  endbr64\n"                                             \
          "  leaq usCudaFunction_" #symbol "(%rip), %rax\n  jmp usCudaChoose\n.size usCudaFirst_" #symbol              \
          ", .-usCudaFirst_" #symbol "\n");
#else
#define US_CHOICE(symbol)
#endif
#include "icd/cuda/functions.def"

namespace us::cuda {

#ifdef US_CUDA_FORWARDS
const uint64_t kHandleMark = uint64_t(1) << 62;
#else
const uint64_t kHandleMark = 0;
#endif

std::span<TableRow *const> functions() {
  static TableRow *const all[] = {
#define US_CU_EACH(symbol, ...) &usCudaFunction_##symbol,
#include "icd/cuda/functions.def"
  };
  return all;
}

} // namespace us::cuda
