// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells debuggers (GDB's JIT interface) and perf (its map file) what code was loaded where.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace us::codegen {

using SectionAddresses = std::vector<std::pair<std::string, uint64_t>>;

/// Returns what unregisterObject() takes; null if the object cannot be described.
void *registerObject(const abi::CodeData &code, const SectionAddresses &sections, std::byte *entry, std::byte *codeEnd);
void unregisterObject(void *registration);

} // namespace us::codegen
