// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of blocks (docs/decisions/0078-clusters.md). Their shared memory lies one behind the other, each block's at
// a multiple of 2 to the power of us.cluster_shift; where a module knows clusters, all shared addresses count from
// where that of block 0 begins.
#include "frontend/ptx/clusters.h"

#include "frontend/ptx/addresses.h"
#include "frontend/ptx/atomics.h"
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

llvm::Value *clusterBase(FunctionTranslation &f) {
  return f.builder.CreatePtrToInt(f.callMachine("us.cluster_arena", f.builder.getPtrTy(kShared), {}),
                                  f.builder.getInt64Ty());
}

llvm::Value *clusterShift(FunctionTranslation &f) {
  return f.builder.CreateZExt(f.callMachine("us.cluster_shift", f.builder.getInt32Ty(), {}), f.builder.getInt64Ty());
}

/// Of an address that counts from the cluster's beginning, the one at the same place in another block.
llvm::Value *moved(FunctionTranslation &f, llvm::Value *address, llvm::Value *rank) {
  llvm::IRBuilderBase &builder = f.builder;
  llvm::Value *shift = clusterShift(f);
  llvm::Value *mask = builder.CreateSub(builder.CreateShl(builder.getInt64(1), shift), builder.getInt64(1));
  llvm::Value *begin = builder.CreateShl(builder.CreateZExt(rank, builder.getInt64Ty()), shift);
  return builder.CreateOr(begin, builder.CreateAnd(address, mask));
}

/// The shared address of an operand, with 64 bits, counted from the cluster's beginning; `isGeneric` says what else it
/// is.
Expected<llvm::Value *> addressInCluster(FunctionTranslation &f, const Operation &op, bool isGeneric) {
  US_TRY(llvm::Value * value, addressOfVariable(f, op.operand(1)));
  if (value) return value;
  US_TRY(value, f.valueOf(op.operand(1), op.types[0], false));
  value = f.builder.CreateZExt(value, f.builder.getInt64Ty());
  return isGeneric ? f.builder.CreateSub(value, clusterBase(f)) : value;
}

void callConvergent(FunctionTranslation &f, const char *name) {
  llvm::CallInst *call = f.callMachine(name, f.builder.getVoidTy(), {});
  call->getCalledFunction()->addFnAttr(llvm::Attribute::Convergent);
  call->setConvergent();
}

bool mentionsClusters(const Block &block) {
  for (const Statement &statement : block.statements) {
    const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement);
    const auto *instruction = std::get_if<Instruction>(&statement);
    if (inner && mentionsClusters(**inner)) return true;
    if (instruction && (instruction->opcode == "mapa" || instruction->opcode == "getctarank")) return true;
  }
  return false;
}

} // namespace

void surveyClusters(Translation &translation) {
  for (const FunctionText &function : translation.text.functions)
    translation.usesClusters |= function.body && mentionsClusters(*function.body);
}

llvm::Value *inBlock(FunctionTranslation &f, llvm::Value *pointer, llvm::Value *rank) {
  llvm::Value *arena = f.callMachine("us.cluster_arena", f.builder.getPtrTy(kShared), {});
  llvm::Value *address = f.builder.CreateSub(f.builder.CreatePtrToInt(pointer, f.builder.getInt64Ty()), clusterBase(f));
  return f.builder.CreateGEP(f.builder.getInt8Ty(), arena, moved(f, address, rank));
}

Expected<void> forEachBlock(FunctionTranslation &f, llvm::Value *mask,
                            const std::function<Expected<void>(llvm::Value *rank)> &body) {
  llvm::IRBuilderBase &builder = f.builder;
  llvm::Type *word = builder.getInt32Ty();
  llvm::BasicBlock *before = builder.GetInsertBlock();
  auto *again = llvm::BasicBlock::Create(f.module.context, "again", &f.function);
  auto *block = llvm::BasicBlock::Create(f.module.context, "block", &f.function);
  auto *done = llvm::BasicBlock::Create(f.module.context, "done", &f.function);
  // There are no others.
  llvm::Value *blocks = builder.getInt64(1);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    blocks = builder.CreateMul(blocks,
                               f.callMachine("us.cluster_size", builder.getInt64Ty(), {builder.getInt32(dimension)}));
  llvm::Value *all = builder.CreateSub(builder.CreateShl(builder.getInt64(1), blocks), builder.getInt64(1));
  mask = builder.CreateTrunc(builder.CreateAnd(builder.CreateZExt(mask, builder.getInt64Ty()), all), word);
  builder.CreateBr(again);
  builder.SetInsertPoint(again);
  llvm::PHINode *rest = builder.CreatePHI(word, 2);
  rest->addIncoming(mask, before);
  builder.CreateCondBr(builder.CreateICmpNE(rest, builder.getInt32(0)), block, done);
  builder.SetInsertPoint(block);
  US_CHECK(body(builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, builder.getTrue())));
  rest->addIncoming(builder.CreateAnd(rest, builder.CreateSub(rest, builder.getInt32(1))), builder.GetInsertBlock());
  builder.CreateBr(again);
  builder.SetInsertPoint(done);
  return {};
}

Expected<llvm::Value *> completionBarrier(FunctionTranslation &f, const Operation &op, size_t place) {
  return f.alignedAddress(op, place, StateSpace::Shared, 8);
}

void completeBytes(FunctionTranslation &f, llvm::Value *barrier, llvm::Value *bytes) {
  barrier = f.builder.CreateAddrSpaceCast(barrier, f.builder.getPtrTy(kGeneric));
  llvm::Value *none = f.builder.getInt32(0);
  llvm::Value *less = f.builder.CreateNeg(f.builder.CreateZExtOrTrunc(bytes, f.builder.getInt32Ty()));
  callLibrary(f, "us_ptx_mbarrier_update", f.builder.getInt64Ty(), {barrier, none, none, less});
}

Expected<void> arriveAtCluster(FunctionTranslation &f, const Operation &) {
  callConvergent(f, "us.cluster_arrive");
  return {};
}

Expected<void> waitForCluster(FunctionTranslation &f, const Operation &) {
  callConvergent(f, "us.cluster_wait");
  return {};
}

/// mapa d, a, b: "the address in the target CTA's shared memory that corresponds to a"
Expected<void> mapAddress(FunctionTranslation &f, const Operation &op) {
  const bool isGeneric = !op.has("shared::cluster");
  US_TRY(llvm::Value * address, addressInCluster(f, op, isGeneric));
  US_TRY(llvm::Value * rank, f.source(op, 2));
  address = moved(f, address, rank);
  if (isGeneric) address = f.builder.CreateAdd(address, clusterBase(f));
  return f.define(op, 0, f.builder.CreateTrunc(address, f.llvmType(op.types[0])));
}

/// getctarank d, a: the rank of the block in whose shared memory the address lies.
Expected<void> rankOfAddress(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * address, addressInCluster(f, op, !op.has("shared::cluster")));
  return f.define(op, 0, f.builder.CreateTrunc(f.builder.CreateLShr(address, clusterShift(f)), f.builder.getInt32Ty()));
}

/// st.async [a], b, [mbar]: a store that is made at once, and of which the mbarrier is told.
Expected<void> storeAsync(FunctionTranslation &f, const Operation &op) {
  const Type type = op.types[0];
  const uint32_t lanes = op.has("v2") ? 2 : op.has("v4") ? 4 : 1;
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, 0, StateSpace::Shared, uint64_t{type->bytes()} * lanes));
  US_TRY(const std::vector<llvm::Value *> values, f.sources(op, 1, lanes));
  US_TRY(llvm::Value * barrier, completionBarrier(f, op, 2));
  for (uint32_t lane = 0; lane < lanes; ++lane)
    f.builder.CreateAlignedStore(
        values[lane], f.builder.CreateConstGEP1_64(f.builder.getInt8Ty(), pointer, uint64_t(lane) * type->bytes()),
        llvm::Align(type->bytes()));
  completeBytes(f, barrier, f.builder.getInt32(type->bytes() * lanes));
  return {};
}

/// red.async.op [a], b, [mbar]
Expected<void> reduceAsync(FunctionTranslation &f, const Operation &op) {
  const Type type = op.types[0];
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, 0, StateSpace::Shared, type->bytes()));
  US_TRY(llvm::Value * value, f.source(op, 1));
  US_TRY(llvm::Value * barrier, completionBarrier(f, op, 2));
  updateAtomically(f, op, pointer, value);
  completeBytes(f, barrier, f.builder.getInt32(type->bytes()));
  return {};
}

} // namespace us::frontend::ptx
