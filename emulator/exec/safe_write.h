// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing through a pointer that a kernel gave, outside of any kernel.
#pragma once

#include <cstddef>

namespace us::exec {

/// False if there is no memory that can be written; nothing faults.
bool writeSafely(void *to, const void *from, size_t size);

} // namespace us::exec
