// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/choose_vector_form.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/stride.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// More scalar operations than this are not worth the time of an attempt.
constexpr unsigned kLargest = 4000;
/// Fewer neighbours fill no register.
constexpr unsigned kFewestItems = 8;

/// Scalar operations that the vector operations of the kernel stand for.
unsigned lanes(llvm::Function &kernel) {
  unsigned total = 0;
  auto add = [&](const llvm::Type *type) {
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) total += vector->getNumElements();
  };
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    add(instruction.getType());
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) add(store->getValueOperand()->getType());
  }
  return total;
}

bool hasVector(const llvm::Instruction &instruction) {
  return instruction.getType()->isVectorTy() ||
         llvm::any_of(instruction.operands(), [](llvm::Value *value) { return value->getType()->isVectorTy(); });
}

/// A call that the vectorizer does not look through, or a vector whose lanes are one scalar.
bool staysWhole(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (!machineName(call).empty()) return false;
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    if (!intrinsic) return true;
    return hasVector(*call) && !llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID());
  }
  if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
    return cast->getSrcTy()->isVectorTy() != cast->getDestTy()->isVectorTy();
  return false;
}

class Chooser {
public:
  Chooser(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses)
      : uniformity_(analyses.getResult<UniformityAnalysis>(kernel)),
        stride_(analyses.getResult<StrideAnalysis>(kernel)),
        divergent_(analyses.getResult<DivergentBlocksAnalysis>(kernel)),
        cycles_(analyses.getResult<llvm::CycleAnalysis>(kernel)), layout_(kernel.getDataLayout()) {}

  bool suits(llvm::Instruction &instruction) {
    if (staysWhole(instruction)) return false;
    if (!hasVector(instruction)) return true;
    llvm::BasicBlock *block = instruction.getParent();
    if (!loopsTogether(*block)) return false;
    llvm::Value *pointer = llvm::getPointerOperand(&instruction);
    if (!pointer || llvm::isa<llvm::GetElementPtrInst>(instruction)) return true;
    // Under a mask the vectorizer has no wide access for components.
    if (divergent_.contains(block) || instruction.isVolatile()) return false;
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0))) return false;
    const auto stride = stride_.of(pointer);
    if (!stride) return false;
    if (*stride == 0) return llvm::isa<llvm::LoadInst>(instruction);
    const auto &type = *llvm::cast<llvm::FixedVectorType>(llvm::getLoadStoreType(&instruction));
    return *stride == int64_t(layout_.getTypeStoreSize(type.getElementType()) * type.getNumElements());
  }

private:
  /// Work-items leave all loops around it at the same turn: these may be turned inside out.
  bool loopsTogether(llvm::BasicBlock &block) {
    for (auto *cycle = cycles_.getCycle(&block); cycle; cycle = cycle->getParentCycle()) {
      llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
      cycle->getExitBlocks(exiting);
      for (llvm::BasicBlock *exit : exiting)
        for (llvm::BasicBlock *predecessor : llvm::predecessors(exit))
          if (cycle->contains(predecessor) && !uniformity_.hasUniformBranch(*predecessor)) return false;
    }
    return true;
  }

  const Uniformity &uniformity_;
  Stride &stride_;
  const DivergentBlocks &divergent_;
  const llvm::CycleInfo &cycles_;
  const llvm::DataLayout &layout_;
};

bool shouldSplit(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses,
                 const abi::Specialization &specialization) {
  const unsigned size = lanes(kernel);
  if (size == 0 || size > kLargest || specialization.localSize[0] < kFewestItems) return false;
  if (llvm::any_of(llvm::instructions(kernel), staysWhole)) return false;
  Chooser chooser(kernel, analyses);
  return llvm::all_of(llvm::instructions(kernel),
                      [&](llvm::Instruction &instruction) { return chooser.suits(instruction); });
}

} // namespace

llvm::PreservedAnalyses ChooseVectorForm::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (shouldSplit(kernel, functionAnalyses(module, manager), request.specialization)) kernel.addFnAttr(kSplitVectors);
  return llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
