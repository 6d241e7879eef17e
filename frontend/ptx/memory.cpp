// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of all state spaces.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"
#include "frontend/ptx/warp.h"

#include <llvm/Analysis/Loads.h>

namespace us::frontend::ptx {
namespace {

uint32_t lanesOf(const Operation &op) { return op.has("v2") ? 2 : op.has("v4") ? 4 : op.has("v8") ? 8 : 1; }

llvm::Value *element(FunctionTranslation &f, llvm::Value *pointer, Type type, uint32_t lane) {
  if (lane == 0) return pointer;
  return f.builder.CreateConstGEP1_64(f.builder.getInt8Ty(), pointer, uint64_t(lane) * type->bytes());
}

llvm::AtomicOrdering orderingOf(Ordering ordering) {
  if (ordering == Ordering::Acquire) return llvm::AtomicOrdering::Acquire;
  return ordering == Ordering::Release ? llvm::AtomicOrdering::Release : llvm::AtomicOrdering::Monotonic;
}

/// A vector that other threads may look at is moved in one piece if it has 8 or 16 bytes. PTX promises nothing of it as
/// a whole, but devices do so, and programs count on it: cub's scans that look back put a state and a number in one.
llvm::IntegerType *asOne(FunctionTranslation &f, Type type, uint32_t lanes, Ordering ordering, StateSpace space) {
  const uint64_t bytes = uint64_t{type->bytes()} * lanes;
  const bool isShared = ordering == Ordering::Volatile || ordering >= Ordering::Relaxed;
  if (lanes == 1 || !isShared || (bytes != 8 && bytes != 16)) return nullptr;
  if (space != StateSpace::Global && space != StateSpace::Generic) return nullptr;
  return f.builder.getIntNTy(unsigned(bytes * 8));
}

/// Of 16 bytes one piece is moved only if it is atomic.
template <typename Access> void order(Access &access, Ordering ordering, bool isAtomic) {
  access.setVolatile(ordering == Ordering::Volatile);
  if (ordering >= Ordering::Relaxed)
    access.setAtomic(orderingOf(ordering));
  else if (isAtomic)
    access.setAtomic(llvm::AtomicOrdering::Monotonic);
}

} // namespace

Expected<void> load(FunctionTranslation &f, const Operation &op, Ordering ordering) {
  const Type type = op.types[0];
  const uint32_t lanes = lanesOf(op);
  // What is loaded for ldu comes from global memory.
  const StateSpace space = op.text.opcode == "ldu" ? StateSpace::Global : op.space();
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, 1, space, uint64_t{type->bytes()} * lanes));
  const bool isVolatileShared = ordering == Ordering::Volatile && space == StateSpace::Shared;
  // ... nor reads one what others are about to write.
  if (isVolatileShared && f.volatileSharedStore == f.builder.GetInsertBlock()) {
    waitForWarp(f, f.builder.getInt32(0));
    f.volatileSharedStore = nullptr;
  }
  std::vector<llvm::Value *> values;
  if (llvm::IntegerType *all = asOne(f, type, lanes, ordering, space)) {
    llvm::LoadInst *word = f.builder.CreateAlignedLoad(all, pointer, llvm::Align(all->getBitWidth() / 8));
    order(*word, ordering, all->getBitWidth() > 64);
    const unsigned bits = type->bytes() * 8;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      llvm::Value *one = f.builder.CreateTrunc(f.builder.CreateLShr(word, lane * bits), f.builder.getIntNTy(bits));
      values.push_back(f.builder.CreateBitCast(one, f.llvmType(type)));
    }
    return f.defineAll(op, 0, values);
  }
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    llvm::LoadInst *value =
        f.builder.CreateAlignedLoad(f.llvmType(type), element(f, pointer, type, lane), llvm::Align(type->bytes()));
    order(*value, ordering, /*isAtomic=*/false);
    // What code generation calls an invariant load needs no condition, and nobody checks it: a constant at a known
    // place in its variable, but not what else is read of constants, or with .nc, though nobody writes that either.
    if (space == StateSpace::Constant &&
        llvm::isDereferenceablePointer(value->getPointerOperand(), value->getType(), value->getDataLayout()))
      value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(value->getContext(), {}));
    values.push_back(value);
  }
  if (isVolatileShared) f.volatileSharedLoad = f.builder.GetInsertBlock();
  return f.defineAll(op, 0, values);
}

Expected<void> store(FunctionTranslation &f, const Operation &op, Ordering ordering) {
  const Type type = op.types[0];
  const uint32_t lanes = lanesOf(op);
  const StateSpace space = op.space();
  if (space == StateSpace::Constant) return failAt(op.text.place, ".const memory cannot be written");
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, 0, space, uint64_t{type->bytes()} * lanes));
  US_TRY(const std::vector<llvm::Value *> values, f.sources(op, 1, lanes));
  // Old reductions count on the threads of a warp doing this in step: all have read before any writes, and all have
  // written before any reads again.
  const bool isVolatileShared = ordering == Ordering::Volatile && space == StateSpace::Shared;
  const bool inStep = isVolatileShared && f.volatileSharedLoad == f.builder.GetInsertBlock();
  if (inStep) waitForWarp(f, f.builder.getInt32(0));
  if (llvm::IntegerType *all = asOne(f, type, lanes, ordering, space)) {
    const unsigned bits = type->bytes() * 8;
    llvm::Value *word = llvm::ConstantInt::get(all, 0);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      llvm::Value *one = f.builder.CreateBitCast(values[lane], f.builder.getIntNTy(bits));
      word = f.builder.CreateOr(word, f.builder.CreateShl(f.builder.CreateZExt(one, all), lane * bits));
    }
    llvm::StoreInst *made = f.builder.CreateAlignedStore(word, pointer, llvm::Align(all->getBitWidth() / 8));
    order(*made, ordering, all->getBitWidth() > 64);
    return {};
  }
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    llvm::StoreInst *made =
        f.builder.CreateAlignedStore(values[lane], element(f, pointer, type, lane), llvm::Align(type->bytes()));
    order(*made, ordering, /*isAtomic=*/false);
  }
  if (inStep) waitForWarp(f, f.builder.getInt32(0));
  if (isVolatileShared && !inStep) f.volatileSharedStore = f.builder.GetInsertBlock();
  return {};
}

/// A cache policy: a hint that nothing looks at.
Expected<void> makePolicy(FunctionTranslation &f, const Operation &op) {
  return f.define(op, 0, llvm::ConstantInt::get(f.llvmType(op.types[0]), 0));
}

} // namespace us::frontend::ptx
