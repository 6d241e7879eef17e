// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/entry_function.h"

#include "emulator/codegen/host_target.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/passes/copy_updated_arguments.h"
#include "emulator/codegen/passes/mark_own_places.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace us::codegen {

llvm::Function &createEntry(llvm::Function &kernel, abi::Target target, llvm::ArrayRef<llvm::Type *> parameters) {
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(kernel.getContext()), parameters, false);
  llvm::Function *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", kernel.getParent());
  entry->takeName(&kernel);
  entry->setDoesNotThrow();
  entry->setDSOLocal(true);
  setVectorBits(*entry, target);
  for (const char *kept : {kRacesAreChecked, kLocalCells, kGlobalCells, kCellArguments, kArgumentCopies, kOwnPlaces})
    if (kernel.hasFnAttribute(kept)) entry->addFnAttr(kernel.getFnAttribute(kept));
  entry->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  for (llvm::Argument &argument : entry->args())
    if (argument.getType()->isPointerTy())
      for (auto kind : {llvm::Attribute::NonNull, llvm::Attribute::NoUndef}) argument.addAttr(kind);
  return *entry;
}

} // namespace us::codegen
