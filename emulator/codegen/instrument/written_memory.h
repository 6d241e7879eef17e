// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local and private memory that is written, with values that were written, before anybody reads it: nobody needs to
// remember what of it was.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace us::codegen {

using WrittenMemory = llvm::SmallPtrSet<const llvm::Value *, 8>;

/// Variables and local arguments of which this is so. Filled is what each work-item of a group of known size, and each
/// turn of a loop that counts to a known end, writes its part of. Work-items read behind a barrier what others have
/// written, and what a launch has to have for it lies in the memory. `isFollowed` says of a pointer's origin that it is
/// global memory of which parts may never have been written.
WrittenMemory findWrittenMemory(llvm::Function &kernel, const abi::Specialization &specialization,
                                llvm::function_ref<bool(llvm::Value *)> isFollowed,
                                llvm::function_ref<bool(llvm::AllocaInst &)> hasShadow);

} // namespace us::codegen
