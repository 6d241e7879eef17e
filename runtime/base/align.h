// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For what does not see LLVM, which has a function of this name.
#pragma once

#include <cstdint>

namespace us {

/// The next multiple of `alignment`, which need not be a power of two.
constexpr uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

} // namespace us
