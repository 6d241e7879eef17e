// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_arithmetic.h"

#include "emulator/codegen/instrument/check_site.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cmath>
#include <optional>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

/// What may go wrong with one operation.
struct Doubt {
  llvm::Instruction *operation;
  llvm::Value *isWrong; ///< per element
  abi::CheckKind kind;
  const char *name;
  llvm::Value *first, *second; ///< operands; null: there is none
  bool isSigned;
};

bool isDivision(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return true;
  default:
    return false;
  }
}

/// Whether a quotient of the two is not defined.
llvm::Value *isUndefined(llvm::IRBuilderBase &builder, llvm::Value *dividend, llvm::Value *divisor, bool isSigned) {
  llvm::Type *type = divisor->getType();
  llvm::Value *byZero = builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
  if (!isSigned) return byZero;
  const llvm::APInt least = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
  llvm::Value *overflows = builder.CreateAnd(builder.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, least)),
                                             builder.CreateICmpEQ(divisor, llvm::ConstantInt::getAllOnesValue(type)));
  return builder.CreateOr(byZero, overflows);
}

std::optional<Doubt> doubtOfDivision(llvm::Instruction &division, bool isPtx) {
  llvm::Value *traps = nullptr, *divisor = nullptr;
  if (!match(division.getOperand(1), m_Select(m_Value(traps), m_One(), m_Value(divisor)))) return {};
  const unsigned opcode = division.getOpcode();
  const bool isSigned = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  const bool isQuotient = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv;
  // PTX says what such a division gives: guards of its own are before ours, which then never acts.
  for (int guards = !isPtx ? 0 : isSigned ? 2 : 1; guards; --guards)
    if (!match(divisor, m_Select(m_Value(), m_One(), m_Value(divisor)))) return {};
  if (isPtx) {
    llvm::IRBuilder<> builder(&division);
    traps = isUndefined(builder, division.getOperand(0), divisor, isSigned);
  }
  return Doubt{
      &division, traps,   abi::CheckKind::DivisionByZero, isQuotient ? "division" : "remainder", division.getOperand(0),
      divisor,   isSigned};
}

std::optional<Doubt> doubtOfConversion(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return {};
  const bool isSigned = call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
  if (!isSigned && call->getIntrinsicID() != llvm::Intrinsic::fptoui_sat) return {};
  llvm::Value *number = call->getArgOperand(0);
  const unsigned bits = call->getType()->getScalarSizeInBits();
  llvm::IRBuilder<> builder(call);
  llvm::Value *whole = builder.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, number);
  const double end = std::ldexp(1.0, int(bits - isSigned));
  llvm::Value *isRight =
      builder.CreateAnd(builder.CreateFCmpOGE(whole, llvm::ConstantFP::get(number->getType(), isSigned ? -end : 0)),
                        builder.CreateFCmpOLT(whole, llvm::ConstantFP::get(number->getType(), end)));
  return Doubt{call, builder.CreateNot(isRight), abi::CheckKind::Conversion, "conversion", number, nullptr, isSigned};
}

/// A scalar's bits, signed ones with their sign, floats as doubles; 0 for vectors.
llvm::Value *numberOf(llvm::IRBuilderBase &builder, llvm::Value *value, bool isSigned) {
  if (!value || value->getType()->isVectorTy()) return builder.getInt64(0);
  if (value->getType()->isFloatingPointTy())
    return builder.CreateBitCast(builder.CreateFPCast(value, builder.getDoubleTy()), builder.getInt64Ty());
  return builder.CreateIntCast(value, builder.getInt64Ty(), isSigned);
}

void say(const Doubt &doubt) {
  llvm::IRBuilder<> builder(doubt.operation);
  llvm::Value *isWrong = doubt.isWrong;
  if (isWrong->getType()->isVectorTy()) isWrong = builder.CreateOrReduce(isWrong);
  llvm::MDNode *unlikely = llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
  llvm::Instruction *then =
      llvm::SplitBlockAndInsertIfThen(isWrong, doubt.operation->getIterator(), /*Unreachable=*/false, unlikely);
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(doubt.operation->getDebugLoc());
  llvm::json::Object site = sourceSite(*doubt.operation);
  addReads(site, {doubt.first, doubt.second});
  site["operation"] = doubt.name;
  site["type"] = typeText(*doubt.operation->getType(), doubt.isSigned);
  createCheckFailed(builder, doubt.kind, std::move(site),
                    {numberOf(builder, doubt.first, doubt.isSigned), numberOf(builder, doubt.second, doubt.isSigned)});
}

void checkIn(llvm::Function &function, bool isPtx) {
  llvm::SmallVector<Doubt, 8> doubts;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    std::optional<Doubt> doubt;
    if (isDivision(instruction))
      doubt = doubtOfDivision(instruction, isPtx);
    else if (!isPtx) // its conversions saturate
      doubt = doubtOfConversion(instruction);
    if (doubt) doubts.push_back(*doubt);
  }
  for (const Doubt &doubt : doubts) say(doubt);
}

} // namespace

llvm::PreservedAnalyses CheckArithmetic::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Arithmetic))
    return llvm::PreservedAnalyses::all();
  const bool isPtx = module.getFunction(request.kernel)->hasMetadata("us_language_target");
  for (llvm::Function &function : module)
    if (function.getSubprogram()) checkIn(function, isPtx);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
