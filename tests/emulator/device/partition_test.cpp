// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/partition.h"

#include <gtest/gtest.h>
#include <numeric>
#include <unistd.h>

namespace us::emulator {
namespace {

DeviceInfo device(uint32_t units) {
  DeviceInfo info;
  info.maxComputeUnits = units;
  info.maxSubDevices = units > 1 ? units : 0;
  return info;
}

using Units = std::vector<uint32_t>;

TEST(Partition, EquallyLeavesTheRestUnused) {
  EXPECT_EQ(*partitionUnits(device(7), {PartitionKind::Equally, {3}, 0}), (Units{3, 3}));
  EXPECT_EQ(*partitionUnits(device(4), {PartitionKind::Equally, {4}, 0}), (Units{4}));
}

TEST(Partition, ByCountsMayLeaveUnitsUnused) {
  EXPECT_EQ(*partitionUnits(device(8), {PartitionKind::ByCounts, {1, 5}, 0}), (Units{1, 5}));
}

TEST(Partition, RefusesWhatCannotBe) {
  auto code = [](uint32_t units, Partition partition) { return partitionUnits(device(units), partition).error().code; };
  EXPECT_EQ(code(4, {PartitionKind::Equally, {5}, 0}), ErrorCode::DevicePartitionFailed);
  EXPECT_EQ(code(1, {PartitionKind::Equally, {1}, 0}), ErrorCode::DevicePartitionFailed);
  EXPECT_EQ(code(4, {PartitionKind::Equally, {0}, 0}), ErrorCode::InvalidValue);
  EXPECT_EQ(code(4, {PartitionKind::ByCounts, {3, 2}, 0}), ErrorCode::InvalidDevicePartitionCount);
  EXPECT_EQ(code(4, {PartitionKind::ByCounts, {1, 1, 1, 1, 1}, 0}), ErrorCode::InvalidDevicePartitionCount);
  EXPECT_EQ(code(4, {PartitionKind::ByCounts, {}, 0}), ErrorCode::InvalidValue);
  EXPECT_EQ(code(4, {PartitionKind::ByAffinityDomain, {}, 1}), ErrorCode::InvalidValue);
}

/// On whatever machine this runs: the parts are the cores, if it has such domains.
TEST(Partition, AffinityDomainsCoverTheCores) {
  uint64_t domains = affinityDomains();
  DeviceInfo info = device(static_cast<uint32_t>(std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)))));
  info.affinityDomains = domains;
  for (uint64_t bit = 1; bit <= 32; bit *= 2) {
    Expected<Units> parts = partitionUnits(info, {PartitionKind::ByAffinityDomain, {}, bit});
    if (!(domains & bit)) {
      EXPECT_EQ(parts.error().code, ErrorCode::InvalidValue);
    } else if (parts) {
      EXPECT_GE(parts->size(), 2u);
      EXPECT_EQ(std::accumulate(parts->begin(), parts->end(), 0u), info.maxComputeUnits);
    }
  }
}

} // namespace
} // namespace us::emulator
