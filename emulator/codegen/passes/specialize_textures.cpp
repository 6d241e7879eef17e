// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/specialize_textures.h"

#include "emulator/abi/texture_abi.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/texture_arguments.h"
#include "emulator/codegen/tiers/tier_rules.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>

namespace us::codegen {
namespace {

using namespace llvm;

/// Instructions of what is inlined at each read; a linear filter in three directions has more.
constexpr unsigned kInlinedRead = 700;
/// Of what is looked at, with all cases.
constexpr unsigned kMostTextureCode = 20000;

/// Everything that the function calls, so that what one part knows is known in the others.
void inlineAll(Function &function) {
  for (bool again = true; again && function.getInstructionCount() < kMostTextureCode;) {
    again = false;
    SmallVector<CallInst *, 8> calls;
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (call && !isa<IntrinsicInst>(call) && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
        calls.push_back(call);
    }
    for (CallInst *call : calls) {
      InlineFunctionInfo info;
      again |= InlineFunction(*call, info).isSuccess();
    }
  }
}

FunctionPassManager cleaning() {
  FunctionPassManager clean;
  clean.addPass(SROAPass(SROAOptions::ModifyCFG));
  clean.addPass(EarlyCSEPass(false));
  clean.addPass(combineInstructions());
  clean.addPass(SimplifyCFGPass());
  LoopPassManager loops; // over the channels
  loops.addPass(LoopRotatePass());
  loops.addPass(IndVarSimplifyPass());
  loops.addPass(LoopFullUnrollPass());
  clean.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
  clean.addPass(SROAPass(SROAOptions::ModifyCFG));
  clean.addPass(EarlyCSEPass(false));
  clean.addPass(combineInstructions());
  clean.addPass(SimplifyCFGPass());
  return clean;
}

/// Loads of a field that is known become the constant.
void replaceFields(Value &place, const abi::TextureFact &fact, uint64_t offset) {
  const std::pair<uint64_t, uint64_t> fields[] = {{offsetof(abi::TextureDescriptor, type), fact.type},
                                                  {offsetof(abi::TextureDescriptor, channels), fact.channels},
                                                  {offsetof(abi::TextureDescriptor, elementSize), fact.elementSize()},
                                                  {offsetof(abi::TextureDescriptor, mode), fact.mode}};
  for (User *user : make_early_inc_range(place.users())) {
    if (isa<IntToPtrInst>(user)) {
      replaceFields(*user, fact, offset);
    } else if (auto *element = dyn_cast<GetElementPtrInst>(user)) {
      APInt distance(64, 0);
      if (element->accumulateConstantOffset(element->getDataLayout(), distance))
        replaceFields(*element, fact, offset + distance.getZExtValue());
    } else if (auto *load = dyn_cast<LoadInst>(user); load && load->getType()->isIntegerTy(32)) {
      for (const auto &[at, value] : fields)
        if (at == offset) load->replaceAllUsesWith(ConstantInt::get(load->getType(), value));
    }
  }
}

Function *specialized(Function &read, const abi::TextureFact &fact, FunctionAnalysisManager &analyses) {
  ValueToValueMapTy values;
  Function *copy = CloneFunction(&read, values);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->removeFnAttr(Attribute::Cold); // that was said of the whole
  copy->removeFnAttr(Attribute::NoInline);
  copy->getArg(1)->replaceAllUsesWith(ConstantInt::get(copy->getArg(1)->getType(), 0));
  inlineAll(*copy);
  FunctionPassManager split;
  split.addPass(SROAPass(SROAOptions::ModifyCFG));
  split.addPass(EarlyCSEPass(false));
  analyses.invalidate(*copy, split.run(*copy, analyses));
  replaceFields(*copy->getArg(0), fact, 0);
  FunctionPassManager clean = cleaning();
  for (int i = 0; i < 2; ++i) analyses.invalidate(*copy, clean.run(*copy, analyses));
  if (copy->getInstructionCount() <= kInlinedRead) copy->addFnAttr(Attribute::AlwaysInline);
  return copy;
}

} // namespace

PreservedAnalyses SpecializeTextures::run(Module &module, ModuleAnalysisManager &manager) {
  const abi::Specialization &known = request.specialization;
  if (known.instrumentation) return PreservedAnalyses::all();
  Function &kernel = *module.getFunction(request.kernel);
  const auto reads = textureReads(kernel);
  if (reads.empty()) return PreservedAnalyses::all();
  // In the order of the arguments, as the device counts them.
  std::map<unsigned, uint16_t> facts;
  for (const auto &[call, argument] : reads) facts[argument->getArgNo()] = 0;
  for (uint32_t place = 0; auto &[argument, bits] : facts)
    if (place < known.opaque.size()) bits = known.opaque[place++];
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  std::map<std::pair<Function *, uint16_t>, Function *> copies;
  for (const auto &[call, argument] : reads) {
    const uint16_t bits = facts[argument->getArgNo()];
    Function *read = call->getCalledFunction();
    if (!bits || read->isDeclaration()) continue;
    Function *&copy = copies[{read, bits}];
    if (!copy) copy = specialized(*read, abi::textureFactFrom(bits), analyses);
    call->setCalledFunction(copy);
  }
  return copies.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace us::codegen
