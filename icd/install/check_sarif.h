// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks found as SARIF 2.1.0 (OASIS), with what code hosts demand of it: `--sarif`.
#pragma once

#include "icd/install/check_outcome.h"
#include "icd/install/check_report.h"

namespace us::install {

/// Files below `root` get paths from there on. Findings that are suppressed are left out: not all hosts would hide
/// them.
std::string sarifOf(const CheckReport &report, const CheckOutcome &outcome, const std::string &root);

/// The folder from which a code host counts paths: the one of the repository that holds `folder`, or itself.
std::string sourceRootOf(const std::string &folder);

} // namespace us::install
