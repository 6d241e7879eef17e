// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to local memory that no other one can race with: between two barriers nobody writes what they touch, or each
// work-item has its own part of it.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/codegen/instrument/accesses.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallBitVector.h>

namespace us::codegen {

/// By access, for pointers that stay in the memory that they were made from. `accesses`: all those of memory that
/// work-items share; the others are not said to be anything.
llvm::SmallBitVector findUnracedLocal(llvm::Function &kernel, llvm::ArrayRef<Access> accesses,
                                      const abi::Specialization &specialization);

} // namespace us::codegen
