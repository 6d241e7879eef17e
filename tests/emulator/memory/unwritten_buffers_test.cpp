// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/unwritten_buffers.h"

#include "emulator/memory/address_space.h"
#include "emulator/memory/shadow.h"

#include <gtest/gtest.h>

#include <cstring>

namespace us::memory {
namespace {

/// A buffer of the process's range, which `buffers` know of.
class Made {
public:
  Made(UnwrittenBuffers &buffers, uint64_t size)
      : buffers_(buffers), begin_(AddressSpace::instance().allocate(RangeKind::Buffer, size)) {
    buffers.add(at(0), size);
  }
  ~Made() {
    buffers_.remove(at(0));
    AddressSpace::instance().release(begin_);
  }
  uint64_t at(uint64_t byte) const { return reinterpret_cast<uint64_t>(begin_) + byte; }

private:
  UnwrittenBuffers &buffers_;
  std::byte *begin_;
};

using Range = std::pair<uint64_t, uint64_t>;

TEST(UnwrittenBuffers, KnowsThoseThatNobodyHasWritten) {
  UnwrittenBuffers buffers;
  EXPECT_FALSE(buffers.isAny());
  Made first(buffers, 0x100), second(buffers, 0x100);
  EXPECT_TRUE(buffers.holds(first.at(0xff)));
  EXPECT_FALSE(buffers.holds(first.at(0x100)));
  buffers.written(first.at(0x80));
  EXPECT_FALSE(buffers.holds(first.at(0)));
  EXPECT_TRUE(buffers.holds(second.at(0)));
  buffers.allWritten();
  EXPECT_FALSE(buffers.isAny());
}

TEST(UnwrittenBuffers, KnowsWhichBytesWereWritten) {
  UnwrittenBuffers buffers;
  Made buffer(buffers, 100);
  buffers.written(buffer.at(0), 40);
  EXPECT_FALSE(buffers.holds(buffer.at(0)));
  EXPECT_TRUE(buffers.isPartly(buffer.at(0)));
  EXPECT_EQ(buffers.firstUnwritten(buffer.at(50)), Range(40, 100));
  buffers.written(buffer.at(60), 1000);
  EXPECT_EQ(buffers.firstUnwritten(buffer.at(0)), Range(40, 60));
  buffers.written(buffer.at(40), 20);
  EXPECT_FALSE(buffers.isAny());
}

TEST(UnwrittenBuffers, LargeOnesCostLittle) {
  constexpr uint64_t kSize = (uint64_t(1) << 34) + 5;
  UnwrittenBuffers buffers;
  Made buffer(buffers, kSize);
  buffers.written(buffer.at(kSize - 1), 1);
  EXPECT_TRUE(buffers.isPartly(buffer.at(0)));
  EXPECT_NE(*reinterpret_cast<const uint8_t *>(Shadow::instance().ofShared(buffer.at(kSize - 2))), 0);
  EXPECT_EQ(*reinterpret_cast<const uint8_t *>(Shadow::instance().ofShared(buffer.at(kSize - 1))), 0);
  buffers.written(buffer.at(0), kSize - 1);
  EXPECT_FALSE(buffers.isAny());
}

TEST(UnwrittenBuffers, ACopyTakesItAlong) {
  UnwrittenBuffers buffers;
  Made from(buffers, 100), to(buffers, 100);
  buffers.written(from.at(0), 50);
  buffers.written(to.at(0));
  buffers.copied(to.at(20), from.at(40), 20);
  EXPECT_EQ(buffers.firstUnwritten(to.at(0)), Range(30, 40));
  buffers.copied(to.at(30), from.at(0), 10);
  EXPECT_FALSE(buffers.isPartly(to.at(0)));
}

TEST(UnwrittenBuffers, AKernelSaysWhatItWrites) {
  UnwrittenBuffers buffers;
  Made buffer(buffers, 64);
  EXPECT_EQ(buffers.shadowOf(buffer.at(8), false), Shadow::placeOfNone(false));
  buffers.follow(buffer.at(0));
  std::memset(reinterpret_cast<void *>(buffers.shadowOf(buffer.at(0), true)), 0, 60);
  buffers.settle(buffer.at(0));
  EXPECT_EQ(buffers.firstUnwritten(buffer.at(0)), Range(60, 64));
  std::memset(reinterpret_cast<void *>(buffers.shadowOf(buffer.at(60), true)), 0, 4);
  buffers.settle(buffer.at(0));
  EXPECT_FALSE(buffers.isAny());
}

} // namespace
} // namespace us::memory
