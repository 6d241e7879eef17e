// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/bounds.h"

#include "emulator/memory/address_space.h"

namespace us::memory {

abi::Bounds boundsAt(uint64_t address) {
  if (address < kPageSize) return {};
  const AddressSpace &space = AddressSpace::instance();
  if (!space.contains(address)) return {0, abi::kUnknownSize};
  const AddressInfo info = space.find(address);
  if (info.kind == RangeKind::Stack) return {0, abi::kUnknownSize};
  if (info.kind == RangeKind::None || info.released) return {};
  return {info.base, info.size};
}

} // namespace us::memory
