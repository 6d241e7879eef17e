// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel may touch through a pointer of which no more is known than its address.
#pragma once

#include "emulator/abi/bounds.h"

namespace us::memory {

/// The live allocation that holds the address or is near it; nothing where there is none, nor by a null pointer. Of the
/// host's memory nobody knows how large it is, of a stack nobody knows whose frame it is; constants lie beside machine
/// code, all of which is one.
abi::Bounds boundsAt(uint64_t address);

} // namespace us::memory
