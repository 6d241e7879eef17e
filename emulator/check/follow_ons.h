// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that follow from others of the same launch.
#pragma once

#include "emulator/check/launch_findings.h"

namespace us::check {

/// The same without those that follow from another one, which then has them. One follows
/// - from an access that was left out, if its value comes from there and its work-items are among those of the access;
/// - from a value that was never written, in the same place of the source;
/// - from a race about local memory, if it reads there what was not yet written;
/// - from a barrier that not all have come to, if it is about local memory of the same work-groups.
std::vector<CheckFinding> withFollowOns(std::vector<CheckFinding> all);

} // namespace us::check
