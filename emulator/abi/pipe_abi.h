// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipe in memory: a ring of packets that any number of work-items write and read without a lock. The builtin library
// holds the other side (emulator/builtins/opencl/pipe/ring.h, same layout, checked by a test);
// docs/decisions/0024-pipes.md says how it works. A change here changes kAbiVersion.
#pragma once

#include <cstddef>
#include <cstdint>

namespace us::abi {

/// What a pipe argument points to; the packets' states (32 bits each) follow, then the packets.
struct alignas(64) PipeHeader {
  uint32_t packetSize = 0; ///< bytes
  uint32_t maxPackets = 0;
  uint64_t packets = 0; ///< where the first packet lies: bytes from here
  /// The next place to reserve for writing, counted from the beginning of time.
  alignas(64) uint64_t writePosition = 0;
  uint32_t written = 0;                  ///< packets committed for reading so far, modulo 2^32
  alignas(64) uint64_t readPosition = 0; ///< the next place to reserve for reading
};
static_assert(sizeof(PipeHeader) == 192);

/// The largest number of packets that states and reservations can tell apart.
inline constexpr uint32_t kMaxPipePackets = 0x7fffffff;

constexpr uint64_t pipePacketsOffset(uint32_t maxPackets) {
  return (sizeof(PipeHeader) + uint64_t{maxPackets} * sizeof(uint32_t) + 127) / 128 * 128;
}
constexpr uint64_t pipeBytes(uint32_t packetSize, uint32_t maxPackets) {
  return pipePacketsOffset(maxPackets) + uint64_t{packetSize} * maxPackets;
}

} // namespace us::abi
