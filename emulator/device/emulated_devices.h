// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the emulated devices. All that others need of this folder.
#pragma once

#include "runtime/base/options.h"
#include "runtime/device/device.h"

#include <string>
#include <utility>
#include <vector>

namespace us::emulator {

/// The devices the options ask for: at least one. They share one memory account. Opens neither compiler nor threads.
std::vector<Ref<Device>> createDevices(const Options &options);

/// InvalidValue if UNDERSTUDY_TARGET names a processor whose code this machine cannot execute: no program can be built.
Expected<void> checkTarget(const Options &options);

/// The words of UNDERSTUDY_DEVICE, and what each stands for.
std::vector<std::pair<std::string, std::string>> knownDevices();

} // namespace us::emulator
