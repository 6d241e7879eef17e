// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices of the driver that these tests take for a real one: it is ours a second time, alone with a runtime of its
// own in a library of another file name, and forwards to nobody. US_TEST_REAL_CUDA says which devices it pretends to
// have ("t4,v100"); like a real driver it shows those of them that CUDA_VISIBLE_DEVICES names.
#include "emulator/device/emulated_devices.h"
#include "icd/platform/compose.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace us::platform {
namespace {

std::vector<Ref<Device>> makeDevices() {
  Options asked = options();
  const char *const words = std::getenv("US_TEST_REAL_CUDA");
  asked.device = words ? words : "";
  asked.devices = static_cast<uint64_t>(std::ranges::count(asked.device, ',') + 1);
  asked.memory = uint64_t(1) << 30;
  std::vector<Ref<Device>> all = emulator::createDevices(asked);
  const char *rest = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!rest) return all;
  std::vector<Ref<Device>> visible;
  for (char *end = nullptr;; rest = end + 1) {
    const long number = std::strtol(rest, &end, 10);
    // "Devices that appear after an invalid index are not visible."
    if (end == rest || number < 0 || size_t(number) >= all.size()) return visible;
    visible.push_back(all[size_t(number)]);
    if (*end != ',') return visible;
  }
}

} // namespace

const std::vector<Ref<Device>> &emulatedDevices() {
  static const auto &devices = *new std::vector<Ref<Device>>(makeDevices());
  return devices;
}

} // namespace us::platform
