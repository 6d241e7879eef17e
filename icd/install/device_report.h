// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `understudy info`: the devices and their facts, the options in force, the cache.
#pragma once

#include <string>

namespace us::install {

/// Prints the report to standard output, for a person or as JSON; the process's exit code.
int reportDevices(bool asJson);

/// `--device list`: a line for each word that may be chosen.
int listKnownDevices();
/// True if `words`, separated by commas, may all be chosen; else names the wrong one on standard error.
bool areKnownDevices(const std::string &words);
/// The same of what `--devices` takes.
bool isDeviceChoice(const std::string &text);

} // namespace us::install
