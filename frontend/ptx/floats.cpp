// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/floats.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace us::frontend::ptx {

llvm::Value *flushedBelow(FunctionTranslation &f, double limit, llvm::Value *value) {
  llvm::Value *magnitude = f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  llvm::Value *isSmall = f.builder.CreateFCmpOLT(magnitude, llvm::ConstantFP::get(value->getType(), limit));
  llvm::Value *zero =
      f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::ConstantFP::get(value->getType(), 0.0), value);
  return f.builder.CreateSelect(isSmall, zero, value);
}

llvm::Value *flushed(FunctionTranslation &f, const Operation &operation, llvm::Value *value) {
  if (!operation.has("ftz") || !value->getType()->isFloatTy()) return value;
  return flushedBelow(f, 0x1p-126, value);
}

llvm::Value *saturated(FunctionTranslation &f, const Operation &operation, llvm::Value *value) {
  if (!operation.has("sat")) return value;
  llvm::Value *zero = llvm::ConstantFP::get(value->getType(), 0.0), *one = llvm::ConstantFP::get(value->getType(), 1.0);
  llvm::Value *low = f.builder.CreateSelect(f.builder.CreateFCmpOGT(value, zero), value, zero);
  return f.builder.CreateSelect(f.builder.CreateFCmpOLT(low, one), low, one);
}

Expected<llvm::Value *> floatSource(FunctionTranslation &f, const Operation &operation, size_t place) {
  US_TRY(llvm::Value * value, f.source(operation, place));
  return flushed(f, operation, value);
}

Expected<void> defineFloat(FunctionTranslation &f, const Operation &operation, llvm::Value *value) {
  return f.define(operation, 0, saturated(f, operation, flushed(f, operation, value)));
}

namespace {

/// Bits 13 and 14 of the control register: 0 nearest, 1 down, 2 up, 3 towards zero.
uint32_t controlOf(std::string_view rounding) { return rounding == "rm" ? 1 : rounding == "rp" ? 2 : 3; }

/// A function of its own, in which the optimiser knows that the rounding is not the usual one, and that is never
/// inlined where it would not know. It leaves the control register as it was.
llvm::Function *roundingFunction(llvm::Module &module, const std::string &name, llvm::Intrinsic::ID constrained,
                                 uint32_t control, llvm::ArrayRef<llvm::Type *> types,
                                 llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *, 4> parameters;
  for (llvm::Value *argument : arguments) parameters.push_back(argument->getType());
  auto *function = llvm::Function::Create(llvm::FunctionType::get(types[0], parameters, false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->addFnAttr(llvm::Attribute::StrictFP);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold); // what this code base calls "do not inline"
  function->setDoesNotThrow();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  builder.setIsFPConstrained(true);
  builder.setDefaultConstrainedRounding(llvm::RoundingMode::Dynamic);
  builder.setDefaultConstrainedExcept(llvm::fp::ebStrict);
  llvm::AllocaInst *old = builder.CreateAlloca(builder.getInt32Ty()), *now = builder.CreateAlloca(builder.getInt32Ty());
  builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_stmxcsr, {}, {old});
  llvm::Value *kept = builder.CreateAnd(builder.CreateLoad(builder.getInt32Ty(), old), builder.getInt32(~(3u << 13)));
  builder.CreateStore(builder.CreateOr(kept, builder.getInt32(control << 13)), now);
  builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_ldmxcsr, {}, {now});
  llvm::SmallVector<llvm::Value *, 4> values;
  for (llvm::Argument &argument : function->args()) values.push_back(&argument);
  llvm::Function *operation = llvm::Intrinsic::getDeclaration(&module, constrained, types);
  llvm::CallInst *result = builder.CreateConstrainedFPCall(operation, values);
  builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_ldmxcsr, {}, {old});
  builder.CreateRet(result);
  return function;
}

} // namespace

llvm::Value *rounded(FunctionTranslation &f, llvm::Intrinsic::ID constrained, std::string_view rounding,
                     llvm::ArrayRef<llvm::Type *> types, llvm::ArrayRef<llvm::Value *> arguments) {
  std::string name = "ptx." + std::string(rounding) + "." + llvm::Intrinsic::getBaseName(constrained).str();
  for (llvm::Type *type : types) {
    llvm::raw_string_ostream stream(name);
    stream << "." << *type;
  }
  llvm::Function *function = f.module.module.getFunction(name);
  if (!function) function = roundingFunction(f.module.module, name, constrained, controlOf(rounding), types, arguments);
  llvm::CallInst *call = f.builder.CreateCall(function, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

} // namespace us::frontend::ptx
