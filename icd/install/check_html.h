// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks found as one page that needs nothing else: `--html`.
#pragma once

#include "icd/install/check_outcome.h"
#include "icd/install/check_report.h"

namespace us::install {

/// There is no script in it, and the page forbids any: names and source lines are other people's text.
std::string htmlOf(const CheckReport &report, const CheckOutcome &outcome);

} // namespace us::install
