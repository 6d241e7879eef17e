// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits: shifts, logical operations on integers and booleans, fields.
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

enum class Kind : uint32_t { Integers, Bools };

template <llvm::Instruction::BinaryOps operation, Kind kind>
Result both(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value left, kind == Kind::Bools ? boolsAt(f, in, 0) : integersAt(f, in, 0));
  US_TRY(const Value right, valueOf(f, in, 1, *left.type));
  return f.builder.CreateBinOp(operation, left.llvm, right.llvm);
}

template <Kind kind> Result complement(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, kind == Kind::Bools ? boolsAt(f, in, 0) : integersAt(f, in, 0));
  return f.builder.CreateNot(value.llvm);
}

Result sameBool(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value left, boolsAt(f, in, 0));
  US_TRY(const Value right, valueOf(f, in, 1, *left.type));
  return f.builder.CreateNot(f.builder.CreateXor(left.llvm, right.llvm));
}

/// Both operands may have their own width. Shifting by the width or more has no defined result; here the amount is
/// taken modulo the width, as in OpenCL C.
Result shift(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value base, integersAt(f, in, 0));
  US_TRY(const Value amount, integersAt(f, in, 1));
  if (base.type->lanes() != amount.type->lanes())
    return failOperand(in, 1, *amount.type, "as many elements as the base");
  llvm::Type *type = base.type->llvm;
  llvm::Value *places =
      f.builder.CreateAnd(amount.llvm, llvm::ConstantInt::get(amount.type->llvm, base.type->scalar().width - 1));
  return f.builder.CreateBinOp(llvm::Instruction::BinaryOps(detail), base.llvm,
                               f.builder.CreateZExtOrTrunc(places, type));
}

Result reverse(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, integersAt(f, in, 0));
  return f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, value.llvm);
}

Result count(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, integersAt(f, in, 0));
  US_TRY(const Type *type, f.resultType(in));
  if (!type->isIntegers() || type->lanes() != value.type->lanes())
    return failAt(in, "gives the type " + typeName(*type));
  return f.builder.CreateZExtOrTrunc(f.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, value.llvm), type->llvm);
}

/// A scalar operand in each element of a vector of the base's type.
Result spread(FunctionTranslation &f, const Instruction &in, size_t place, const Type &type) {
  US_TRY(llvm::Value * scalar, integerAs(f, in, place, type.scalar().width));
  return type.is(TypeKind::Vector) ? f.builder.CreateVectorSplat(type.lanes(), scalar) : scalar;
}

/// `bits` ones from the lowest place on, for 0 to all of them.
llvm::Value *lowBits(FunctionTranslation &f, llvm::Value *bits) {
  auto &b = f.builder;
  llvm::Type *type = bits->getType();
  llvm::Value *width = llvm::ConstantInt::get(type, type->getScalarSizeInBits());
  llvm::Value *all = llvm::Constant::getAllOnesValue(type);
  llvm::Value *shifted =
      b.CreateNot(b.CreateShl(all, b.CreateAnd(bits, b.CreateSub(width, llvm::ConstantInt::get(type, 1)))));
  return b.CreateSelect(b.CreateICmpUGE(bits, width), all, shifted);
}

Result insertField(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value base, integersAt(f, in, 0));
  US_TRY(const Value field, valueOf(f, in, 1, *base.type));
  US_TRY(llvm::Value * offset, spread(f, in, 2, *base.type));
  US_TRY(llvm::Value * bits, spread(f, in, 3, *base.type));
  auto &b = f.builder;
  offset = b.CreateAnd(offset, llvm::ConstantInt::get(base.type->llvm, base.type->scalar().width - 1));
  llvm::Value *mask = b.CreateShl(lowBits(f, bits), offset);
  return b.CreateOr(b.CreateAnd(base.llvm, b.CreateNot(mask)), b.CreateAnd(b.CreateShl(field.llvm, offset), mask));
}

/// `detail`: the field is signed.
Result extractField(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value base, integersAt(f, in, 0));
  US_TRY(llvm::Value * offset, spread(f, in, 1, *base.type));
  US_TRY(llvm::Value * bits, spread(f, in, 2, *base.type));
  auto &b = f.builder;
  llvm::Type *type = base.type->llvm;
  const auto constant = [&](uint64_t value) { return llvm::ConstantInt::get(type, value); };
  const unsigned width = base.type->scalar().width;
  offset = b.CreateAnd(offset, constant(width - 1));
  llvm::Value *field = b.CreateAnd(b.CreateLShr(base.llvm, offset), lowBits(f, bits));
  if (!detail) return field;
  // Up to the sign's place and down again; no bits at all stay zero.
  llvm::Value *unused = b.CreateAnd(b.CreateSub(constant(width), bits), constant(width - 1));
  return b.CreateAShr(b.CreateShl(field, unused), unused);
}

constexpr InstructionRow kBitRows[] = {
    {spv::Op::OpShiftLeftLogical, shift, llvm::Instruction::Shl},
    {spv::Op::OpShiftRightLogical, shift, llvm::Instruction::LShr},
    {spv::Op::OpShiftRightArithmetic, shift, llvm::Instruction::AShr},
    {spv::Op::OpBitwiseAnd, both<llvm::Instruction::And, Kind::Integers>},
    {spv::Op::OpBitwiseOr, both<llvm::Instruction::Or, Kind::Integers>},
    {spv::Op::OpBitwiseXor, both<llvm::Instruction::Xor, Kind::Integers>},
    {spv::Op::OpNot, complement<Kind::Integers>},
    {spv::Op::OpLogicalAnd, both<llvm::Instruction::And, Kind::Bools>},
    {spv::Op::OpLogicalOr, both<llvm::Instruction::Or, Kind::Bools>},
    {spv::Op::OpLogicalNotEqual, both<llvm::Instruction::Xor, Kind::Bools>},
    {spv::Op::OpLogicalEqual, sameBool},
    {spv::Op::OpLogicalNot, complement<Kind::Bools>},
    {spv::Op::OpBitReverse, reverse},
    {spv::Op::OpBitCount, count},
    {spv::Op::OpBitFieldInsert, insertField},
    {spv::Op::OpBitFieldUExtract, extractField, 0},
    {spv::Op::OpBitFieldSExtract, extractField, 1},
};

} // namespace

std::span<const InstructionRow> bitRows() { return kBitRows; }

} // namespace us::frontend::spirv
