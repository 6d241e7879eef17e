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

/// prmt d, a, b, c: each 4 bits of c choose a byte of {b, a}; their highest bit repeats the byte's sign.
Expected<void> permuteBytes(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * control, f.source(op, 3));
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
  return f.define(op, 0, result);
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

/// lop3 d, a, b, c, table: bit 4a+2b+c of the table, for each bit.
Expected<void> threeInputLogic(FunctionTranslation &f, const Operation &op) {
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
  return f.define(op, 0, result);
}

} // namespace us::frontend::ptx
