// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/keep_filter_loops.h"

#include "emulator/codegen/analysis/analysis_table.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

/// How many values of several elements are loaded from places that are calculated from a number.
unsigned pixelsAt(llvm::Instruction &number, const llvm::Loop &loop) {
  unsigned found = 0;
  llvm::SmallPtrSet<llvm::Instruction *, 16> seen;
  llvm::SmallVector<llvm::Instruction *, 16> open{&number};
  while (!open.empty()) {
    llvm::Instruction *value = open.pop_back_val();
    if (!loop.contains(value) || !seen.insert(value).second) continue;
    if (llvm::isa<llvm::LoadInst>(value)) {
      found += value->getType()->isVectorTy();
      continue;
    }
    if (value != &number && !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::MinMaxIntrinsic,
                                       llvm::GetElementPtrInst>(value))
      continue;
    for (llvm::User *user : value->users()) open.push_back(llvm::cast<llvm::Instruction>(user));
  }
  return found;
}

} // namespace

llvm::PreservedAnalyses KeepFilterLoops::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  llvm::SmallVector<llvm::Instruction *, 8> numbers;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (llvm::isa<llvm::FPToSIInst>(instruction)) numbers.push_back(&instruction);
  if (numbers.empty()) return llvm::PreservedAnalyses::all();
  auto &loops = functionAnalyses(module, manager).getResult<llvm::LoopAnalysis>(kernel);
  for (llvm::Instruction *number : numbers)
    if (llvm::Loop *loop = loops.getLoopFor(number->getParent()); loop && pixelsAt(*number, *loop) > 1)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
  return llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
