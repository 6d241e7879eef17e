// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The policy: emulated devices only, as the options ask for them. (Real devices are a later issue; they go here.)
#include "icd/platform/compose.h"

#include "emulator/device/emulated_devices.h"
#include "runtime/base/options.h"

namespace us::platform {

const std::vector<Ref<Device>> &devices() {
  // Never destroyed: calls arrive during process exit, after static objects are gone.
  static const auto &list = *new std::vector<Ref<Device>>(emulator::createDevices(options()));
  return list;
}

std::vector<std::pair<std::string, std::string>> knownDevices() { return emulator::knownDevices(); }

} // namespace us::platform
