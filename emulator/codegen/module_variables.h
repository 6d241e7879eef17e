// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replacing a module variable by a value that a function computes.
#pragma once

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <optional>

namespace us::codegen {

/// The place that assign_memory_offsets gave a variable.
std::optional<uint64_t> assignedOffset(const llvm::GlobalVariable &variable);

bool isUsedIn(const llvm::Function &function, llvm::GlobalVariable &variable);
/// Replaces every use in the function by base + offset (built at the top of its entry block). `base` is the address of
/// what holds it, in the variable's address space.
void replaceByAddress(llvm::Function &function, llvm::GlobalVariable &variable, llvm::Value *base, uint64_t offset);

} // namespace us::codegen
