// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/checked_transfer.h"

#include "emulator/exec/safe_write.h"

#include <algorithm>
#include <vector>

namespace us::emulator {
namespace {

Expected<void> noMemory(const char *what, const std::byte *at) {
  char address[2 + 16 + 1];
  std::snprintf(address, sizeof address, "%#lx", reinterpret_cast<unsigned long>(at));
  return fail(ErrorCode::KernelFault,
              std::string("a ") + what + " that a kernel asked for goes where there is no memory, at " + address);
}

} // namespace

Expected<void> runChecked(const CopyCommand &copy) {
  for (uint64_t z = 0; z < copy.region[2]; ++z)
    for (uint64_t y = 0; y < copy.region[1]; ++y) {
      std::byte *to = copy.to + copy.toLayout.offset + z * copy.toLayout.slicePitch + y * copy.toLayout.rowPitch;
      const std::byte *from =
          copy.from + copy.fromLayout.offset + z * copy.fromLayout.slicePitch + y * copy.fromLayout.rowPitch;
      if (!exec::writeSafely(to, from, copy.region[0])) return noMemory("copy", to);
    }
  return {};
}

Expected<void> runChecked(const FillCommand &fill) {
  constexpr uint64_t kMost = 1 << 20;
  std::vector<std::byte> piece(std::min(fill.size, kMost / fill.patternSize * fill.patternSize));
  for (uint64_t at = 0; at < piece.size(); ++at) piece[at] = fill.pattern[at % fill.patternSize];
  for (uint64_t row = 0; row < fill.rows * fill.slices; ++row) {
    std::byte *to = fill.to + row / fill.rows * fill.slicePitch + row % fill.rows * fill.rowPitch;
    for (uint64_t done = 0; done < fill.size; done += piece.size())
      if (!exec::writeSafely(to + done, piece.data(), std::min<uint64_t>(piece.size(), fill.size - done)))
        return noMemory("fill", to + done);
  }
  return {};
}

} // namespace us::emulator
