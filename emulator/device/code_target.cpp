// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/code_target.h"

#include <algorithm>

namespace us::emulator {

abi::Target targetOf(const Options &options) { return abi::targetNamed(options.target).value_or(abi::Target::Host); }

Expected<void> checkExecutes(const profiles::Machine &machine, abi::Target target) {
  const abi::TargetInfo &wanted = abi::targetInfo(target);
  if (machine.level >= wanted.level) return {};
  const std::string has = machine.level ? "x86-64-v" + std::to_string(machine.level) : "no x86-64";
  return fail(ErrorCode::InvalidValue, "this machine cannot execute code for the target " + std::string(wanted.name) +
                                           ": it is " + has + ", and that needs x86-64-v" +
                                           std::to_string(wanted.level));
}

profiles::Machine limitedTo(abi::Target target, profiles::Machine machine) {
  const abi::TargetInfo &wanted = abi::targetInfo(target);
  machine.vectorBits = std::min<uint32_t>(machine.vectorBits, wanted.vectorBits);
  machine.fma = machine.fma && wanted.hasFma;
  return machine;
}

} // namespace us::emulator
