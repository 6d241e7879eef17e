// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing through pointers that a kernel gave, outside of any kernel.
#pragma once

#include <cstddef>

namespace us::exec {

/// False if there is no memory to read or to write; nothing faults, and what lies before that may have been written.
bool writeSafely(void *to, const void *from, size_t size);

} // namespace us::exec
