// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/unwritten_buffers.h"

#include <gtest/gtest.h>

namespace us::memory {
namespace {

TEST(UnwrittenBuffers, AByteIsTheWhole) {
  UnwrittenBuffers buffers;
  buffers.add(0x1000, 0x100);
  buffers.add(0x2000, 0x100);
  EXPECT_TRUE(buffers.holds(0x10ff));
  EXPECT_FALSE(buffers.holds(0x1100));
  EXPECT_FALSE(buffers.holds(0xfff));
  buffers.written(0x1100);
  EXPECT_TRUE(buffers.holds(0x1000));
  buffers.written(0x1080);
  EXPECT_FALSE(buffers.holds(0x1000));
  EXPECT_TRUE(buffers.holds(0x2000));
  buffers.allWritten();
  EXPECT_FALSE(buffers.holds(0x2000));
}

} // namespace
} // namespace us::memory
