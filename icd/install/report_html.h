// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "icd/install/timeline_file.h"

#include <string>
#include <vector>

namespace us::install {

/// A page that needs nothing but a browser: the kernels of `events` by the time they took, and how they ran; with what
/// the launches of `counted` that counted say of each line of their sources.
std::string htmlReportOf(const std::vector<std::string> &program, int exitCode, const std::vector<TimedEvent> &events,
                         const std::vector<TimedEvent> &counted);

} // namespace us::install
