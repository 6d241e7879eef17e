// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races in local memory, looked for by the code itself: nothing is called unless there is one.
#pragma once

#include "emulator/abi/launch_checks.h"
#include "emulator/codegen/instrument/accesses.h"

#include <llvm/IR/IRBuilder.h>

namespace us::codegen {

/// One access that is looked at so.
struct CellAccess {
  llvm::Instruction *before; ///< where the check goes
  llvm::Value *pointer;
  uint64_t bytes;
  abi::AccessKind kind; ///< Read, Write or AtomicUpdate
  uint32_t what;        ///< what us.memory_access is told
  llvm::Constant *site;
  llvm::Value *value; ///< an i64
};

/// us.memory_access would find the same of these, if they are all that a kernel does to local memory and nothing but
/// barriers orders work-items of a group. Of memory in `cellBytes` (4, or 1 where one of them is not made of whole
/// words). At most 65,535 of them.
void checkLocalCells(llvm::Function &kernel, llvm::ArrayRef<CellAccess> accesses, uint32_t cellBytes);

} // namespace us::codegen
