// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each kernel argument lies in the argument block. The one rule, used for KernelInfo and for generated code.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
}

namespace us::codegen {

struct ArgumentPlace {
  uint32_t offset = 0;
  uint32_t size = 0; ///< bytes in the block; pointers 8 (a `__local` pointer: its offset into the local arena)
  uint32_t alignment = 1;
};

struct ArgumentLayout {
  std::vector<ArgumentPlace> places; ///< one per IR argument of the kernel, in order
  uint32_t size = 0;                 ///< of the block, a multiple of 8
};

/// Natural alignment, in order; a `byval(T)` argument occupies a T.
ArgumentLayout argumentLayout(const llvm::Function &kernel);

} // namespace us::codegen
