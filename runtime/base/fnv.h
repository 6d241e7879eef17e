// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace us {

/// FNV-1a with 64 bits: for names that must have the same number in every process and at compile time.
constexpr uint64_t fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

} // namespace us
