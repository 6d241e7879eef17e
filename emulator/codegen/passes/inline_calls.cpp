// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/inline_calls.h"

#include "emulator/codegen/analysis/memory_watching.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/machine_functions.h"
#include "emulator/codegen/passes/mark_forward_progress.h"
#include "runtime/base/work_limit.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
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

/// On a call: it is to be inlined. The mark goes along where the call is copied.
constexpr const char *kMark = "us-inline";

bool isMarked(const llvm::CallBase &call) { return call.getAttributes().hasFnAttr(kMark); }

/// The function that it calls, if that has a body.
llvm::Function *calleeOf(const llvm::CallBase &call) {
  llvm::Function *const callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() ? callee : nullptr;
}

using Calls = llvm::SmallVector<llvm::CallBase *, 16>;

Calls callsIn(llvm::Function &function) {
  Calls calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && calleeOf(*call)) calls.push_back(call);
  return calls;
}

/// First pass: marks the calls that are to be inlined, and changes nothing else.
struct Planner {
  /// Work-items wait for one another in loops: such a loop must be in the kernel itself to give up its turn.
  const bool progress;
  /// Only what is in the kernel itself can say which work-item it was.
  const bool checked;
  /// All accesses are told: those to images of formats that nobody knows, and to textures, too. One of these is up to
  /// 4,000 instructions, and so it is the first ones of a kernel.
  const bool tellsAll;
  Planner(bool progress, bool checked, bool tellsAll) : progress(progress), checked(checked), tellsAll(tellsAll) {}

  /// Of a function with all that is inlined into it.
  struct Plan {
    unsigned size = 0; ///< instructions
    bool watches = false, loops = false, needsMachine = false;
  };
  llvm::DenseMap<llvm::Function *, Plan> plans;
  llvm::SmallPtrSet<llvm::Function *, 16> active;

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
      return known && known->home == Home::Kernel;
    }
    auto *constant = llvm::dyn_cast<llvm::Constant>(operand);
    return constant && refersToMachine(constant);
  }

  /// Callees first: what they grow to decides whether they are inlined. Recursion stays a call.
  void plan(llvm::Function &function) {
    if (plans.contains(&function) || !active.insert(&function).second) return;
    const Calls calls = callsIn(function);
    for (const llvm::CallBase *call : calls) plan(*calleeOf(*call));

    Plan result;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      ++result.size;
      result.watches |= progress && watchesMemory(instruction);
      for (llvm::Value *operand : instruction.operands()) {
        result.needsMachine |= isMachineUse(operand);
        if (auto *other = llvm::dyn_cast<llvm::Function>(operand))
          result.needsMachine |= plans.lookup(other).needsMachine;
      }
    }
    result.loops = progress && hasLoops(function);
    for (llvm::CallBase *call : calls) {
      llvm::Function &callee = *calleeOf(*call);
      if (active.contains(&callee)) continue;
      const Plan &added = plans[&callee];
      if (!wanted(callee, added, result.size)) continue;
      call->addFnAttr(llvm::Attribute::get(function.getContext(), kMark));
      result.size += added.size;
      result.watches |= added.watches;
      result.loops |= added.loops;
    }
    result.needsMachine |= result.watches && result.loops;
    plans[&function] = result;
    active.erase(&function);
  }

  static bool hasLoops(const llvm::Function &function) {
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> backEdges;
    llvm::FindFunctionBackedges(function, backEdges);
    return !backEdges.empty();
  }

  bool wanted(llvm::Function &callee, const Plan &plan, unsigned callerSize) const {
    const unsigned size = plan.size;
    if (plan.needsMachine) return callerSize + size < kHopeless;
    if (callee.hasFnAttribute(llvm::Attribute::Cold) && !tellsAll) return false;
    if (checked) return callerSize + size < kHopeless;
    if (callee.hasFnAttribute(llvm::Attribute::AlwaysInline) || size <= kTinyFunction) return true;
    if (callee.hasOneUse()) return size + callerSize < kLargeKernel * 2;
    return size <= kSmallFunction && size + callerSize < kLargeKernel;
  }
};

/// Second pass: does it. A function that is called from several places is completed first and copied to each. One that
/// is called from a single place goes there as it is, and its own calls are inlined there: were it completed first, all
/// below it would be copied once for each function above it.
struct Inliner {
  /// What is called from somewhere and stays a function. Completed one after the other and not where it is met: two
  /// that call each other would be copied half done.
  llvm::SmallVector<llvm::WeakVH, 16> remaining;
  llvm::SmallPtrSet<llvm::Function *, 16> begun;

  void run(llvm::Function &kernel) {
    remaining.push_back(&kernel);
    while (!remaining.empty())
      if (auto *function = llvm::cast_or_null<llvm::Function>(remaining.pop_back_val())) complete(*function);
  }

  void complete(llvm::Function &function) {
    if (!begun.insert(&function).second) return;
    Calls calls = callsIn(function);
    while (!calls.empty()) {
      workStep();
      llvm::CallBase &call = *calls.pop_back_val(); // the last one first: little moves to the block behind it
      llvm::Function &callee = *calleeOf(call);
      if (!isMarked(call)) {
        remaining.push_back(&callee);
        continue;
      }
      const bool isMoved = callee.hasOneUse();
      if (!isMoved) complete(callee);
      call.removeFnAttr(kMark);
      llvm::InlineFunctionInfo info;
      if (!llvm::InlineFunction(call, info, /*MergeAttributes=*/true).isSuccess()) {
        remaining.push_back(&callee);
        continue;
      }
      if (!isMoved) continue; // what calls it has left stay calls
      for (llvm::CallBase *inner : info.InlinedCallSites)
        if (calleeOf(*inner)) calls.push_back(inner);
      if (callee.use_empty() && callee.hasLocalLinkage()) callee.eraseFromParent();
    }
  }
};

} // namespace

llvm::PreservedAnalyses InlineCalls::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  const abi::CheckSet checks = request.specialization.instrumentation;
  const bool progress = kernel.hasFnAttribute(kForwardProgress) || abi::isIn(checks, abi::CheckClass::Progress);
  const bool tellsAll =
      (checks & abi::kRaceChecks) && abi::isIn(request.specialization.exhaustive, abi::CheckClass::Races);
  // Checks of the kernel would do the same there: to make values of a variable again in each copy of its function, in a
  // kernel as large as it is then, took minutes. And what a constant argument decides is known when it is copied.
  if ((checks & abi::kRaceChecks) || abi::isIn(checks, abi::CheckClass::Memory) ||
      abi::isIn(checks, abi::CheckClass::Uninitialized))
    for (llvm::Function &function : module)
      if (!function.isDeclaration()) promoteVariables(function, checks);
  Planner(progress, checks != 0, tellsAll).plan(kernel);
  Inliner().run(kernel);
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
