// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races that are looked for by the code itself: nothing is called unless there is one.
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
  llvm::Value *value;       ///< an i64
  llvm::Argument *argument; ///< whose memory it is; null: local memory
};

/// Bytes of memory for each cell, of local memory and of that of arguments: 4, or 1 where something of it is not
/// touched in whole words.
struct CellBytes {
  uint32_t local = 4, global = 4;
};

/// us.memory_access would find the same of these, if they are all that a kernel does to this memory and nothing but
/// barriers orders work-items of a group. At most kMostCellAccesses.
void checkCells(llvm::Function &kernel, llvm::ArrayRef<CellAccess> accesses, CellBytes cellBytes);
inline constexpr size_t kMostCellAccesses = 0xffff;

} // namespace us::codegen
