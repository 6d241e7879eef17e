// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which side answers a call where both are there: routes.def says how a function's arguments tell.
#pragma once

#include "icd/cuda/forward/call_frame.h"
#include "icd/cuda/table.h"

namespace us::cuda {

/// The rows of routes.def become the table's; called once, before routedTarget.
void readRoutes();
/// Who answers. Numbers of devices among the arguments become those of that side.
void *routedTarget(TableRow &function, CallFrame &frame);

} // namespace us::cuda
