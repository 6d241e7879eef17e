// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/host_layout.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <memory>

namespace us::codegen {

const HostLayout &hostLayout() {
  // Never destroyed: no library of ours has static destructors.
  static const HostLayout *const layout = [] {
    llvm::InitializeNativeTarget();
    auto *made = new HostLayout{llvm::sys::getProcessTriple(), {}};
    std::string error;
    if (const llvm::Target *target = llvm::TargetRegistry::lookupTarget(made->triple, error)) {
      const std::unique_ptr<llvm::TargetMachine> machine(
          target->createTargetMachine(made->triple, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
      made->dataLayout = machine->createDataLayout().getStringRepresentation();
    }
    return made;
  }();
  return *layout;
}

} // namespace us::codegen
