// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations among the threads of a warp, which is a sub-group. The builtin library's functions wait for the threads of
// the member mask (builtins/opencl/ptx/warp.cl); other threads of the warp may go on looking at memory meanwhile.
#include "frontend/ptx/warp.h"

#include "frontend/ptx/function_translation.h"

namespace us::frontend::ptx {
namespace {

/// A function of the builtin library, by the name that Clang mangles.
llvm::CallInst *callCollective(FunctionTranslation &f, const std::string &name, llvm::Type *result,
                               llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *, 2> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      f.module.module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->addFnAttr(llvm::Attribute::Convergent);
  llvm::CallInst *call = f.builder.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setConvergent();
  call->setDoesNotThrow();
  return call;
}

/// One bit per thread of the warp that is there.
llvm::Value *ballot(FunctionTranslation &f, llvm::Value *predicate, llvm::Value *members) {
  llvm::Type *word = f.builder.getInt32Ty();
  return callCollective(f, "us_ptx_ballot", word, {f.builder.CreateZExt(predicate, word), members});
}

Expected<llvm::Value *> laneId(FunctionTranslation &f) {
  Operand name;
  name.kind = OperandKind::Name;
  name.name = "%laneid";
  Type type = nullptr;
  return readSpecialRegister(f, name, type);
}

/// The last operand of the .sync forms; all threads in the older ones.
Expected<llvm::Value *> memberMask(FunctionTranslation &f, const Operation &op) {
  if (op.has("sync") != (op.count() == 3)) return failAt(op.text.place, "the member mask belongs to the .sync form");
  if (!op.has("sync")) return f.builder.getInt32(~0u);
  return f.source(op, 2);
}

/// The threads of the mask that are there.
llvm::Value *ballotOf(FunctionTranslation &f, llvm::Value *members) {
  return f.builder.CreateAnd(ballot(f, f.builder.getTrue(), members), members);
}

} // namespace

/// "bval = b[4:0], cval = c[4:0], mask = c[12:8]; maxLane = (lane & mask) | (cval & ~mask); minLane = lane & mask": the
/// source lane and whether it is in range, else the thread's own.
Expected<void> shuffle(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * value, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  llvm::Value *members = f.builder.getInt32(~0u);
  if (op.has("sync")) {
    US_TRY(members, f.source(op, 4));
  }
  US_TRY(llvm::Value * lane, laneId(f));
  llvm::IRBuilderBase &builder = f.builder;
  llvm::Value *low = builder.getInt32(31);
  llvm::Value *bval = builder.CreateAnd(b, low), *cval = builder.CreateAnd(c, low);
  llvm::Value *segment = builder.CreateAnd(builder.CreateLShr(c, builder.getInt32(8)), low);
  llvm::Value *minLane = builder.CreateAnd(lane, segment);
  llvm::Value *maxLane = builder.CreateOr(minLane, builder.CreateAnd(cval, builder.CreateNot(segment)));
  llvm::Value *from = nullptr, *inRange = nullptr;
  if (op.has("up")) {
    from = builder.CreateSub(lane, bval);
    inRange = builder.CreateICmpSGE(from, maxLane);
  } else {
    from = op.has("down")   ? builder.CreateAdd(lane, bval)
           : op.has("bfly") ? builder.CreateXor(lane, bval)
                            : builder.CreateOr(minLane, builder.CreateAnd(bval, builder.CreateNot(segment)));
    inRange = builder.CreateICmpSLE(from, maxLane);
  }
  from = builder.CreateSelect(inRange, from, lane);
  llvm::Value *result = callCollective(f, "us_ptx_shuffle", builder.getInt32Ty(), {value, from, members});
  return f.defineBoth(op, result, inRange);
}

Expected<void> vote(FunctionTranslation &f, const Operation &op, VoteOperation kind) {
  US_TRY(llvm::Value * predicate, f.source(op, 1));
  US_TRY(llvm::Value * mask, memberMask(f, op));
  llvm::Value *zero = f.builder.getInt32(0);
  const auto votes = [&](llvm::Value *of) { return f.builder.CreateAnd(ballot(f, of, mask), mask); };
  switch (kind) {
  case VoteOperation::Ballot:
    return f.define(op, 0, votes(predicate));
  case VoteOperation::Any:
    return f.define(op, 0, f.builder.CreateICmpNE(votes(predicate), zero));
  case VoteOperation::All:
    return f.define(op, 0, f.builder.CreateICmpEQ(votes(f.builder.CreateNot(predicate)), zero));
  case VoteOperation::Uniform:
    break;
  }
  llvm::Value *none = f.builder.CreateICmpEQ(votes(predicate), zero);
  llvm::Value *all = f.builder.CreateICmpEQ(votes(f.builder.CreateNot(predicate)), zero);
  return f.define(op, 0, f.builder.CreateOr(none, all));
}

/// "activemask queries predicated-on active threads": it waits for nobody in particular, so that whoever comes this way
/// at the same time counts.
Expected<void> activeMask(FunctionTranslation &f, const Operation &op) {
  return f.define(op, 0, ballot(f, f.builder.getTrue(), f.builder.getInt32(0)));
}

Expected<void> reduceWarp(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * value, f.source(op, 1));
  US_TRY(llvm::Value * members, f.source(op, 2));
  for (const std::string name : {"add", "min", "max", "and", "or", "xor"}) {
    if (!op.has(name)) continue;
    const bool isSigned = op.types[0]->isSigned() && (name == "min" || name == "max");
    return f.define(op, 0,
                    callCollective(f, "us_ptx_reduce_" + name + (isSigned ? "_s32" : "_u32"), f.builder.getInt32Ty(),
                                   {value, members}));
  }
  return {};
}

/// min and max of the floats of all threads: a comparison that orders them, in each thread over all values.
Expected<void> reduceFloats(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * value, f.source(op, 1));
  US_TRY(llvm::Value * members, f.source(op, 2));
  llvm::Value *flags =
      f.builder.getInt32((op.has("max") ? 1u : 0u) | (op.has("abs") ? 2u : 0u) | (op.has("NaN") ? 4u : 0u));
  return f.define(op, 0, callCollective(f, "us_ptx_redux_f32", f.builder.getFloatTy(), {value, members, flags}));
}

/// The threads of the member mask that hold the same value.
Expected<void> matchAny(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * value, f.source(op, 1));
  US_TRY(llvm::Value * members, f.source(op, 2));
  value = f.builder.CreateZExt(value, f.builder.getInt64Ty());
  return f.define(op, 0, callCollective(f, "us_ptx_match", f.builder.getInt32Ty(), {value, members}));
}

/// match.all d|p: d is the mask of those threads of the member mask that have not ended, and p true, if all of these
/// hold the same value; otherwise 0 and false.
Expected<void> matchAll(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * value, f.source(op, 1));
  US_TRY(llvm::Value * members, f.source(op, 2));
  value = f.builder.CreateZExt(value, f.builder.getInt64Ty());
  llvm::Value *same = callCollective(f, "us_ptx_match", f.builder.getInt32Ty(), {value, members});
  llvm::Value *all = f.builder.CreateICmpEQ(same, ballotOf(f, members));
  return f.defineBoth(op, f.builder.CreateSelect(all, same, f.builder.getInt32(0)), all);
}

/// elect.sync d|p: the number of one thread of the member mask, and whether it is the caller.
Expected<void> elect(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * members, f.source(op, 1));
  US_TRY(llvm::Value * lane, laneId(f));
  llvm::Value *leader =
      f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, ballotOf(f, members), f.builder.getFalse());
  return f.defineBoth(op, leader, f.builder.CreateICmpEQ(lane, leader));
}

void waitForWarp(FunctionTranslation &f, llvm::Value *members) {
  llvm::CallInst *call = f.callMachine("us.sub_group_sync", f.builder.getInt32Ty(), {f.builder.getInt32(3), members});
  call->getCalledFunction()->addFnAttr(llvm::Attribute::Convergent);
  call->setConvergent();
}

Expected<void> barrierOfWarp(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * members, f.source(op, 0));
  waitForWarp(f, members);
  return {};
}

} // namespace us::frontend::ptx
