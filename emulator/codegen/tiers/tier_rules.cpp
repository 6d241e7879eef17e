// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/tiers/tier_rules.h"

namespace us::codegen {

const TierRules &tierRules(abi::Tier tier) {
  static constexpr const TierRules *kRules[] = {
#define US_TIER(tier, name, entry) &k##tier##Tier,
#include "emulator/abi/tiers.def"
#undef US_TIER
  };
  return *kRules[unsigned(tier)];
}

} // namespace us::codegen
