// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a kernel may read and write through each of its pointer arguments: a conservative answer, good before
// any optimisation. Later tools snapshot what a launch may write.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Function;
}

namespace us::codegen {

struct ArgumentAccess {
  bool read = false, written = false;
};

/// One entry per IR argument; both true where the pointer cannot be followed.
llvm::SmallVector<ArgumentAccess> argumentAccess(llvm::Function &kernel);

} // namespace us::codegen
