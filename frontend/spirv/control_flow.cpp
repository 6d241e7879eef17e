// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, phis, calls and returns.
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

Result phi(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  if (type->size == 0) return failAt(in, "is of a type that has no values");
  llvm::BasicBlock *block = f.builder.GetInsertBlock();
  if (!block->empty() && !llvm::isa<llvm::PHINode>(block->back())) return failAt(in, "does not begin its block");
  llvm::PHINode *made = f.builder.CreatePHI(type->llvm, unsigned(in.operands.size() / 2));
  f.phis.push_back({made, &in});
  return made;
}

/// What structure a loop or selection has, LLVM finds out.
Result merge(FunctionTranslation &, const Instruction &, uint32_t) { return nullptr; }

Result branch(FunctionTranslation &f, const Instruction &in, uint32_t) {
  f.builder.CreateBr(f.block(in.operands[0]));
  f.inBlock = false;
  return nullptr;
}

Result branchConditional(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value condition, f.operand(in, 0));
  if (!condition.type->is(TypeKind::Bool)) return failOperand(in, 0, *condition.type, "a boolean");
  f.builder.CreateCondBr(condition.llvm, f.block(in.operands[1]), f.block(in.operands[2]));
  f.inBlock = false;
  return nullptr;
}

Result switchOver(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value selector, f.operand(in, 0));
  if (!selector.type->is(TypeKind::Integer)) return failOperand(in, 0, *selector.type, "an integer");
  const unsigned width = selector.type->width;
  const size_t words = width > 32 ? 3 : 2;
  llvm::SwitchInst *made = f.builder.CreateSwitch(selector.llvm, f.block(in.operands[1]));
  auto *type = llvm::cast<llvm::IntegerType>(selector.type->llvm);
  llvm::SmallDenseSet<uint64_t> seen;
  for (size_t i = 2; i + words <= in.operands.size(); i += words) {
    uint64_t value = in.operands[i];
    if (words == 3) value |= uint64_t(in.operands[i + 1]) << 32;
    llvm::ConstantInt *constant = llvm::ConstantInt::get(type->getContext(), llvm::APInt(64, value).trunc(width));
    if (!seen.insert(constant->getZExtValue()).second) return failAt(in, "has a literal twice");
    made->addCase(constant, f.block(in.operands[i + words - 1]));
  }
  f.inBlock = false;
  return nullptr;
}

Result returnNothing(FunctionTranslation &f, const Instruction &in, uint32_t) {
  if (!f.function.getReturnType()->isVoidTy()) return failAt(in, "returns nothing from a function with a result");
  f.builder.CreateRetVoid();
  f.inBlock = false;
  return nullptr;
}

Result returnValue(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, f.operand(in, 0));
  if (value.llvm->getType() != f.function.getReturnType() || value.type->is(TypeKind::Void))
    return failOperand(in, 0, *value.type, "what the function returns");
  f.builder.CreateRet(value.llvm);
  f.inBlock = false;
  return nullptr;
}

Result unreachable(FunctionTranslation &f, const Instruction &, uint32_t) {
  f.builder.CreateUnreachable();
  f.inBlock = false;
  return nullptr;
}

Result call(FunctionTranslation &f, const Instruction &in, uint32_t) {
  const auto declaration = f.module.functions.find(in.operands[0]);
  if (declaration == f.module.functions.end()) return failAt(in, "calls what is no function");
  llvm::Function *callee = declaration->second.llvm;
  const size_t count = in.operands.size() - 1;
  if (count != callee->arg_size())
    return failAt(in, "passes " + std::to_string(count) + " arguments, the function takes " +
                          std::to_string(callee->arg_size()));
  std::vector<llvm::Value *> arguments;
  for (size_t i = 1; i <= count; ++i) {
    US_TRY(const Value argument, f.operand(in, i));
    if (argument.llvm->getType() != callee->getFunctionType()->getParamType(unsigned(i - 1)))
      return failOperand(in, i, *argument.type, "what the function takes");
    arguments.push_back(argument.llvm);
  }
  llvm::CallInst *made = f.builder.CreateCall(callee, arguments);
  made->setCallingConv(callee->getCallingConv());
  made->setAttributes(callee->getAttributes());
  return made;
}

constexpr InstructionRow kControlFlowRows[] = {
    {spv::Op::OpPhi, phi},
    {spv::Op::OpLoopMerge, merge},
    {spv::Op::OpSelectionMerge, merge},
    {spv::Op::OpBranch, branch},
    {spv::Op::OpBranchConditional, branchConditional},
    {spv::Op::OpSwitch, switchOver},
    {spv::Op::OpReturn, returnNothing},
    {spv::Op::OpReturnValue, returnValue},
    {spv::Op::OpUnreachable, unreachable},
    {spv::Op::OpFunctionCall, call},
};

} // namespace

std::span<const InstructionRow> controlFlowRows() { return kControlFlowRows; }

} // namespace us::frontend::spirv
