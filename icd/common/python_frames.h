// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/device/call_site.h"

#include <vector>

namespace us::icd {

/// The lines at which a Python program is that runs on this thread, innermost first; none if there is no interpreter in
/// the process, or this thread does not hold its lock.
std::vector<ScriptLine> pythonFrames();

} // namespace us::icd
