// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text to the tree of ast.h.
#pragma once

#include "frontend/ptx/ast.h"

namespace us::frontend::ptx {

/// Errors name the line and column. The tree points into `text`.
Expected<ModuleText> parse(std::string_view text);

} // namespace us::frontend::ptx
