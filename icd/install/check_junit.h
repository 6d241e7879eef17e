// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks found, for what shows results of tests: `--junit`.
#pragma once

#include "icd/install/check_outcome.h"
#include "icd/install/check_report.h"

namespace us::install {

/// A test case for each kernel, one for the host's calls if something was found there, and one for the program as a
/// whole.
std::string junitOf(const CheckReport &report, const CheckOutcome &outcome);

} // namespace us::install
