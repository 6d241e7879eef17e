// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `understudy info`: the devices and their facts, the options in force, the cache.
#pragma once

namespace us::install {

/// Prints the report to standard output, for a person or as JSON; the process's exit code.
int reportDevices(bool asJson);

} // namespace us::install
