// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What generated code may call by name: a fixed table, never the process's symbols.
#pragma once

#include <string_view>

namespace us::codegen {

/// The address of a function of the table; null if it is not there.
void *externalSymbol(std::string_view name);

} // namespace us::codegen
