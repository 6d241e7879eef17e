// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/local_memory_layout.h"

#include "emulator/codegen/analysis/reachable.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

namespace us::codegen {

LocalMemoryLayout localMemoryLayout(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  const llvm::DataLayout &layout = module.getDataLayout();
  const Reachable reachable = reachableFrom(kernel);
  LocalMemoryLayout result;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != 3 || !reachable.variables.contains(&variable)) continue;
    const uint64_t offset = llvm::alignTo(result.size, layout.getPreferredAlign(&variable));
    result.variables.push_back({&variable, offset});
    result.size = offset + layout.getTypeAllocSize(variable.getValueType());
  }
  return result;
}

} // namespace us::codegen
