// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic additions of floating-point numbers in one launch whose result depends on their order.
#pragma once

#include "emulator/abi/launch_checks.h"
#include "emulator/check/item_set.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace us::check {

/// All that was added at one place of the source.
struct OrderedSum {
  const char *site = nullptr;
  uint64_t address = 0; ///< of the first sum that depends on its order
  uint32_t bytes = 0;
  uint64_t sums = 0; ///< how many there are
  ItemSet items;     ///< that add to them
};

/// A sum depends on its order where several work-items add different numbers to it, where it has at least three terms,
/// of which what was there before is one, and where an addition was not exact. Sums that were exact in the order of
/// this run are not told, though they may be inexact in another one.
class FloatSums {
public:
  void added(uint64_t group, uint64_t item, const abi::FloatAddition &addition);
  std::vector<OrderedSum> take() const;

private:
  struct Sum {
    const char *site = nullptr;
    uint64_t group = 0, item = 0;
    double first = 0; ///< that is not zero
    uint32_t bytes = 0, terms = 0;
    bool several = false, different = false, inexact = false;
    ItemSet items = {};
  };
  std::map<uint64_t, Sum> sums_; ///< by address
};

} // namespace us::check
