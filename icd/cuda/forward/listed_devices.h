// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that a program sees where emulated and real ones are listed together, and their numbers.
#pragma once

#include "icd/cuda/api.h"
#include "icd/platform/compose.h"

#include <span>
#include <string>
#include <vector>

namespace us::cuda {

using platform::CudaSide;

struct ListedDevice {
  CudaSide side = CudaSide::Real;
  int number = 0; ///< of its side's own
  bool operator==(const ListedDevice &) const = default;
};

struct DeviceList {
  std::vector<ListedDevice> devices;
  std::string visibleToDriver; ///< what CUDA_VISIBLE_DEVICES shall say to the real driver
};
/// The list before the real driver was started: `counts` are how many devices each side of `order` has; `visible` is
/// what CUDA_VISIBLE_DEVICES says of the whole list, null where it is not set.
DeviceList planDevices(std::span<const CudaSide> order, std::span<const int> counts, const char *visible);
/// What is left of it once the driver has said how many devices it shows.
std::vector<ListedDevice> shownDevices(std::vector<ListedDevice> planned, int realCount);

/// The process's list: empty until cuInit has succeeded. It never changes but by hideEmulatedDevices.
std::span<const ListedDevice> listedDevices();
void listDevices(std::vector<ListedDevice> devices);
/// From now on the real driver's devices have its own numbers, and there are no others.
void hideEmulatedDevices();

/// The device with that number in the list; null for a number that no device has.
const ListedDevice *listedDevice(CUdevice number);
/// The device's number in the list; CU_DEVICE_INVALID if it is not there.
CUdevice listedNumber(CudaSide side, int number);
/// What a function of that side has answered which gives a device: now it is the device's number in the list.
CUresult withListedNumber(CUresult result, CudaSide side, CUdevice *device);
/// A number for that side: its own for a device of its, none's for another one. Numbers that no device has stay.
int ownNumber(CudaSide side, int listed);

} // namespace us::cuda
