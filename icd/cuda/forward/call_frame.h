// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call on its way to the function that answers it: the arguments as the caller left them, whatever their types are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace us::cuda {

/// As usCudaChoose (choose.cpp) lays it out. What is written here is what the function receives.
struct CallFrame {
  uint64_t registers[6]; ///< the first integers and pointers
  uint64_t vectors[8][2];
  uint64_t framePointer;
  void *caller; ///< where the call returns to

  /// The integer or pointer with that number, counting from 0 those alone.
  uint64_t &argument(size_t index) {
    constexpr size_t kInRegisters = 6;
    if (index < kInRegisters) return registers[index];
    return reinterpret_cast<uint64_t *>(this + 1)[index - kInRegisters];
  }
};
static_assert(sizeof(CallFrame) == 192);

} // namespace us::cuda
