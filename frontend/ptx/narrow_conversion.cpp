// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt to narrow floating-point types that come from f32, also in pairs: f16, bf16, tf32 and numbers of 8 bits.
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

llvm::Value *constant(FunctionTranslation &f, double number) {
  return llvm::ConstantFP::get(f.builder.getFloatTy(), number);
}

/// ".relu: clamps negative results to 0"; NaN stays.
llvm::Value *rectified(FunctionTranslation &f, const Operation &op, llvm::Value *number) {
  if (!op.has("relu")) return number;
  return f.builder.CreateSelect(f.builder.CreateFCmpUGT(number, constant(f, 0)), number, constant(f, 0));
}

/// ".satfinite: what is larger than the largest number becomes that number"; NaN stays.
llvm::Value *limited(FunctionTranslation &f, const Operation &op, double largest, llvm::Value *number) {
  if (!op.has("satfinite")) return number;
  llvm::IRBuilderBase &builder = f.builder;
  number = builder.CreateSelect(builder.CreateFCmpOGT(number, constant(f, largest)), constant(f, largest), number);
  return builder.CreateSelect(builder.CreateFCmpOLT(number, constant(f, -largest)), constant(f, -largest), number);
}

/// 16 bits.
llvm::Value *toHalf(FunctionTranslation &f, const Operation &op, llvm::Value *number) {
  const bool brain = isBrain(op.types[0]);
  number = rectified(f, op, limited(f, op, brain ? 0x1.fep127 : 65504.0, number));
  if (!op.has("rz")) return narrowBits(f, op.types[0], number);
  llvm::Type *word = f.builder.getInt16Ty();
  if (!brain)
    return f.builder.CreateBitCast(callLibrary(f, "_Z16convert_half_rtzf", f.builder.getHalfTy(), {number}), word);
  llvm::Value *wide = f.builder.CreateFPExt(number, f.builder.getDoubleTy());
  return callLibrary(f, "us_ptx_to_bf16", word, {wide, f.builder.getInt32(1)});
}

} // namespace

/// "For .f16x2 and .bf16x2 the converted a is the upper half of d, b the lower."
Expected<void> convertToHalf(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  llvm::Value *first = toHalf(f, op, a);
  if (op.count() == 2) return f.define(op, 0, f.builder.CreateBitCast(first, f.llvmType(op.types[0])));
  US_TRY(llvm::Value * b, f.source(op, 2));
  llvm::Type *word = f.builder.getInt32Ty();
  llvm::Value *upper = f.builder.CreateShl(f.builder.CreateZExt(first, word), 16);
  return f.define(op, 0, f.builder.CreateOr(upper, f.builder.CreateZExt(toHalf(f, op, b), word)));
}

/// tf32 has 10 bits behind its leading one; .rna rounds ties away from zero.
Expected<void> convertToTf32(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * number, f.source(op, 1));
  number = rectified(f, op, limited(f, op, 0x1.ffcp127, number));
  const uint32_t mode = op.has("rn") ? 0 : op.has("rz") ? 1 : 4;
  return f.define(op, 0, callLibrary(f, "us_ptx_to_tf32", f.builder.getInt32Ty(), {number, f.builder.getInt32(mode)}));
}

/// a becomes the upper byte, b the lower; the numbers of an f16x2 stay where they are.
Expected<void> convertToBytes(FunctionTranslation &f, const Operation &op) {
  llvm::SmallVector<llvm::Value *, 2> numbers; // the lower first
  if (op.count() == 2) {
    US_TRY(llvm::Value * pair, f.source(op, 1));
    numbers = widened(f, typeNamed("f16x2"), pair);
  } else {
    numbers.resize(2);
    US_TRY(numbers[1], f.source(op, 1));
    US_TRY(numbers[0], f.source(op, 2));
  }
  llvm::Type *word = f.builder.getInt16Ty();
  llvm::Value *result = f.builder.getInt16(0);
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Value *byte = callLibrary(f, "us_ptx_to_f8", f.builder.getInt8Ty(),
                                    {rectified(f, op, numbers[i]), f.builder.getInt32(op.has("e5m2x2"))});
    result = f.builder.CreateOr(result, f.builder.CreateShl(f.builder.CreateZExt(byte, word), 8 * i));
  }
  return f.define(op, 0, result);
}

Expected<void> convertFromBytes(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * bytes, f.source(op, 1));
  llvm::SmallVector<llvm::Value *, 2> numbers;
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Value *byte = f.builder.CreateTrunc(f.builder.CreateLShr(bytes, 8 * i), f.builder.getInt8Ty());
    numbers.push_back(rectified(
        f, op, callLibrary(f, "us_ptx_from_f8", f.builder.getFloatTy(), {byte, f.builder.getInt32(op.has("e5m2x2"))})));
  }
  return f.define(op, 0, narrowed(f, typeNamed("f16x2"), numbers));
}

} // namespace us::frontend::ptx
