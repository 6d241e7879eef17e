// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/settle_sameness.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/sub_groups.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/Module.h>

namespace us::codegen {

using namespace llvm;

PreservedAnalyses SettleSameness::run(Module &module, ModuleAnalysisManager &manager) {
  Function &kernel = *module.getFunction(request.kernel);
  const auto questions = machineCalls(kernel, "same_in_sub_group");
  if (questions.empty()) return PreservedAnalyses::all();
  const Meetings meetings(kernel);
  SmallPtrSet<const Instruction *, 4> phis;
  const UniformityInfo uniformity = uniformityOfSubGroups(kernel, functionAnalyses(module, manager), meetings,
                                                          NothingIs::Different, request.specialization, phis);
  SmallVector<bool, 8> answers;
  for (CallInst *question : questions) {
    const Use &value = question->getArgOperandUse(0);
    answers.push_back(uniformity.isUniform(value.get()) && !uniformity.isDivergentUse(value));
  }
  for (auto [question, answer] : zip(questions, answers)) {
    question->replaceAllUsesWith(ConstantInt::get(question->getType(), answer));
    question->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace us::codegen
