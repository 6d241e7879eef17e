// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks found, for a program: `--json`.
#pragma once

#include "icd/install/check_outcome.h"
#include "icd/install/check_report.h"

namespace us::install {

std::string jsonOf(const CheckReport &report, const CheckOutcome &outcome);

} // namespace us::install
