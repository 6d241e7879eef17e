// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/extensions.h"

#include "icd/platform/compose.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace us::opencl {
namespace {

void addMissing(std::vector<NamedVersion> &into, const std::vector<NamedVersion> &from) {
  for (const NamedVersion &entry : from)
    if (!hasName(into, entry.name)) into.push_back(entry);
}

} // namespace

std::vector<NamedVersion> platformExtensions() {
  std::vector<NamedVersion> result{{"cl_khr_icd", CL_MAKE_VERSION(1, 0, 0)}}; // the platform's own
  const auto &devices = platform::devices();
  if (devices.empty()) return result;
  // "Each extension that is supported by all devices associated with this platform must be reported here."
  std::vector<NamedVersion> common = devices.front()->info().extensions;
  for (const Ref<Device> &device : devices)
    std::erase_if(common, [&](const NamedVersion &entry) { return !hasName(device->info().extensions, entry.name); });
  addMissing(result, common);
  return result;
}

std::string joinNames(const std::vector<NamedVersion> &list) {
  std::string result;
  for (const NamedVersion &entry : list) {
    if (!result.empty()) result += ' ';
    result += entry.name;
  }
  return result;
}

std::vector<cl_name_version> nameVersions(const std::vector<NamedVersion> &list) {
  std::vector<cl_name_version> result;
  for (const NamedVersion &entry : list) {
    cl_name_version row{};
    row.version = entry.version;
    std::strncpy(row.name, entry.name.c_str(), sizeof row.name - 1);
    result.push_back(row);
  }
  return result;
}

cl_version versionOf(const std::string &text) {
  unsigned major = 0, minor = 0;
  // "OpenCL 3.0 …" or "OpenCL C 1.2 …".
  if (size_t digits = text.find_first_of("0123456789"); digits != std::string::npos)
    std::sscanf(text.c_str() + digits, "%u.%u", &major, &minor);
  return CL_MAKE_VERSION(major, minor, 0);
}

} // namespace us::opencl
