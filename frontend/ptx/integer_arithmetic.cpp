// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic. Everything wraps unless it saturates.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

using Builder = llvm::IRBuilderBase;

/// The upper half of a product.
llvm::Value *multiplyHigh(Builder &builder, llvm::Value *a, llvm::Value *b, bool isSigned) {
  const unsigned bits = a->getType()->getIntegerBitWidth();
  llvm::Type *wide = builder.getIntNTy(bits * 2);
  const auto extended = [&](llvm::Value *value) {
    return isSigned ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  };
  llvm::Value *product = builder.CreateMul(extended(a), extended(b));
  return builder.CreateTrunc(builder.CreateLShr(product, llvm::ConstantInt::get(wide, bits)), a->getType());
}

/// Division by zero: all bits set, in quotient and remainder, as an H200 gives ("unspecified" says the manual). The
/// smallest number by -1 wraps.
llvm::Value *divide(Builder &builder, llvm::Value *a, llvm::Value *b, bool isSigned, bool wantsRemainder) {
  llvm::Type *type = a->getType();
  llvm::Value *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *minusOne = llvm::ConstantInt::getAllOnesValue(type);
  llvm::Value *byZero = builder.CreateICmpEQ(b, zero);
  llvm::Value *divisor = builder.CreateSelect(byZero, one, b);
  llvm::Value *byMinusOne = nullptr;
  if (isSigned) {
    byMinusOne = builder.CreateICmpEQ(b, minusOne);
    divisor = builder.CreateSelect(byMinusOne, one, divisor);
  }
  if (wantsRemainder) {
    // What is divided by one leaves nothing, which is right for -1 too.
    llvm::Value *rest = isSigned ? builder.CreateSRem(a, divisor) : builder.CreateURem(a, divisor);
    return builder.CreateSelect(byZero, minusOne, rest);
  }
  llvm::Value *quotient = isSigned ? builder.CreateSDiv(a, divisor) : builder.CreateUDiv(a, divisor);
  if (isSigned) quotient = builder.CreateSelect(byMinusOne, builder.CreateNeg(a), quotient);
  return builder.CreateSelect(byZero, minusOne, quotient);
}

llvm::Value *binary(FunctionTranslation &f, IntegerBinary operation, llvm::Value *a, llvm::Value *b, bool isSigned) {
  Builder &builder = f.builder;
  const auto intrinsic = [&](llvm::Intrinsic::ID id) { return builder.CreateBinaryIntrinsic(id, a, b); };
  switch (operation) {
  case IntegerBinary::Add:
    return builder.CreateAdd(a, b);
  case IntegerBinary::AddSat:
    return intrinsic(llvm::Intrinsic::sadd_sat);
  case IntegerBinary::Sub:
    return builder.CreateSub(a, b);
  case IntegerBinary::SubSat:
    return intrinsic(llvm::Intrinsic::ssub_sat);
  case IntegerBinary::MulLow:
    return builder.CreateMul(a, b);
  case IntegerBinary::MulHigh:
    return multiplyHigh(builder, a, b, isSigned);
  case IntegerBinary::Divide:
    return divide(builder, a, b, isSigned, false);
  case IntegerBinary::Remainder:
    return divide(builder, a, b, isSigned, true);
  case IntegerBinary::Min:
    return intrinsic(isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin);
  case IntegerBinary::Max:
    return intrinsic(isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax);
  }
  llvm_unreachable("every operation is above");
}

} // namespace

Expected<void> integerBinary(FunctionTranslation &f, const Operation &op, IntegerBinary operation) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  llvm::Value *result = binary(f, operation, a, b, op.types[0]->isSigned());
  // ".relu clamps the result to 0 if negative"
  if (op.has("relu"))
    result = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, result, llvm::ConstantInt::get(a->getType(), 0));
  return f.define(op, 0, result);
}

/// The two halves of 32 bits, each for itself.
Expected<void> shortPairs(FunctionTranslation &f, const Operation &op, IntegerBinary operation) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  llvm::Type *pair = llvm::FixedVectorType::get(f.builder.getInt16Ty(), 2);
  const bool isSigned = op.has("s16x2");
  if (op.has("relu") && !isSigned) return failAt(op.text.place, ".relu is for signed numbers");
  llvm::Value *result =
      binary(f, operation, f.builder.CreateBitCast(a, pair), f.builder.CreateBitCast(b, pair), isSigned);
  if (op.has("relu"))
    result = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, result, llvm::ConstantAggregateZero::get(pair));
  return f.define(op, 0, f.builder.CreateBitCast(result, a->getType()));
}

Expected<void> integerUnary(FunctionTranslation &f, const Operation &op, IntegerUnary operation) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  llvm::Type *type = a->getType();
  const auto counted = [&](llvm::Value *value) { return f.builder.CreateZExtOrTrunc(value, f.builder.getInt32Ty()); };
  switch (operation) {
  case IntegerUnary::Abs: {
    // The smallest number is its own absolute value.
    llvm::Value *negative = f.builder.CreateICmpSLT(a, llvm::ConstantInt::get(type, 0));
    return f.define(op, 0, f.builder.CreateSelect(negative, f.builder.CreateNeg(a), a));
  }
  case IntegerUnary::Negate:
    return f.define(op, 0, f.builder.CreateNeg(a));
  case IntegerUnary::PopulationCount:
    return f.define(op, 0, counted(f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a)));
  case IntegerUnary::LeadingZeros:
    return f.define(op, 0, counted(f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a, f.builder.getFalse())));
  case IntegerUnary::Reverse:
    return f.define(op, 0, f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, a));
  }
  llvm_unreachable("every operation is above");
}

Expected<void> multiplyWide(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  const bool isSigned = op.types[0]->isSigned();
  llvm::Type *wide = f.llvmType(op.typeAt(0));
  llvm::Value *product =
      isSigned ? f.builder.CreateMul(f.builder.CreateSExt(a, wide), f.builder.CreateSExt(b, wide), "", false, true)
               : f.builder.CreateMul(f.builder.CreateZExt(a, wide), f.builder.CreateZExt(b, wide), "", true, false);
  if (op.form.detail == 1) {
    US_TRY(llvm::Value * c, f.source(op, 3));
    product = f.builder.CreateAdd(product, c);
  }
  return f.define(op, 0, product);
}

Expected<void> multiplyAdd(FunctionTranslation &f, const Operation &op, IntegerBinary operation) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  const bool isSigned = op.types[0]->isSigned();
  llvm::Value *product = binary(f, operation, a, b, isSigned);
  const IntegerBinary sum = op.has("sat") ? IntegerBinary::AddSat : IntegerBinary::Add;
  return f.define(op, 0, binary(f, sum, product, c, isSigned));
}

/// "mul24 computes the product of two 24-bit integer values ... and returns either the high or low 32-bits of the
/// 48-bit result."
Expected<void> multiply24(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  const bool isSigned = op.types[0]->isSigned();
  llvm::Type *wide = f.builder.getInt64Ty();
  const auto low24 = [&](llvm::Value *value) {
    llvm::Value *up = f.builder.CreateShl(f.builder.CreateZExt(value, wide), f.builder.getInt64(40));
    return isSigned ? f.builder.CreateAShr(up, f.builder.getInt64(40))
                    : f.builder.CreateLShr(up, f.builder.getInt64(40));
  };
  llvm::Value *product = f.builder.CreateMul(low24(a), low24(b));
  if (op.form.detail == 1) product = f.builder.CreateLShr(product, f.builder.getInt64(16));
  product = f.builder.CreateTrunc(product, f.builder.getInt32Ty());
  if (op.form.operands.size() == 4) {
    US_TRY(llvm::Value * c, f.source(op, 3));
    product = binary(f, op.has("sat") ? IntegerBinary::AddSat : IntegerBinary::Add, product, c, isSigned);
  }
  return f.define(op, 0, product);
}

/// "d = c + ((a<b) ? b-a : a-b)"
Expected<void> sumOfDifference(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  llvm::Value *less = op.types[0]->isSigned() ? f.builder.CreateICmpSLT(a, b) : f.builder.CreateICmpULT(a, b);
  llvm::Value *difference = f.builder.CreateSelect(less, f.builder.CreateSub(b, a), f.builder.CreateSub(a, b));
  return f.define(op, 0, f.builder.CreateAdd(c, difference));
}

} // namespace us::frontend::ptx
