// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code in the JIT's range, written by hand: what only generated code may do (to be interrupted, for one).
#pragma once

#include "emulator/memory/address_space.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace us::exec {

template <class Entry = void (*)(void)> Entry makeCode(std::initializer_list<uint8_t> bytes) {
  auto &space = memory::AddressSpace::instance();
  std::byte *code = space.allocateCode(bytes.size());
  std::ranges::transform(bytes, code, [](uint8_t byte) { return std::byte{byte}; });
  memory::AddressSpace::makeExecutable(code, bytes.size());
  return reinterpret_cast<Entry>(code);
}

/// jmp .
inline const std::initializer_list<uint8_t> kEndlessLoop = {0xeb, 0xfe};
/// ud2
inline const std::initializer_list<uint8_t> kTrapInstruction = {0x0f, 0x0b};

} // namespace us::exec
