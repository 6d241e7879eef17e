// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/grammar.h"

#include <algorithm>

namespace us::frontend::spirv {
namespace {
#include "frontend/spirv/grammar_tables.inc"

std::string nameIn(uint16_t kind, uint32_t value) {
  const Enumerant *enumerant = enumerantOf(kKinds[kind], value);
  return enumerant ? enumerant->name : std::to_string(value);
}
} // namespace

const InstructionGrammar *instructionGrammar(uint16_t opcode) {
  const auto *found = std::ranges::lower_bound(kInstructions, opcode, {}, &InstructionGrammar::opcode);
  return found != std::end(kInstructions) && found->opcode == opcode ? found : nullptr;
}

std::span<const Operand> operandsOf(const InstructionGrammar &instruction) {
  return {kOperands + instruction.operands, instruction.operandCount};
}

std::span<const Operand> parametersOf(const Enumerant &enumerant) {
  return {kOperands + enumerant.parameters, enumerant.parameterCount};
}

const OperandKind &kindOf(const Operand &operand) { return kKinds[operand.kind]; }

std::span<const Enumerant> enumerantsOf(const OperandKind &kind) {
  return {kEnumerants + kind.enumerants, kind.enumerantCount};
}

const Enumerant *enumerantOf(const OperandKind &kind, uint32_t value) {
  const std::span<const Enumerant> all = enumerantsOf(kind);
  const auto found = std::ranges::lower_bound(all, value, {}, &Enumerant::value);
  return found != all.end() && found->value == value ? &*found : nullptr;
}

std::string nameOfOpcode(uint32_t opcode) {
  const InstructionGrammar *grammar = opcode <= UINT16_MAX ? instructionGrammar(uint16_t(opcode)) : nullptr;
  return grammar ? grammar->name : "instruction " + std::to_string(opcode);
}

std::string nameOfCapability(uint32_t value) { return nameIn(kKindOfCapability, value); }
std::string nameOfDecoration(uint32_t value) { return nameIn(kKindOfDecoration, value); }
std::string nameOfExecutionMode(uint32_t value) { return nameIn(kKindOfExecutionMode, value); }
std::string nameOfBuiltIn(uint32_t value) { return nameIn(kKindOfBuiltIn, value); }
std::string nameOfStorageClass(uint32_t value) { return nameIn(kKindOfStorageClass, value); }

} // namespace us::frontend::spirv
