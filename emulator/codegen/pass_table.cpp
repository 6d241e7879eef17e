// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/pass_table.h"

#include "emulator/codegen/passes/decide_contraction.h"
#include "emulator/codegen/passes/guard_undefined_operations.h"
#include "emulator/codegen/passes/link_builtins.h"
#include "emulator/codegen/passes/lower_printf.h"
#include "emulator/codegen/passes/retarget_module.h"
#include "emulator/codegen/passes/split_called_kernels.h"
#include "emulator/codegen/passes/verify_kernel_ir.h"

namespace us::codegen {

bool addPassByName(llvm::StringRef name, const KernelRequest &request, llvm::ModulePassManager &passes) {
#define US_PASS(passName, construction)                                                                                \
  if (name == passName) {                                                                                              \
    passes.addPass(construction);                                                                                      \
    return true;                                                                                                       \
  }
#include "emulator/codegen/passes.def"
#undef US_PASS
  return false;
}

} // namespace us::codegen
