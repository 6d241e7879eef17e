// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/keep_access_order.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

struct Access {
  llvm::Instruction *instruction;
  const llvm::SCEV *place;
  int64_t bytes;
  int64_t step; ///< bytes from one iteration to the next; 0: not known
};

class Order {
public:
  Order(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution, llvm::AAResults &aliases)
      : loop_(loop), evolution_(evolution, loop), aliases_(aliases) {
    llvm::LoopBlocksRPO blocks(&loop);
    blocks.perform(&loops);
    for (llvm::BasicBlock *block : blocks)
      for (llvm::Instruction &instruction : *block)
        if (instruction.mayReadOrWriteMemory()) add(instruction);
    // With all that has been assumed: a place is compared with those before it.
    for (Access &access : accesses_)
      if (access.bytes) access.place = evolution_.getSCEV(llvm::getLoadStorePointerOperand(access.instruction));
  }

  /// Whether accesses that may be joined have one between them that may be of the same memory.
  bool matters() {
    for (size_t first = 0; first < accesses_.size(); ++first)
      for (size_t last = first + 2; last < accesses_.size(); ++last)
        if (mayBeJoined(accesses_[first], accesses_[last]))
          for (size_t between = first + 1; between < last; ++between)
            if (isHeldBy(accesses_[first], accesses_[last], accesses_[between])) return true;
    return false;
  }

private:
  void add(llvm::Instruction &instruction) {
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) {
      accesses_.push_back({&instruction, nullptr, 0, 0});
      return;
    }
    llvm::Type *type = llvm::getLoadStoreType(&instruction);
    const int64_t bytes = int64_t(instruction.getDataLayout().getTypeStoreSize(type));
    // It tests before the loop what it has assumed here: that a place does not wrap round.
    const auto elements = llvm::getPtrStride(evolution_, type, pointer, &loop_,
                                             llvm::DenseMap<llvm::Value *, const llvm::SCEV *>(), /*Assume=*/true,
                                             /*ShouldCheckWrap=*/false);
    accesses_.push_back({&instruction, nullptr, bytes, elements.value_or(0) * bytes});
  }

  std::optional<int64_t> distance(const Access &from, const Access &to) {
    if (!from.place || !to.place || from.place->getType() != to.place->getType()) return std::nullopt;
    auto *known = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getSE()->getMinusSCEV(to.place, from.place));
    if (!known) return std::nullopt;
    return known->getAPInt().getSExtValue();
  }

  bool mayBeJoined(const Access &first, const Access &last) {
    if (first.step != last.step || first.bytes != last.bytes || std::abs(first.step) <= first.bytes) return false;
    if (llvm::isa<llvm::LoadInst>(first.instruction) != llvm::isa<llvm::LoadInst>(last.instruction)) return false;
    const std::optional<int64_t> apart = distance(first, last);
    return apart && std::abs(*apart) < std::abs(first.step);
  }

  /// A load that is joined moves before what stands between, a store behind it.
  bool isHeldBy(const Access &first, const Access &last, const Access &between) {
    const bool areLoads = llvm::isa<llvm::LoadInst>(first.instruction);
    if (areLoads && !between.instruction->mayWriteToMemory()) return false;
    const Access &moved = areLoads ? last : first;
    if (const std::optional<int64_t> apart = distance(moved, between))
      return *apart < moved.bytes && *apart + between.bytes > 0;
    return llvm::isModOrRefSet(
        aliases_.getModRefInfo(between.instruction, llvm::MemoryLocation::get(moved.instruction)));
  }

  llvm::Loop &loop_;
  llvm::PredicatedScalarEvolution evolution_;
  llvm::AAResults &aliases_;
  llvm::SmallVector<Access, 32> accesses_; ///< in an order in which they may be reached
};

} // namespace

llvm::PreservedAnalyses KeepAccessOrder::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  auto &analyses = functionAnalyses(module, manager);
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
    auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    auto &aliases = analyses.getResult<llvm::AAManager>(function);
    for (llvm::Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost() && llvm::findOptionMDForLoop(loop, kParallelAccesses) &&
          Order(*loop, loops, evolution, aliases).matters())
        loop->setLoopID(
            llvm::makePostTransformationMetadata(function.getContext(), loop->getLoopID(), {kParallelAccesses}, {}));
  }
  return llvm::PreservedAnalyses::all(); // no analysis asks for the promise
}

} // namespace us::codegen
