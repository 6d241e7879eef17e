// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/partition.h"

#include <gtest/gtest.h>
#include <set>
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
using Cores = std::vector<int>;
using Parts = std::vector<DevicePart>;

Units unitsOf(uint32_t units, const Partition &partition, const Cores &cores = {}) {
  Units list;
  for (const DevicePart &part : *partitionDevice(device(units), cores, partition)) list.push_back(part.units);
  return list;
}

TEST(Partition, EquallyLeavesTheRestUnused) {
  EXPECT_EQ(unitsOf(7, {PartitionKind::Equally, {3}, 0}), (Units{3, 3}));
  EXPECT_EQ(unitsOf(4, {PartitionKind::Equally, {3}, 0}), (Units{3}));
}

TEST(Partition, ByCountsMayLeaveUnitsUnused) {
  EXPECT_EQ(unitsOf(8, {PartitionKind::ByCounts, {1, 5}, 0}), (Units{1, 5}));
}

TEST(Partition, RefusesWhatCannotBe) {
  auto code = [](uint32_t units, Partition partition) {
    return partitionDevice(device(units), {}, partition).error().code;
  };
  EXPECT_EQ(code(4, {PartitionKind::Equally, {5}, 0}), ErrorCode::InvalidDevicePartitionCount);
  EXPECT_EQ(code(4, {PartitionKind::Equally, {4}, 0}), ErrorCode::DevicePartitionFailed);
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
    Expected<Parts> parts = partitionDevice(info, {}, {PartitionKind::ByAffinityDomain, {}, bit});
    if (!(domains & bit)) {
      EXPECT_EQ(parts.error().code, ErrorCode::InvalidValue);
    } else if (parts) {
      EXPECT_GE(parts->size(), 2u);
      std::set<int> cores;
      for (const DevicePart &part : *parts) {
        EXPECT_EQ(part.units, part.cores.size());
        cores.insert(part.cores.begin(), part.cores.end());
      }
      EXPECT_EQ(cores.size(), info.maxComputeUnits);
    }
  }
}

TEST(Partition, PartsOfADeviceWithCoresShareThemOut) {
  Expected<Parts> parts = partitionDevice(device(3), Cores{4, 5, 9}, {PartitionKind::ByCounts, {2, 1}, 0});
  ASSERT_TRUE(parts);
  EXPECT_EQ((*parts)[0].cores, (Cores{4, 5}));
  EXPECT_EQ((*parts)[1].cores, (Cores{9}));
  EXPECT_TRUE(partitionDevice(device(3), {}, {PartitionKind::ByCounts, {2, 1}, 0})->front().cores.empty());
}

} // namespace
} // namespace us::emulator
