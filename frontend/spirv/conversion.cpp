// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between types of numbers, between numbers and pointers, between address spaces.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

/// What a row's detail says of both sides.
constexpr uint32_t kFromSigned = 1, kToSigned = 2, kSaturates = 4;

/// "_rte" and so on; empty without a decoration.
std::string roundingOf(const FunctionTranslation &f, const Instruction &in) {
  constexpr const char *kEndings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  const std::optional<uint32_t> mode = f.module.decorations.number(in.result, spv::Decoration::FPRoundingMode);
  return mode && *mode < std::size(kEndings) ? kEndings[*mode] : "";
}

/// convert_TYPE[_sat][_rounding] of the builtin library.
Result convertByName(FunctionTranslation &f, const Instruction &in, const Value &from, const Type &to, uint32_t detail,
                     const std::string &rounding) {
  const bool saturates =
      (detail & kSaturates) || f.module.decorations.has(in.result, spv::Decoration::SaturatedConversion);
  const std::string name = "convert_" + typeName(to, detail & kToSigned ? Sign::Signed : Sign::Unsigned) +
                           (saturates && to.isIntegers() ? "_sat" : "") + rounding;
  const BuiltinArgument argument = argumentOf(from, detail & kFromSigned ? Sign::Signed : Sign::Unsigned);
  return callBuiltin(f, in, name, to.llvm, {&argument, 1});
}

/// The types of a conversion between numbers.
struct Sides {
  Value from;
  const Type *to;
};
Expected<Sides> sidesOf(FunctionTranslation &f, const Instruction &in, bool fromFloats, bool toFloats) {
  US_TRY(const Value from, fromFloats ? floatsAt(f, in, 0) : integersAt(f, in, 0));
  US_TRY(const Type *to, f.resultType(in));
  const bool fits = (toFloats ? to->isFloats() : to->isIntegers()) && to->lanes() == from.type->lanes();
  if (!fits) return failAt(in, "converts " + typeName(*from.type) + " to " + typeName(*to));
  return Sides{from, to};
}

bool isSaturated(const FunctionTranslation &f, const Instruction &in) {
  return f.module.decorations.has(in.result, spv::Decoration::SaturatedConversion);
}

Result floatToInteger(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Sides sides, sidesOf(f, in, true, false));
  const std::string rounding = roundingOf(f, in);
  if (isSaturated(f, in) || (!rounding.empty() && rounding != "_rtz"))
    return convertByName(f, in, sides.from, *sides.to, detail, rounding);
  const auto cast = detail & kToSigned ? llvm::Instruction::FPToSI : llvm::Instruction::FPToUI;
  // Not folded here: what is out of range gets a defined result later.
  return f.builder.Insert(llvm::CastInst::Create(cast, sides.from.llvm, sides.to->llvm));
}

Result integerToFloat(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Sides sides, sidesOf(f, in, false, true));
  const std::string rounding = roundingOf(f, in);
  if (!rounding.empty() && rounding != "_rte") return convertByName(f, in, sides.from, *sides.to, detail, rounding);
  return detail & kFromSigned ? f.builder.CreateSIToFP(sides.from.llvm, sides.to->llvm)
                              : f.builder.CreateUIToFP(sides.from.llvm, sides.to->llvm);
}

Result integerToInteger(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Sides sides, sidesOf(f, in, false, false));
  if ((detail & kSaturates) || isSaturated(f, in)) return convertByName(f, in, sides.from, *sides.to, detail, "");
  return f.builder.CreateIntCast(sides.from.llvm, sides.to->llvm, (detail & kFromSigned) != 0);
}

Result floatToFloat(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Sides sides, sidesOf(f, in, true, true));
  const std::string rounding = roundingOf(f, in);
  if (!rounding.empty() && rounding != "_rte") return convertByName(f, in, sides.from, *sides.to, detail, rounding);
  return f.builder.CreateFPCast(sides.from.llvm, sides.to->llvm);
}

Result pointerToInteger(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value pointer, f.operand(in, 0));
  US_TRY(const Type *to, f.resultType(in));
  if (!pointer.type->is(TypeKind::Pointer)) return failOperand(in, 0, *pointer.type, "a pointer");
  if (!to->is(TypeKind::Integer)) return failAt(in, "does not give an integer");
  return f.builder.CreatePtrToInt(pointer.llvm, to->llvm);
}

Result integerToPointer(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value integer, f.operand(in, 0));
  US_TRY(const Type *to, f.resultType(in));
  if (!integer.type->is(TypeKind::Integer)) return failOperand(in, 0, *integer.type, "an integer");
  // So the translator of LLVM writes CLK_NULL_RESERVE_ID.
  if (to->is(TypeKind::ReserveId))
    return callSymbol(f, in, "__us_reserve_id", to->llvm,
                      {f.builder.CreateZExtOrTrunc(integer.llvm, f.builder.getInt64Ty())});
  if (!to->is(TypeKind::Pointer)) return failAt(in, "does not give a pointer");
  return f.builder.CreateIntToPtr(integer.llvm, to->llvm);
}

struct Pointers {
  Value from;
  const Type *to;
};
Expected<Pointers> pointersOf(FunctionTranslation &f, const Instruction &in, bool toGeneric) {
  US_TRY(const Value from, f.operand(in, 0));
  US_TRY(const Type *to, f.resultType(in));
  if (!from.type->is(TypeKind::Pointer)) return failOperand(in, 0, *from.type, "a pointer");
  if (!to->is(TypeKind::Pointer)) return failAt(in, "does not give a pointer");
  const Type &generic = toGeneric ? *to : *from.type;
  if (generic.storage != spv::StorageClass::Generic) return failAt(in, "has no generic pointer");
  return Pointers{from, to};
}

/// `detail`: to the generic address space.
Result castPointer(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Pointers pointers, pointersOf(f, in, detail != 0));
  return f.builder.CreateAddrSpaceCast(pointers.from.llvm, pointers.to->llvm);
}

/// Null if the pointer does not point there.
Result castPointerIfThere(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Pointers pointers, pointersOf(f, in, false));
  constexpr const char *kFunctions[] = {"__to_private", "__to_global", nullptr, "__to_local"};
  const unsigned space = pointers.to->llvm->getPointerAddressSpace();
  if (space >= std::size(kFunctions) || !kFunctions[space])
    return failAt(in, "casts to a storage class that it cannot");
  return callSymbol(f, in, kFunctions[space], pointers.to->llvm, {pointers.from.llvm});
}

Result bitcast(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value from, f.operand(in, 0));
  US_TRY(const Type *to, f.resultType(in));
  const auto isNumber = [](const Type &type) { return type.isIntegers() || type.isFloats(); };
  const bool fromPointer = from.type->is(TypeKind::Pointer), toPointer = to->is(TypeKind::Pointer);
  if (fromPointer && toPointer && from.type->llvm == to->llvm) return from.llvm;
  if (fromPointer && to->is(TypeKind::Integer)) return f.builder.CreatePtrToInt(from.llvm, to->llvm);
  if (from.type->is(TypeKind::Integer) && toPointer) return f.builder.CreateIntToPtr(from.llvm, to->llvm);
  // Since SPIR-V 1.5 also vectors of 64 bits.
  const auto hasPointerBits = [](const Type &type) {
    return type.isIntegers() && type.llvm->getPrimitiveSizeInBits().getFixedValue() == 64;
  };
  if (fromPointer && hasPointerBits(*to))
    return f.builder.CreateBitCast(f.builder.CreatePtrToInt(from.llvm, f.builder.getInt64Ty()), to->llvm);
  if (hasPointerBits(*from.type) && toPointer)
    return f.builder.CreateIntToPtr(f.builder.CreateBitCast(from.llvm, f.builder.getInt64Ty()), to->llvm);
  const bool sameBits = isNumber(*from.type) && isNumber(*to) &&
                        from.type->llvm->getPrimitiveSizeInBits() == to->llvm->getPrimitiveSizeInBits();
  if (!sameBits) return failAt(in, "casts " + typeName(*from.type) + " to " + typeName(*to));
  return f.builder.CreateBitCast(from.llvm, to->llvm);
}

constexpr InstructionRow kConversionRows[] = {
    {spv::Op::OpConvertFToU, floatToInteger, kFromSigned},
    {spv::Op::OpConvertFToS, floatToInteger, kFromSigned | kToSigned},
    {spv::Op::OpConvertSToF, integerToFloat, kFromSigned | kToSigned},
    {spv::Op::OpConvertUToF, integerToFloat, kToSigned},
    {spv::Op::OpUConvert, integerToInteger, 0},
    {spv::Op::OpSConvert, integerToInteger, kFromSigned | kToSigned},
    {spv::Op::OpSatConvertSToU, integerToInteger, kFromSigned | kSaturates},
    {spv::Op::OpSatConvertUToS, integerToInteger, kToSigned | kSaturates},
    {spv::Op::OpFConvert, floatToFloat, kFromSigned | kToSigned},
    {spv::Op::OpConvertPtrToU, pointerToInteger},
    {spv::Op::OpConvertUToPtr, integerToPointer},
    {spv::Op::OpPtrCastToGeneric, castPointer, 1},
    {spv::Op::OpGenericCastToPtr, castPointer, 0},
    {spv::Op::OpGenericCastToPtrExplicit, castPointerIfThere},
    {spv::Op::OpBitcast, bitcast},
};

} // namespace

std::span<const InstructionRow> conversionRows() { return kConversionRows; }

} // namespace us::frontend::spirv
