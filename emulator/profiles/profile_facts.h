// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How each fact of a profile, by the name of its query, becomes a part of DeviceInfo.
#pragma once

#include "runtime/device/device_info.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace us::profiles {

using Json = nlohmann::json;

/// Sets what `fact` says in `info` as far as our own device `ours` can do it, and returns what is answered now.
using SetFact = Json (*)(DeviceInfo &info, const DeviceInfo &ours, const Json &fact);

/// Null if there is nothing of that name.
SetFact factNamed(std::string_view query);

/// Those of our formats that a profile names ("RGBA/UNORM_INT8"), in our order: programs take the first.
std::vector<ImageFormat> formatsAmong(const std::vector<ImageFormat> &ours, const Json &names);

} // namespace us::profiles
