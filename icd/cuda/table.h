// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table that every exported symbol jumps through. An entry may be swapped (for a real driver's function, one day).
#pragma once

#include <cstdint>
#include <span>

namespace us::cuda {

struct FunctionRow {
  const char *symbol; ///< cuMemAlloc_v2
  const char *name;   ///< cuMemAlloc
  int version;        ///< 3020
  uint32_t flags;     ///< 2: the per-thread form
  void *exported;     ///< the symbol's address
  void **entry;       ///< where it jumps to
  bool works;
};

std::span<const FunctionRow> functionRows();

} // namespace us::cuda
