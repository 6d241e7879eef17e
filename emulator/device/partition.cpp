// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affinity comes from the kernel's own files: a topology library would cost more at start than all else.
#include "emulator/device/partition.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sched.h>
#include <string>

namespace us::emulator {
namespace {

/// Bits of cl_device_affinity_domain.
enum : uint64_t { kNuma = 1, kCache4 = 2, kCache3 = 4, kCache2 = 8, kCache1 = 16, kNextPartitionable = 32 };

constexpr struct {
  uint64_t bit;
  int level;
} kCaches[] = {{kCache4, 4}, {kCache3, 3}, {kCache2, 2}, {kCache1, 1}};

std::string lineOf(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The text that names the cores which share a core's domain ("0-3"); empty if the machine does not say.
std::string domainOf(int core, uint64_t bit) {
  std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(core);
  std::error_code error;
  if (bit == kNuma) {
    for (auto &entry : std::filesystem::directory_iterator(folder, error))
      if (std::string name = entry.path().filename(); name.starts_with("node")) return name;
    return {};
  }
  for (int index = 0; index < 8; ++index) {
    std::string cache = folder + "/cache/index" + std::to_string(index);
    std::string level = lineOf(cache + "/level");
    if (level.empty()) return {};
    if (lineOf(cache + "/type") == "Instruction") continue;
    for (auto &row : kCaches)
      if (row.bit == bit && level == std::to_string(row.level)) return lineOf(cache + "/shared_cpu_list");
  }
  return {};
}

std::vector<int> ourCores() {
  std::vector<int> cores;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

Expected<std::vector<DevicePart>> byAffinity(const DeviceInfo &device, std::span<const int> given, uint64_t domain) {
  // "CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE: Split the device along the next partitionable affinity domain", in
  // the order NUMA, L4, L3, L2, L1.
  if (domain == kNextPartitionable) domain = device.affinityDomains & -device.affinityDomains;
  if (!std::has_single_bit(domain) || !(device.affinityDomains & domain))
    return fail(ErrorCode::InvalidValue, "the machine has no several affinity domains of the kind asked for");
  const std::vector<int> cores = given.empty() ? ourCores() : std::vector<int>(given.begin(), given.end());
  std::map<std::string, DevicePart> parts;
  for (int core : cores) {
    DevicePart &part = parts[domainOf(core, domain)];
    part.cores.push_back(core);
    ++part.units;
  }
  if (parts.size() < 2 || parts.contains("") || cores.size() != device.maxComputeUnits)
    return fail(ErrorCode::DevicePartitionFailed, "the cores of this process changed meanwhile");
  std::vector<DevicePart> list;
  list.reserve(parts.size());
  for (auto &[name, part] : parts) list.push_back(std::move(part));
  return list;
}

Expected<std::vector<uint32_t>> unitsOf(const DeviceInfo &device, const Partition &partition) {
  uint32_t units = device.maxComputeUnits;
  if (partition.counts.empty()) return fail(ErrorCode::InvalidValue, "no number of compute units is given");
  if (partition.kind == PartitionKind::Equally) {
    uint32_t each = partition.counts.front();
    if (each == 0) return fail(ErrorCode::InvalidValue, "sub-devices of 0 compute units are asked for");
    const std::string asked = "sub-devices of " + std::to_string(each) +
                              " compute units are asked for, the device has " + std::to_string(units);
    // "CL_INVALID_DEVICE_PARTITION_COUNT if ... the total number of compute units requested exceeds
    // CL_DEVICE_MAX_COMPUTE_UNITS for in_device"
    if (each > units) return fail(ErrorCode::InvalidDevicePartitionCount, asked);
    // "Split the aggregate device into as many smaller aggregate devices as can be created": one with all compute units
    // is not smaller. "CL_DEVICE_PARTITION_FAILED if ... in_device could not be further partitioned."
    if (device.maxSubDevices == 0 || each == units) return fail(ErrorCode::DevicePartitionFailed, asked);
    return std::vector<uint32_t>(units / each, each);
  }
  // "CL_INVALID_DEVICE_PARTITION_COUNT if … the number of sub-devices requested exceeds
  // CL_DEVICE_PARTITION_MAX_SUB_DEVICES or the total number of compute units requested exceeds
  // CL_DEVICE_MAX_COMPUTE_UNITS for in_device".
  uint64_t sum = std::accumulate(partition.counts.begin(), partition.counts.end(), uint64_t{0});
  if (partition.counts.size() > std::max(device.maxSubDevices, 1u) || sum > units)
    return fail(ErrorCode::InvalidDevicePartitionCount,
                std::to_string(partition.counts.size()) + " sub-devices with " + std::to_string(sum) +
                    " compute units are asked for, the device has " + std::to_string(units));
  if (device.maxSubDevices == 0) return fail(ErrorCode::DevicePartitionFailed, "one compute unit cannot be divided");
  for (uint32_t count : partition.counts)
    if (count == 0) return fail(ErrorCode::InvalidDevicePartitionCount, "a sub-device of 0 compute units is asked for");
  return partition.counts;
}

} // namespace

uint64_t affinityDomains(std::span<const int> given) {
  const std::vector<int> cores = given.empty() ? ourCores() : std::vector<int>(given.begin(), given.end());
  uint64_t domains = 0;
  for (uint64_t bit : {kNuma, kCache4, kCache3, kCache2, kCache1}) {
    // The first and the last core tell whether there are several; looking at all would make listing devices slow.
    if (cores.size() < 2) break;
    std::string first = domainOf(cores.front(), bit), last = domainOf(cores.back(), bit);
    if (!first.empty() && !last.empty() && first != last) domains |= bit;
  }
  return domains ? domains | kNextPartitionable : 0;
}

Expected<std::vector<DevicePart>> partitionDevice(const DeviceInfo &device, std::span<const int> cores,
                                                  const Partition &partition) {
  if (partition.kind == PartitionKind::ByAffinityDomain) return byAffinity(device, cores, partition.affinityDomain);
  US_TRY(std::vector<uint32_t> units, unitsOf(device, partition));
  std::vector<DevicePart> parts;
  size_t taken = 0;
  for (uint32_t count : units) {
    DevicePart part{count, {}};
    // A part of a device that has cores of its own has some of them.
    for (uint32_t i = 0; i < count && taken < cores.size(); ++i) part.cores.push_back(cores[taken++]);
    parts.push_back(std::move(part));
  }
  return parts;
}

} // namespace us::emulator
