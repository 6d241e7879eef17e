// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/opaque_calls.h"

#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

constexpr unsigned kGlobal = 1, kGeneric = 4;

/// What an operand of an opaque kind is called in errors.
constexpr const char *wantedName(TypeKind kind) {
  return kind == TypeKind::Pipe        ? "a pipe"
         : kind == TypeKind::ReserveId ? "a reservation"
         : kind == TypeKind::Queue     ? "a queue on the device"
                                       : "an event on the device";
}

template <TypeKind kind> Result opaqueAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value value, f.operand(in, place));
  if (!value.type->is(kind)) return failOperand(in, place, *value.type, wantedName(kind));
  return value.llvm;
}

Result numberAt(FunctionTranslation &f, const Instruction &in, size_t place) { return integerAs(f, in, place, 32); }

Result genericAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value pointer, pointerAt(f, in, place));
  if (pointer.llvm->getType()->getPointerAddressSpace() == kGeneric) return pointer.llvm;
  return f.builder.CreateAddrSpaceCast(pointer.llvm, f.builder.getPtrTy(kGeneric));
}

Result globalAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value pointer, pointerAt(f, in, place));
  if (pointer.llvm->getType()->getPointerAddressSpace() != kGlobal)
    return failOperand(in, place, *pointer.type, "a pointer to global memory");
  return pointer.llvm;
}

struct Letter {
  char letter;
  Result (*take)(FunctionTranslation &, const Instruction &, size_t);
  const char *target; ///< the type that Clang has for it, if it is opaque
};
constexpr Letter kLetters[] = {
    {'p', opaqueAt<TypeKind::Pipe>, nullptr},
    {'r', opaqueAt<TypeKind::ReserveId>, "spirv.ReserveId"},
    {'q', opaqueAt<TypeKind::Queue>, "spirv.Queue"},
    {'e', opaqueAt<TypeKind::DeviceEvent>, "spirv.DeviceEvent"},
    {'n', numberAt, nullptr},
    {'m', genericAt, nullptr},
    {'d', globalAt, nullptr},
};

llvm::Type *resultFor(FunctionTranslation &f, char letter) {
  if (letter == 'v') return f.builder.getVoidTy();
  if (letter == 'b') return f.builder.getInt1Ty();
  for (const Letter &row : kLetters)
    if (row.letter == letter && row.target) return llvm::TargetExtType::get(f.module.context, row.target);
  return f.builder.getInt32Ty();
}

/// What the names of a group's functions begin with.
Expected<const char *> groupOf(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const uint64_t scope, f.number(in, place));
  if (spv::Scope(scope) == spv::Scope::Workgroup) return "__work";
  if (spv::Scope(scope) == spv::Scope::Subgroup) return "__sub";
  return failAt(in, "is of neither a work-group nor a sub-group");
}

} // namespace

const char *accessEnding(const Type &pipe) {
  return spv::AccessQualifier(pipe.pipeAccess) == spv::AccessQualifier::WriteOnly ? "wo" : "ro";
}

Result opaqueOperand(FunctionTranslation &f, const Instruction &in, size_t place, char letter) {
  for (const Letter &row : kLetters)
    if (row.letter == letter) return row.take(f, in, place);
  return failAt(in, "has an operand of no known kind");
}

Result callOpaque(FunctionTranslation &f, const Instruction &in, const OpaqueCall &row) {
  std::string symbol = row.symbol;
  std::vector<llvm::Value *> arguments;
  for (size_t i = 0; row.operands[i] != '\0'; ++i) {
    if (row.operands[i] == 's') {
      US_TRY(const std::string begin, groupOf(f, in, i));
      symbol = begin + symbol;
      continue;
    }
    US_TRY(llvm::Value * argument, opaqueOperand(f, in, i, row.operands[i]));
    if (row.operands[i] == 'p' && symbol.ends_with('_')) {
      US_TRY(const Value pipe, f.operand(in, i));
      symbol += accessEnding(*pipe.type);
    }
    arguments.push_back(argument);
  }
  return callSymbol(f, in, symbol, resultFor(f, row.result), arguments);
}

} // namespace us::frontend::spirv
