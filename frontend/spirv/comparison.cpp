// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, classes of floating-point numbers, selection.
#include "frontend/spirv/operands.h"

#include <llvm/ADT/FloatingPointMode.h>

namespace us::frontend::spirv {
namespace {

/// `detail` is LLVM's predicate.
Result compareIntegers(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value left, integersAt(f, in, 0));
  US_TRY(const Value right, valueOf(f, in, 1, *left.type));
  return f.builder.CreateICmp(llvm::CmpInst::Predicate(detail), left.llvm, right.llvm);
}

Result compareFloats(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value left, floatsAt(f, in, 0));
  US_TRY(const Value right, valueOf(f, in, 1, *left.type));
  return f.builder.CreateFCmp(llvm::CmpInst::Predicate(detail), left.llvm, right.llvm);
}

Result comparePointers(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value left, pointerAt(f, in, 0));
  US_TRY(const Value right, valueOf(f, in, 1, *left.type));
  return f.builder.CreateICmp(llvm::CmpInst::Predicate(detail), left.llvm, right.llvm);
}

/// The distance in elements.
Result pointerDifference(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value left, pointerAt(f, in, 0));
  US_TRY(const Value right, valueOf(f, in, 1, *left.type));
  US_TRY(const Type *type, f.resultType(in));
  if (!type->is(TypeKind::Integer)) return failAt(in, "does not give an integer");
  auto &b = f.builder;
  llvm::Value *bytes =
      b.CreateSub(b.CreatePtrToInt(left.llvm, b.getInt64Ty()), b.CreatePtrToInt(right.llvm, b.getInt64Ty()));
  return b.CreateSExtOrTrunc(b.CreateSDiv(bytes, b.getInt64(left.type->element->size)), type->llvm);
}

/// `detail` is a mask of llvm::FPClassTest.
Result classify(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value value, floatsAt(f, in, 0));
  return f.builder.createIsFPClass(value.llvm, detail);
}

Result signBit(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, floatsAt(f, in, 0));
  llvm::Type *bits = value.type->llvm->getWithNewBitWidth(value.type->scalar().width);
  return f.builder.CreateICmpSLT(f.builder.CreateBitCast(value.llvm, bits), llvm::Constant::getNullValue(bits));
}

Result any(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, boolsAt(f, in, 0));
  return value.type->is(TypeKind::Vector) ? f.builder.CreateOrReduce(value.llvm) : value.llvm;
}

Result all(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, boolsAt(f, in, 0));
  return value.type->is(TypeKind::Vector) ? f.builder.CreateAndReduce(value.llvm) : value.llvm;
}

Result select(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  US_TRY(const Value condition, boolsAt(f, in, 0));
  US_TRY(const Value first, valueOf(f, in, 1, *type));
  US_TRY(const Value second, valueOf(f, in, 2, *type));
  if (type->size == 0) return failAt(in, "selects what has no size");
  if (condition.type->is(TypeKind::Vector) && condition.type->lanes() != type->lanes())
    return failOperand(in, 0, *condition.type, "as many booleans as there are elements");
  return f.builder.CreateSelect(condition.llvm, first.llvm, second.llvm);
}

/// What a hint says of a value is not used.
Result expect(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, f.operand(in, 0));
  return value.llvm;
}

Result assume(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_CHECK(boolsAt(f, in, 0));
  return nullptr;
}

using Predicate = llvm::CmpInst::Predicate;
constexpr InstructionRow kComparisonRows[] = {
    {spv::Op::OpIEqual, compareIntegers, Predicate::ICMP_EQ},
    {spv::Op::OpINotEqual, compareIntegers, Predicate::ICMP_NE},
    {spv::Op::OpUGreaterThan, compareIntegers, Predicate::ICMP_UGT},
    {spv::Op::OpSGreaterThan, compareIntegers, Predicate::ICMP_SGT},
    {spv::Op::OpUGreaterThanEqual, compareIntegers, Predicate::ICMP_UGE},
    {spv::Op::OpSGreaterThanEqual, compareIntegers, Predicate::ICMP_SGE},
    {spv::Op::OpULessThan, compareIntegers, Predicate::ICMP_ULT},
    {spv::Op::OpSLessThan, compareIntegers, Predicate::ICMP_SLT},
    {spv::Op::OpULessThanEqual, compareIntegers, Predicate::ICMP_ULE},
    {spv::Op::OpSLessThanEqual, compareIntegers, Predicate::ICMP_SLE},
    {spv::Op::OpFOrdEqual, compareFloats, Predicate::FCMP_OEQ},
    {spv::Op::OpFUnordEqual, compareFloats, Predicate::FCMP_UEQ},
    {spv::Op::OpFOrdNotEqual, compareFloats, Predicate::FCMP_ONE},
    {spv::Op::OpFUnordNotEqual, compareFloats, Predicate::FCMP_UNE},
    {spv::Op::OpFOrdLessThan, compareFloats, Predicate::FCMP_OLT},
    {spv::Op::OpFUnordLessThan, compareFloats, Predicate::FCMP_ULT},
    {spv::Op::OpFOrdGreaterThan, compareFloats, Predicate::FCMP_OGT},
    {spv::Op::OpFUnordGreaterThan, compareFloats, Predicate::FCMP_UGT},
    {spv::Op::OpFOrdLessThanEqual, compareFloats, Predicate::FCMP_OLE},
    {spv::Op::OpFUnordLessThanEqual, compareFloats, Predicate::FCMP_ULE},
    {spv::Op::OpFOrdGreaterThanEqual, compareFloats, Predicate::FCMP_OGE},
    {spv::Op::OpFUnordGreaterThanEqual, compareFloats, Predicate::FCMP_UGE},
    {spv::Op::OpLessOrGreater, compareFloats, Predicate::FCMP_ONE},
    {spv::Op::OpOrdered, compareFloats, Predicate::FCMP_ORD},
    {spv::Op::OpUnordered, compareFloats, Predicate::FCMP_UNO},
    {spv::Op::OpPtrEqual, comparePointers, Predicate::ICMP_EQ},
    {spv::Op::OpPtrNotEqual, comparePointers, Predicate::ICMP_NE},
    {spv::Op::OpPtrDiff, pointerDifference},
    {spv::Op::OpIsNan, classify, llvm::fcNan},
    {spv::Op::OpIsInf, classify, llvm::fcInf},
    {spv::Op::OpIsFinite, classify, llvm::fcFinite},
    {spv::Op::OpIsNormal, classify, llvm::fcNormal},
    {spv::Op::OpSignBitSet, signBit},
    {spv::Op::OpAny, any},
    {spv::Op::OpAll, all},
    {spv::Op::OpSelect, select},
    {spv::Op::OpExpectKHR, expect},
    {spv::Op::OpAssumeTrueKHR, assume},
};

} // namespace

std::span<const InstructionRow> comparisonRows() { return kComparisonRows; }

} // namespace us::frontend::spirv
