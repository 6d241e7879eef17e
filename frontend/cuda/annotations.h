// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What headers say of variables and functions by annotations, since Clang has no attribute for it.
#pragma once

#include <llvm/IR/GlobalObject.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace us::frontend::cuda {

struct Annotated {
  llvm::GlobalObject *object;
  std::vector<uint64_t> numbers; ///< the annotation's
};

/// What is annotated with these words; the annotations are gone afterwards.
std::vector<Annotated> takeAnnotated(llvm::Module &module, llvm::StringRef words);

} // namespace us::frontend::cuda
