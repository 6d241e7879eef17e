// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/argument_layout.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace us::codegen {

ArgumentLayout argumentLayout(const llvm::Function &kernel) {
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  ArgumentLayout result;
  uint64_t offset = 0;
  for (const llvm::Argument &argument : kernel.args()) {
    llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    llvm::Align alignment = layout.getABITypeAlign(type);
    if (argument.hasByValAttr()) alignment = std::max(alignment, argument.getParamAlign().valueOrOne());
    const uint64_t size = layout.getTypeAllocSize(type);
    offset = llvm::alignTo(offset, alignment);
    result.places.push_back({uint32_t(offset), uint32_t(size), uint32_t(alignment.value())});
    offset += size;
  }
  result.size = uint32_t(llvm::alignTo(offset, 8));
  return result;
}

} // namespace us::codegen
