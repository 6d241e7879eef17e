// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/platform/test_session.h"

#include "emulator/device/engine.h"

#include <algorithm>
#include <string>

size_t understudySummary(char *into, size_t room) {
  const std::string text = us::emulator::summariesSoFar();
  if (into) std::copy_n(text.data(), std::min(room, text.size()), into);
  return text.size();
}

void understudyNumberLaunches(uint64_t next) { us::emulator::numberLaunchesFrom(next); }
