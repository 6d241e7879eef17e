// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Here, because only here LLVM's types are complete.
#include "frontend/kernel_module.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace us::frontend {

KernelModule::KernelModule() = default;
KernelModule::KernelModule(KernelModule &&) noexcept = default;

KernelModule &KernelModule::operator=(KernelModule &&other) noexcept {
  // A module must go before the context it lives in, so memberwise assignment would have the wrong order.
  module = std::move(other.module);
  context = std::move(other.context);
  expandedSource = std::move(other.expandedSource);
  includedFiles = std::move(other.includedFiles);
  return *this;
}

KernelModule::~KernelModule() = default;

} // namespace us::frontend
