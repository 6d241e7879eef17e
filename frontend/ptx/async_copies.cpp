// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async, which has copied when it is executed, so that groups of copies have nothing to wait for; and mbarrier
// objects, which the builtin library has (ptx/mbarrier.cl).
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

/// The pointer of an mbarrier as a generic one.
Expected<llvm::Value *> barrierAt(FunctionTranslation &f, const Operation &op, size_t place) {
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, place, op.space(), 8));
  return f.builder.CreateAddrSpaceCast(pointer, f.builder.getPtrTy(kGeneric));
}

/// So many arrivals, and bytes that are under way (or have come, if negative).
llvm::Value *update(FunctionTranslation &f, llvm::Value *barrier, llvm::Value *arrivals, bool drops,
                    llvm::Value *bytes) {
  return callLibrary(f, "us_ptx_mbarrier_update", f.builder.getInt64Ty(),
                     {barrier, arrivals, f.builder.getInt32(drops), bytes});
}

} // namespace

/// cp.async [to], [from], size{, size of the source | predicate that ignores the source}{, cache policy}: what the
/// source does not give is zero.
Expected<void> copyAsync(FunctionTranslation &f, const Operation &op) {
  const Operand &size = op.operand(2);
  const bool fits = size.kind == OperandKind::Integer && (size.bits == 4 || size.bits == 8 || size.bits == 16);
  if (!fits || (op.has("cg") && size.bits != 16))
    return failAt(size.place, "cp.async.ca copies 4, 8 or 16 bytes, cp.async.cg 16");
  US_TRY(llvm::Value * to, f.alignedAddress(op, 0, StateSpace::Shared, size.bits));
  US_TRY(llvm::Value * from, f.alignedAddress(op, 1, StateSpace::Global, size.bits));
  const size_t count = op.count() - (op.has("L2::cache_hint") ? 1 : 0);
  const llvm::Align alignment(4); // whatever the size: what is misaligned is reported, not a fault
  llvm::Type *bytes = f.builder.getIntNTy(unsigned(size.bits) * 8);
  if (count == 3) {
    f.builder.CreateAlignedStore(f.builder.CreateAlignedLoad(bytes, from, alignment), to, alignment);
    return {};
  }
  const Operand &rest = op.operand(3);
  const std::optional<Register> reg = rest.kind == OperandKind::Name ? f.findRegister(rest.name) : std::nullopt;
  llvm::Value *given = nullptr;
  if (reg && reg->type->kind == TypeClass::Predicate) {
    US_TRY(llvm::Value * ignores, f.valueOf(rest, typeNamed("pred"), false));
    given = f.builder.CreateSelect(ignores, f.builder.getInt32(0), f.builder.getInt32(uint32_t(size.bits)));
  } else {
    US_TRY(given, f.valueOf(rest, typeNamed("u32"), false));
    given = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, given, f.builder.getInt32(uint32_t(size.bits)));
  }
  f.builder.CreateAlignedStore(llvm::Constant::getNullValue(bytes), to, alignment);
  f.builder.CreateMemCpy(to, llvm::Align(1), from, llvm::Align(1), given);
  return {};
}

Expected<void> barrierObjectInit(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * barrier, barrierAt(f, op, 0));
  US_TRY(llvm::Value * count, f.source(op, 1));
  callLibrary(f, "us_ptx_mbarrier_init", f.builder.getVoidTy(), {barrier, count});
  return {};
}

/// mbarrier.arrive and .arrive_drop; one arrival if no count is given.
Expected<void> barrierObjectArrive(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * barrier, barrierAt(f, op, 1));
  // ".expect_tx: performs an expect-tx operation prior to the arrive-on", whose count is 1.
  llvm::Value *count = f.builder.getInt32(1), *bytes = f.builder.getInt32(0);
  if (op.count() == 3) {
    US_TRY(llvm::Value * number, f.source(op, 2));
    (op.has("expect_tx") ? bytes : count) = number;
  }
  return f.define(op, 0, update(f, barrier, count, op.has("arrive_drop"), bytes));
}

/// expect_tx and complete_tx: the phase also waits for these bytes; they have come.
Expected<void> barrierObjectBytes(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * barrier, barrierAt(f, op, 0));
  US_TRY(llvm::Value * bytes, f.source(op, 1));
  if (op.has("complete_tx")) bytes = f.builder.CreateNeg(bytes);
  update(f, barrier, f.builder.getInt32(0), false, bytes);
  return {};
}

/// cp.async.mbarrier.arrive: "the pending count is incremented by one prior to the arrive-on" unless .noinc says not
/// to.
Expected<void> copiesArrive(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * barrier, barrierAt(f, op, 0));
  if (op.has("noinc")) update(f, barrier, f.builder.getInt32(1), false, f.builder.getInt32(0));
  return {};
}

/// test_wait and try_wait: whether a phase has ended. try_wait may wait as long as it likes, ours does not.
Expected<void> barrierObjectTest(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * barrier, barrierAt(f, op, 1));
  US_TRY(llvm::Value * state, f.source(op, 2));
  const char *name = op.has("parity") ? "us_ptx_mbarrier_test_parity" : "us_ptx_mbarrier_test";
  llvm::Value *ended = callLibrary(f, name, f.builder.getInt32Ty(), {barrier, state});
  return f.define(op, 0, f.builder.CreateICmpNE(ended, f.builder.getInt32(0)));
}

Expected<void> barrierObjectPending(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * state, f.source(op, 1));
  return f.define(op, 0, callLibrary(f, "us_ptx_mbarrier_pending", f.builder.getInt32Ty(), {state}));
}

} // namespace us::frontend::ptx
