// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/function_translation.h"

#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/debug_lines.h"
#include "frontend/spirv/grammar.h"
#include "runtime/base/work_limit.h"

#include <llvm/IR/CFG.h>

#include <algorithm>

namespace us::frontend::spirv {
namespace {

const InstructionRow *const *allRows() {
  constexpr size_t kOpcodes = 8192;
  static const InstructionRow *const *const rows = [] {
    auto **table = new const InstructionRow *[kOpcodes]();
    for (const auto family : {arithmeticRows(), bitRows(), comparisonRows(), conversionRows(), compositeRows(),
                              memoryRows(), atomicRows(), controlFlowRows(), groupRows(), subGroupRows(),
                              synchronizationRows(), extendedRows(), imageRows(), pipeRows(), deviceEnqueueRows()})
      for (const InstructionRow &row : family)
        if (size_t(row.opcode) < kOpcodes) table[size_t(row.opcode)] = &row;
    return table;
  }();
  return rows;
}

bool isIgnored(const Translation &translation, const Instruction &instruction) {
  if (instruction.opcode == spv::Op::OpNop) return true;
  if (instruction.opcode != spv::Op::OpExtInst) return false;
  const auto set = translation.instructionSets.find(instruction.operands[0]);
  return set != translation.instructionSets.end() && set->second == InstructionSet::Ignored;
}

/// Kernels take structs in memory: where their own instructions want the value, it is loaded.
llvm::Value *parameterValue(FunctionTranslation &function, llvm::Argument &argument, const Type &type) {
  if (argument.getType() == type.llvm) return &argument;
  return function.builder.CreateLoad(type.llvm, &argument);
}

} // namespace

const InstructionRow *rowOf(spv::Op opcode) { return size_t(opcode) < 8192 ? allRows()[size_t(opcode)] : nullptr; }

FunctionTranslation::~FunctionTranslation() {
  for (const uint32_t id : defined_) module.values[id] = {};
}

void FunctionTranslation::define(const Instruction &instruction, llvm::Value *value, const Type *type) {
  module.define(instruction, value, type);
  defined_.push_back(instruction.result);
}

Expected<Value> FunctionTranslation::value(const Instruction &instruction, uint32_t id) {
  if (const auto variable = module.builtInVariables.find(id); variable != module.builtInVariables.end()) {
    US_TRY(llvm::Value * pointer, builtInVariable(instruction, variable->second, id));
    return Value{pointer, variable->second.pointerType};
  }
  if (const auto sampler = module.samplers.find(id); sampler != module.samplers.end()) {
    US_TRY(llvm::Value * made, samplerFromLiteral(*this, instruction, sampler->second, module.values[id].type->llvm));
    return Value{made, module.values[id].type};
  }
  return module.valueAt(instruction, id);
}

Expected<llvm::Value *> FunctionTranslation::builtInVariable(const Instruction &instruction,
                                                             const BuiltInVariable &variable, uint32_t id) {
  llvm::Value *&place = builtIns_[id];
  if (place) return place;
  // Memory of the function's own, filled at its entry: the pointer may be used in any way.
  llvm::IRBuilderBase::InsertPointGuard here(builder);
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::Instruction *first = entry.empty() ? nullptr : &entry.front();
  const llvm::DebugLoc noLine = builder.getCurrentDebugLocation();
  if (first)
    builder.SetInsertPoint(first);
  else
    builder.SetInsertPoint(&entry);
  builder.SetCurrentDebugLocation(noLine);
  llvm::AllocaInst *slot = builder.CreateAlloca(variable.pointerType->element->llvm);
  US_TRY(llvm::Value * value, builtInValue(*this, instruction, variable));
  builder.CreateStore(value, slot);
  place = builder.CreateAddrSpaceCast(slot, variable.pointerType->llvm);
  return place;
}

llvm::BasicBlock *FunctionTranslation::block(uint32_t label) {
  Block &block = blocks_[label];
  if (!block.llvm) block.llvm = llvm::BasicBlock::Create(module.context, "", &function);
  return block.llvm;
}

Expected<void> FunctionTranslation::enter(const Instruction &label) {
  if (inBlock) return failAt(label, "begins a block inside another");
  llvm::BasicBlock *begun = block(label.result);
  blocks_[label.result].met = true;
  // In the order of the module, whatever was branched to before.
  begun->moveAfter(&function.back());
  builder.SetInsertPoint(begun);
  inBlock = true;
  return {};
}

Expected<void> FunctionTranslation::finish() {
  for (const auto &[id, block] : blocks_)
    if (!block.met)
      return fail(ErrorCode::BuildProgramFailure,
                  "id " + std::to_string(id) + " is branched to and is no block of '" + function.getName().str() + "'");
  for (const PendingPhi &pending : phis) {
    const Instruction &instruction = *pending.instruction;
    // LLVM wants one value for each edge, SPIR-V has one for each parent.
    llvm::DenseMap<llvm::BasicBlock *, unsigned> edges;
    for (llvm::BasicBlock *parent : llvm::predecessors(pending.phi->getParent())) ++edges[parent];
    for (size_t i = 0; i + 1 < instruction.operands.size(); i += 2) {
      US_TRY(const Value value, operand(instruction, i));
      if (value.llvm->getType() != pending.phi->getType()) return failAt(instruction, "has a value of another type");
      const auto parent = blocks_.find(instruction.operands[i + 1]);
      const auto edge = parent == blocks_.end() ? edges.end() : edges.find(parent->second.llvm);
      if (edge == edges.end()) return failAt(instruction, "names a parent that does not branch here, or twice");
      for (unsigned j = 0; j < edge->second; ++j) pending.phi->addIncoming(value.llvm, edge->first);
      edges.erase(edge);
    }
    if (!edges.empty()) return failAt(instruction, "lacks a value for one of its block's parents");
  }
  return {};
}

Expected<void> translateInstruction(FunctionTranslation &function, const Instruction &instruction) {
  const InstructionRow *row = rowOf(instruction.opcode);
  if (!row) {
    if (instruction.opcode != spv::Op::OpUndef) return failAt(instruction, "is not for kernels");
    US_TRY(const Type *type, function.resultType(instruction));
    if (type->size == 0) return failAt(instruction, "is of a type that has no values");
    function.define(instruction, llvm::UndefValue::get(type->llvm), type);
    return {};
  }
  US_TRY(llvm::Value * value, row->handler(function, instruction, row->detail));
  if (instruction.result == 0 || instruction.type == 0) return {};
  US_TRY(const Type *type, function.resultType(instruction));
  if (type->is(TypeKind::Void)) return {};
  if (type->is(TypeKind::SampledImage) && !value) return {};
  if (!value || value->getType() != type->llvm)
    return failAt(instruction, "does not give the type that it says (" + typeName(*type) + ")");
  function.define(instruction, value, type);
  return {};
}

Expected<void> translateBody(Translation &translation, const FunctionDeclaration &declaration) {
  if (declaration.body.empty()) return {};
  llvm::Function &llvmFunction = *declaration.llvm;
  FunctionTranslation function(translation, llvmFunction);
  llvm::DISubprogram *scope = debugScope(translation, declaration);
  llvmFunction.setSubprogram(scope);
  const auto noLine = [&] {
    function.builder.SetCurrentDebugLocation(
        scope ? llvm::DebugLoc(llvm::DILocation::get(translation.context, 0, 0, scope)) : llvm::DebugLoc());
  };
  noLine();
  bool first = true;
  for (const Instruction *instruction : declaration.body) {
    workStep();
    if (instruction->opcode == spv::Op::OpLabel) {
      US_CHECK(function.enter(*instruction));
      noLine();
      if (first)
        for (size_t i = 0; i < declaration.parameters.size(); ++i) {
          const Type *type = declaration.type->members[i];
          function.define(*declaration.parameters[i],
                          parameterValue(function, *llvmFunction.getArg(unsigned(i)), *type), type);
        }
      first = false;
      continue;
    }
    if (instruction->opcode == spv::Op::OpLine && scope) {
      function.builder.SetCurrentDebugLocation(debugLocation(translation, *instruction, scope));
      continue;
    }
    if (instruction->opcode == spv::Op::OpNoLine || instruction->opcode == spv::Op::OpLine) {
      noLine();
      continue;
    }
    if (isIgnored(translation, *instruction)) continue;
    if (!function.inBlock) return failAt(*instruction, "lies outside of every block");
    US_CHECK(translateInstruction(function, *instruction));
  }
  if (function.inBlock) return failAt(*declaration.begin, "has a block without an end");
  return function.finish();
}

} // namespace us::frontend::spirv
