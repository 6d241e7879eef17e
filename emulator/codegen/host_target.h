// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine we make code for: this one, or less of it.
#pragma once

#include "emulator/abi/targets.h"

#include <llvm/ADT/SmallVector.h>

#include <memory>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace us::codegen {

/// This thread's target machine, for optimized or baseline code; made once, never destroyed before the thread ends.
llvm::TargetMachine &targetMachine(abi::Target target, bool baseline = false);

/// Whether the target has an instruction for fused multiply-add.
bool hasFma(abi::Target target);

/// Has vectors of the function made as long as the target asks for. All functions of a module have the same: it decides
/// how vectors are passed, too.
void setVectorBits(llvm::Function &function, abi::Target target);

/// Has a function with vectors longer than the stack is aligned for align it further, where it may have to keep such a
/// register there. By itself LLVM 19 does so only for functions with memory of their own that asks for it; in others
/// what does not fit the registers lies across the borders of cache lines.
void alignStackForSpills(llvm::Function &function);

struct EmitOptions {
  abi::Target target = abi::Target::Host;
  bool assembly = false;      ///< as text
  bool baseline = false;      ///< quickly, by LLVM's fast instruction selection
  bool isLong = false;        ///< its instructions are not put in order once more, which takes long for long blocks
  bool hoistConstants = true; ///< loads of constants leave loops, as long as registers last
};

/// Machine code of the module as a relocatable object. False if the target cannot.
bool emitObject(llvm::Module &module, llvm::SmallVectorImpl<char> &object, const EmitOptions &options);

} // namespace us::codegen
