// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies and reductions between global and shared memory. They are done when they are executed: what waits for
// them by groups has nothing to wait for, and the mbarrier has their bytes.
#include "emulator/abi/checks.h"
#include "frontend/ptx/atomics.h"
#include "frontend/ptx/clusters.h"
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

constexpr uint64_t kGranule = 16;

/// The operands are the destination, the source, the number of bytes and perhaps an mbarrier.
struct BulkCopy {
  llvm::Value *to, *from, *bytes;
};

/// "dstMem, srcMem and size must be multiples of 16."
Expected<BulkCopy> operandsOf(FunctionTranslation &f, const Operation &op) {
  std::array<StateSpace, 2> spaces{StateSpace::Generic, StateSpace::Generic};
  size_t found = 0;
  for (const std::string_view modifier : op.text.modifiers)
    if (const StateSpace space = spaceNamed(modifier); space != StateSpace::Generic && found < 2)
      spaces[found++] = space;
  US_TRY(llvm::Value * to, f.alignedAddress(op, 0, spaces[0], kGranule));
  US_TRY(llvm::Value * from, f.alignedAddress(op, 1, spaces[1], kGranule));
  US_TRY(llvm::Value * bytes, f.source(op, 2));
  llvm::Value *number = f.builder.CreateZExt(bytes, f.builder.getInt64Ty());
  f.callMachine("us.check", f.builder.getVoidTy(),
                {f.builder.getInt32(uint32_t(abi::Check::Misaligned)),
                 f.builder.CreateAnd(number, f.builder.getInt64(kGranule - 1))});
  return BulkCopy{to, from, number};
}

/// ".mbarrier::complete_tx::bytes: the mbarrier's count of bytes under way is so many less."
Expected<void> complete(FunctionTranslation &f, const Operation &op, llvm::Value *bytes) {
  if (!op.has("mbarrier::complete_tx::bytes")) return {};
  US_TRY(llvm::Value * barrier, completionBarrier(f, op, 3));
  completeBytes(f, barrier, bytes);
  return {};
}

} // namespace

Expected<void> copyBulk(FunctionTranslation &f, const Operation &op) {
  US_TRY(BulkCopy copy, operandsOf(f, op));
  const auto copyTo = [&](llvm::Value *to) {
    f.builder.CreateMemCpy(to, llvm::Align(1), copy.from, llvm::Align(1), copy.bytes);
  };
  if (!op.has("multicast::cluster")) {
    copyTo(copy.to);
    return complete(f, op, copy.bytes);
  }
  // "Each bit of ctaMask is that of a block in the cluster"; data and signal go to the same places there.
  US_TRY(llvm::Value * blocks, f.source(op, 4));
  US_TRY(llvm::Value * barrier, completionBarrier(f, op, 3));
  return forEachBlock(f, blocks, [&](llvm::Value *rank) -> Expected<void> {
    copyTo(inBlock(f, copy.to, rank));
    completeBytes(f, inBlock(f, barrier, rank), copy.bytes);
    return {};
  });
}

/// "Each element is reduced atomically, with .relaxed.gpu; the array as a whole is not."
Expected<void> reduceBulk(FunctionTranslation &f, const Operation &op) {
  US_TRY(const BulkCopy copy, operandsOf(f, op));
  const Type type = op.types[0];
  llvm::IRBuilderBase &builder = f.builder;
  llvm::BasicBlock *before = builder.GetInsertBlock();
  auto *again = llvm::BasicBlock::Create(f.module.context, "again", &f.function);
  auto *element = llvm::BasicBlock::Create(f.module.context, "element", &f.function);
  auto *done = llvm::BasicBlock::Create(f.module.context, "done", &f.function);
  builder.CreateBr(again);
  builder.SetInsertPoint(again);
  llvm::PHINode *offset = builder.CreatePHI(builder.getInt64Ty(), 2);
  offset->addIncoming(builder.getInt64(0), before);
  builder.CreateCondBr(builder.CreateICmpULT(offset, copy.bytes), element, done);
  builder.SetInsertPoint(element);
  llvm::Value *value = builder.CreateAlignedLoad(
      f.llvmType(type), builder.CreateGEP(builder.getInt8Ty(), copy.from, offset), llvm::Align(type->bytes()));
  updateAtomically(f, op, builder.CreateGEP(builder.getInt8Ty(), copy.to, offset), value);
  offset->addIncoming(builder.CreateAdd(offset, builder.getInt64(type->bytes())), builder.GetInsertBlock());
  builder.CreateBr(again);
  builder.SetInsertPoint(done);
  return complete(f, op, copy.bytes);
}

} // namespace us::frontend::ptx
