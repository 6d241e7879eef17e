// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/touched_bytes.h"

#include <gtest/gtest.h>

namespace us::check {
namespace {

using abi::AccessKind;

abi::MemoryAccess access(uint64_t address, uint64_t bytes, AccessKind kind) {
  abi::MemoryAccess one;
  one.address = address;
  one.bytes = bytes;
  one.kind = kind;
  return one;
}

TEST(TouchedBytes, AreRangesOfBytesThatWereTouchedInTheSameWay) {
  TouchedBytes touched;
  for (uint64_t at = 8; at < 4104; at += 4) touched.add(access(at, 4, AccessKind::Read)); // over a page's end
  touched.add(access(4100, 8, AccessKind::Write));
  touched.add(access(100'000, 4, AccessKind::AtomicUpdate));
  const std::vector<TouchedRange> ranges = touched.ranges();
  ASSERT_EQ(ranges.size(), 4u);
  const auto is = [](const TouchedRange &range, uint64_t begin, uint64_t end, bool reads, bool writes, bool isAtomic) {
    return range.begin == begin && range.end == end && range.reads == reads && range.writes == writes &&
           range.isAtomic == isAtomic;
  };
  EXPECT_TRUE(is(ranges[0], 8, 4100, true, false, false));
  EXPECT_TRUE(is(ranges[1], 4100, 4104, true, true, false));
  EXPECT_TRUE(is(ranges[2], 4104, 4108, false, true, false));
  EXPECT_TRUE(is(ranges[3], 100'000, 100'004, false, false, true));
}

} // namespace
} // namespace us::check
