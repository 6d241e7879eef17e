// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpSpecConstantOp: translated like the instruction that it names, in a function that is thrown away, and folded.
#include "frontend/spirv/function_translation.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Instructions.h>

namespace us::frontend::spirv {
namespace {

/// The operations of the specification's list that kernels have.
constexpr spv::Op kOperations[] = {
    spv::Op::OpSConvert,
    spv::Op::OpUConvert,
    spv::Op::OpFConvert,
    spv::Op::OpConvertFToS,
    spv::Op::OpConvertSToF,
    spv::Op::OpConvertFToU,
    spv::Op::OpConvertUToF,
    spv::Op::OpConvertPtrToU,
    spv::Op::OpConvertUToPtr,
    spv::Op::OpGenericCastToPtr,
    spv::Op::OpPtrCastToGeneric,
    spv::Op::OpBitcast,
    spv::Op::OpSNegate,
    spv::Op::OpNot,
    spv::Op::OpIAdd,
    spv::Op::OpISub,
    spv::Op::OpIMul,
    spv::Op::OpUDiv,
    spv::Op::OpSDiv,
    spv::Op::OpUMod,
    spv::Op::OpSRem,
    spv::Op::OpSMod,
    spv::Op::OpFNegate,
    spv::Op::OpFAdd,
    spv::Op::OpFSub,
    spv::Op::OpFMul,
    spv::Op::OpFDiv,
    spv::Op::OpShiftRightLogical,
    spv::Op::OpShiftRightArithmetic,
    spv::Op::OpShiftLeftLogical,
    spv::Op::OpBitwiseOr,
    spv::Op::OpBitwiseXor,
    spv::Op::OpBitwiseAnd,
    spv::Op::OpVectorShuffle,
    spv::Op::OpCompositeExtract,
    spv::Op::OpCompositeInsert,
    spv::Op::OpLogicalOr,
    spv::Op::OpLogicalAnd,
    spv::Op::OpLogicalNot,
    spv::Op::OpLogicalEqual,
    spv::Op::OpLogicalNotEqual,
    spv::Op::OpSelect,
    spv::Op::OpIEqual,
    spv::Op::OpINotEqual,
    spv::Op::OpULessThan,
    spv::Op::OpSLessThan,
    spv::Op::OpUGreaterThan,
    spv::Op::OpSGreaterThan,
    spv::Op::OpULessThanEqual,
    spv::Op::OpSLessThanEqual,
    spv::Op::OpUGreaterThanEqual,
    spv::Op::OpSGreaterThanEqual,
    spv::Op::OpAccessChain,
    spv::Op::OpInBoundsAccessChain,
    spv::Op::OpPtrAccessChain,
    spv::Op::OpInBoundsPtrAccessChain,
};

/// Folds what the builder left as instructions, in order. Null if something of it is no constant.
llvm::Constant *foldBlock(llvm::BasicBlock &block, llvm::Value *result) {
  const llvm::DataLayout &layout = block.getDataLayout();
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
    llvm::Constant *folded = llvm::ConstantFoldInstruction(&instruction, layout);
    if (!folded) return nullptr;
    // A division by zero has no defined result; here it is zero.
    if (llvm::isa<llvm::PoisonValue>(folded)) folded = llvm::Constant::getNullValue(folded->getType());
    if (result == &instruction) result = folded;
    instruction.replaceAllUsesWith(folded);
    instruction.eraseFromParent();
  }
  return llvm::dyn_cast<llvm::Constant>(result);
}

} // namespace

Expected<llvm::Constant *> specializedOperation(Translation &translation, const Instruction &instruction) {
  const auto operation = spv::Op(instruction.operands[0]);
  const InstructionRow *row = rowOf(operation);
  if (!row || !llvm::is_contained(kOperations, operation))
    return failAt(instruction, "names an operation that it cannot do");
  Instruction named = instruction;
  named.opcode = operation;
  named.operands = instruction.operands.subspan(1);

  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(translation.context), false);
  llvm::Function *scratch =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "il.constant", translation.module);
  llvm::BasicBlock *block = llvm::BasicBlock::Create(translation.context, "", scratch);
  llvm::Constant *constant = nullptr;
  Expected<llvm::Value *> value = nullptr;
  {
    FunctionTranslation function(translation, *scratch);
    function.builder.SetInsertPoint(block);
    value = row->handler(function, named, row->detail);
    if (value && *value) constant = foldBlock(*block, *value);
  }
  scratch->eraseFromParent();
  if (!value) return std::unexpected(std::move(value).error());
  if (!constant) return failAt(instruction, "does not have a constant value");
  return constant;
}

} // namespace us::frontend::spirv
