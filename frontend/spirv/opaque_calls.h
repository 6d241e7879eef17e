// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions on opaque things (pipes, reservations, queues, events) that are one call of the builtin library each.
#pragma once

#include "frontend/spirv/function_translation.h"

namespace us::frontend::spirv {

/// One instruction. `operands` has a letter for each:
///   p a pipe        r a reservation      q a queue on the device      e an event on the device
///   n a number (32 bits)      m memory for a packet, or events: a generic pointer      d global memory
///   s the scope of a group: no argument, the symbol begins with "__work" or "__sub"
/// `result`: i a number of 32 bits, b a boolean, v nothing, or one of the letters above.
/// A symbol that ends with '_' has two forms, for pipes that are read ("ro") and pipes that are written ("wo").
struct OpaqueCall {
  spv::Op opcode;
  const char *symbol, *operands;
  char result;
};

/// Calls what the row says.
Expected<llvm::Value *> callOpaque(FunctionTranslation &function, const Instruction &instruction,
                                   const OpaqueCall &call);

/// The operand that a letter stands for, as an argument.
Expected<llvm::Value *> opaqueOperand(FunctionTranslation &function, const Instruction &instruction, size_t place,
                                      char letter);

/// "ro" or "wo".
const char *accessEnding(const Type &pipe);

} // namespace us::frontend::spirv
