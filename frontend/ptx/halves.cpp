// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/halves.h"

namespace us::frontend::ptx {

bool isBrain(Type type) { return type->name.starts_with("bf16"); }
bool isPair(Type type) { return type->kind == TypeClass::Packed; }

llvm::CallInst *callLibrary(FunctionTranslation &f, const char *name, llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::CallInst *call = f.callMachine(name, result, arguments);
  call->getCalledFunction()->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

llvm::SmallVector<llvm::Value *, 2> widened(FunctionTranslation &f, Type type, llvm::Value *value) {
  llvm::IRBuilderBase &builder = f.builder;
  const unsigned bits = isPair(type) ? 32 : 16;
  llvm::Value *whole = builder.CreateBitCast(value, builder.getIntNTy(bits));
  llvm::SmallVector<llvm::Value *, 2> numbers;
  for (unsigned at = 0; at < bits; at += 16) {
    llvm::Value *part = builder.CreateTrunc(builder.CreateLShr(whole, at), builder.getInt16Ty());
    if (isBrain(type)) {
      llvm::Value *wide = builder.CreateShl(builder.CreateZExt(part, builder.getInt32Ty()), 16);
      numbers.push_back(builder.CreateBitCast(wide, builder.getFloatTy()));
    } else {
      numbers.push_back(builder.CreateFPExt(builder.CreateBitCast(part, builder.getHalfTy()), builder.getFloatTy()));
    }
  }
  return numbers;
}

llvm::Value *narrowBits(FunctionTranslation &f, Type type, llvm::Value *number) {
  llvm::IRBuilderBase &builder = f.builder;
  if (!isBrain(type))
    return builder.CreateBitCast(builder.CreateFPTrunc(number, builder.getHalfTy()), builder.getInt16Ty());
  // Half a unit less the last bit that stays: ties go to the even one. NaN is canonical.
  llvm::Value *bits = builder.CreateBitCast(number, builder.getInt32Ty());
  llvm::Value *last = builder.CreateAnd(builder.CreateLShr(bits, 16), builder.getInt32(1));
  llvm::Value *sum = builder.CreateAdd(bits, builder.CreateAdd(last, builder.getInt32(0x7fff)));
  llvm::Value *rounded = builder.CreateTrunc(builder.CreateLShr(sum, 16), builder.getInt16Ty());
  return builder.CreateSelect(builder.CreateFCmpUNO(number, number), builder.getInt16(0x7fff), rounded);
}

llvm::Value *narrowed(FunctionTranslation &f, Type type, llvm::ArrayRef<llvm::Value *> numbers) {
  llvm::IRBuilderBase &builder = f.builder;
  llvm::Value *low = narrowBits(f, type, numbers[0]);
  if (!isPair(type)) return builder.CreateBitCast(low, f.llvmType(type));
  llvm::Type *word = builder.getInt32Ty();
  llvm::Value *high = builder.CreateShl(builder.CreateZExt(narrowBits(f, type, numbers[1]), word), 16);
  return builder.CreateOr(builder.CreateZExt(low, word), high);
}

} // namespace us::frontend::ptx
