// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V's grammar as tables, made from SPIRV-Headers while building: which operands an instruction has, which names
// and parameters an enumerant.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace us::frontend::spirv {

enum class OperandClass : uint8_t {
  ResultType,
  Result,
  Id,
  Number,            ///< one word
  String,            ///< words up to the one with the terminating zero
  TypedNumber,       ///< as many words as the instruction's type is wide
  ExtendedNumber,    ///< the number of an extended instruction; what follows belongs to its own set
  Opcode,            ///< an instruction's number; the operands of that instruction follow
  ValueEnum,         ///< one word; its parameters follow
  BitEnum,           ///< one word of bits; the parameters of each set bit follow, lowest first
  PairTypedNumberId, ///< a number as wide as the selector's type, an id
  PairIdNumber,
  PairIdId
};

enum class Quantifier : uint8_t { Once, Optional, Any };

struct Operand {
  uint16_t kind; ///< a place in the table of kinds
  Quantifier quantifier;
};

struct Enumerant {
  uint32_t value;
  const char *name;
  uint16_t parameters, parameterCount; ///< a run of operands
};

struct OperandKind {
  const char *name;
  OperandClass operandClass;
  uint16_t enumerants, enumerantCount;
};

struct InstructionGrammar {
  uint16_t opcode;
  const char *name; ///< "OpIAdd"
  uint16_t operands, operandCount;
};

/// Null if there is no such instruction.
const InstructionGrammar *instructionGrammar(uint16_t opcode);
std::span<const Operand> operandsOf(const InstructionGrammar &instruction);
std::span<const Operand> parametersOf(const Enumerant &enumerant);
const OperandKind &kindOf(const Operand &operand);
std::span<const Enumerant> enumerantsOf(const OperandKind &kind);
/// Null if the kind has no such value (or bit).
const Enumerant *enumerantOf(const OperandKind &kind, uint32_t value);

/// "OpIAdd", or "instruction 9999".
std::string nameOfOpcode(uint32_t opcode);
std::string nameOfCapability(uint32_t value);
std::string nameOfDecoration(uint32_t value);
std::string nameOfExecutionMode(uint32_t value);
std::string nameOfBuiltIn(uint32_t value);
std::string nameOfStorageClass(uint32_t value);

} // namespace us::frontend::spirv
