// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What UNDERSTUDY_DIFF and its companions say: with what launches are compared, and how.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/options.h"
#include "runtime/compare/compare_devices.h"

namespace us::platform {

struct ComparisonChoice {
  /// Launches of real devices run on an emulated one, too.
  bool ofReal = false;
  /// Launches of emulated devices run on others, too, that are made from the options in `candidate`.
  bool ofEmulated = false;
  Options candidate;
  compare::ComparisonRules rules;
};

/// InvalidValue says what was asked and what is accepted.
Expected<ComparisonChoice> parseComparison(const Options &options);

/// Each of the devices, compared with the candidate of its place, or with the last one.
std::vector<Ref<Device>> compared(const std::vector<Ref<Device>> &references,
                                  const std::vector<Ref<Device>> &candidates, const compare::ComparisonRules &rules);

} // namespace us::platform
