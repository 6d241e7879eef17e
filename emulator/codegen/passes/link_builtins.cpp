// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/link_builtins.h"

#include "emulator/builtins/builtin_library.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

namespace us::codegen {
namespace {

bool isOutside(const llvm::Function &function) {
  return function.isDeclaration() && !function.isIntrinsic() && !function.getName().starts_with("us.");
}

/// Families that define something the module lacks, by number, in order.
llvm::SmallSet<int, 8> neededFamilies(const llvm::Module &module) {
  llvm::SmallSet<int, 8> families;
  for (const llvm::Function &function : module) {
    if (!isOutside(function) || function.use_empty()) continue;
    const int family = builtins::familyOf(function.getName());
    if (family >= 0) families.insert(family);
  }
  return families;
}

bool linkFamily(llvm::Linker &linker, llvm::LLVMContext &context, const builtins::BuiltinFamily &family) {
  const llvm::MemoryBufferRef buffer({family.bitcode.data(), family.bitcode.size()}, family.name);
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::getLazyBitcodeModule(buffer, context, true);
  if (!module) {
    context.emitError("builtin family " + llvm::Twine(family.name) + ": " + llvm::toString(module.takeError()));
    return false;
  }
  return !linker.linkInModule(std::move(*module), llvm::Linker::Flags::LinkOnlyNeeded);
}

void linkWhatIsNeeded(llvm::Module &module) {
  llvm::Linker linker(module);
  // A family may call another's functions; each round links what the last one asked for, and a family at most twice
  // in a row would mean that it does not define what its index says.
  for (llvm::SmallSet<int, 8> last;;) {
    const llvm::SmallSet<int, 8> families = neededFamilies(module);
    if (families.empty() || families == last) return;
    for (int family : families)
      if (!linkFamily(linker, module.getContext(), builtins::builtinFamilies()[family])) return;
    last = families;
  }
}

/// Each declaration left would be linked in, used or not.
void dropUnusedDeclarations(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
}

void closeProgram(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (isOutside(function))
      module.getContext().emitError("undefined function '" + llvm::demangle(function.getName()) + "'");
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    if (variable.isDeclaration() && variable.use_empty())
      variable.eraseFromParent();
    else if (variable.isDeclaration())
      module.getContext().emitError("undefined variable '" + variable.getName() + "'");
    else if (!variable.hasAppendingLinkage())
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

} // namespace

llvm::PreservedAnalyses LinkBuiltins::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  dropUnusedDeclarations(module);
  linkWhatIsNeeded(module);
  dropUnusedDeclarations(module);
  closeProgram(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
