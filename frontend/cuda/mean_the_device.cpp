// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/mean_the_device.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Passes/PassBuilder.h>

namespace us::frontend::cuda {
namespace {

using namespace llvm;

bool isSaturating(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::fptosi_sat || call.getIntrinsicID() == Intrinsic::fptoui_sat;
}

/// Calls replace(conversion, its result's type) for each conversion of one number to an integer of up to 64 bits.
template <class Replace> PreservedAnalyses replaceConversions(Function &function, Replace replace) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *const call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || !isSaturating(*call)) continue;
    auto *const to = dyn_cast<IntegerType>(call->getType());
    if (!to || to->getBitWidth() > 64) continue;
    Value *const result = replace(*call, to);
    if (!result) continue;
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

struct ConvertAsDevice : PassInfoMixin<ConvertAsDevice> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return replaceConversions(function, [](IntrinsicInst &conversion, IntegerType *to) -> Value * {
      const Type *const from = conversion.getArgOperand(0)->getType();
      // Of halves there are instructions for shorter integers too.
      if (to->getBitWidth() >= 32 || !(from->isFloatTy() || from->isDoubleTy())) return nullptr;
      IRBuilder<> builder(&conversion);
      Value *const word = builder.CreateIntrinsic(conversion.getIntrinsicID(),
                                                  {builder.getInt32Ty(), conversion.getArgOperand(0)->getType()},
                                                  {conversion.getArgOperand(0)});
      return builder.CreateTrunc(word, to);
    });
  }
};

/// By the source's and the result's width, and whether the result has a sign.
constexpr Intrinsic::ID kConversions[2][2][2] = {
    {{Intrinsic::nvvm_f2ui_rz, Intrinsic::nvvm_f2i_rz}, {Intrinsic::nvvm_f2ull_rz, Intrinsic::nvvm_f2ll_rz}},
    {{Intrinsic::nvvm_d2ui_rz, Intrinsic::nvvm_d2i_rz}, {Intrinsic::nvvm_d2ull_rz, Intrinsic::nvvm_d2ll_rz}}};

struct SelectConversions : PassInfoMixin<SelectConversions> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return replaceConversions(function, [](IntrinsicInst &conversion, IntegerType *to) -> Value * {
      const bool isSigned = conversion.getIntrinsicID() == Intrinsic::fptosi_sat;
      const unsigned bits = to->getBitWidth();
      Value *from = conversion.getArgOperand(0);
      IRBuilder<> builder(&conversion);
      if (from->getType()->isHalfTy() || from->getType()->isBFloatTy())
        from = builder.CreateFPExt(from, builder.getFloatTy());
      if (!from->getType()->isFloatTy() && !from->getType()->isDoubleTy()) return nullptr;
      const Intrinsic::ID by = kConversions[from->getType()->isDoubleTy()][bits > 32][isSigned];
      Value *result = builder.CreateIntrinsic(by, {}, {from});
      const unsigned width = result->getType()->getIntegerBitWidth();
      if (bits == width) return result;
      const APInt most = isSigned ? APInt::getSignedMaxValue(bits).sext(width) : APInt::getMaxValue(bits).zext(width);
      result =
          builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin, result, builder.getInt(most));
      if (isSigned) result = builder.CreateBinaryIntrinsic(Intrinsic::smax, result, builder.getInt(~most));
      return builder.CreateTrunc(result, to);
    });
  }
};

struct ReadTruthAsByte : PassInfoMixin<ReadTruthAsByte> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *const truth = dyn_cast<TruncInst>(&instruction);
      if (!truth || !truth->getType()->isIntegerTy(1) || !truth->getSrcTy()->isIntegerTy(8)) continue;
      auto *const byte = dyn_cast<LoadInst>(truth->getOperand(0));
      if (!byte) continue;
      byte->setMetadata(LLVMContext::MD_range, nullptr);
      truth->replaceAllUsesWith(IRBuilder<>(truth).CreateIsNotNull(byte));
      truth->eraseFromParent();
      changed = true;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void meanTheDevice(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager &passes, OptimizationLevel) {
    FunctionPassManager functions;
    functions.addPass(ConvertAsDevice());
    functions.addPass(ReadTruthAsByte());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel) {
    passes.addPass(createModuleToFunctionPassAdaptor(SelectConversions()));
  });
}

} // namespace us::frontend::cuda
