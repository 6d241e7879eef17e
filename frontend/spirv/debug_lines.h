// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpLine as LLVM's debug locations: what a message about a fault needs, and no more.
#pragma once

#include "frontend/spirv/translation.h"

namespace us::frontend::spirv {

void beginDebugLines(Translation &translation);
void endDebugLines(Translation &translation);
/// The scope of a function's lines; null if the module has no lines there.
llvm::DISubprogram *debugScope(Translation &translation, const FunctionDeclaration &function);
/// What OpLine says, inside a scope. Null if its file is no string.
llvm::DILocation *debugLocation(Translation &translation, const Instruction &line, llvm::DISubprogram *scope);

} // namespace us::frontend::spirv
