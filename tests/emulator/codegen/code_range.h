// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable memory for tests: pages from the system.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <sys/mman.h>

namespace us::test {

inline abi::CodeMemory systemCodeMemory() {
  abi::CodeMemory memory;
  memory.allocate = [](void *, uint64_t size) {
    void *pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : static_cast<std::byte *>(pages);
  };
  memory.makeExecutable = [](void *, std::byte *begin, uint64_t size) {
    return mprotect(begin, size, PROT_READ | PROT_EXEC) == 0;
  };
  memory.release = [](void *, std::byte *begin, uint64_t size) { munmap(begin, size); };
  return memory;
}

} // namespace us::test
