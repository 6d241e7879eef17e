// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hash under which the symbol index of the builtin library is sorted; used by the build tool and by the library.
#pragma once

#include "runtime/base/fnv.h"

namespace us::builtins {

/// The index holds hashes instead of names (a tenth of the size, nothing to relocate); the build fails if two names of
/// the library collide, and a foreign name that collides costs a needless look into one family.
constexpr std::uint64_t symbolHash(std::string_view name) { return fnv1a(name); }

} // namespace us::builtins
