// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where the program called: kept as addresses, so that looking costs some microseconds and knowing is left to
// whoever tells of it.
#pragma once

#include "runtime/device/call_site.h"

namespace us::icd {

/// Of the call in progress on this thread, by which the program has come to `call` (a text that lives for ever). An
/// interpreter is asked only if this thread has it, so that nobody is waited for.
const CallSite *callSite(const char *call);

} // namespace us::icd
