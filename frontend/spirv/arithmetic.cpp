// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on numbers and vectors of them.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

struct Pair {
  Value left, right;
};

/// Two operands of the result's own type.
Expected<Pair> pairAt(FunctionTranslation &f, const Instruction &in, bool floats) {
  US_TRY(const Type *type, f.resultType(in));
  if (floats ? !type->isFloats() : !type->isIntegers()) return failAt(in, "gives the type " + typeName(*type));
  US_TRY(const Value left, valueOf(f, in, 0, *type));
  US_TRY(const Value right, valueOf(f, in, 1, *type));
  return Pair{left, right};
}

/// `detail` is LLVM's opcode. Nothing is folded here: what has no defined result (a division by zero) gets one later.
Result integerOperation(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Pair pair, pairAt(f, in, false));
  return f.builder.Insert(
      llvm::BinaryOperator::Create(llvm::Instruction::BinaryOps(detail), pair.left.llvm, pair.right.llvm));
}

Result floatOperation(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Pair pair, pairAt(f, in, true));
  return f.builder.CreateBinOp(llvm::Instruction::BinaryOps(detail), pair.left.llvm, pair.right.llvm);
}

Result integerNegate(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, integersAt(f, in, 0));
  return f.builder.CreateNeg(value.llvm);
}

Result floatNegate(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, floatsAt(f, in, 0));
  return f.builder.CreateFNeg(value.llvm);
}

/// "The sign of a non-0 result comes from Operand 2."
Result signedModulo(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Pair pair, pairAt(f, in, false));
  auto &b = f.builder;
  llvm::Value *rest = b.Insert(llvm::BinaryOperator::CreateSRem(pair.left.llvm, pair.right.llvm));
  llvm::Value *zero = llvm::Constant::getNullValue(rest->getType());
  llvm::Value *differs =
      b.CreateAnd(b.CreateICmpNE(rest, zero), b.CreateICmpSLT(b.CreateXor(rest, pair.right.llvm), zero));
  return b.CreateSelect(differs, b.CreateAdd(rest, pair.right.llvm), rest);
}

Result fmodOf(FunctionTranslation &f, const Instruction &in, const Pair &pair) {
  const BuiltinArgument arguments[] = {argumentOf(pair.left), argumentOf(pair.right)};
  return callBuiltin(f, in, "fmod", pair.left.llvm->getType(), arguments);
}

/// "The sign of a non-0 result comes from Operand 1."
Result floatRemainder(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Pair pair, pairAt(f, in, true));
  return fmodOf(f, in, pair);
}

/// "The sign of a non-0 result comes from Operand 2."
Result floatModulo(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Pair pair, pairAt(f, in, true));
  US_TRY(llvm::Value * rest, fmodOf(f, in, pair));
  auto &b = f.builder;
  llvm::Value *zero = llvm::Constant::getNullValue(rest->getType());
  llvm::Value *differs = b.CreateAnd(b.CreateFCmpUNE(rest, zero),
                                     b.CreateXor(b.CreateFCmpOLT(rest, zero), b.CreateFCmpOLT(pair.right.llvm, zero)));
  return b.CreateSelect(differs, b.CreateFAdd(rest, pair.right.llvm), rest);
}

Result vectorTimesScalar(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value vector, floatsAt(f, in, 0));
  if (!vector.type->is(TypeKind::Vector)) return failOperand(in, 0, *vector.type, "a vector");
  US_TRY(const Value scalar, valueOf(f, in, 1, *vector.type->element));
  return f.builder.CreateFMul(vector.llvm, f.builder.CreateVectorSplat(vector.type->lanes(), scalar.llvm));
}

Result dot(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value left, floatsAt(f, in, 0));
  if (!left.type->is(TypeKind::Vector)) return failOperand(in, 0, *left.type, "a vector");
  US_TRY(const Value right, valueOf(f, in, 1, *left.type));
  llvm::Value *products = f.builder.CreateFMul(left.llvm, right.llvm);
  llvm::Value *sum = f.builder.CreateExtractElement(products, uint64_t(0));
  for (unsigned i = 1; i < left.type->lanes(); ++i)
    sum = f.builder.CreateFAdd(sum, f.builder.CreateExtractElement(products, i));
  return sum;
}

/// A struct of two equal members: low part and high part, or result and carry.
Expected<Pair> wideOperands(FunctionTranslation &f, const Instruction &in) {
  US_TRY(const Type *type, f.resultType(in));
  const bool isPair = type->is(TypeKind::Struct) && type->members.size() == 2 &&
                      type->members[0]->llvm == type->members[1]->llvm && type->members[0]->isIntegers();
  if (!isPair) return failAt(in, "does not give a struct of two equal integers");
  US_TRY(const Value left, valueOf(f, in, 0, *type->members[0]));
  US_TRY(const Value right, valueOf(f, in, 1, *type->members[0]));
  return Pair{left, right};
}

Result structOf(FunctionTranslation &f, const Instruction &in, llvm::Value *first, llvm::Value *second) {
  US_TRY(const Type *type, f.resultType(in));
  llvm::Value *both = f.builder.CreateInsertValue(llvm::PoisonValue::get(type->llvm), first, 0);
  return f.builder.CreateInsertValue(both, second, 1);
}

Result addWithCarry(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Pair pair, wideOperands(f, in));
  llvm::Value *sum = f.builder.CreateAdd(pair.left.llvm, pair.right.llvm);
  llvm::Value *carry = f.builder.CreateZExt(f.builder.CreateICmpULT(sum, pair.left.llvm), sum->getType());
  return structOf(f, in, sum, carry);
}

Result subtractWithBorrow(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Pair pair, wideOperands(f, in));
  llvm::Value *difference = f.builder.CreateSub(pair.left.llvm, pair.right.llvm);
  llvm::Value *less = f.builder.CreateICmpULT(pair.left.llvm, pair.right.llvm);
  return structOf(f, in, difference, f.builder.CreateZExt(less, difference->getType()));
}

/// `detail`: signed.
Result multiplyExtended(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Pair pair, wideOperands(f, in));
  auto &b = f.builder;
  llvm::Type *type = pair.left.llvm->getType();
  llvm::Type *wide = type->getExtendedType();
  const auto widen = [&](llvm::Value *value) { return detail ? b.CreateSExt(value, wide) : b.CreateZExt(value, wide); };
  llvm::Value *product = b.CreateMul(widen(pair.left.llvm), widen(pair.right.llvm));
  llvm::Value *high = b.CreateTrunc(b.CreateLShr(product, type->getScalarSizeInBits()), type);
  return structOf(f, in, b.CreateTrunc(product, type), high);
}

// Integer dot products: bit 0 the first vector is signed, bit 1 the second is, bit 2 a saturating accumulator.
constexpr uint32_t kFirstSigned = 1, kSecondSigned = 2, kAccumulates = 4;

/// A vector operand, or four packed bytes, widened to the result's type.
Result dotOperand(FunctionTranslation &f, const Instruction &in, size_t place, const Type &result, bool isSigned) {
  US_TRY(const Value value, integersAt(f, in, place));
  llvm::Value *vector = value.llvm;
  const size_t formatPlace = rowOf(in.opcode)->detail & kAccumulates ? 3 : 2;
  if (in.operands.size() > formatPlace) {
    if (!value.type->is(TypeKind::Integer) || value.type->width != 32)
      return failOperand(in, place, *value.type, "four packed bytes");
    vector = f.builder.CreateBitCast(vector, llvm::FixedVectorType::get(f.builder.getInt8Ty(), 4));
  } else if (!value.type->is(TypeKind::Vector)) {
    return failOperand(in, place, *value.type, "a vector");
  }
  auto *from = llvm::cast<llvm::FixedVectorType>(vector->getType());
  if (from->getScalarSizeInBits() > result.width)
    return failAt(in, "gives a type that is narrower than the elements of its operands");
  llvm::Type *to = llvm::FixedVectorType::get(result.llvm, from->getNumElements());
  return isSigned ? f.builder.CreateSExt(vector, to) : f.builder.CreateZExt(vector, to);
}

Result integerDot(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Type *type, f.resultType(in));
  if (!type->is(TypeKind::Integer)) return failAt(in, "does not give an integer");
  US_TRY(llvm::Value * left, dotOperand(f, in, 0, *type, (detail & kFirstSigned) != 0));
  US_TRY(llvm::Value * right, dotOperand(f, in, 1, *type, (detail & kSecondSigned) != 0));
  if (left->getType() != right->getType()) return failAt(in, "has vectors of different lengths");
  llvm::Value *sum = f.builder.CreateAddReduce(f.builder.CreateMul(left, right));
  if (!(detail & kAccumulates)) return sum;
  US_TRY(const Value accumulator, valueOf(f, in, 2, *type));
  const bool isSigned = (detail & (kFirstSigned | kSecondSigned)) != 0;
  return f.builder.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat, sum,
                                         accumulator.llvm);
}

constexpr InstructionRow kArithmeticRows[] = {
    {spv::Op::OpIAdd, integerOperation, llvm::Instruction::Add},
    {spv::Op::OpISub, integerOperation, llvm::Instruction::Sub},
    {spv::Op::OpIMul, integerOperation, llvm::Instruction::Mul},
    {spv::Op::OpUDiv, integerOperation, llvm::Instruction::UDiv},
    {spv::Op::OpSDiv, integerOperation, llvm::Instruction::SDiv},
    {spv::Op::OpUMod, integerOperation, llvm::Instruction::URem},
    {spv::Op::OpSRem, integerOperation, llvm::Instruction::SRem},
    {spv::Op::OpSMod, signedModulo},
    {spv::Op::OpSNegate, integerNegate},
    {spv::Op::OpFAdd, floatOperation, llvm::Instruction::FAdd},
    {spv::Op::OpFSub, floatOperation, llvm::Instruction::FSub},
    {spv::Op::OpFMul, floatOperation, llvm::Instruction::FMul},
    {spv::Op::OpFDiv, floatOperation, llvm::Instruction::FDiv},
    {spv::Op::OpFRem, floatRemainder},
    {spv::Op::OpFMod, floatModulo},
    {spv::Op::OpFNegate, floatNegate},
    {spv::Op::OpVectorTimesScalar, vectorTimesScalar},
    {spv::Op::OpDot, dot},
    {spv::Op::OpIAddCarry, addWithCarry},
    {spv::Op::OpISubBorrow, subtractWithBorrow},
    {spv::Op::OpUMulExtended, multiplyExtended, 0},
    {spv::Op::OpSMulExtended, multiplyExtended, 1},
    {spv::Op::OpSDotKHR, integerDot, kFirstSigned | kSecondSigned},
    {spv::Op::OpUDotKHR, integerDot, 0},
    {spv::Op::OpSUDotKHR, integerDot, kFirstSigned},
    {spv::Op::OpSDotAccSatKHR, integerDot, kFirstSigned | kSecondSigned | kAccumulates},
    {spv::Op::OpUDotAccSatKHR, integerDot, kAccumulates},
    {spv::Op::OpSUDotAccSatKHR, integerDot, kFirstSigned | kAccumulates},
};

} // namespace

std::span<const InstructionRow> arithmeticRows() { return kArithmeticRows; }

} // namespace us::frontend::spirv
