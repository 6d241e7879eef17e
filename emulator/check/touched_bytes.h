// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of global memory a launch touches, and how: for races between launches, and with other commands.
#pragma once

#include "emulator/abi/launch_checks.h"
#include "runtime/device/touched_range.h"

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace us::check {

class TouchedBytes {
public:
  void add(const abi::MemoryAccess &access);
  /// In order of addresses; bytes side by side that were touched in the same way are one range.
  std::vector<TouchedRange> ranges() const;

private:
  static constexpr uint64_t kPageBytes = 4096;
  struct Page {
    std::bitset<kPageBytes> read, written, atomic;
  };
  Page &pageOf(uint64_t number);

  std::map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t lastNumber_ = ~uint64_t(0);
  Page *lastPage_ = nullptr;
};

} // namespace us::check
