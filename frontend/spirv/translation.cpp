// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/translation.h"

#include "frontend/spirv/debug_lines.h"
#include "frontend/spirv/grammar.h"

#include <llvm/IR/Constants.h>

namespace us::frontend::spirv {
namespace {

/// Clang's, for the same target.
constexpr const char *kTriple = "spir64";
constexpr const char *kDataLayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
                                    "v1024:1024-G1";

/// Instructions that say nothing a kernel depends on.
bool isWithoutMeaning(const Translation &translation, const Instruction &instruction) {
  constexpr spv::Op kIgnored[] = {
      spv::Op::OpNop, spv::Op::OpSource, spv::Op::OpSourceContinued, spv::Op::OpSourceExtension,
      spv::Op::OpModuleProcessed, spv::Op::OpMemberName, spv::Op::OpLine, spv::Op::OpNoLine,
      // What memory accesses name here does not overlap: a hint.
      spv::Op::OpAliasDomainDeclINTEL, spv::Op::OpAliasScopeDeclINTEL, spv::Op::OpAliasScopeListDeclINTEL};
  for (const spv::Op opcode : kIgnored)
    if (opcode == instruction.opcode) return true;
  // Debug information of another form than OpLine.
  if (instruction.opcode != spv::Op::OpExtInst) return false;
  const auto set = translation.instructionSets.find(instruction.operands[0]);
  return set != translation.instructionSets.end() && set->second == InstructionSet::Ignored;
}

Expected<void> takeModuleInstruction(Translation &translation, const Instruction &instruction) {
  if (isWithoutMeaning(translation, instruction) || translation.decorations.add(instruction)) return {};
  using Part = Expected<bool> (*)(Translation &, const Instruction &);
  constexpr Part kParts[] = {noteModuleFact, addType, addConstant};
  for (const Part part : kParts) {
    US_TRY(const bool taken, part(translation, instruction));
    if (taken) return {};
  }
  if (instruction.opcode == spv::Op::OpVariable) return addModuleVariable(translation, instruction);
  return failAt(instruction, "does not belong outside of a function");
}

/// Notes where a function begins and ends; `next` moves behind it.
Expected<void> noteFunction(Translation &translation, size_t &next) {
  const std::vector<Instruction> &instructions = translation.text.instructions;
  const Instruction &begin = instructions[next];
  FunctionDeclaration function;
  function.begin = &begin;
  while (++next < instructions.size()) {
    const Instruction &instruction = instructions[next];
    if (instruction.opcode == spv::Op::OpFunctionEnd) {
      ++next;
      translation.functionOrder.push_back(begin.result);
      translation.functions[begin.result] = std::move(function);
      return {};
    }
    if (instruction.opcode == spv::Op::OpFunction) return failAt(instruction, "lies inside another function");
    if (instruction.opcode == spv::Op::OpFunctionParameter) {
      if (!function.body.empty()) return failAt(instruction, "comes after the function's first block");
      function.parameters.push_back(&instruction);
    } else if (!function.body.empty() || instruction.opcode == spv::Op::OpLabel) {
      function.body.push_back(&instruction);
    } else if (!isWithoutMeaning(translation, instruction)) {
      return failAt(instruction, "comes before the function's first block");
    }
  }
  return failAt(begin, "has no end");
}

} // namespace

Expected<const Type *> Translation::typeAt(const Instruction &instruction, uint32_t id) const {
  if (id < types.size() && types[id] && types[id]->llvm) return types[id];
  if (id < types.size() && types[id] && types[id]->is(TypeKind::SampledImage)) return types[id];
  return failAt(instruction, "uses id " + std::to_string(id) + " as a type, which it is not");
}

Expected<Value> Translation::valueAt(const Instruction &instruction, uint32_t id) const {
  if (id < values.size() && values[id].llvm) return values[id];
  return failAt(instruction, "uses id " + std::to_string(id) + ", which has no value here");
}

Expected<llvm::Constant *> Translation::constantAt(const Instruction &instruction, uint32_t id) const {
  US_TRY(const Value value, valueAt(instruction, id));
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value.llvm)) return constant;
  return failAt(instruction, "uses id " + std::to_string(id) + ", which is no constant");
}

Expected<uint64_t> Translation::numberAt(const Instruction &instruction, uint32_t id) const {
  US_TRY(llvm::Constant * constant, constantAt(instruction, id));
  if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant)) return number->getZExtValue();
  return failAt(instruction, "uses id " + std::to_string(id) + ", which is no constant integer");
}

Expected<void> translate(Translation &translation) {
  translation.module.setTargetTriple(kTriple);
  translation.module.setDataLayout(kDataLayout);
  const std::vector<Instruction> &instructions = translation.text.instructions;
  for (size_t next = 0; next < instructions.size();) {
    if (instructions[next].opcode == spv::Op::OpFunction) {
      US_CHECK(noteFunction(translation, next));
    } else {
      US_CHECK(takeModuleInstruction(translation, instructions[next]));
      ++next;
    }
  }
  for (const std::unique_ptr<Type> &type : translation.allTypes)
    if (type->is(TypeKind::Pointer) && !type->element)
      return fail(ErrorCode::BuildProgramFailure,
                  "the forward declared pointer " + std::to_string(type->id) + " is never declared");
  beginDebugLines(translation);
  US_CHECK(declareFunctions(translation));
  for (const uint32_t id : translation.functionOrder) US_CHECK(translateBody(translation, translation.functions[id]));
  endDebugLines(translation);
  return {};
}

} // namespace us::frontend::spirv
