// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The execution tiers: their names, and what the executor must know of the code that each makes. What code generation
// knows of them is in emulator/codegen/tiers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace us::abi {

enum class Tier : uint8_t {
#define US_TIER(tier, name, entry) tier,
#include "emulator/abi/tiers.def"
#undef US_TIER
};

/// What the machine code of a kernel is a function of.
enum class EntryShape : uint8_t {
  Range, ///< RangeEntry: some work-groups, one after the other
  Item,  ///< ItemEntry: one work-item, on a stack of its own. The same code serves every shape of launch
  Group, ///< RangeEntry of one work-group, on a stack of its own: of a kernel that waits for memory to change
};

struct TierInfo {
  Tier tier;
  std::string_view name;
  EntryShape entry;
};

inline constexpr TierInfo kTiers[] = {
#define US_TIER(tier, name, entry) {Tier::tier, name, EntryShape::entry},
#include "emulator/abi/tiers.def"
#undef US_TIER
};

constexpr const TierInfo &tierInfo(Tier tier) { return kTiers[static_cast<unsigned>(tier)]; }

/// "loop"; nothing if there is no such tier.
constexpr std::optional<Tier> tierNamed(std::string_view name) {
  for (const TierInfo &known : kTiers)
    if (known.name == name) return known.tier;
  return std::nullopt;
}

} // namespace us::abi
