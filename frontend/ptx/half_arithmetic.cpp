// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with f16, bf16 and pairs of them: each number as an f32, and the result rounded back. Of sums, differences
// and products that is one rounding in effect, since f32 has more than twice the bits; fma has functions of its own.
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

using Numbers = llvm::SmallVector<llvm::Value *, 2>;

llvm::Value *constant(FunctionTranslation &f, double number) {
  return llvm::ConstantFP::get(f.builder.getFloatTy(), number);
}

/// ".ftz flushes subnormal inputs and results to sign-preserving zero": f16's begin below 2^-14.
llvm::Value *flushedHalf(FunctionTranslation &f, const Operation &op, llvm::Value *number) {
  if (!op.has("ftz") || isBrain(op.types[0])) return number;
  return flushedBelow(f, 0x1p-14, number);
}

/// ".relu clamps the result to 0 if negative"
llvm::Value *rectified(FunctionTranslation &f, const Operation &op, llvm::Value *number) {
  if (!op.has("relu")) return number;
  llvm::Value *stays = f.builder.CreateFCmpUGT(number, constant(f, 0)); // NaN too
  return f.builder.CreateSelect(stays, number, constant(f, 0));
}

Expected<Numbers> numbersOf(FunctionTranslation &f, const Operation &op, size_t place) {
  US_TRY(llvm::Value * value, f.source(op, place));
  Numbers numbers = widened(f, op.typeAt(place), value);
  for (llvm::Value *&number : numbers) number = flushedHalf(f, op, number);
  return numbers;
}

/// Rounds, clamps, flushes and stores.
Expected<void> defineHalves(FunctionTranslation &f, const Operation &op, Numbers numbers) {
  const Type type = op.types[0];
  const bool isTouched = op.has("ftz") || op.has("sat") || op.has("relu");
  if (isTouched) {
    numbers = widened(f, type, narrowed(f, type, numbers));
    for (llvm::Value *&number : numbers) number = rectified(f, op, saturated(f, op, flushedHalf(f, op, number)));
  }
  return f.define(op, 0, narrowed(f, type, numbers));
}

llvm::Value *fused(FunctionTranslation &f, const Operation &op, llvm::Value *a, llvm::Value *b, llvm::Value *c) {
  const Type type = op.types[0];
  if (isBrain(type)) {
    llvm::Type *word = f.builder.getInt16Ty();
    llvm::Value *bits = callLibrary(f, "us_ptx_fma_bf16", word,
                                    {narrowBits(f, type, a), narrowBits(f, type, b), narrowBits(f, type, c)});
    return widened(f, typeNamed("bf16"), bits)[0];
  }
  const auto half = [&](llvm::Value *number) { return f.builder.CreateFPTrunc(number, f.builder.getHalfTy()); };
  // Clang's name of OpenCL C's fma(half, half, half).
  llvm::Value *result = callLibrary(f, "_Z3fmaDhDhDh", f.builder.getHalfTy(), {half(a), half(b), half(c)});
  return f.builder.CreateFPExt(result, f.builder.getFloatTy());
}

} // namespace

llvm::Value *extreme(FunctionTranslation &f, const Operation &op, bool isMinimum, llvm::Value *a, llvm::Value *b) {
  llvm::Value *sign = nullptr;
  llvm::IRBuilderBase &builder = f.builder;
  if (op.has("xorsign")) {
    // "the sign of the result is the XOR of the signs of the inputs", which are compared without theirs.
    llvm::Type *word = builder.getIntNTy(a->getType()->getPrimitiveSizeInBits());
    sign = builder.CreateBitCast(builder.CreateXor(builder.CreateBitCast(a, word), builder.CreateBitCast(b, word)),
                                 a->getType());
    a = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
    b = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, b);
  }
  // "If one of the inputs is NaN, the result is the other": and -0 is less than +0. With .NaN, NaN wins.
  llvm::Value *result =
      builder.CreateBinaryIntrinsic(isMinimum ? llvm::Intrinsic::minimum : llvm::Intrinsic::maximum, a, b);
  if (!op.has("NaN")) {
    llvm::Value *noA = builder.CreateFCmpUNO(a, a), *noB = builder.CreateFCmpUNO(b, b);
    result = builder.CreateSelect(noA, b, builder.CreateSelect(noB, a, result));
  }
  // A NaN that results is "canonical": of f32 all bits but the sign are set; so they are in halves then.
  if (result->getType()->isFloatTy()) {
    llvm::Value *canonical = builder.CreateBitCast(builder.getInt32(0x7fffffff), builder.getFloatTy());
    result = builder.CreateSelect(builder.CreateFCmpUNO(result, result), canonical, result);
  }
  return sign ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, sign) : result;
}

Expected<void> halfBinary(FunctionTranslation &f, const Operation &op, HalfBinary operation) {
  US_TRY(const Numbers a, numbersOf(f, op, 1));
  US_TRY(const Numbers b, numbersOf(f, op, 2));
  Numbers results;
  for (size_t i = 0; i < a.size(); ++i) {
    switch (operation) {
    case HalfBinary::Add:
      results.push_back(f.builder.CreateFAdd(a[i], b[i]));
      break;
    case HalfBinary::Sub:
      results.push_back(f.builder.CreateFSub(a[i], b[i]));
      break;
    case HalfBinary::Mul:
      results.push_back(f.builder.CreateFMul(a[i], b[i]));
      break;
    case HalfBinary::Min:
    case HalfBinary::Max:
      results.push_back(extreme(f, op, operation == HalfBinary::Min, a[i], b[i]));
      break;
    }
  }
  return defineHalves(f, op, std::move(results));
}

/// abs and neg are operations on the sign bits.
Expected<void> halfUnary(FunctionTranslation &f, const Operation &op, HalfUnary operation) {
  US_TRY(Numbers numbers, numbersOf(f, op, 1));
  for (llvm::Value *&number : numbers)
    number = operation == HalfUnary::Abs ? f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number)
                                         : f.builder.CreateFNeg(number);
  return defineHalves(f, op, std::move(numbers));
}

Expected<void> halfFusedMultiplyAdd(FunctionTranslation &f, const Operation &op) {
  US_TRY(const Numbers a, numbersOf(f, op, 1));
  US_TRY(const Numbers b, numbersOf(f, op, 2));
  US_TRY(const Numbers c, numbersOf(f, op, 3));
  Numbers results;
  for (size_t i = 0; i < a.size(); ++i) results.push_back(fused(f, op, a[i], b[i], c[i]));
  return defineHalves(f, op, std::move(results));
}

/// ex2 and tanh, from the library's functions of f32.
Expected<void> halfApproximate(FunctionTranslation &f, const Operation &op) {
  US_TRY(Numbers numbers, numbersOf(f, op, 1));
  const char *name = op.text.opcode == "ex2" ? "_Z4exp2f" : "_Z4tanhf";
  for (llvm::Value *&number : numbers) number = callLibrary(f, name, f.builder.getFloatTy(), {number});
  return defineHalves(f, op, std::move(numbers));
}

namespace {

/// A source of the instruction's second type, f16 or bf16, as an f32.
Expected<llvm::Value *> widenedSource(FunctionTranslation &f, const Operation &op, size_t place) {
  US_TRY(llvm::Value * value, f.source(op, place));
  return widened(f, op.types[1], value)[0];
}

} // namespace

/// add.f32.f16 d, a, c: a is converted to f32 first.
Expected<void> mixedSum(FunctionTranslation &f, const Operation &op, MixedSum operation) {
  US_TRY(llvm::Value * a, widenedSource(f, op, 1));
  US_TRY(llvm::Value * c, f.source(op, 2));
  const bool isSum = operation == MixedSum::Add;
  const std::string_view rounding = op.firstOf(kRoundings);
  if (rounding.empty() || rounding == "rn")
    return defineFloat(f, op, isSum ? f.builder.CreateFAdd(a, c) : f.builder.CreateFSub(a, c));
  const llvm::Intrinsic::ID id =
      isSum ? llvm::Intrinsic::experimental_constrained_fadd : llvm::Intrinsic::experimental_constrained_fsub;
  return defineFloat(f, op, rounded(f, id, rounding, {a->getType()}, {a, c}));
}

Expected<void> mixedMultiplyAdd(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, widenedSource(f, op, 1));
  US_TRY(llvm::Value * b, widenedSource(f, op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  const std::string_view rounding = op.firstOf(kRoundings);
  if (rounding == "rn") return defineFloat(f, op, f.callIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c}));
  return defineFloat(f, op,
                     rounded(f, llvm::Intrinsic::experimental_constrained_fma, rounding, {a->getType()}, {a, b, c}));
}

} // namespace us::frontend::ptx
