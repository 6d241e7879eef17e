// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module says of its functions in nvvm.annotations: rows of a function and, again and again, a name and a
// number.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <set>

namespace us::frontend::cuda {

struct NvvmAnnotation {
  llvm::MDNode &row;
  unsigned place; ///< of the name, among the row's operands
  llvm::Function &of;
  llvm::StringRef name;
  const llvm::ConstantInt *number; ///< null: it is none
};

/// `act` may replace names.
void forEachNvvmAnnotation(const llvm::Module &module, llvm::function_ref<void(const NvvmAnnotation &)> act);

/// By their calling convention or by an annotation.
std::set<const llvm::GlobalValue *> kernelsOf(const llvm::Module &module);

} // namespace us::frontend::cuda
