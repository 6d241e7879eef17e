// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilers may keep .local and .const addresses in 32 bits, since neither space is larger. Where a module does so,
// such an address is the lower half of what the machine has, however wide the register; elsewhere it is all of it.
#include "frontend/ptx/translation.h"

#include <set>

namespace us::frontend::ptx {
namespace {

using Names = std::set<std::string_view>;

struct Survey {
  Translation &translation;
  Names locals, constants;
  Names registers; ///< those of 32 bits, and the beginnings of such as %r<10>

  void declarations(const Block &block) {
    for (const Variable &variable : block.variables) {
      if (variable.space == StateSpace::Local) locals.insert(variable.name);
      if (variable.space == StateSpace::Register && variable.type->bits == 32 && !variable.type->isFloat())
        registers.insert(variable.name);
    }
    for (const Statement &statement : block.statements)
      if (const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement)) declarations(**inner);
  }

  bool isShort(std::string_view reg) const {
    while (!registers.contains(reg) && !reg.empty() && reg.back() >= '0' && reg.back() <= '9') reg.remove_suffix(1);
    return registers.contains(reg);
  }

  void instructions(const Block &block) {
    for (const Statement &statement : block.statements) {
      if (const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement))
        instructions(**inner);
      else if (const auto *instruction = std::get_if<Instruction>(&statement))
        look(*instruction);
    }
  }

  void look(const Instruction &instruction) {
    for (const std::string_view word : instruction.modifiers) {
      const Type type = instruction.opcode == "mov" ? typeNamed(word) : nullptr;
      for (const Operand &operand : instruction.operands) {
        const bool isHalf = type && type->bits == 32;
        const bool isReached = operand.kind == OperandKind::Address && isShort(operand.name);
        translation.hasShortLocal |=
            (isHalf && locals.contains(operand.name)) || (isReached && spaceNamed(word) == StateSpace::Local);
        translation.hasShortConst |=
            (isHalf && constants.contains(operand.name)) || (isReached && spaceNamed(word) == StateSpace::Constant);
      }
    }
  }
};

} // namespace

void surveyShortAddresses(Translation &translation) {
  Survey survey{translation, {}, {}, {}};
  for (const Variable &variable : translation.text.variables)
    if (variable.space == StateSpace::Constant) survey.constants.insert(variable.name);
  for (const FunctionText &function : translation.text.functions)
    if (function.body) survey.declarations(*function.body);
  if (survey.locals.empty() && survey.constants.empty()) return;
  for (const FunctionText &function : translation.text.functions)
    if (function.body) survey.instructions(*function.body);
  // Without a .const variable there is no address of one.
  translation.hasShortConst &= !survey.constants.empty();
}

} // namespace us::frontend::ptx
