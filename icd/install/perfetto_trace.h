// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "icd/install/timeline_file.h"

namespace us::install {

/// The events as a trace of Perfetto's (its protocol buffers, perfetto/trace/trace.proto): launches as render stages of
/// a GPU with their grids, a queue for each device of a process; all else on the thread that did it.
std::string perfettoTraceOf(const std::vector<TimedEvent> &events);

} // namespace us::install
