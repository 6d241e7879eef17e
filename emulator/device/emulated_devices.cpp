// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_devices.h"

#include "emulator/device/code_target.h"
#include "emulator/device/compiler_library.h"
#include "emulator/device/emulated_device.h"
#include "emulator/device/partition.h"
#include "emulator/memory/address_space.h"
#include "emulator/profiles/profile.h"
#include "emulator/profiles/profile_data.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace us::emulator {

std::vector<Ref<Device>> createDevices(const Options &options) {
  const profiles::Machine machine = limitedTo(targetOf(options), profiles::machine());
  uint64_t bytes = profiles::deviceMemory(options, machine);
  memory::AddressSpace::placeBySeed(options.seed);
  auto engine = makeRef<Engine>(options, bytes);
  std::vector<Ref<Device>> devices;
  const std::vector<std::string> words = profiles::deviceWords(options);
  for (DeviceType type : profiles::deviceTypes(options)) {
    const auto index = static_cast<uint32_t>(devices.size());
    DeviceInfo info = profiles::defaultProfile(options, machine, type, index, bytes);
    if (!words.empty())
      if (auto other = profiles::pretend(words[std::min<size_t>(index, words.size() - 1)], info)) {
        info = *std::move(other);
        info.uuid[15] = static_cast<uint8_t>(index);
      }
    info.codeIdentity = codeIdentity(engine->target);
    info.checksArguments = engine->checks != nullptr;
    // Programs key caches of our binaries on this text: it changes whenever we would refuse an older binary.
    char build[20];
    std::snprintf(build, sizeof build, "-%08x", static_cast<unsigned>(std::hash<std::string>()(info.codeIdentity)));
    info.driverVersion += "." + std::to_string(abi::kCodeVersion) + build;
    if (info.profileName.empty()) info.driverVersion += " Understudy"; // a profile's has the name before the version
    info.compilerAvailable = info.linkerAvailable = !compilerPath().empty();
    bool allCores = info.maxComputeUnits == machine.cores;
    static const uint64_t domains = affinityDomains();
    info.affinityDomains = allCores && info.maxSubDevices ? domains : 0;
    // A real device's units are not our cores.
    unsigned maxThreads = info.profileName.empty() && info.maxComputeUnits < machine.cores ? info.maxComputeUnits : 0;
    devices.push_back(makeRef<EmulatedDevice>(engine, std::move(info), maxThreads));
  }
  for (const Ref<Device> &device : devices)
    for (const std::string &sentence : device->info().differences)
      if (logs(LogLevel::Debug)) log(LogLevel::Debug, device->info().profileName + ": " + sentence);
  for (const Ref<Device> &device : devices) engine->statistics.rememberDevice(device->info().name);
  if (engine->checks && !devices.empty()) engine->checks->deviceMade(devices.front()->info().name);
  summarizeAtExit(engine);
  endTimelineAtExit(engine);
  endChecksAtExit(engine);
  return devices;
}

Expected<void> checkTarget(const Options &options) { return checkExecutes(profiles::machine(), targetOf(options)); }

std::vector<std::pair<std::string, std::string>> knownDevices() {
  std::vector<std::pair<std::string, std::string>> lines{{"understudy", "our own device"}};
  for (const profiles::ProfileLine &line : profiles::profileLines()) lines.push_back({line.word, line.title});
  return lines;
}

} // namespace us::emulator
