// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files. Not by std::fstream, which brings half a megabyte of locales to each library that libstdc++ is linked
// into.
#pragma once

#include "runtime/base/expected.h"

#include <string>
#include <string_view>

namespace us {

/// The bytes of a file, or of what comes through a pipe until its end. InvalidValue, with the system's reason.
Expected<std::string> readFile(const std::string &path);
/// Makes the file or replaces what is in it. OutOfResources, with the system's reason; what is in the file is then
/// anything.
Expected<void> writeFile(const std::string &path, std::string_view content);

} // namespace us
