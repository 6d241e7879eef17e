// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hash under which the symbol index of the builtin library is sorted; used by the build tool and by the library.
#pragma once
#include <cstdint>
#include <string_view>

namespace us::builtins {

/// FNV-1a with 64 bits. The index holds hashes instead of names (a tenth of the size, nothing to relocate); the build
/// fails if two names of the library collide, and a foreign name that collides costs a needless look into one family.
constexpr std::uint64_t symbolHash(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

} // namespace us::builtins
