// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/device_report.h"

#include "icd/install/vendors_directory.h"
#include "icd/platform/compose.h"
#include "runtime/base/cache_directory.h"
#include "runtime/base/options.h"
#include "runtime/base/private_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace us::install {
namespace {
namespace fs = std::filesystem;
// Facts stay in the order they are added: a report is read from top to bottom.
using Json = nlohmann::ordered_json;

std::string versionText(uint32_t version) {
  return std::to_string(version >> 22) + "." + std::to_string(version >> 12 & 0x3ff) + "." +
         std::to_string(version & 0xfff);
}

Json namedVersions(const std::vector<NamedVersion> &list) {
  Json result = Json::array();
  for (const NamedVersion &entry : list) result.push_back(entry.name + " " + versionText(entry.version));
  return result;
}

const char *typeName(DeviceType type) {
  constexpr const char *kNames[] = {"CPU", "GPU", "accelerator", "custom"};
  return kNames[static_cast<size_t>(type)];
}

Json factsOf(const DeviceInfo &info) {
  Json facts = {
      {"name", info.name},
      {"type", typeName(info.type)},
      {"vendor", info.vendor},
      {"version", info.version},
      {"OpenCL C", namedVersions(info.openclCVersions)},
      {"driver version", info.driverVersion},
      {"compute units", info.maxComputeUnits},
      {"max work-group size", info.maxWorkGroupSize},
      {"max work-item sizes", info.maxWorkItemSizes},
      {"sub-group size", info.subGroupSize},
      {"global memory, bytes", info.globalMemory},
      {"max allocation, bytes", info.maxAllocation},
      {"local memory, bytes", info.localMemory},
      {"constant buffer, bytes", info.maxConstantBuffer},
      {"max parameter size, bytes", info.maxParameterSize},
      {"printf buffer, bytes", info.printfBuffer},
      {"base address alignment, bits", info.baseAddressAlignBits},
      {"double precision", info.doubleFpConfig != 0},
      {"half precision", info.halfFpConfig != 0},
      {"images", info.images},
      {"SVM capabilities", info.svmCapabilities},
      {"native kernels", info.executesNativeKernels},
      {"out-of-order queues", info.outOfOrderQueues},
      {"conformance version passed",
       info.latestConformanceVersionPassed.empty() ? "none" : info.latestConformanceVersionPassed},
      {"extensions", namedVersions(info.extensions)},
      {"OpenCL C features", namedVersions(info.openclCFeatures)},
  };
  if (!info.profileName.empty()) {
    facts["pretends to be"] = info.profileName;
    facts["differences from the real device"] = info.differences;
  }
  return facts;
}

/// The disk cache: where it is and what it holds now.
Json cacheFacts() {
  const Options &chosen = options();
  const std::string directory = cacheDirectory(chosen);
  uint64_t files = 0, bytes = 0;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(directory, error); !error && at != fs::recursive_directory_iterator();
       at.increment(error))
    if (at->is_regular_file(error)) {
      ++files;
      bytes += at->file_size(error);
    }
  Json facts = {{"on", chosen.cache},
                {"directory", directory},
                {"entries", files},
                {"bytes", bytes},
                {"limit, bytes", chosen.cacheSize}};
  // A folder that is not there yet is made by whoever needs it.
  if (fs::exists(directory, error))
    if (const auto folder = PrivateFolder::open(directory); !folder) facts["not used"] = folder.error().message;
  return facts;
}

/// By library: who names it, what it says of itself, and whether it is used.
Json driverFacts() {
  Json facts = Json::object();
  for (const platform::DriverLine &driver : platform::drivers()) {
    Json one = {{"state", driver.state}};
    if (!driver.file.empty() && !driver.library.empty()) one["named by"] = driver.file;
    if (!driver.platforms.empty()) one["platforms"] = driver.platforms;
    if (!driver.devices.empty()) one["devices"] = driver.devices;
    facts[driver.library.empty() ? driver.file : driver.library] = one;
  }
  return facts;
}

Json optionFacts() {
  Json result;
  for (const OptionRow &row : optionRows()) {
    std::string variable = "UNDERSTUDY_" + std::string(row.name);
    const char *text = secure_getenv(variable.c_str());
    result[variable] = text ? text : "(default) " + std::string(row.defaultValue);
  }
  return result;
}

/// One fact a line; lists one entry a line below their name.
void print(const Json &value, int indent) {
  for (auto &[name, entry] : value.items()) {
    std::printf("%*s%s:", indent, "", name.c_str());
    if (entry.is_object()) {
      std::printf("\n");
      print(entry, indent + 2);
    } else if (entry.is_array() && !entry.empty() && entry[0].is_string()) {
      std::printf("\n");
      for (auto &line : entry) std::printf("%*s%s\n", indent + 2, "", line.get<std::string>().c_str());
    } else {
      std::printf(" %s\n", entry.is_string() ? entry.get<std::string>().c_str() : entry.dump().c_str());
    }
  }
}

} // namespace

int listKnownDevices() {
  for (const auto &[word, title] : platform::knownDevices()) std::printf("%-14s %s\n", word.c_str(), title.c_str());
  return 0;
}

bool areKnownDevices(const std::string &words) {
  const auto known = platform::knownDevices();
  std::istringstream rest(words);
  for (std::string word; std::getline(rest, word, ',');)
    if (std::ranges::find(known, word, &std::pair<std::string, std::string>::first) == known.end()) {
      std::fprintf(stderr, "understudy: there is no device '%s'; '--device list' shows those there are\n",
                   word.c_str());
      return false;
    }
  return true;
}

bool isDeviceChoice(const std::string &text) {
  const Expected<void> known = platform::checkDeviceChoice(text);
  if (!known) std::fprintf(stderr, "understudy: --devices: %s\n", known.error().message.c_str());
  return known.has_value();
}

int reportDevices(bool asJson) {
  Json report;
  Expected<std::string> library = icdLibrary();
  report["platform"] = {
      {"name", "Understudy"}, {"version", US_VERSION}, {"library", library ? *library : library.error().message}};
  unsigned number = 0;
  for (const Ref<Device> &device : platform::devices())
    report["device " + std::to_string(number++)] = factsOf(device->info());
  report["drivers of real devices"] = driverFacts();
  report["cache"] = cacheFacts();
  report["options"] = optionFacts();
  if (asJson)
    std::printf("%s\n", report.dump(1).c_str());
  else
    print(report, 0);
  if (number == 0) std::fprintf(stderr, "understudy: there is no device\n");
  return number == 0 ? 1 : 0;
}

} // namespace us::install
