// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// instructions.def as tables, and an instruction held against it.
#pragma once

#include "frontend/ptx/ast.h"

#include <span>

namespace us::frontend::ptx {

class FunctionTranslation;
struct Operation;
/// Makes the IR of one instruction.
using Handler = Expected<void> (*)(FunctionTranslation &function, const Operation &operation);

enum class RuleKind : uint8_t {
  Value,         ///< a register or a constant
  VectorOrValue, ///< and a vector where the form has .v2 or .v4
  Address,
  Label,
  Moved,         ///< whatever mov takes
  Predicate,     ///< may be negated
  PredicatePair, ///< p or p|q
};

/// What one operand of a form must be.
struct OperandRule {
  RuleKind kind = RuleKind::Value;
  bool isResult = false, isOptional = false;
  bool isRelaxed = false; ///< the register may be wider
  enum Reference : uint8_t { First, Second, Wide, Fixed } type = First;
  Type fixed = nullptr;
};

struct ModifierSlot {
  bool isOptional = false;
  bool isType = false;
  enum Kind : uint8_t { Other, Datatype, Space } kind = Other; ///< of these two kinds the order counts
  std::vector<std::string_view> words;
};

struct Form {
  std::string_view text; ///< as in instructions.def
  std::string_view opcode;
  std::vector<ModifierSlot> slots;
  size_t inName = 0; ///< so many slots belong to the instruction's name
  std::vector<OperandRule> operands;
  Handler handler = nullptr;
  uint32_t detail = 0;
};

/// An instruction and the form it has.
struct Operation {
  const Instruction &text;
  const Form &form;
  Type types[2] = {nullptr, nullptr}; ///< its first and second type

  bool has(std::string_view modifier) const;
  /// The first of these modifiers that the instruction has; empty if none.
  std::string_view firstOf(std::span<const std::string_view> modifiers) const;
  /// The state space that a modifier names.
  StateSpace space() const;
  size_t count() const { return text.operands.size(); }
  const Operand &operand(size_t place) const { return text.operands[place]; }
  const OperandRule &rule(size_t place) const { return form.operands[place]; }
  /// The type that an operand must have.
  Type typeAt(size_t place) const;
};

/// The error names what the instruction has that no form has.
Expected<Operation> recognise(const Instruction &instruction);

/// For the tests: every form.
std::span<const Form> allForms();

} // namespace us::frontend::ptx
