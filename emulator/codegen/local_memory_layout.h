// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each `__local` variable of a kernel lies in the work-group's local arena. The one rule, used for
// KernelInfo::localMemory and for generated code.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace us::codegen {

struct LocalMemoryLayout {
  std::vector<std::pair<llvm::GlobalVariable *, uint64_t>> variables; ///< with their offsets, in module order
  uint64_t size = 0;                                                  ///< bytes
};

/// The variables that the kernel and what it calls refer to. Bodies must be in memory (not lazily unread).
LocalMemoryLayout localMemoryLayout(llvm::Function &kernel);

} // namespace us::codegen
