// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patience: what whoever brings memory to a device can wait for.
#pragma once

#include <cstdint>

namespace us::core {

/// Whether a call may wait for transfers, and for other threads that do.
enum class Patience : uint8_t { Waits, None };

} // namespace us::core
