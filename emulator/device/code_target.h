// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor that machine code is made for, and what of it this machine has.
#pragma once

#include "emulator/abi/targets.h"
#include "emulator/profiles/machine.h"
#include "runtime/base/expected.h"
#include "runtime/base/options.h"

namespace us::emulator {

/// What UNDERSTUDY_TARGET names.
abi::Target targetOf(const Options &options);

/// InvalidValue if the machine lacks what code for the target is made of.
Expected<void> checkExecutes(const profiles::Machine &machine, abi::Target target);

/// What code for the target knows of the machine.
profiles::Machine limitedTo(abi::Target target, profiles::Machine machine);

} // namespace us::emulator
