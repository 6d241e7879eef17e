// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loop vectorizer made of the work-item loops.
#pragma once

namespace llvm {
class Function;
}

namespace us::codegen {

/// Most of the optimized kernel is not in work-item loops that were left as they were.
bool workItemLoopsWereVectorized(llvm::Function &kernel);

} // namespace us::codegen
