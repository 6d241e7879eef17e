// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address spaces of kernel IR (docs/ir-conventions.md) that passes ask for by name.
#pragma once

namespace us::codegen {

inline constexpr unsigned kGlobalSpace = 1, kConstantSpace = 2, kLocalSpace = 3;

} // namespace us::codegen
