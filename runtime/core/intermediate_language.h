// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime itself looks at in a SPIR-V module, before any device compiles it.
#pragma once

#include "runtime/base/expected.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace us::core {

struct IntermediateLanguage {
  std::vector<std::byte> bytes;
  std::map<uint32_t, uint32_t> specializationConstants; ///< by their SpecId: size in bytes
};

/// Copies the module. InvalidValue unless its header and the lengths of its instructions are those of SPIR-V.
Expected<IntermediateLanguage> readIntermediateLanguage(std::span<const std::byte> bytes);

} // namespace us::core
