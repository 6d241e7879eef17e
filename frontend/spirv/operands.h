// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of the kind an instruction wants, or an error that says what was found.
#pragma once

#include "frontend/spirv/function_translation.h"
#include "frontend/spirv/type_names.h"

namespace us::frontend::spirv {

using Result = Expected<llvm::Value *>;

inline std::unexpected<Error> failOperand(const Instruction &instruction, size_t place, const Type &found,
                                          const char *wanted) {
  return failAt(instruction,
                "has operand " + std::to_string(place) + " of type " + typeName(found) + ", it takes " + wanted);
}

/// An integer or a vector of them.
inline Expected<Value> integersAt(FunctionTranslation &function, const Instruction &instruction, size_t place) {
  US_TRY(const Value value, function.operand(instruction, place));
  if (!value.type->isIntegers()) return failOperand(instruction, place, *value.type, "integers");
  return value;
}

inline Expected<Value> floatsAt(FunctionTranslation &function, const Instruction &instruction, size_t place) {
  US_TRY(const Value value, function.operand(instruction, place));
  if (!value.type->isFloats()) return failOperand(instruction, place, *value.type, "floating-point numbers");
  return value;
}

inline Expected<Value> boolsAt(FunctionTranslation &function, const Instruction &instruction, size_t place) {
  US_TRY(const Value value, function.operand(instruction, place));
  if (!value.type->isBools()) return failOperand(instruction, place, *value.type, "booleans");
  return value;
}

/// A pointer whose target has a size.
inline Expected<Value> pointerAt(FunctionTranslation &function, const Instruction &instruction, size_t place) {
  US_TRY(const Value value, function.operand(instruction, place));
  if (!value.type->is(TypeKind::Pointer) || value.type->element->size == 0)
    return failOperand(instruction, place, *value.type, "a pointer to memory");
  return value;
}

/// A value of exactly this type.
inline Expected<Value> valueOf(FunctionTranslation &function, const Instruction &instruction, size_t place,
                               const Type &wanted) {
  US_TRY(const Value value, function.operand(instruction, place));
  if (value.llvm->getType() != wanted.llvm)
    return failOperand(instruction, place, *value.type, typeName(wanted).c_str());
  return value;
}

/// A scalar integer, as one of 32 or 64 bits.
inline Result integerAs(FunctionTranslation &function, const Instruction &instruction, size_t place, unsigned bits) {
  US_TRY(const Value value, function.operand(instruction, place));
  if (!value.type->is(TypeKind::Integer)) return failOperand(instruction, place, *value.type, "an integer");
  return function.builder.CreateZExtOrTrunc(value.llvm, function.builder.getIntNTy(bits));
}

} // namespace us::frontend::spirv
