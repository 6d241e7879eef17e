// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/annotations.h"

#include <llvm/IR/Constants.h>

namespace us::frontend::cuda {
namespace {

bool says(const llvm::ConstantStruct &entry, llvm::StringRef words) {
  const auto *name = llvm::dyn_cast<llvm::GlobalVariable>(entry.getOperand(1)->stripPointerCasts());
  if (!name || !name->hasInitializer()) return false;
  const auto *text = llvm::dyn_cast<llvm::ConstantDataSequential>(name->getInitializer());
  return text && text->isCString() && text->getAsCString() == words;
}

std::vector<uint64_t> numbersOf(const llvm::ConstantStruct &entry) {
  std::vector<uint64_t> numbers;
  const auto *arguments = entry.getNumOperands() > 4
                              ? llvm::dyn_cast<llvm::GlobalVariable>(entry.getOperand(4)->stripPointerCasts())
                              : nullptr;
  if (!arguments || !arguments->hasInitializer()) return numbers;
  const llvm::Constant *all = arguments->getInitializer();
  for (unsigned i = 0; const llvm::Constant *one = all->getAggregateElement(i); ++i)
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(one)) numbers.push_back(number->getZExtValue());
  return numbers;
}

} // namespace

std::vector<Annotated> takeAnnotated(llvm::Module &module, llvm::StringRef words) {
  std::vector<Annotated> found;
  llvm::GlobalVariable *all = module.getNamedGlobal("llvm.global.annotations");
  if (!all || !all->hasInitializer()) return found;
  const auto *list = llvm::dyn_cast<llvm::ConstantArray>(all->getInitializer());
  if (!list) return found;
  std::vector<llvm::Constant *> others;
  for (const llvm::Use &use : list->operands()) {
    auto *entry = llvm::cast<llvm::ConstantStruct>(use.get());
    auto *object = llvm::dyn_cast<llvm::GlobalObject>(entry->getOperand(0)->stripPointerCasts());
    if (object && says(*entry, words))
      found.push_back({object, numbersOf(*entry)});
    else
      others.push_back(entry);
  }
  if (found.empty()) return found;
  all->setName("");
  if (!others.empty()) {
    auto *type = llvm::ArrayType::get(others.front()->getType(), others.size());
    auto *rest = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::AppendingLinkage,
                                          llvm::ConstantArray::get(type, others), "llvm.global.annotations");
    rest->setSection("llvm.metadata");
  }
  all->eraseFromParent();
  return found;
}

} // namespace us::frontend::cuda
