// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt: between all scalar types, with the rounding and saturation that it says.
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

using Builder = llvm::IRBuilderBase;
constexpr std::string_view kIntegerRoundings[] = {"rni", "rzi", "rmi", "rpi"};

/// "integer destination range clamp"
llvm::Value *clampInteger(Builder &builder, llvm::Value *value, Type from, Type to) {
  llvm::Type *type = value->getType();
  const auto constant = [&](const llvm::APInt &number) { return llvm::ConstantInt::get(type->getContext(), number); };
  const unsigned bits = from->bits;
  if (from->isSigned()) {
    const bool lowers = !to->isSigned() || to->bits < bits;
    const bool raises = to->bits < bits;
    if (raises) {
      const llvm::APInt largest = to->isSigned() ? llvm::APInt::getSignedMaxValue(to->bits).sext(bits)
                                                 : llvm::APInt::getMaxValue(to->bits).zext(bits);
      value = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, constant(largest));
    }
    if (lowers) {
      const llvm::APInt smallest =
          to->isSigned() ? llvm::APInt::getSignedMinValue(to->bits).sext(bits) : llvm::APInt(bits, 0);
      value = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, constant(smallest));
    }
    return value;
  }
  const unsigned room = to->isSigned() ? to->bits - 1 : to->bits;
  if (room >= bits) return value;
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, value, constant(llvm::APInt::getLowBitsSet(bits, room)));
}

llvm::Value *resized(Builder &builder, llvm::Value *value, Type from, llvm::Type *to) {
  return from->isSigned() ? builder.CreateSExtOrTrunc(value, to) : builder.CreateZExtOrTrunc(value, to);
}

/// To an integral value of the same type.
llvm::Value *integral(Builder &builder, llvm::Value *value, std::string_view rounding) {
  struct Row {
    std::string_view rounding;
    llvm::Intrinsic::ID id;
  };
  constexpr Row kRows[] = {{"rni", llvm::Intrinsic::roundeven},
                           {"rzi", llvm::Intrinsic::trunc},
                           {"rmi", llvm::Intrinsic::floor},
                           {"rpi", llvm::Intrinsic::ceil}};
  llvm::Intrinsic::ID id = llvm::Intrinsic::ceil;
  for (const Row &row : kRows)
    if (row.rounding == rounding) id = row.id;
  return builder.CreateUnaryIntrinsic(id, value);
}

/// OpenCL C's convert_half_rtz and its like, by the names that Clang mangles.
llvm::Value *libraryToHalf(FunctionTranslation &f, std::string_view rounding, llvm::Value *value, Type from) {
  constexpr std::pair<std::string_view, const char *> kModes[] = {{"rz", "rtz"}, {"rm", "rtn"}, {"rp", "rtp"}};
  constexpr std::pair<std::string_view, char> kTypes[] = {{"u8", 'h'},  {"s8", 'c'},  {"u16", 't'}, {"s16", 's'},
                                                          {"u32", 'j'}, {"s32", 'i'}, {"u64", 'm'}, {"s64", 'l'},
                                                          {"f32", 'f'}, {"f64", 'd'}};
  std::string name = "_Z16convert_half_";
  for (const auto &[mode, ending] : kModes)
    if (mode == rounding) name += ending;
  for (const auto &[type, letter] : kTypes)
    if (type == from->name) name += letter;
  return callLibrary(f, name.c_str(), f.builder.getHalfTy(), {value});
}

/// To bf16 from a number of any type.
Expected<llvm::Value *> toBrain(FunctionTranslation &f, const Operation &op, llvm::Value *value, Type from) {
  const std::string_view rounding = op.firstOf(kRoundings);
  const auto mode = std::find(std::begin(kRoundings), std::end(kRoundings), rounding);
  if (mode == std::end(kRoundings)) return failAt(op.text.place, "a conversion to .bf16 needs .rn, .rz, .rm or .rp");
  llvm::Value *number = f.builder.getInt32(uint32_t(mode - std::begin(kRoundings)));
  llvm::Type *exact = f.builder.getDoubleTy(), *word = f.builder.getInt16Ty();
  if (from->isInteger() && from->bits == 64)
    return callLibrary(f, from->isSigned() ? "us_ptx_long_to_bf16" : "us_ptx_ulong_to_bf16", word, {value, number});
  if (from->isInteger())
    value = from->isSigned() ? f.builder.CreateSIToFP(value, exact) : f.builder.CreateUIToFP(value, exact);
  else if (!value->getType()->isDoubleTy())
    value = f.builder.CreateFPExt(value, exact);
  return callLibrary(f, "us_ptx_to_bf16", word, {value, number});
}

Expected<llvm::Value *> integerToFloat(FunctionTranslation &f, const Operation &op, llvm::Value *value) {
  const std::string_view rounding = op.firstOf(kRoundings);
  if (rounding.empty())
    return failAt(op.text.place, "a conversion from an integer to a floating-point number needs .rn, .rz, .rm or .rp");
  llvm::Type *to = f.llvmType(op.types[0]);
  const bool isSigned = op.types[1]->isSigned();
  if (rounding == "rn") return isSigned ? f.builder.CreateSIToFP(value, to) : f.builder.CreateUIToFP(value, to);
  if (to->isHalfTy()) return libraryToHalf(f, rounding, value, op.types[1]);
  // Extended first, the instruction of the machine rounds as its mode says; 64 unsigned bits take an exact detour.
  if (op.types[1]->bits < 64) {
    value = resized(f.builder, value, op.types[1], f.builder.getInt64Ty());
  } else if (!isSigned) {
    llvm::Type *parts = to->isFloatTy() ? f.builder.getFloatTy() : f.builder.getDoubleTy();
    // high * 2^32 + low is one rounding: the product is exact, the sum is rounded once. For f32 the halves are doubles.
    llvm::Type *exact = f.builder.getDoubleTy();
    llvm::Value *high = f.builder.CreateUIToFP(f.builder.CreateLShr(value, f.builder.getInt64(32)), exact);
    llvm::Value *low = f.builder.CreateUIToFP(f.builder.CreateAnd(value, f.builder.getInt64(0xffffffff)), exact);
    high = f.builder.CreateFMul(high, llvm::ConstantFP::get(exact, 0x1p32));
    llvm::Value *sum = rounded(f, llvm::Intrinsic::experimental_constrained_fadd, rounding, {exact}, {high, low});
    if (!to->isFloatTy()) return sum;
    // Two roundings in one direction are one.
    return rounded(f, llvm::Intrinsic::experimental_constrained_fptrunc, rounding, {parts, exact}, {sum});
  }
  return rounded(f, llvm::Intrinsic::experimental_constrained_sitofp, rounding, {to, value->getType()}, {value});
}

/// "NaN becomes 0, what is out of range the nearest limit": with or without .sat.
Expected<llvm::Value *> floatToInteger(FunctionTranslation &f, const Operation &op, llvm::Value *value) {
  const std::string_view rounding = op.firstOf(kIntegerRoundings);
  if (rounding.empty())
    return failAt(op.text.place,
                  "a conversion from a floating-point number to an integer needs .rni, .rzi, .rmi or .rpi");
  if (rounding != "rzi") value = integral(f.builder, value, rounding);
  const auto id = op.types[0]->isSigned() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  llvm::Type *to = f.llvmType(op.types[0]);
  return f.callIntrinsic(id, {to, value->getType()}, {value});
}

Expected<llvm::Value *> floatToFloat(FunctionTranslation &f, const Operation &op, llvm::Value *value, Type from) {
  const Type to = op.types[0];
  const std::string_view toIntegral = op.firstOf(kIntegerRoundings), rounding = op.firstOf(kRoundings);
  if (!toIntegral.empty()) {
    if (to != from) return failAt(op.text.place, "rounding to an integral value keeps the type");
    return integral(f.builder, value, toIntegral);
  }
  if (to->bits == from->bits) return value;
  if (to->bits > from->bits) return f.builder.CreateFPExt(value, f.llvmType(to));
  if (rounding.empty())
    return failAt(op.text.place, "a conversion to a narrower floating-point type needs .rn, .rz, .rm or .rp");
  if (rounding == "rn") return f.builder.CreateFPTrunc(value, f.llvmType(to));
  if (to->bits == 16) return libraryToHalf(f, rounding, value, from);
  return rounded(f, llvm::Intrinsic::experimental_constrained_fptrunc, rounding, {f.llvmType(to), value->getType()},
                 {value});
}

} // namespace

Expected<void> convert(FunctionTranslation &f, const Operation &op) {
  const Type to = op.types[0];
  Type from = op.types[1];
  US_TRY(llvm::Value * value, f.source(op, 1));
  if (isBrain(from)) { // every bf16 is an f32
    value = widened(f, from, value)[0];
    from = typeNamed("f32");
  }
  if (from->isFloat()) value = flushed(f, op, value);
  if (!to->isFloat() && !from->isFloat()) {
    if (op.has("sat")) value = clampInteger(f.builder, value, from, to);
    return f.define(op, 0, resized(f.builder, value, from, f.llvmType(to)));
  }
  if (!to->isFloat()) {
    US_TRY(value, floatToInteger(f, op, value));
    return f.define(op, 0, value);
  }
  if (isBrain(to)) {
    const std::string_view toIntegral = op.firstOf(kIntegerRoundings);
    if (isBrain(op.types[1]))
      return f.define(
          op, 0,
          narrowed(f, to, {toIntegral.empty() ? saturated(f, op, value) : integral(f.builder, value, toIntegral)}));
    if (op.has("sat")) return failAt(op.text.place, "conversions to .bf16 with .sat are not supported on this device");
    US_TRY(value, toBrain(f, op, value, from));
    return f.define(op, 0, value);
  }
  if (from->isFloat()) {
    US_TRY(value, floatToFloat(f, op, value, from));
  } else {
    US_TRY(value, integerToFloat(f, op, value));
  }
  return defineFloat(f, op, value);
}

/// a and b are saturated and put side by side, b the lower; the bits of c, if there is one, follow above them.
Expected<void> convertAndPack(FunctionTranslation &f, const Operation &op) {
  llvm::IRBuilderBase &builder = f.builder;
  const unsigned bits = op.form.detail;
  constexpr std::string_view kSigned[] = {"s16", "s8", "s4", "s2"};
  const bool isSigned = !op.firstOf(kSigned).empty();
  const llvm::APInt smallest = isSigned ? llvm::APInt::getSignedMinValue(bits).sext(32) : llvm::APInt(32, 0);
  const llvm::APInt largest =
      isSigned ? llvm::APInt::getSignedMaxValue(bits).sext(32) : llvm::APInt::getLowBitsSet(32, bits);
  llvm::Value *result = builder.getInt32(0);
  if (op.count() == 4) {
    US_TRY(llvm::Value * c, f.source(op, 3));
    result = builder.CreateShl(c, 2 * bits);
  }
  for (unsigned operand : {1, 2}) {
    US_TRY(llvm::Value * value, f.source(op, operand));
    value = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, builder.getInt(largest));
    value = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, builder.getInt(smallest));
    value = builder.CreateAnd(value, builder.getInt(llvm::APInt::getLowBitsSet(32, bits)));
    result = builder.CreateOr(result, operand == 1 ? builder.CreateShl(value, bits) : value);
  }
  return f.define(op, 0, result);
}

} // namespace us::frontend::ptx
