// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts machine code of kernels into place without the compiler library: a kernel found in the disk cache then runs
// without 30 MB of it being opened. Knows what kernels' objects hold and nothing else; the compiler's own linker does
// the rest.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <cstddef>
#include <cstdint>

namespace us::emulator {

/// Code in place; the pages belong to whoever holds this.
struct LinkedCode {
  std::byte *pages = nullptr; ///< null: this linker cannot do it
  uint64_t size = 0;
  void *entry = nullptr;
  std::byte *codeBegin = nullptr, *codeEnd = nullptr;
};

/// Links a relocatable object into the code range. Gives nothing back if the object needs what it does not know
/// (another processor, writable data, other functions of the host than the memory functions).
LinkedCode linkObject(const abi::CodeData &code);
void unlinkObject(const LinkedCode &code);

} // namespace us::emulator
