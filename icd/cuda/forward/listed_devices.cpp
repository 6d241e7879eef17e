// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/listed_devices.h"

#include "runtime/base/list_text.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace us::cuda {
namespace {

std::atomic<const std::vector<ListedDevice> *> theList{nullptr};
std::atomic<bool> areHidden{false};

} // namespace

DeviceList planDevices(std::span<const CudaSide> order, std::span<const int> counts, const char *visible) {
  std::vector<ListedDevice> all;
  for (size_t i = 0; i < order.size(); ++i)
    for (int number = 0; number < counts[i]; ++number) all.push_back({order[i], number});
  DeviceList list;
  if (!visible) {
    list.devices = std::move(all);
    return list;
  }
  std::vector<ListedDevice> chosen;
  int nextOfDriver = 0;
  for (std::string_view rest = visible; !rest.empty();) {
    const std::string item(takeItem(rest, ","));
    char *past = nullptr;
    const long number = std::strtol(item.c_str(), &past, 10);
    std::string ofDriver;
    if (past == item.c_str()) {
      // "GPU-…" and "MIG-…": devices by their UUID, which only the driver knows.
      ofDriver = item;
    } else {
      // "If one of the indices is invalid, only the devices whose index precedes it are visible."
      if (number < 0 || size_t(number) >= all.size()) break;
      const ListedDevice device = all[size_t(number)];
      if (std::ranges::find(chosen, device) != chosen.end()) break;
      chosen.push_back(device);
      if (device.side == CudaSide::Emulated) {
        list.devices.push_back(device);
        continue;
      }
      ofDriver = std::to_string(device.number);
    }
    // The driver numbers what it shows from 0.
    list.devices.push_back({CudaSide::Real, nextOfDriver++});
    list.visibleToDriver += (list.visibleToDriver.empty() ? "" : ",") + ofDriver;
  }
  return list;
}

std::vector<ListedDevice> shownDevices(std::vector<ListedDevice> planned, int realCount) {
  // Where the driver stopped, the list ends.
  const auto isMissing = [&](const ListedDevice &one) { return one.side == CudaSide::Real && one.number >= realCount; };
  planned.erase(std::ranges::find_if(planned, isMissing), planned.end());
  return planned;
}

std::span<const ListedDevice> listedDevices() {
  const std::vector<ListedDevice> *const list = theList.load(std::memory_order_acquire);
  return list ? std::span(*list) : std::span<const ListedDevice>();
}

// Lists are never destroyed: others may be reading them.

void listDevices(std::vector<ListedDevice> devices) {
  if (areHidden) std::erase_if(devices, [](const ListedDevice &one) { return one.side == CudaSide::Emulated; });
  if (areHidden) std::ranges::sort(devices, {}, &ListedDevice::number);
  theList.store(new std::vector<ListedDevice>(std::move(devices)), std::memory_order_release);
}

void hideEmulatedDevices() {
  areHidden = true;
  const std::span<const ListedDevice> list = listedDevices();
  if (!list.empty()) listDevices({list.begin(), list.end()});
}

const ListedDevice *listedDevice(CUdevice number) {
  const std::span<const ListedDevice> list = listedDevices();
  return number >= 0 && size_t(number) < list.size() ? &list[size_t(number)] : nullptr;
}

CUdevice listedNumber(CudaSide side, int number) {
  const std::span<const ListedDevice> list = listedDevices();
  const auto found = std::ranges::find(list, ListedDevice{side, number});
  return found == list.end() ? CU_DEVICE_INVALID : CUdevice(found - list.begin());
}

CUresult withListedNumber(CUresult result, CudaSide side, CUdevice *device) {
  if (result == CUDA_SUCCESS && device) *device = listedNumber(side, *device);
  return result;
}

int ownNumber(CudaSide side, int listed) {
  const ListedDevice *const device = listedDevice(listed);
  // Negative ones have a meaning of their own; what is beyond the list is beyond any side's.
  if (!device) return listed;
  return device->side == side ? device->number : INT_MAX;
}

} // namespace us::cuda
