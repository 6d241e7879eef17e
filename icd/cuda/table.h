// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table that every exported symbol jumps through. Entries are set once it is known who answers: our functions, a
// real driver's, or what chooses between them (forward/).
#pragma once

#include <cstdint>
#include <span>

namespace us::cuda {

/// A function of the API, as the table has it.
struct TableRow {
  void *entry;               ///< where the symbol jumps to; the first member, since the symbols' code knows that
  const char *symbol;        ///< cuMemAlloc_v2
  const char *name;          ///< cuMemAlloc; null where cuGetProcAddress knows none
  int version;               ///< 3020
  uint32_t flags;            ///< 2: the per-thread form
  void *exported;            ///< the symbol's address
  void *emulated;            ///< ours; returns CUDA_ERROR_NOT_SUPPORTED where we have none
  void *real = nullptr;      ///< the real driver's; null where there is none
  void *forwarded = nullptr; ///< what a program is given of it: the same, or what stands before it
  // Where emulated and real devices are listed together (forward/routes.def).
  const char *letters = ""; ///< how the arguments say who answers
  void *both = nullptr;     ///< answers; null: one side does
  void *split = nullptr;    ///< answers where the arguments belong to both sides; null: one side does
};

/// In the order of functions.def, each at the address that its symbol's code has.
std::span<TableRow *const> functions();

} // namespace us::cuda

#define US_CU_EACH(symbol, ...)                                                                                        \
  extern "C" __attribute__((visibility("hidden"))) us::cuda::TableRow usCudaFunction_##symbol;
#include "icd/cuda/functions.def"
