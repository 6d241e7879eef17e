// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions: arithmetic with bytes and half-words that operands select, in 64 bits and then clamped; scalar
// (vadd to vset) and on 2 or 4 lanes (vadd2, vadd4 and their like).
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

#include <functional>

namespace us::frontend::ptx {
namespace {

using Builder = llvm::IRBuilderBase;

/// A part of a register: .b0 to .b3, .h0, .h1, or all of it.
struct Part {
  unsigned offset = 0, bits = 32;
};

Expected<Part> partNamed(const Operand &operand, std::string_view name) {
  if (name.empty()) return Part{};
  const bool isByte = name.size() == 2 && name[0] == 'b' && name[1] >= '0' && name[1] <= '3';
  const bool isHalf = name.size() == 2 && name[0] == 'h' && (name[1] == '0' || name[1] == '1');
  if (!isByte && !isHalf) return failAt(operand.place, "there is no part ." + std::string(name) + " of a register");
  const unsigned bits = isByte ? 8 : 16;
  return Part{unsigned(name[1] - '0') * bits, bits};
}

llvm::Value *number(FunctionTranslation &f, int64_t value) { return f.builder.getInt64(uint64_t(value)); }

/// A register's 32 bits, whatever part of it the operand names.
Expected<llvm::Value *> wordOf(FunctionTranslation &f, Operand operand) {
  operand.component = {};
  return f.valueOf(operand, typeNamed("b32"), false);
}

llvm::Value *partOf(FunctionTranslation &f, llvm::Value *word, Part part, bool isSigned) {
  llvm::Value *moved = f.builder.CreateLShr(word, part.offset);
  llvm::Value *small = f.builder.CreateTrunc(moved, f.builder.getIntNTy(part.bits));
  return isSigned ? f.builder.CreateSExt(small, f.builder.getInt64Ty())
                  : f.builder.CreateZExt(small, f.builder.getInt64Ty());
}

Expected<llvm::Value *> selected(FunctionTranslation &f, const Operand &operand, bool isSigned) {
  US_TRY(const Part part, partNamed(operand, operand.component));
  US_TRY(llvm::Value * word, wordOf(f, operand));
  return partOf(f, word, part, isSigned);
}

llvm::Value *smaller(Builder &builder, llvm::Value *a, llvm::Value *b) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
}
llvm::Value *larger(Builder &builder, llvm::Value *a, llvm::Value *b) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
}

/// To what `bits` bits hold.
llvm::Value *clamped(FunctionTranslation &f, llvm::Value *value, unsigned bits, bool isSigned) {
  const int64_t most = isSigned ? (int64_t(1) << (bits - 1)) - 1 : (int64_t(1) << bits) - 1;
  const int64_t least = isSigned ? -(int64_t(1) << (bits - 1)) : 0;
  return larger(f.builder, smaller(f.builder, value, number(f, most)), number(f, least));
}

/// 1 or 0.
llvm::Value *compare(FunctionTranslation &f, const Operation &op, llvm::Value *a, llvm::Value *b) {
  using P = llvm::CmpInst;
  constexpr std::pair<std::string_view, P::Predicate> kComparisons[] = {{"eq", P::ICMP_EQ},  {"ne", P::ICMP_NE},
                                                                        {"lt", P::ICMP_SLT}, {"le", P::ICMP_SLE},
                                                                        {"gt", P::ICMP_SGT}, {"ge", P::ICMP_SGE}};
  for (const auto &[name, predicate] : kComparisons)
    if (op.has(name)) return f.builder.CreateZExt(f.builder.CreateICmp(predicate, a, b), f.builder.getInt64Ty());
  return a;
}

/// a op b of numbers of 64 bits that hold them exactly.
llvm::Value *combine(FunctionTranslation &f, const Operation &op, VideoOperation operation, llvm::Value *a,
                     llvm::Value *b) {
  switch (operation) {
  case VideoOperation::Add:
    return f.builder.CreateAdd(a, b);
  case VideoOperation::Sub:
    return f.builder.CreateSub(a, b);
  case VideoOperation::AbsoluteDifference:
    return f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, f.builder.CreateSub(a, b), f.builder.getFalse());
  case VideoOperation::Min:
    return smaller(f.builder, a, b);
  case VideoOperation::Max:
    return larger(f.builder, a, b);
  case VideoOperation::Average: {
    // vavrg: halves are rounded away from zero, as an H100 does it.
    llvm::Value *sum = f.builder.CreateAdd(a, b);
    llvm::Value *up = f.builder.CreateZExt(f.builder.CreateICmpSGE(sum, number(f, 0)), sum->getType());
    return f.builder.CreateAShr(f.builder.CreateAdd(sum, up), 1);
  }
  case VideoOperation::Set:
    return compare(f, op, a, b);
  }
  llvm_unreachable("every operation is above");
}

/// The second operation with c, or the result in a part of c, or the result alone.
Expected<void> finish(FunctionTranslation &f, const Operation &op, llvm::Value *value, bool isSigned, size_t third) {
  const Operand &into = op.operand(0);
  US_TRY(const Part part, partNamed(into, into.component));
  if (op.has("sat")) value = clamped(f, value, part.bits, isSigned);
  llvm::Value *word = f.builder.CreateTrunc(value, f.builder.getInt32Ty());
  if (op.count() > third) {
    US_TRY(llvm::Value * c, wordOf(f, op.operand(third)));
    if (op.has("add")) {
      word = f.builder.CreateAdd(word, c);
    } else if (op.has("min") || op.has("max")) {
      const bool isMinimum = op.has("min");
      using namespace llvm;
      word = f.builder.CreateBinaryIntrinsic(isSigned ? (isMinimum ? Intrinsic::smin : Intrinsic::smax)
                                                      : (isMinimum ? Intrinsic::umin : Intrinsic::umax),
                                             word, c);
    } else if (part.bits == 32) {
      return failAt(into.place, "a third source needs a second operation, or a part of the result");
    } else {
      const uint32_t mask = ((1u << part.bits) - 1) << part.offset;
      word = f.builder.CreateOr(f.builder.CreateAnd(c, f.builder.getInt32(~mask)),
                                f.builder.CreateAnd(f.builder.CreateShl(word, part.offset), f.builder.getInt32(mask)));
    }
  } else if (part.bits != 32) {
    return failAt(into.place, "a part of the result needs a third source for the rest");
  }
  Operand whole = into;
  whole.component = {};
  return f.assign(whole, typeNamed("b32"), false, word);
}

/// The types of d, a and b, of which vset has no first.
struct Signs {
  bool d = false, a = false, b = false;
};
Signs signsOf(const Operation &op) {
  std::vector<bool> found;
  for (const std::string_view word : op.text.modifiers)
    if (word == "u32" || word == "s32") found.push_back(word == "s32");
  if (found.size() == 2) return {false, found[0], found[1]};
  return {found[0], found[1], found[2]};
}

} // namespace

/// vadd, vsub, vabsdiff, vmin, vmax .dtype.atype.btype{.sat}{.op2} d, a, b{, c}; vset.atype.btype.cmp{.op2} d, a, b{,
/// c}
Expected<void> videoBinary(FunctionTranslation &f, const Operation &op, VideoOperation operation) {
  const Signs signs = signsOf(op);
  US_TRY(llvm::Value * a, selected(f, op.operand(1), signs.a));
  US_TRY(llvm::Value * b, selected(f, op.operand(2), signs.b));
  return finish(f, op, combine(f, op, operation, a, b), signs.d, 3);
}

/// vshl, vshr: b is unsigned; .clamp shifts by at most 32, .wrap by b mod 32.
Expected<void> videoShift(FunctionTranslation &f, const Operation &op) {
  const Signs signs = signsOf(op);
  US_TRY(llvm::Value * a, selected(f, op.operand(1), signs.a));
  US_TRY(llvm::Value * b, selected(f, op.operand(2), false));
  b = op.has("wrap") ? f.builder.CreateAnd(b, number(f, 31)) : smaller(f.builder, b, number(f, 32));
  if (op.form.detail == 1) return finish(f, op, f.builder.CreateAShr(a, b), signs.d, 3);
  // 33 bits moved by 32 do not fit 64: what is above them only says that the result is too large.
  llvm::Type *wide = f.builder.getInt128Ty();
  llvm::Value *moved = f.builder.CreateShl(f.builder.CreateSExt(a, wide), f.builder.CreateZExt(b, wide));
  if (op.has("sat")) {
    const int64_t most = int64_t(1) << 40;
    moved = smaller(f.builder, moved, llvm::ConstantInt::get(wide, uint64_t(most)));
    moved = larger(f.builder, moved, llvm::ConstantInt::get(wide, uint64_t(-most), true));
  }
  moved = f.builder.CreateTrunc(moved, f.builder.getInt64Ty());
  return finish(f, op, moved, signs.d, 3);
}

/// vmad d, a, b, c: a * b + c, moved right by 7 or 15 bits; .po adds one.
Expected<void> videoMultiplyAdd(FunctionTranslation &f, const Operation &op) {
  const Signs signs = signsOf(op);
  US_TRY(llvm::Value * a, selected(f, op.operand(1), signs.a));
  US_TRY(llvm::Value * b, selected(f, op.operand(2), signs.b));
  const bool isSigned = signs.a || signs.b; // "signedFinal"
  US_TRY(llvm::Value * c, selected(f, op.operand(3), isSigned));
  llvm::Type *wide = f.builder.getInt128Ty();
  const auto widened = [&](llvm::Value *value) { return f.builder.CreateSExt(value, wide); };
  llvm::Value *sum = f.builder.CreateAdd(f.builder.CreateMul(widened(a), widened(b)), widened(c));
  if (op.has("po")) sum = f.builder.CreateAdd(sum, llvm::ConstantInt::get(wide, 1));
  const unsigned shift = op.has("shr7") ? 7 : op.has("shr15") ? 15 : 0;
  sum = f.builder.CreateAShr(sum, llvm::ConstantInt::get(wide, shift));
  if (op.has("sat")) {
    const llvm::APInt most = isSigned ? llvm::APInt(128, 0x7fffffff) : llvm::APInt(128, 0xffffffff);
    const llvm::APInt least = isSigned ? llvm::APInt(128, uint64_t(-int64_t(0x80000000)), true) : llvm::APInt(128, 0);
    sum = smaller(f.builder, sum, llvm::ConstantInt::get(wide, most));
    sum = larger(f.builder, sum, llvm::ConstantInt::get(wide, least));
  }
  return f.assign(op.operand(0), typeNamed("b32"), false, f.builder.CreateTrunc(sum, f.builder.getInt32Ty()));
}

namespace {

/// The lanes of a SIMD instruction: which of them d's mask names, and for each the lanes of a and b, 0 to 2n - 1, of
/// which the upper half are the other operand's.
struct LaneShape {
  unsigned lanes, bits;
  char letter;
};

/// "h10" or "b3210": digits from the highest lane down.
Expected<std::vector<unsigned>> lanesNamed(const Operand &operand, LaneShape shape, bool isMask) {
  const std::string_view name = operand.component;
  std::vector<unsigned> lanes;
  const unsigned most = isMask ? shape.lanes : 2 * shape.lanes;
  const bool isRight = name.size() > 1 && name[0] == shape.letter && name.size() <= 1 + shape.lanes &&
                       (isMask || name.size() == 1 + shape.lanes);
  for (size_t i = name.size(); isRight && i-- > 1;) {
    const unsigned lane = unsigned(name[i] - '0');
    if (lane >= most) break;
    lanes.push_back(lane);
  }
  if (!isRight || lanes.size() + 1 != name.size())
    return failAt(operand.place, "there are no lanes ." + std::string(name));
  return lanes;
}

} // namespace

/// vop2 and vop4: d{.mask}, a{.asel}, b{.bsel}, c. Lanes that the mask leaves out are c's; .add sums all lanes with c.
Expected<void> videoLanes(FunctionTranslation &f, const Operation &op, VideoOperation operation) {
  const LaneShape shape = op.text.opcode.back() == '2' ? LaneShape{2, 16, 'h'} : LaneShape{4, 8, 'b'};
  const Signs signs = signsOf(op);
  US_TRY(llvm::Value * a, wordOf(f, op.operand(1)));
  US_TRY(llvm::Value * b, wordOf(f, op.operand(2)));
  US_TRY(llvm::Value * c, wordOf(f, op.operand(3)));
  std::vector<unsigned> fromA, fromB;
  bool isTaken[4] = {true, true, true, true};
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    fromA.push_back(lane);
    fromB.push_back(shape.lanes + lane);
  }
  if (!op.operand(1).component.empty()) {
    US_TRY(fromA, lanesNamed(op.operand(1), shape, false));
  }
  if (!op.operand(2).component.empty()) {
    US_TRY(fromB, lanesNamed(op.operand(2), shape, false));
  }
  if (!op.operand(0).component.empty()) {
    US_TRY(const std::vector<unsigned> mask, lanesNamed(op.operand(0), shape, true));
    std::fill(std::begin(isTaken), std::end(isTaken), false);
    for (const unsigned lane : mask) isTaken[lane] = true;
  }
  const auto laneOf = [&](unsigned lane, bool isSigned) {
    llvm::Value *word = lane < shape.lanes ? a : b;
    return partOf(f, word, {lane % shape.lanes * shape.bits, shape.bits}, isSigned);
  };
  const bool sums = op.has("add");
  llvm::Value *result = c;
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    if (!isTaken[lane]) continue;
    llvm::Value *x = laneOf(fromA[lane], signs.a), *y = laneOf(fromB[lane], signs.b);
    llvm::Value *value = combine(f, op, operation, x, y);
    if (op.has("sat")) value = clamped(f, value, shape.bits, signs.d);
    llvm::Value *word = f.builder.CreateTrunc(value, f.builder.getInt32Ty());
    if (sums) {
      result = f.builder.CreateAdd(result, word);
      continue;
    }
    const uint32_t mask = ((1u << shape.bits) - 1) << lane * shape.bits;
    word = f.builder.CreateAnd(f.builder.CreateShl(word, lane * shape.bits), f.builder.getInt32(mask));
    result = f.builder.CreateOr(f.builder.CreateAnd(result, f.builder.getInt32(~mask)), word);
  }
  Operand whole = op.operand(0);
  whole.component = {};
  return f.assign(whole, typeNamed("b32"), false, result);
}

} // namespace us::frontend::ptx
