// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much stack a kernel's code takes, and whether it runs through once.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace us::codegen {

/// Bytes of stack of all functions of the object together: an upper bound unless something recurses.
uint64_t frameBytes(llvm::ArrayRef<char> object);

/// A function that remains may call itself, directly or through others, or allocate as much as it likes.
bool stackIsUnbounded(llvm::Function &function);

/// A work-item executes no instruction twice, so that slow code costs it little.
bool runsStraightThrough(llvm::Module &module, llvm::Function &kernel);

} // namespace us::codegen
