// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine we make code for: this one.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace us::codegen {

/// This thread's target machine; made once, never destroyed before the thread ends.
llvm::TargetMachine &hostTarget();

/// Machine code of the module as a relocatable object (or as assembly text). False if the target cannot.
bool emitObject(llvm::Module &module, llvm::SmallVectorImpl<char> &object, bool assembly = false);

} // namespace us::codegen
