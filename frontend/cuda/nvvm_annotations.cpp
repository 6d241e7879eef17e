// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/nvvm_annotations.h"

#include <llvm/IR/Metadata.h>

namespace us::frontend::cuda {

void forEachNvvmAnnotation(const llvm::Module &module, llvm::function_ref<void(const NvvmAnnotation &)> act) {
  const llvm::NamedMDNode *const rows = module.getNamedMetadata("nvvm.annotations");
  for (unsigned number = 0; rows && number < rows->getNumOperands(); ++number) {
    llvm::MDNode *const row = rows->getOperand(number);
    auto *const of = llvm::mdconst::dyn_extract_or_null<llvm::Function>(row->getOperand(0));
    for (unsigned i = 1; of && i + 1 < row->getNumOperands(); i += 2)
      if (const auto *name = llvm::dyn_cast_or_null<llvm::MDString>(row->getOperand(i)))
        act({*row, i, *of, name->getString(),
             llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(row->getOperand(i + 1))});
  }
}

std::set<const llvm::GlobalValue *> kernelsOf(const llvm::Module &module) {
  std::set<const llvm::GlobalValue *> kernels;
  for (const llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel) kernels.insert(&function);
  forEachNvvmAnnotation(module, [&](const NvvmAnnotation &one) {
    if (one.name == "kernel") kernels.insert(&one.of);
  });
  return kernels;
}

} // namespace us::frontend::cuda
