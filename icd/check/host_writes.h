// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program itself writes to memory that it shares with devices, without telling anybody. Its accesses cannot be
// seen; so the memory is copied, and compared with the copy while nothing else may have written it.
#pragma once

#include "runtime/device/touched_range.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace us::icd {

/// Memory that the program can write whenever it likes.
struct HostRegion {
  uint64_t begin = 0, end = 0;
  bool isPrograms = false; ///< made by the program, which may share it with other processes
};

class HostWrites {
public:
  /// From now on nobody but the program writes there. Of much memory only the beginning is kept.
  void keep(const HostRegion &region);
  /// What has changed since it was kept, or since the last call.
  std::vector<TouchedRange> take();
  /// Others may write.
  void drop();

private:
  struct Kept {
    HostRegion region;
    std::byte *bytes = nullptr; ///< in room_
  };
  std::vector<Kept> kept_;
  std::unique_ptr<std::byte[]> room_; ///< made when first used, and used again
  uint64_t size_ = 0;                 ///< of what is used
};

} // namespace us::icd
