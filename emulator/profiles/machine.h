// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine we run on has and allows.
#pragma once

#include <cstdint>
#include <string>

namespace us::profiles {

struct Machine {
  uint32_t cores = 1;      ///< that this process may run on
  uint64_t memory = 0;     ///< bytes: RAM, or less where a control group or the address space limit says so
  uint64_t cache = 0;      ///< bytes of the largest cache
  uint32_t clockMhz = 0;   ///< 0: unknown
  uint32_t vectorBits = 0; ///< widest vector registers
  bool fma = false;        ///< fused multiply-add in hardware
  unsigned level = 0;      ///< of x86-64, from 1 on; 0: it is another processor
};

/// Looked up once.
const Machine &machine();

/// Text that differs between processors for which code generation may differ. Costs a microsecond; needs no compiler.
std::string processorIdentity();

} // namespace us::profiles
