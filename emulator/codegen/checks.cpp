// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/checks.h"

#include "emulator/codegen/machine_calls.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace us::codegen {

llvm::SmallVector<llvm::CallInst *, 8> checksIn(llvm::Function &function, abi::Check kind) {
  llvm::SmallVector<llvm::CallInst *, 8> checks = machineCalls(function, "check");
  llvm::erase_if(checks, [&](llvm::CallInst *check) { return checkKind(*check) != kind; });
  return checks;
}

abi::Check checkKind(const llvm::CallBase &check) {
  return abi::Check(llvm::cast<llvm::ConstantInt>(check.getArgOperand(0))->getZExtValue());
}

llvm::Value *checkedBits(const llvm::CallBase &check) { return check.getArgOperand(1); }

void createCheck(llvm::IRBuilderBase &builder, abi::Check kind, llvm::Value *bits) {
  createMachineCall(builder, "check", builder.getVoidTy(), {builder.getInt32(uint32_t(kind)), bits});
}

void failAtOnce(llvm::Instruction *before, abi::Check kind, llvm::Value *bits) {
  llvm::IRBuilder<> builder(before);
  llvm::Value *isWrong = builder.CreateIsNotNull(bits);
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(isWrong, before->getIterator(), /*Unreachable=*/true);
  builder.SetInsertPoint(end);
  if (auto *known = llvm::dyn_cast<llvm::Instruction>(bits)) builder.SetCurrentDebugLocation(known->getDebugLoc());
  const uint64_t address = abi::kCheckMarks + uint64_t(kind);
  llvm::Value *mark = builder.CreateIntToPtr(builder.getInt64(address), builder.getPtrTy());
  builder.CreateStore(builder.getInt8(0), mark, /*isVolatile=*/true);
}

} // namespace us::codegen
