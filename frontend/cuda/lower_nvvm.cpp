// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/lower_nvvm.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <optional>

namespace us::frontend::cuda {
namespace {

using llvm::Intrinsic::ID;

/// The constant that says which of several operations is meant.
std::optional<uint64_t> modeOf(const llvm::CallInst &call) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  if (!constant || constant->getZExtValue() > 3) return std::nullopt;
  return constant->getZExtValue();
}

/// "shfl.sync.i32(membermask, mode, a, b, c)": "i = 0 idx, 1 up, 2 down, 3 bfly".
llvm::Value *lowerShuffle(llvm::IRBuilder<> &builder, llvm::CallInst &call) {
  constexpr ID kModes[] = {llvm::Intrinsic::nvvm_shfl_sync_idx_i32p, llvm::Intrinsic::nvvm_shfl_sync_up_i32p,
                           llvm::Intrinsic::nvvm_shfl_sync_down_i32p, llvm::Intrinsic::nvvm_shfl_sync_bfly_i32p};
  const std::optional<uint64_t> mode = modeOf(call);
  if (!mode || call.arg_size() != 5) return nullptr;
  return builder.CreateIntrinsic(
      kModes[*mode], {}, {call.getArgOperand(0), call.getArgOperand(2), call.getArgOperand(3), call.getArgOperand(4)});
}

/// "vote.sync(membermask, mode, predicate)": "0 all, 1 any, 2 uni, 3 ballot"; "the first element of the struct is the
/// ballot, the second the predicate".
llvm::Value *lowerVote(llvm::IRBuilder<> &builder, llvm::CallInst &call) {
  constexpr ID kModes[] = {llvm::Intrinsic::nvvm_vote_all_sync, llvm::Intrinsic::nvvm_vote_any_sync,
                           llvm::Intrinsic::nvvm_vote_uni_sync, llvm::Intrinsic::nvvm_vote_ballot_sync};
  const std::optional<uint64_t> mode = modeOf(call);
  if (!mode || call.arg_size() != 3) return nullptr;
  llvm::Value *const result =
      builder.CreateIntrinsic(kModes[*mode], {}, {call.getArgOperand(0), call.getArgOperand(2)});
  llvm::Value *const both = llvm::Constant::getNullValue(call.getType());
  return builder.CreateInsertValue(both, result, *mode == 3 ? 0u : 1u);
}

/// "match.any.sync.i32 / i64 (membermask, value)", whose result is a mask of 32 or of 64 bits.
llvm::Value *lowerMatchAny(llvm::IRBuilder<> &builder, llvm::CallInst &call) {
  if (call.arg_size() != 2 || !call.getType()->isIntegerTy()) return nullptr;
  const bool isLong = call.getArgOperand(1)->getType()->isIntegerTy(64);
  llvm::Value *const mask = builder.CreateIntrinsic(isLong ? llvm::Intrinsic::nvvm_match_any_sync_i64
                                                           : llvm::Intrinsic::nvvm_match_any_sync_i32,
                                                    {}, {call.getArgOperand(0), call.getArgOperand(1)});
  return builder.CreateZExtOrTrunc(mask, call.getType());
}

/// "match.all.sync.i32 / i64 (membermask, value)": "a mask, and whether all threads have the same value".
llvm::Value *lowerMatchAll(llvm::IRBuilder<> &builder, llvm::CallInst &call) {
  const auto *type = llvm::dyn_cast<llvm::StructType>(call.getType());
  if (call.arg_size() != 2 || !type || type->getNumElements() != 2) return nullptr;
  const bool isLong = call.getArgOperand(1)->getType()->isIntegerTy(64);
  llvm::Value *const both = builder.CreateIntrinsic(isLong ? llvm::Intrinsic::nvvm_match_all_sync_i64p
                                                           : llvm::Intrinsic::nvvm_match_all_sync_i32p,
                                                    {}, {call.getArgOperand(0), call.getArgOperand(1)});
  llvm::Value *const mask = builder.CreateZExtOrTrunc(builder.CreateExtractValue(both, 0), type->getElementType(0));
  llvm::Value *const result = builder.CreateInsertValue(llvm::Constant::getNullValue(call.getType()), mask, 0);
  return builder.CreateInsertValue(result, builder.CreateExtractValue(both, 1), 1);
}

/// One instruction that LLVM 19 has no name for.
llvm::Value *lowerActiveMask(llvm::IRBuilder<> &builder, llvm::CallInst &call) {
  if (!call.arg_empty()) return nullptr;
  auto *const type = llvm::FunctionType::get(builder.getInt32Ty(), false);
  auto *const text = llvm::InlineAsm::get(type, "activemask.b32 $0;", "=r", true);
  llvm::CallInst *const result = builder.CreateCall(type, text);
  result->setConvergent();
  return result;
}

/// The name that barrier0 had in the first NVVM IR.
llvm::Value *lowerBarrier(llvm::IRBuilder<> &builder, llvm::CallInst &call) {
  return call.arg_empty() ? builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {}) : nullptr;
}

struct Row {
  llvm::StringLiteral name;
  llvm::Value *(*lower)(llvm::IRBuilder<> &builder, llvm::CallInst &call);
};
constexpr Row kRows[] = {
    {"llvm.nvvm.shfl.sync.i32", lowerShuffle},       {"llvm.nvvm.vote.sync", lowerVote},
    {"llvm.nvvm.match.any.sync.i32", lowerMatchAny}, {"llvm.nvvm.match.any.sync.i64", lowerMatchAny},
    {"llvm.nvvm.match.all.sync.i32", lowerMatchAll}, {"llvm.nvvm.match.all.sync.i64", lowerMatchAll},
    {"llvm.nvvm.activemask", lowerActiveMask},       {"llvm.cuda.syncthreads", lowerBarrier},
};

/// LLVM's own form of match.any has the name that NVVM's has.
bool isAsLlvmHasIt(const llvm::Function &function) {
  const ID id = function.getIntrinsicID();
  return id != llvm::Intrinsic::not_intrinsic &&
         llvm::Intrinsic::getType(function.getContext(), id) == function.getFunctionType();
}

} // namespace

std::string lowerNvvmIntrinsics(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    const llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !(name.starts_with("llvm.nvvm.") || name.starts_with("llvm.cuda."))) continue;
    const auto *row = llvm::find_if(kRows, [&](const Row &known) { return known.name == name; });
    const bool isUnknown = function.getIntrinsicID() == llvm::Intrinsic::not_intrinsic;
    if (row == std::end(kRows) ? !isUnknown : isAsLlvmHasIt(function)) continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *const call = llvm::dyn_cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(module.getContext());
      if (call) builder.SetInsertPoint(call);
      llvm::Value *const result = call && row != std::end(kRows) ? row->lower(builder, *call) : nullptr;
      if (!result) return function.getName().str();
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
  return {};
}

} // namespace us::frontend::cuda
