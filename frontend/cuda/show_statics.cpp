// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/show_statics.h"

#include <llvm/IR/Module.h>

namespace us::frontend::cuda {
namespace {

constexpr unsigned kGlobal = 1, kConstant = 4; // NVPTX's address spaces

/// "table" of "_ZL5table", a variable of no namespace; others keep their name.
llvm::StringRef nameInSource(llvm::StringRef name) {
  llvm::StringRef rest = name;
  size_t length = 0;
  return rest.consume_front("_ZL") && !rest.consumeInteger(10, length) && rest.size() == length ? rest : name;
}

} // namespace

llvm::PreservedAnalyses ShowStatics::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  bool changed = false;
  for (llvm::GlobalVariable &variable : module.globals()) {
    const unsigned space = variable.getAddressSpace();
    // Clang shows those that name expressions mean, under the same names. "_ZZ...": of a function.
    const bool isStatic = variable.hasInternalLinkage() || nameInSource(variable.getName()) != variable.getName();
    if (!isStatic || variable.isConstant() || (space != kGlobal && space != kConstant) ||
        !variable.getName().starts_with("_Z") || variable.getName().starts_with("_ZZ"))
      continue;
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setExternallyInitialized(true);
    if (const std::string name = nameInSource(variable.getName()).str(); !module.getNamedValue(name))
      variable.setName(name);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::frontend::cuda
