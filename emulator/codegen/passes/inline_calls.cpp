// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/inline_calls.h"

#include "emulator/codegen/machine_functions.h"
#include "emulator/codegen/memory_watching.h"
#include "emulator/codegen/passes/mark_forward_progress.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace us::codegen {
namespace {

// Measured on saxpy-like and mathematical kernels: a mathematical builtin is 30 to 250 instructions and must be inlined
// for its loop to be vectorised; programs with large functions called from many places (hash crackers, transforms) grow
// without bound if everything is.
constexpr unsigned kSmallFunction = 300; ///< instructions: inlined wherever it is called …
constexpr unsigned kLargeKernel = 6000;  ///< … until the kernel has this many
constexpr unsigned kTinyFunction = 30;   ///< inlined even then
constexpr unsigned kHopeless = 400000;   ///< what must be inlined makes the kernel larger than this: give up

struct Inliner {
  /// Work-items wait for one another in loops: such a loop must be in the kernel itself to give up its turn.
  const bool progress;
  explicit Inliner(bool progress) : progress(progress) {}
  llvm::DenseMap<llvm::Function *, bool> needsMachine;
  llvm::DenseMap<llvm::Function *, unsigned> sizes;
  llvm::SmallPtrSet<llvm::Function *, 16> active, done;

  static bool isMachineVariable(const llvm::Value *value) {
    auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
    return variable && (variable->getAddressSpace() == 3 || variable->hasMetadata("us.offset"));
  }
  static bool refersToMachine(const llvm::Constant *constant) {
    if (llvm::isa<llvm::ConstantData>(constant)) return false;
    if (llvm::isa<llvm::GlobalValue>(constant)) return isMachineVariable(constant);
    return llvm::any_of(constant->operands(),
                        [](const llvm::Use &use) { return refersToMachine(llvm::cast<llvm::Constant>(use)); });
  }
  static bool isMachineUse(const llvm::Value *operand) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(operand)) {
      const MachineFunction *known = machineFunction(function->getName());
      return known && known->needsKernel();
    }
    auto *constant = llvm::dyn_cast<llvm::Constant>(operand);
    return constant && refersToMachine(constant);
  }

  /// Callees first, so that a function is inlined in its final form. Recursion stays a call.
  void process(llvm::Function &function) {
    if (function.isDeclaration() || done.contains(&function) || !active.insert(&function).second) return;
    llvm::SmallVector<llvm::CallBase *, 16> calls;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration()) calls.push_back(call);
    }
    for (llvm::CallBase *call : calls) process(*call->getCalledFunction());

    unsigned size = function.getInstructionCount();
    for (llvm::CallBase *call : calls) {
      llvm::Function &callee = *call->getCalledFunction();
      if (active.contains(&callee) || !wanted(callee, size)) continue;
      llvm::InlineFunctionInfo info;
      const unsigned calleeSize = sizes[&callee];
      if (!llvm::InlineFunction(*call, info, /*MergeAttributes=*/true).isSuccess()) continue;
      size += calleeSize;
    }
    bool machine = false;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      for (llvm::Value *operand : instruction.operands())
        machine |= isMachineUse(operand) ||
                   (llvm::isa<llvm::Function>(operand) && needsMachine.lookup(llvm::cast<llvm::Function>(operand)));
    needsMachine[&function] = machine || (progress && mayWait(function));
    sizes[&function] = size;
    active.erase(&function);
    done.insert(&function);
  }

  static bool mayWait(const llvm::Function &function) {
    if (llvm::none_of(llvm::instructions(function),
                      [](const llvm::Instruction &instruction) { return watchesMemory(instruction); }))
      return false;
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> backEdges;
    llvm::FindFunctionBackedges(function, backEdges);
    return !backEdges.empty();
  }

  bool wanted(llvm::Function &callee, unsigned callerSize) {
    const unsigned size = sizes[&callee];
    if (needsMachine.lookup(&callee)) return callerSize + size < kHopeless;
    if (callee.hasFnAttribute(llvm::Attribute::Cold)) return false;
    if (callee.hasFnAttribute(llvm::Attribute::AlwaysInline) || size <= kTinyFunction) return true;
    if (callee.hasOneUse()) return size + callerSize < kLargeKernel * 2;
    return size <= kSmallFunction && size + callerSize < kLargeKernel;
  }
};

} // namespace

llvm::PreservedAnalyses InlineCalls::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  Inliner(kernel.hasFnAttribute(kForwardProgress)).process(kernel);
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (function.hasLocalLinkage() && !function.isDeclaration() && function.use_empty()) {
        function.eraseFromParent();
        changed = true;
      }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
