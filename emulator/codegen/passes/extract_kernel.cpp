// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/extract_kernel.h"

#include "emulator/codegen/analysis/reachable.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// Source-level wishes and target facts of the front end that must not steer our code generation.
constexpr const char *kDroppedAttributes[] = {"target-cpu",
                                              "target-features",
                                              "tune-cpu",
                                              "frame-pointer",
                                              "no-trapping-math",
                                              "stack-protector-buffer-size",
                                              "uniform-work-group-size",
                                              "min-legal-vector-width"};

void normalize(llvm::Function &function) {
  function.setCallingConv(llvm::CallingConv::C);
  function.setDSOLocal(true);
  function.setDoesNotThrow();
  for (auto kind : {llvm::Attribute::OptimizeNone, llvm::Attribute::NoInline, llvm::Attribute::Convergent,
                    llvm::Attribute::UWTable, llvm::Attribute::NoRecurse, llvm::Attribute::MinSize,
                    llvm::Attribute::OptimizeForSize, llvm::Attribute::StackProtect})
    function.removeFnAttr(kind);
  for (const char *name : kDroppedAttributes) function.removeFnAttr(name);
  function.setSection("");
  function.setComdat(nullptr);
}

/// Kernels may be called like functions; then the call must use the same convention.
void normalizeCalls(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->setCallingConv(llvm::CallingConv::C);
}

/// It is the same number wherever the kernel is, and what it calls need not be inlined for it.
void nameSubGroupSize(llvm::Module &module, uint32_t size) {
  llvm::Function *question = module.getFunction("us.sub_group_size");
  if (!question) return;
  for (llvm::User *user : llvm::make_early_inc_range(question->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), size));
    call->eraseFromParent();
  }
  question->eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses ExtractKernel::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  const Reachable reachable = reachableFrom(kernel);
  for (const char *name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
    if (llvm::GlobalVariable *variable = module.getNamedGlobal(name)) variable->eraseFromParent();
  while (!module.alias_empty()) {
    llvm::GlobalAlias &alias = *module.alias_begin();
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }

  llvm::SmallVector<llvm::GlobalValue *, 64> dead;
  for (llvm::Function &function : module) {
    if (!reachable.functions.contains(&function)) {
      function.deleteBody();
      dead.push_back(&function);
      continue;
    }
    if (function.isDeclaration()) {
      attributeMachineFunction(function);
      if (!function.isIntrinsic()) function.setCallingConv(llvm::CallingConv::C);
      continue;
    }
    normalize(function);
    normalizeCalls(function);
    if (&function != &kernel) function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::GlobalVariable &variable : module.globals())
    if (!reachable.variables.contains(&variable)) {
      variable.setInitializer(nullptr);
      dead.push_back(&variable);
    } else if (!variable.isDeclaration()) {
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
      variable.setComdat(nullptr);
    }
  for (llvm::GlobalValue *value : dead) {
    value->removeDeadConstantUsers();
    if (value->use_empty()) value->eraseFromParent();
  }
  nameSubGroupSize(module, request.specialization.subGroupSize);
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setVisibility(llvm::GlobalValue::DefaultVisibility);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
