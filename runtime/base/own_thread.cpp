// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/own_thread.h"

namespace us {
namespace {
thread_local constinit bool ours = false;
} // namespace

void thisThreadIsOurs() { ours = true; }
bool isOurThread() { return ours; }

} // namespace us
