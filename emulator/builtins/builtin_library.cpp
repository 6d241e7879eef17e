// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the tables that tools/builtin_packer.cpp wrote (builtin_data.S).
#include "emulator/builtins/builtin_library.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "emulator/builtins/symbol_hash.h"

namespace us::builtins {
namespace {

struct FamilyRecord {
  std::uint32_t nameOffset, nameSize, bitcodeOffset, bitcodeSize;
};

extern "C" {
extern const std::uint32_t us_builtin_family_count;
extern const std::uint32_t us_builtin_symbol_count;
extern const FamilyRecord us_builtin_families[];
extern const std::uint64_t us_builtin_hashes[];
extern const std::uint16_t us_builtin_family_of_symbol[];
extern const char us_builtin_names[];
extern const char us_builtin_bitcode[];
}

const BuiltinFamily *makeFamilies() {
  // Never freed on purpose: no library of ours has static destructors.
  auto *families = new BuiltinFamily[us_builtin_family_count];
  for (std::uint32_t i = 0; i < us_builtin_family_count; ++i) {
    const FamilyRecord &record = us_builtin_families[i];
    families[i] = {{us_builtin_names + record.nameOffset, record.nameSize},
                   {us_builtin_bitcode + record.bitcodeOffset, record.bitcodeSize}};
  }
  return families;
}

} // namespace

std::span<const BuiltinFamily> builtinFamilies() {
  static const BuiltinFamily *const families = makeFamilies();
  return {families, us_builtin_family_count};
}

int familyOf(std::string_view mangledName) {
  const std::uint64_t hash = symbolHash(mangledName);
  const std::uint64_t *end = us_builtin_hashes + us_builtin_symbol_count;
  const std::uint64_t *found = std::lower_bound(us_builtin_hashes, end, hash);
  if (found == end || *found != hash) return -1;
  return us_builtin_family_of_symbol[found - us_builtin_hashes];
}

} // namespace us::builtins
