// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pretended device says of itself.
#pragma once

#include "emulator/profiles/machine.h"
#include "runtime/base/options.h"
#include "runtime/device/device_info.h"

#include <vector>

namespace us::profiles {

/// Bytes that all emulated devices together may use: the option, or the default profile's size, but never more than
/// 80 % of what the machine allows.
uint64_t deviceMemory(const Options &options, const Machine &machine);

/// What each emulated device pretends to be: the option's list, its last entry repeated for the devices beyond it;
/// empty if the option is, and "understudy" for our own device. A word that is unknown is reported once and stands for
/// ours.
std::vector<std::string> deviceWords(const Options &options);

/// The type of each emulated device: the option's list, its last entry repeated for the devices beyond it.
/// A word that is no type is reported once and stands for gpu.
std::vector<DeviceType> deviceTypes(const Options &options);

/// The default device's facts. `memory` is deviceMemory's. codeIdentity is left empty.
DeviceInfo defaultProfile(const Options &options, const Machine &machine, DeviceType type, uint32_t index,
                          uint64_t memory);

/// What follows from the version of OpenCL that `info` says, its extensions and its features: no newer OpenCL C,
/// nothing of features that are not there, and what modules of SPIR-V may use.
void settleVersion(DeviceInfo &info);

/// The version in "OpenCL 3.0 ..."; as NamedVersion has it.
uint32_t versionIn(std::string_view text);

/// Extensions of the language that programs for such a device have: those it names, and what reads depth images if it
/// has formats of them. NVIDIA's driver has these, reads them and names no extension.
std::vector<std::string> languageExtensions(const DeviceInfo &info);

/// Version of the whole, as the strings show it.
const char *versionText();

} // namespace us::profiles
