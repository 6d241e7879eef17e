// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the API's functions were called, for UNDERSTUDY_TIMELINE: a line of JSON for each call, as devices write theirs.
#pragma once

#include <cstdint>

namespace us::icd {

/// The call of `function` on this thread has ended now. Never throws: where there is no memory, nothing is noted.
void noteCall(const char *function, uint64_t began) noexcept;

} // namespace us::icd
