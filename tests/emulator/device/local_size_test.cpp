// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/local_size.h"

#include <gtest/gtest.h>

namespace us::emulator {
namespace {

DeviceInfo device(uint32_t units = 2) {
  DeviceInfo info;
  info.maxWorkGroupSize = 1024;
  info.maxWorkItemSizes = {1024, 1024, 1024};
  info.maxComputeUnits = units;
  return info;
}

uint64_t items(const Size3 &local) { return local[0] * local[1] * local[2]; }

TEST(LocalSize, UniformGroupsDivideTheRange) {
  KernelInfo kernel;
  kernel.usesWorkGroupShape = kernel.uniformWorkGroups = true;
  for (uint64_t x : {1, 2, 3, 31, 64, 100, 1000, 1009, 1 << 20})
    for (uint64_t y : {1, 5, 64, 77}) {
      Size3 local = chooseLocalSize(kernel, device(), 2, {x, y, 1});
      EXPECT_EQ(x % local[0], 0u) << x;
      EXPECT_EQ(y % local[1], 0u) << y;
      EXPECT_LE(items(local), 1024u);
    }
}

TEST(LocalSize, LargeRangesGetLargeGroups) {
  KernelInfo kernel;
  kernel.usesWorkGroupShape = true;
  EXPECT_EQ(chooseLocalSize(kernel, device(), 1, {1 << 20, 1, 1}), (Size3{256, 1, 1}));
  // A prime size: uneven groups, not groups of one.
  EXPECT_GE(items(chooseLocalSize(kernel, device(), 1, {16777213, 1, 1})), 64u);
  // Enough groups for all cores.
  Size3 few = chooseLocalSize(kernel, device(16), 1, {1024, 1, 1});
  EXPECT_GE(1024 / few[0], 16u);
}

TEST(LocalSize, AttributesDecide) {
  KernelInfo kernel;
  kernel.requiredWorkGroupSize = {7, 3, 1};
  EXPECT_EQ(chooseLocalSize(kernel, device(), 2, {70, 30, 1}), (Size3{7, 3, 1}));
  kernel.requiredWorkGroupSize = {0, 0, 0};
  kernel.workGroupSizeHint = {10, 1, 1};
  EXPECT_EQ(chooseLocalSize(kernel, device(), 1, {1000, 1, 1}), (Size3{10, 1, 1}));
  // A hint that does not fit is none.
  EXPECT_NE(chooseLocalSize(kernel, device(), 1, {1001, 1, 1}), (Size3{10, 1, 1}));
}

TEST(LocalSize, AnyNumberIsASize) {
  KernelInfo kernel;
  for (uint64_t size : {UINT64_MAX, (uint64_t{1} << 63) + 1, uint64_t{1} << 63})
    for (const Size3 &range : {Size3{size, 1, 1}, Size3{3, size, size}}) {
      for (const Size3 &local :
           {internalLocalSize(kernel, device(), 3, range), chooseLocalSize(kernel, device(), 3, range)}) {
        EXPECT_GE(items(local), 1u) << size;
        EXPECT_LE(items(local), 1024u) << size;
      }
    }
}

TEST(LocalSize, NobodySeesAnInvisibleShape) {
  KernelInfo kernel;
  EXPECT_TRUE(shapeIsInvisible(kernel));
  for (bool KernelInfo::*use :
       {&KernelInfo::usesWorkGroupShape, &KernelInfo::usesBarrier, &KernelInfo::usesSubGroupSync,
        &KernelInfo::usesLocalMemory, &KernelInfo::usesExchange}) {
    KernelInfo visible;
    visible.*use = true;
    EXPECT_FALSE(shapeIsInvisible(visible));
  }
  EXPECT_EQ(items(internalLocalSize(kernel, device(), 1, {16777213, 1, 1})), 256u);
  // Small ranges share one shape.
  EXPECT_EQ(internalLocalSize(kernel, device(), 1, {1, 1, 1}), internalLocalSize(kernel, device(), 1, {700, 1, 1}));
  // A narrow range is filled from the next dimension.
  EXPECT_EQ(internalLocalSize(kernel, device(), 2, {16, 1 << 20, 1}), (Size3{16, 16, 1}));
  EXPECT_LE(items(internalLocalSize(kernel, device(), 3, {3, 5, 7})), 1024u);
}

TEST(LocalSize, RowsGoRoundALoopTogether) {
  KernelInfo kernel;
  EXPECT_EQ(internalLocalSize(kernel, device(), 2, {1024, 1024, 1}), (Size3{256, 1, 1}));
  kernel.hasLoops = true;
  EXPECT_EQ(internalLocalSize(kernel, device(), 2, {1024, 1024, 1}), (Size3{128, 4, 1}));
  EXPECT_EQ(internalLocalSize(kernel, device(), 2, {1 << 20, 1, 1}), (Size3{256, 1, 1}));
  EXPECT_EQ(internalLocalSize(kernel, device(), 1, {1 << 20, 1, 1}), (Size3{256, 1, 1}));
}

} // namespace
} // namespace us::emulator
