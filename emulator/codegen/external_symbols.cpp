// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/external_symbols.h"

#include "emulator/codegen/fused_multiply_add.h"

#include <cmath>
#include <cstring>

// Helpers that the code generator calls on its own: 128-bit integers and half precision without hardware support. They
// come from the compiler's runtime library; only their addresses are wanted, so their types do not matter.
#define US_COMPILER_HELPERS(X)                                                                                         \
  X(__udivti3)                                                                                                         \
  X(__umodti3)                                                                                                         \
  X(__divti3)                                                                                                          \
  X(__modti3)                                                                                                          \
  X(__multi3)                                                                                                          \
  X(__ashlti3)                                                                                                         \
  X(__ashrti3)                                                                                                         \
  X(__lshrti3)                                                                                                         \
  X(__extendhfsf2)                                                                                                     \
  X(__truncsfhf2)                                                                                                      \
  X(__truncdfhf2)                                                                                                      \
  X(__floattisf)                                                                                                       \
  X(__floattidf) X(__floatuntisf) X(__floatuntidf) X(__fixsfti) X(__fixdfti) X(__fixunssfti) X(__fixunsdfti)
extern "C" {
#define US_DECLARE(name) void name();
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbuiltin-requires-header"
#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"
US_COMPILER_HELPERS(US_DECLARE)
#pragma clang diagnostic pop
#undef US_DECLARE
}

namespace us::codegen {
namespace {

struct Symbol {
  std::string_view name;
  void *address;
};

template <class Result, class... Parameters> void *addressOf(Result (*function)(Parameters...)) {
  return reinterpret_cast<void *>(function);
}

using Unary = double (*)(double);
using UnaryF = float (*)(float);
using Binary = double (*)(double, double);
using BinaryF = float (*)(float, float);

using Ternary = double (*)(double, double, double);

/// The C library's is as short as the instruction where there is one.
Ternary multiplyAdd() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("fma")) return fusedMultiplyAdd;
#endif
  return ::fma;
}

const Symbol kSymbols[] = {{"memcpy", addressOf<void *, void *, const void *, size_t>(memcpy)},
                           {"memmove", addressOf<void *, void *, const void *, size_t>(memmove)},
                           {"memset", addressOf<void *, void *, int, size_t>(memset)},
                           // NOLINTNEXTLINE(bugprone-unsafe-functions): LLVM makes such calls
                           {"bzero", addressOf<void, void *, size_t>(bzero)},
                           // What LLVM's own floating-point intrinsics become where the host has no instruction.
                           {"fmod", addressOf(Binary(::fmod))},
                           {"fmodf", addressOf(BinaryF(::fmodf))},
                           {"fma", addressOf(multiplyAdd())},
                           {"fmaf", addressOf<float, float, float, float>(::fmaf)},
                           {"floor", addressOf(Unary(::floor))},
                           {"floorf", addressOf(UnaryF(::floorf))},
                           {"ceil", addressOf(Unary(::ceil))},
                           {"ceilf", addressOf(UnaryF(::ceilf))},
                           {"trunc", addressOf(Unary(::trunc))},
                           {"truncf", addressOf(UnaryF(::truncf))},
                           {"rint", addressOf(Unary(::rint))},
                           {"rintf", addressOf(UnaryF(::rintf))},
                           {"nearbyint", addressOf(Unary(::nearbyint))},
                           {"nearbyintf", addressOf(UnaryF(::nearbyintf))},
                           {"roundeven", addressOf(Unary(::roundeven))},
                           {"roundevenf", addressOf(UnaryF(::roundevenf))},
                           {"round", addressOf(Unary(::round))},
                           {"roundf", addressOf(UnaryF(::roundf))},
                           {"fmin", addressOf(Binary(::fmin))},
                           {"fminf", addressOf(BinaryF(::fminf))},
                           {"fmax", addressOf(Binary(::fmax))},
                           {"fmaxf", addressOf(BinaryF(::fmaxf))},
                           {"ldexp", addressOf<double, double, int>(::ldexp)},
                           {"ldexpf", addressOf<float, float, int>(::ldexpf)},
#define US_HELPER(name) {#name, reinterpret_cast<void *>(&::name)},
                           US_COMPILER_HELPERS(US_HELPER)
#undef US_HELPER
};

} // namespace

void *externalSymbol(std::string_view name) {
  for (const Symbol &symbol : kSymbols)
    if (symbol.name == name) return symbol.address;
  return nullptr;
}

} // namespace us::codegen
