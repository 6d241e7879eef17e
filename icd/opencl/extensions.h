// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of extensions and versions as the queries return them.
#pragma once

#include "icd/opencl/cl.h"
#include "runtime/device/device_info.h"

#include <string>
#include <vector>

namespace us::opencl {

/// The platform's own extensions and those that every device has.
std::vector<NamedVersion> platformExtensions();

/// "a b c", as the string queries have it.
std::string joinNames(const std::vector<NamedVersion> &list);
/// As the _WITH_VERSION queries have it.
std::vector<cl_name_version> nameVersions(const std::vector<NamedVersion> &list);
/// The version of "OpenCL 3.0 …" or "OpenCL C 1.2 …".
cl_version versionOf(const std::string &text);

} // namespace us::opencl
