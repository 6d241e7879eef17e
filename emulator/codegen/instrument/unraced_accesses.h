// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that no other one can race with, whatever else a kernel does: nobody needs to hear of them.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/codegen/instrument/accesses.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/IR/IRBuilder.h>

namespace us::codegen {

/// A buffer that is only read, one that all touch by atomic operations, and one of which each work-item has a part of
/// its own, the same in all accesses, as `out[y * width + x]` is, or one work-item of each group, as
/// `if (local id == 0) out[group id]`. All holds for pointers that stay in the memory that
/// they were made from, and for launches that meet a condition.
struct UnracedAccesses {
  llvm::SmallBitVector isUnraced; ///< by access
  /// What launches must meet: an i1 that is computed where the builder stands, of what does not change in a launch.
  llvm::Value *condition = nullptr;
};

/// `accesses`: all those of memory that work-items share.
UnracedAccesses findUnraced(llvm::Function &kernel, llvm::ArrayRef<Access> accesses,
                            const abi::Specialization &specialization, llvm::IRBuilderBase &builder);

} // namespace us::codegen
