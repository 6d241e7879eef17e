// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one command and waits for it, whichever thread of the device ends it.
#pragma once

#include "runtime/device/device.h"
#include "runtime/device/finding.h"

#include <optional>
#include <vector>

namespace us::compare {

/// How it went, to be told to somebody else.
struct RunOutcome {
  uint64_t begin = 0, end = 0;
  uint64_t codeAwaited = 0; ///< nanoseconds
  std::optional<uint64_t> ownPartEnded;
  std::vector<Finding> findings;
  Expected<void> result;
};

RunOutcome runAndWait(Device &device, const Command &command);

/// Tells an observer that has heard nothing yet.
void tell(CommandObserver &observer, RunOutcome outcome);

} // namespace us::compare
