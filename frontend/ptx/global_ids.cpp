// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/global_ids.h"

#include <functional>
#include <unordered_map>

namespace us::frontend::ptx {
namespace {

struct Register {
  unsigned mentions = 0;              ///< in any operand or guard
  unsigned definitions = 0;           ///< as a first operand, which may also be a use: then it is one too many
  const Operand *reads = nullptr;     ///< the special register of the mov that defines it
  const Instruction *where = nullptr; ///< that mov
};
using Registers = std::unordered_map<std::string_view, Register>;

void forEachInstruction(Block &block, const std::function<void(Instruction &)> &visit) {
  for (Statement &statement : block.statements) {
    if (auto *inner = std::get_if<std::unique_ptr<Block>>(&statement)) forEachInstruction(**inner, visit);
    if (auto *instruction = std::get_if<Instruction>(&statement)) visit(*instruction);
  }
}

/// A register of an inner block may have the name of another.
bool declaresRegistersInside(const Block &block, bool isInside = false) {
  for (const Variable &variable : block.variables)
    if (isInside && variable.space == StateSpace::Register) return true;
  for (const Statement &statement : block.statements)
    if (const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement))
      if (declaresRegistersInside(**inner, true)) return true;
  return false;
}

void count(const Operand &operand, bool isFirst, Registers &registers) {
  for (const std::string_view name : {operand.name, operand.second}) {
    if (name.empty()) continue;
    Register &counted = registers[name];
    ++counted.mentions;
    counted.definitions += isFirst;
  }
  for (const Operand &element : operand.elements) count(element, isFirst, registers);
}

bool isWord(std::string_view type) { return type == "u32" || type == "s32" || type == "b32"; }

bool isPlainMove(const Instruction &instruction) {
  return instruction.opcode == "mov" && instruction.guard.empty() && instruction.operands.size() == 2 &&
         instruction.operands[0].kind == OperandKind::Name && instruction.operands[0].second.empty() &&
         instruction.operands[1].kind == OperandKind::Name && instruction.operands[1].component.size() == 1 &&
         instruction.modifiers.size() == 1 && isWord(instruction.modifiers[0]);
}

/// The special register that an operand is, or that was moved into it and into nothing else.
const Operand *specialOf(const Operand &operand, const Registers &registers) {
  if (operand.kind != OperandKind::Name || operand.isNegated) return nullptr;
  if (operand.component.size() == 1) return &operand;
  const auto found = registers.find(operand.name);
  return found != registers.end() && found->second.definitions == 1 ? found->second.reads : nullptr;
}

bool isGlobalId(const Instruction &instruction, const Registers &registers) {
  if (instruction.opcode != "mad" || instruction.operands.size() != 4 || instruction.modifiers.size() != 2 ||
      instruction.modifiers[0] != "lo" || !isWord(instruction.modifiers[1]))
    return false;
  const Operand *group = specialOf(instruction.operands[1], registers);
  const Operand *size = specialOf(instruction.operands[2], registers);
  const Operand *thread = specialOf(instruction.operands[3], registers);
  if (!group || !size || !thread) return false;
  if (group->name == "%ntid") std::swap(group, size);
  return group->name == "%ctaid" && size->name == "%ntid" && thread->name == "%tid" &&
         group->component == size->component && group->component == thread->component;
}

void formIn(Block &body) {
  if (declaresRegistersInside(body)) return;
  Registers registers;
  forEachInstruction(body, [&](Instruction &instruction) {
    for (size_t i = 0; i < instruction.operands.size(); ++i) count(instruction.operands[i], i == 0, registers);
    if (!instruction.guard.empty()) ++registers[instruction.guard].mentions;
    if (!isPlainMove(instruction)) return;
    Register &target = registers[instruction.operands[0].name];
    target.reads = &instruction.operands[1];
    target.where = &instruction;
  });
  std::vector<std::string_view> released;
  forEachInstruction(body, [&](Instruction &instruction) {
    if (!isGlobalId(instruction, registers)) return;
    for (size_t i = 1; i < 4; ++i) released.push_back(instruction.operands[i].name);
    Operand id = instruction.operands[3];
    id.component = specialOf(id, registers)->component;
    id.name = kGlobalId;
    instruction.opcode = "mov";
    instruction.modifiers = {"u32"};
    instruction.operands.resize(2);
    instruction.operands[1] = id;
  });
  // A query that nobody reads would still be one that the kernel makes.
  for (const std::string_view name : released)
    if (const auto found = registers.find(name); found != registers.end()) --found->second.mentions;
  const auto isLeftOver = [&](const Statement &statement) {
    const auto *instruction = std::get_if<Instruction>(&statement);
    if (!instruction || released.empty() || !isPlainMove(*instruction)) return false;
    const Register &target = registers[instruction->operands[0].name];
    return target.where == instruction && target.definitions == 1 && target.mentions == 1;
  };
  std::vector<std::reference_wrapper<Block>> blocks = {body};
  while (!blocks.empty()) {
    Block &block = blocks.back();
    blocks.pop_back();
    std::vector<Statement> kept;
    for (Statement &statement : block.statements)
      if (!isLeftOver(statement)) kept.push_back(std::move(statement));
    block.statements = std::move(kept);
    for (Statement &statement : block.statements)
      if (auto *inner = std::get_if<std::unique_ptr<Block>>(&statement)) blocks.push_back(**inner);
  }
}

} // namespace

void formGlobalIds(ModuleText &module) {
  for (FunctionText &function : module.functions)
    if (function.body) formIn(*function.body);
}

} // namespace us::frontend::ptx
