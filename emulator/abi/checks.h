// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of us.check, and how code says that one has failed.
#pragma once

#include <cstdint>

namespace us::abi {

enum class Check : uint32_t {
#define US_KERNEL_CHECK(kind) kind,
#include "emulator/abi/checks.def"
#undef US_KERNEL_CHECK
};
inline constexpr uint32_t kCheckKinds = 0
#define US_KERNEL_CHECK(kind) +1
#include "emulator/abi/checks.def"
#undef US_KERNEL_CHECK
    ;

/// Code whose check of kind N fails writes to this address plus N. No memory is there: the signal module knows it, so
/// that neither a context need be passed to functions nor a function of the runtime be called.
inline constexpr uint64_t kCheckMarks = 0x5a71;

} // namespace us::abi
