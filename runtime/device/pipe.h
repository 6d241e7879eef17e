// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes in no API's terms. docs/decisions/0024-pipes.md says how a pipe reaches a kernel.
#pragma once

#include <cstdint>

namespace us {

/// A queue of packets of one size; a kernel's packets must have that size too.
struct PipeDescription {
  uint32_t packetSize = 0; ///< bytes
  uint32_t maxPackets = 0;
};

} // namespace us
