// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that other modules see, names that nobody sees, and alignments.
#pragma once

#include "frontend/spirv/translation.h"

#include <llvm/Support/Alignment.h>

namespace us::frontend::spirv {

/// A name from outside must not be taken, nor one of the machine's or LLVM's.
Expected<void> checkOuterName(Translation &translation, const Instruction &instruction, const std::string &name);

/// A name for what other modules do not see: never that of a builtin function.
std::string innerName(const std::string &name, const char *otherwise);

/// Of what is exported: other modules may define the same, or may not.
inline llvm::GlobalValue::LinkageTypes outerLinkage(bool mayRepeat) {
  return mayRepeat ? llvm::GlobalValue::WeakODRLinkage : llvm::GlobalValue::ExternalLinkage;
}

/// The decoration's, if there is one.
Expected<llvm::MaybeAlign> alignmentOf(const Translation &translation, const Instruction &instruction);
/// Errors unless it is a power of two up to 65536.
Expected<llvm::Align> alignmentFrom(const Instruction &instruction, uint32_t bytes);

} // namespace us::frontend::spirv
