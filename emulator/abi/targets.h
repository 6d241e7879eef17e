// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processors that machine code is made for: this machine's, or less of it, so that one machine tests what others
// execute.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace us::abi {

enum class Target : uint8_t {
#define US_TARGET(target, ...) target,
#include "emulator/abi/targets.def"
#undef US_TARGET
};

struct TargetInfo {
  Target target;
  std::string_view name;
  const char *cpu, *features; ///< as LLVM has them; no cpu: the host's
  unsigned level;             ///< of x86-64, that a machine must have; 0: every machine
  unsigned vectorBits;        ///< of the longest vectors that are made
  bool hasFma;                ///< fused multiply-add in hardware, if the machine has it
};

inline constexpr TargetInfo kTargets[] = {
#define US_TARGET(target, name, cpu, features, level, vectorBits, hasFma)                                              \
  {Target::target, name, cpu, features, level, vectorBits, hasFma},
#include "emulator/abi/targets.def"
#undef US_TARGET
};

constexpr const TargetInfo &targetInfo(Target target) { return kTargets[static_cast<unsigned>(target)]; }

/// "avx2"; nothing if there is no such target.
constexpr std::optional<Target> targetNamed(std::string_view name) {
  for (const TargetInfo &known : kTargets)
    if (known.name == name) return known.target;
  return std::nullopt;
}

} // namespace us::abi
