// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic. .approx and .full give the correctly rounded result, which is better than they promise.
#include "frontend/ptx/floats.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

/// One operation, rounded to nearest or as the instruction says.
llvm::Value *arithmetic(FunctionTranslation &f, const Operation &op, llvm::Instruction::BinaryOps nearest,
                        llvm::Intrinsic::ID constrained, llvm::Value *a, llvm::Value *b) {
  const std::string_view rounding = op.firstOf(kRoundings);
  if (rounding.empty() || rounding == "rn") return f.builder.CreateBinOp(nearest, a, b);
  return rounded(f, constrained, rounding, {a->getType()}, {a, b});
}

llvm::Value *squareRoot(FunctionTranslation &f, const Operation &op, llvm::Value *a) {
  const std::string_view rounding = op.firstOf(kRoundings);
  if (rounding.empty() || rounding == "rn") return f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
  return rounded(f, llvm::Intrinsic::experimental_constrained_sqrt, rounding, {a->getType()}, {a});
}

} // namespace

Expected<void> floatBinary(FunctionTranslation &f, const Operation &op, FloatBinary operation) {
  US_TRY(llvm::Value * a, floatSource(f, op, 1));
  US_TRY(llvm::Value * b, floatSource(f, op, 2));
  namespace intrinsic = llvm::Intrinsic;
  switch (operation) {
  case FloatBinary::Add:
    return defineFloat(f, op,
                       arithmetic(f, op, llvm::Instruction::FAdd, intrinsic::experimental_constrained_fadd, a, b));
  case FloatBinary::Sub:
    return defineFloat(f, op,
                       arithmetic(f, op, llvm::Instruction::FSub, intrinsic::experimental_constrained_fsub, a, b));
  case FloatBinary::Mul:
    return defineFloat(f, op,
                       arithmetic(f, op, llvm::Instruction::FMul, intrinsic::experimental_constrained_fmul, a, b));
  case FloatBinary::Div:
    return defineFloat(f, op,
                       arithmetic(f, op, llvm::Instruction::FDiv, intrinsic::experimental_constrained_fdiv, a, b));
  case FloatBinary::Min:
    return defineFloat(f, op, extreme(f, op, true, a, b));
  case FloatBinary::Max:
    return defineFloat(f, op, extreme(f, op, false, a, b));
  }
  llvm_unreachable("every operation is above");
}

Expected<void> floatUnary(FunctionTranslation &f, const Operation &op, FloatUnary operation) {
  US_TRY(llvm::Value * a, floatSource(f, op, 1));
  llvm::Value *one = llvm::ConstantFP::get(a->getType(), 1.0);
  namespace intrinsic = llvm::Intrinsic;
  switch (operation) {
  case FloatUnary::Abs:
    return defineFloat(f, op, f.builder.CreateUnaryIntrinsic(intrinsic::fabs, a));
  case FloatUnary::Negate:
    return defineFloat(f, op, f.builder.CreateFNeg(a));
  case FloatUnary::Reciprocal:
    return defineFloat(f, op,
                       arithmetic(f, op, llvm::Instruction::FDiv, intrinsic::experimental_constrained_fdiv, one, a));
  case FloatUnary::SquareRoot:
    return defineFloat(f, op, squareRoot(f, op, a));
  case FloatUnary::ReciprocalRoot:
    return defineFloat(f, op, f.builder.CreateFDiv(one, squareRoot(f, op, a)));
  }
  llvm_unreachable("every operation is above");
}

Expected<void> fusedMultiplyAdd(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, floatSource(f, op, 1));
  US_TRY(llvm::Value * b, floatSource(f, op, 2));
  US_TRY(llvm::Value * c, floatSource(f, op, 3));
  const std::string_view rounding = op.firstOf(kRoundings);
  llvm::Type *type = a->getType();
  if (rounding.empty() || rounding == "rn")
    return defineFloat(f, op, f.callIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c}));
  return defineFloat(f, op, rounded(f, llvm::Intrinsic::experimental_constrained_fma, rounding, {type}, {a, b, c}));
}

namespace {

/// Of .f32x2: the two numbers, flushed, the lower first.
Expected<std::array<llvm::Value *, 2>> bothOf(FunctionTranslation &f, const Operation &op, size_t place) {
  US_TRY(llvm::Value * pair, f.source(op, place));
  std::array<llvm::Value *, 2> numbers;
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Value *bits = f.builder.CreateTrunc(f.builder.CreateLShr(pair, 32 * i), f.builder.getInt32Ty());
    numbers[i] = flushed(f, op, f.builder.CreateBitCast(bits, f.builder.getFloatTy()));
  }
  return numbers;
}

Expected<void> defineBothOf(FunctionTranslation &f, const Operation &op, std::array<llvm::Value *, 2> numbers) {
  llvm::Value *pair = f.builder.getInt64(0);
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Value *bits = f.builder.CreateBitCast(flushed(f, op, numbers[i]), f.builder.getInt32Ty());
    pair = f.builder.CreateOr(pair, f.builder.CreateShl(f.builder.CreateZExt(bits, f.builder.getInt64Ty()), 32 * i));
  }
  return f.define(op, 0, pair);
}

} // namespace

Expected<void> floatPairs(FunctionTranslation &f, const Operation &op, FloatBinary operation) {
  US_TRY(auto numbers, bothOf(f, op, 1));
  US_TRY(const auto others, bothOf(f, op, 2));
  namespace intrinsic = llvm::Intrinsic;
  const bool isSum = operation == FloatBinary::Add, isDifference = operation == FloatBinary::Sub;
  const auto nearest = isSum          ? llvm::Instruction::FAdd
                       : isDifference ? llvm::Instruction::FSub
                                      : llvm::Instruction::FMul;
  const auto constrained = isSum          ? intrinsic::experimental_constrained_fadd
                           : isDifference ? intrinsic::experimental_constrained_fsub
                                          : intrinsic::experimental_constrained_fmul;
  for (size_t i = 0; i < 2; ++i) numbers[i] = arithmetic(f, op, nearest, constrained, numbers[i], others[i]);
  return defineBothOf(f, op, numbers);
}

Expected<void> fusedPairs(FunctionTranslation &f, const Operation &op) {
  US_TRY(auto numbers, bothOf(f, op, 1));
  US_TRY(const auto factors, bothOf(f, op, 2));
  US_TRY(const auto terms, bothOf(f, op, 3));
  const std::string_view rounding = op.firstOf(kRoundings);
  llvm::Type *type = f.builder.getFloatTy();
  for (size_t i = 0; i < 2; ++i)
    numbers[i] = rounding == "rn" ? f.callIntrinsic(llvm::Intrinsic::fma, {type}, {numbers[i], factors[i], terms[i]})
                                  : rounded(f, llvm::Intrinsic::experimental_constrained_fma, rounding, {type},
                                            {numbers[i], factors[i], terms[i]});
  return defineBothOf(f, op, numbers);
}

/// min and max of three; .abs: of their magnitudes.
Expected<void> extremeOfThree(FunctionTranslation &f, const Operation &op) {
  llvm::Value *result = nullptr;
  for (size_t place = 1; place < 4; ++place) {
    US_TRY(llvm::Value * value, floatSource(f, op, place));
    if (op.has("abs")) value = f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    result = result ? extreme(f, op, op.text.opcode == "min", result, value) : value;
  }
  return defineFloat(f, op, result);
}

Expected<void> testProperty(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  struct Property {
    std::string_view name;
    llvm::FPClassTest classes;
  };
  constexpr Property kProperties[] = {{"finite", llvm::fcFinite},
                                      {"infinite", llvm::fcInf},
                                      {"number", ~llvm::fcNan & llvm::fcAllFlags},
                                      {"notanumber", llvm::fcNan},
                                      // "Positive and negative zero are considered normal numbers."
                                      {"normal", llvm::fcNormal | llvm::fcZero},
                                      {"subnormal", llvm::fcSubnormal}};
  for (const Property &property : kProperties)
    if (op.has(property.name)) return f.define(op, 0, f.builder.createIsFPClass(a, property.classes));
  return {};
}

/// "copysign d, a, b: copies the sign bit of a into the value of b"
Expected<void> copySign(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * sign, f.source(op, 1));
  US_TRY(llvm::Value * value, f.source(op, 2));
  return f.define(op, 0, f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, value, sign));
}

} // namespace us::frontend::ptx
