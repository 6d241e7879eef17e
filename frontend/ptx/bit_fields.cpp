// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit fields, bytes and bits of a register.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {

/// "bfind returns the bit position of the most significant non-sign bit" (of the most significant 1 if unsigned), or
/// 0xffffffff; .shiftamt gives how far to shift left instead.
Expected<void> findBit(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  llvm::Type *type = a->getType();
  const unsigned bits = op.types[0]->bits;
  if (op.types[0]->isSigned())
    a = f.builder.CreateXor(a, f.builder.CreateAShr(a, llvm::ConstantInt::get(type, bits - 1)));
  llvm::Value *zeros = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a, f.builder.getFalse());
  zeros = f.builder.CreateZExtOrTrunc(zeros, f.builder.getInt32Ty());
  llvm::Value *position = op.form.detail == 1 ? zeros : f.builder.CreateSub(f.builder.getInt32(bits - 1), zeros);
  llvm::Value *none = f.builder.CreateICmpEQ(a, llvm::ConstantInt::get(type, 0));
  return f.define(op, 0, f.builder.CreateSelect(none, f.builder.getInt32(~0u), position));
}

namespace {

/// "operands pos and len are restricted to 0..255": their low bytes count, and no more than the register's bits.
llvm::Value *lowByte(FunctionTranslation &f, llvm::Value *value) {
  return f.builder.CreateAnd(value, f.builder.getInt32(255));
}

/// 2^length - 1, all ones from `bits` on; in twice the width, so that no shift is too far.
llvm::Value *onesUpTo(FunctionTranslation &f, llvm::Value *length, unsigned bits) {
  llvm::Type *wide = f.builder.getIntNTy(bits * 2);
  llvm::Value *limited = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, length, f.builder.getInt32(bits));
  llvm::Value *power = f.builder.CreateShl(llvm::ConstantInt::get(wide, 1), f.builder.CreateZExtOrTrunc(limited, wide));
  return f.builder.CreateSub(power, llvm::ConstantInt::get(wide, 1));
}

} // namespace

Expected<void> extractField(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * position, f.source(op, 2));
  US_TRY(llvm::Value * length, f.source(op, 3));
  position = lowByte(f, position);
  length = lowByte(f, length);
  const bool isSigned = op.types[0]->isSigned();
  const unsigned bits = op.types[0]->bits;
  llvm::Type *type = a->getType(), *wide = f.builder.getIntNTy(bits * 2);
  // "the source is sign-extended": bits above the register are its sign, or zero.
  llvm::Value *source = isSigned ? f.builder.CreateSExt(a, wide) : f.builder.CreateZExt(a, wide);
  llvm::Value *far = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, position, f.builder.getInt32(bits));
  llvm::Value *amount = f.builder.CreateZExtOrTrunc(far, wide);
  llvm::Value *moved = isSigned ? f.builder.CreateAShr(source, amount) : f.builder.CreateLShr(source, amount);
  llvm::Value *mask = f.builder.CreateTrunc(onesUpTo(f, length, bits), type);
  llvm::Value *field = f.builder.CreateAnd(f.builder.CreateTrunc(moved, type), mask);
  if (isSigned) {
    // "sign bit: a[min(pos+len-1, msb)]"; an empty field is zero.
    llvm::Value *last = f.builder.CreateSub(f.builder.CreateAdd(position, length), f.builder.getInt32(1));
    last = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, last, f.builder.getInt32(bits - 1));
    llvm::Value *sign =
        f.builder.CreateTrunc(f.builder.CreateLShr(a, f.builder.CreateZExtOrTrunc(last, type)), f.builder.getInt1Ty());
    llvm::Value *empty = f.builder.CreateICmpEQ(length, f.builder.getInt32(0));
    llvm::Value *fills = f.builder.CreateAnd(sign, f.builder.CreateNot(empty));
    field = f.builder.CreateSelect(fills, f.builder.CreateOr(field, f.builder.CreateNot(mask)), field);
  }
  return f.define(op, 0, field);
}

/// bfi f, a, b, pos, len: the low bits of a go into b.
Expected<void> insertField(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * position, f.source(op, 3));
  US_TRY(llvm::Value * length, f.source(op, 4));
  const unsigned bits = op.types[0]->bits;
  llvm::Type *type = a->getType(), *wide = f.builder.getIntNTy(bits * 2);
  llvm::Value *far =
      f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lowByte(f, position), f.builder.getInt32(bits));
  llvm::Value *amount = f.builder.CreateZExtOrTrunc(far, wide);
  llvm::Value *mask = f.builder.CreateTrunc(f.builder.CreateShl(onesUpTo(f, lowByte(f, length), bits), amount), type);
  llvm::Value *moved = f.builder.CreateTrunc(f.builder.CreateShl(f.builder.CreateZExt(a, wide), amount), type);
  return f.define(
      op, 0, f.builder.CreateOr(f.builder.CreateAnd(moved, mask), f.builder.CreateAnd(b, f.builder.CreateNot(mask))));
}

namespace {

/// prmt d, a, b, c: each 4 bits of c choose a byte of {b, a}; their highest bit repeats the byte's sign.
llvm::Value *permuted(FunctionTranslation &f, llvm::Value *a, llvm::Value *b, llvm::Value *control) {
  llvm::Type *wide = f.builder.getInt64Ty();
  llvm::Value *both = f.builder.CreateOr(f.builder.CreateZExt(a, wide),
                                         f.builder.CreateShl(f.builder.CreateZExt(b, wide), f.builder.getInt64(32)));
  llvm::Value *result = f.builder.getInt32(0);
  for (unsigned byte = 0; byte < 4; ++byte) {
    llvm::Value *selector = f.builder.CreateLShr(control, f.builder.getInt32(byte * 4));
    llvm::Value *amount =
        f.builder.CreateShl(f.builder.CreateAnd(selector, f.builder.getInt32(7)), f.builder.getInt32(3));
    llvm::Value *chosen =
        f.builder.CreateTrunc(f.builder.CreateLShr(both, f.builder.CreateZExt(amount, wide)), f.builder.getInt8Ty());
    llvm::Value *sign = f.builder.CreateAShr(chosen, f.builder.getInt8(7));
    llvm::Value *wantsSign =
        f.builder.CreateICmpNE(f.builder.CreateAnd(selector, f.builder.getInt32(8)), f.builder.getInt32(0));
    chosen = f.builder.CreateZExt(f.builder.CreateSelect(wantsSign, sign, chosen), f.builder.getInt32Ty());
    result = f.builder.CreateOr(result, f.builder.CreateShl(chosen, f.builder.getInt32(byte * 8)));
  }
  return result;
}

} // namespace

Expected<void> permuteBytes(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  return f.define(op, 0, permuted(f, a, b, c));
}

/// shf: the 64 bits {b, a} moved by c; .l gives the upper half, .r the lower. .clamp moves by at most 32, .wrap by
/// c mod 32.
Expected<void> funnelShift(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  llvm::Type *wide = f.builder.getInt64Ty();
  llvm::Value *amount = op.has("wrap")
                            ? f.builder.CreateAnd(c, f.builder.getInt32(31))
                            : f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, c, f.builder.getInt32(32));
  amount = f.builder.CreateZExt(amount, wide);
  llvm::Value *both = f.builder.CreateOr(f.builder.CreateZExt(a, wide),
                                         f.builder.CreateShl(f.builder.CreateZExt(b, wide), f.builder.getInt64(32)));
  llvm::Value *moved = op.form.detail == 0
                           ? f.builder.CreateLShr(f.builder.CreateShl(both, amount), f.builder.getInt64(32))
                           : f.builder.CreateLShr(both, amount);
  return f.define(op, 0, f.builder.CreateTrunc(moved, f.builder.getInt32Ty()));
}

namespace {

/// What .clamp or .wrap makes of a number of bits.
llvm::Value *limitedBits(FunctionTranslation &f, const Operation &op, llvm::Value *bits) {
  llvm::Value *limited = op.has("wrap")
                             ? f.builder.CreateAnd(bits, f.builder.getInt32(31))
                             : f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bits, f.builder.getInt32(32));
  return f.builder.CreateZExt(limited, f.builder.getInt64Ty());
}

} // namespace

/// bmsk d, a, b: b ones from bit a on.
Expected<void> makeMask(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  llvm::Value *one = f.builder.getInt64(1);
  llvm::Value *ones = f.builder.CreateSub(f.builder.CreateShl(one, limitedBits(f, op, b)), one);
  return f.define(op, 0,
                  f.builder.CreateTrunc(f.builder.CreateShl(ones, limitedBits(f, op, a)), f.builder.getInt32Ty()));
}

/// szext d, a, b: the lowest b bits of a, extended; none are 0.
Expected<void> extendFrom(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  llvm::Value *unused = f.builder.CreateSub(f.builder.getInt64(64), limitedBits(f, op, b));
  llvm::Value *isNone = f.builder.CreateICmpEQ(unused, f.builder.getInt64(64));
  unused = f.builder.CreateSelect(isNone, f.builder.getInt64(0), unused);
  llvm::Value *moved = f.builder.CreateShl(f.builder.CreateZExt(a, f.builder.getInt64Ty()), unused);
  llvm::Value *back =
      op.types[0]->isSigned() ? f.builder.CreateAShr(moved, unused) : f.builder.CreateLShr(moved, unused);
  back = f.builder.CreateSelect(isNone, f.builder.getInt64(0), back);
  return f.define(op, 0, f.builder.CreateTrunc(back, f.builder.getInt32Ty()));
}

/// fns d, mask, base, n: where the n-th set bit of the mask is, counted from bit `base`, upwards if n is positive,
/// downwards if it is negative; n = 0 asks for the bit at base itself. 0xffffffff if there is none.
Expected<void> findNthSet(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * mask, f.source(op, 1));
  US_TRY(llvm::Value * base, f.source(op, 2));
  US_TRY(llvm::Value * count, f.source(op, 3));
  auto &builder = f.builder;
  const auto number = [&](uint32_t value) { return builder.getInt32(value); };
  const auto ones = [&](llvm::Value *bits) { return builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits); };
  base = builder.CreateAnd(base, number(31));
  // Downwards is upwards in the reversed mask.
  llvm::Value *isDown = builder.CreateICmpSLT(count, number(0));
  llvm::Value *from = builder.CreateSelect(isDown, builder.CreateSub(number(31), base), base);
  llvm::Value *bits =
      builder.CreateSelect(isDown, builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, mask), mask);
  bits = builder.CreateAnd(bits, builder.CreateShl(number(~0u), from));
  llvm::Value *left = builder.CreateSelect(isDown, builder.CreateNeg(count), count);
  llvm::Value *isThere = builder.CreateICmpULE(left, ones(bits));
  llvm::Value *place = number(0);
  for (uint32_t width = 16; width; width /= 2) {
    llvm::Value *below = ones(builder.CreateAnd(bits, number((1u << width) - 1)));
    llvm::Value *isAbove = builder.CreateICmpUGT(left, below);
    left = builder.CreateSelect(isAbove, builder.CreateSub(left, below), left);
    bits = builder.CreateSelect(isAbove, builder.CreateLShr(bits, number(width)), bits);
    place = builder.CreateSelect(isAbove, builder.CreateAdd(place, number(width)), place);
  }
  place = builder.CreateSelect(isDown, builder.CreateSub(number(31), place), place);
  llvm::Value *isSet = builder.CreateTrunc(builder.CreateLShr(mask, base), builder.getInt1Ty());
  llvm::Value *isZero = builder.CreateICmpEQ(count, number(0));
  llvm::Value *found = builder.CreateSelect(isZero, isSet, isThere);
  return f.define(op, 0, builder.CreateSelect(found, builder.CreateSelect(isZero, base, place), number(~0u)));
}

/// prmt with a mode: the lowest two bits of c choose one of four ways to put bytes of {b, a} together.
Expected<void> permuteByMode(FunctionTranslation &f, const Operation &op) {
  struct Mode {
    std::string_view name;
    uint16_t selectors[4]; ///< as prmt's own c, for each value of the two bits
  };
  constexpr Mode kModes[] = {{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
                             {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
                             {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  llvm::Value *choice = f.builder.CreateAnd(c, f.builder.getInt32(3)), *selector = f.builder.getInt32(0);
  for (const Mode &mode : kModes)
    for (uint32_t i = 0; op.has(mode.name) && i < 4; ++i)
      selector = f.builder.CreateSelect(f.builder.CreateICmpEQ(choice, f.builder.getInt32(i)),
                                        f.builder.getInt32(mode.selectors[i]), selector);
  return f.define(op, 0, permuted(f, a, b, selector));
}

namespace {

/// lop3 d, a, b, c, table: bit 4a+2b+c of the table, for each bit.
Expected<llvm::Value *> threeInputs(FunctionTranslation &f, const Operation &op) {
  llvm::Value *inputs[3];
  for (size_t i = 0; i < 3; ++i) {
    US_TRY(inputs[i], f.source(op, i + 1));
  }
  const Operand &table = op.operand(4);
  if (table.kind != OperandKind::Integer || table.bits > 255)
    return failAt(table.place, "the table of lop3 is a number from 0 to 255");
  llvm::Value *result = f.builder.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table.bits >> row & 1)) continue;
    llvm::Value *term = f.builder.getInt32(~0u);
    for (unsigned i = 0; i < 3; ++i)
      term = f.builder.CreateAnd(term, row >> (2 - i) & 1 ? inputs[i] : f.builder.CreateNot(inputs[i]));
    result = f.builder.CreateOr(result, term);
  }
  return result;
}

} // namespace

Expected<void> threeInputLogic(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * result, threeInputs(f, op));
  return f.define(op, 0, result);
}

/// lop3.or d|p, a, b, c, table, q: "p = (d != 0) BoolOp q"; d may be the sink _.
Expected<void> threeInputTest(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * result, threeInputs(f, op));
  US_TRY(llvm::Value * other, f.source(op, 5));
  llvm::Value *isAny = f.builder.CreateICmpNE(result, f.builder.getInt32(0));
  isAny = op.has("or") ? f.builder.CreateOr(isAny, other) : f.builder.CreateAnd(isAny, other);
  return f.defineBoth(op, result, isAny);
}

} // namespace us::frontend::ptx
