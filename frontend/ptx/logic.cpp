// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logic and shifts.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {

Expected<void> logic(FunctionTranslation &f, const Operation &op, Logic operation) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  switch (operation) {
  case Logic::And:
    return f.define(op, 0, f.builder.CreateAnd(a, b));
  case Logic::Or:
    return f.define(op, 0, f.builder.CreateOr(a, b));
  case Logic::Xor:
    return f.define(op, 0, f.builder.CreateXor(a, b));
  }
  llvm_unreachable("every operation is above");
}

/// not, and cnot: "d = (a==0) ? 1 : 0"
Expected<void> logicalNot(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  if (op.form.detail == 0) return f.define(op, 0, f.builder.CreateNot(a));
  llvm::Value *isZero = f.builder.CreateICmpEQ(a, llvm::ConstantInt::get(a->getType(), 0));
  return f.define(op, 0, f.builder.CreateZExt(isZero, a->getType()));
}

/// "Shift amounts greater than the register width N are clamped to N."
Expected<void> shift(FunctionTranslation &f, const Operation &op, Shift direction) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * amount, f.source(op, 2));
  llvm::Type *type = a->getType();
  const unsigned bits = op.types[0]->bits;
  const auto *known = llvm::dyn_cast<llvm::ConstantInt>(amount);
  if (known && known->getValue().ult(bits)) { // addresses are calculated so: it stays easy to see through
    amount = llvm::ConstantInt::get(type, known->getZExtValue());
    const bool isSigned = op.types[0]->isSigned();
    return f.define(op, 0,
                    direction == Shift::Left ? f.builder.CreateShl(a, amount)
                    : isSigned               ? f.builder.CreateAShr(a, amount)
                                             : f.builder.CreateLShr(a, amount));
  }
  llvm::Value *tooFar = f.builder.CreateICmpUGE(amount, f.builder.getInt32(bits));
  llvm::Value *within = f.builder.CreateSelect(tooFar, f.builder.getInt32(0), amount);
  within = f.builder.CreateZExtOrTrunc(within, type);
  llvm::Value *zero = llvm::ConstantInt::get(type, 0);
  if (direction == Shift::Left)
    return f.define(op, 0, f.builder.CreateSelect(tooFar, zero, f.builder.CreateShl(a, within)));
  if (!op.types[0]->isSigned())
    return f.define(op, 0, f.builder.CreateSelect(tooFar, zero, f.builder.CreateLShr(a, within)));
  llvm::Value *sign = f.builder.CreateAShr(a, llvm::ConstantInt::get(type, bits - 1));
  return f.define(op, 0, f.builder.CreateSelect(tooFar, sign, f.builder.CreateAShr(a, within)));
}

} // namespace us::frontend::ptx
