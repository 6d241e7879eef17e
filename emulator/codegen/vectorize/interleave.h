// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that stay scalar, several at a time.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

namespace us::codegen {

/// How many turns of a loop of one block should be done together so that the processor waits for none of them: 1 if it
/// has enough to do with one, or if it looks further ahead than a turn itself.
unsigned turnsTogether(const llvm::Loop &loop);

/// Asks the loop vectorizer for so many turns at a time, and for no vectors.
void interleave(llvm::Loop &loop, unsigned turns);

} // namespace us::codegen
