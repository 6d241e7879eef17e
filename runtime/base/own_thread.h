// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which threads are the runtime's own. They block the host's signals; what else their signal mask holds is ours to
// choose once, while the mask of an application's thread must be as it was after every call.
#pragma once

namespace us {

/// Called once by a thread that the runtime has started.
void thisThreadIsOurs();
bool isOurThread();

} // namespace us
