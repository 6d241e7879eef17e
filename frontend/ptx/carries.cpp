// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with the carry flag, and sums of products of bytes.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

/// One half of a product, as .lo or .hi says.
llvm::Value *halfOfProduct(FunctionTranslation &f, const Operation &op, llvm::Value *a, llvm::Value *b) {
  const unsigned bits = op.types[0]->bits;
  llvm::Type *wide = f.builder.getIntNTy(bits * 2);
  const auto extended = [&](llvm::Value *value) {
    return op.types[0]->isSigned() ? f.builder.CreateSExt(value, wide) : f.builder.CreateZExt(value, wide);
  };
  llvm::Value *product = f.builder.CreateMul(extended(a), extended(b));
  if (op.has("hi")) product = f.builder.CreateLShr(product, llvm::ConstantInt::get(wide, bits));
  return f.builder.CreateTrunc(product, a->getType());
}

} // namespace

/// add.cc, addc, sub.cc, subc, mad.cc, madc: what ends in c takes the flag, .cc writes it. Of a difference the flag is
/// the borrow.
Expected<void> withCarry(FunctionTranslation &f, const Operation &op) {
  const std::string_view name = op.text.opcode;
  const bool takes = name.ends_with('c'), subtracts = name.starts_with("sub"), multiplies = name.starts_with("mad");
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  if (multiplies) {
    a = halfOfProduct(f, op, a, b);
    US_TRY(b, f.source(op, 3));
  }
  const unsigned bits = op.types[0]->bits;
  llvm::Type *wide = f.builder.getIntNTy(bits + 8);
  llvm::Value *first = f.builder.CreateZExt(a, wide), *second = f.builder.CreateZExt(b, wide);
  if (takes) second = f.builder.CreateAdd(second, f.builder.CreateZExt(f.loadCarry(), wide));
  llvm::Value *result = subtracts ? f.builder.CreateSub(first, second) : f.builder.CreateAdd(first, second);
  US_CHECK(f.define(op, 0, f.builder.CreateTrunc(result, a->getType())));
  if (op.has("cc"))
    f.storeCarry(
        f.builder.CreateTrunc(f.builder.CreateLShr(result, llvm::ConstantInt::get(wide, bits)), f.builder.getInt1Ty()));
  return {};
}

/// dp4a: four products of bytes; dp2a: two of 16 bits of a by bytes of b, whose lower or upper pair .lo and .hi choose.
Expected<void> dotProduct(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * sum, f.source(op, 3));
  const unsigned width = op.form.detail == 4 ? 8 : 16, count = op.form.detail, first = op.has("hi") ? 2 : 0;
  const auto part = [&](llvm::Value *value, unsigned size, unsigned index, bool isSigned) {
    llvm::Value *moved = f.builder.CreateLShr(value, f.builder.getInt32(index * size));
    llvm::Value *small = f.builder.CreateTrunc(moved, f.builder.getIntNTy(size));
    return isSigned ? f.builder.CreateSExt(small, f.builder.getInt32Ty())
                    : f.builder.CreateZExt(small, f.builder.getInt32Ty());
  };
  for (unsigned i = 0; i < count; ++i)
    sum = f.builder.CreateAdd(sum, f.builder.CreateMul(part(a, width, i, op.types[0]->isSigned()),
                                                       part(b, 8, first + i, op.types[1]->isSigned())));
  return f.define(op, 0, sum);
}

} // namespace us::frontend::ptx
