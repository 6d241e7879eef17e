// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/shadow.h"

#include "emulator/abi/origins.h"
#include "emulator/memory/address_space.h"

#include <cstring>
#include <sys/mman.h>

namespace us::memory {
namespace {

alignas(128) constinit const std::byte kWritten[abi::kLargestShadowed] = {};
alignas(128) constinit std::byte lost[abi::kLargestShadowed] = {};

uint64_t placeOfNone(bool isStore) { return reinterpret_cast<uint64_t>(isStore ? lost : kWritten); }

} // namespace

Shadow &Shadow::instance() {
  static Shadow &shadow = *new Shadow;
  return shadow;
}

Shadow::Shadow() {
  const auto [begin, size] = AddressSpace::instance().unshared();
  void *both = mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (both == MAP_FAILED) return;
  begin_ = begin;
  size_ = size;
  shadow_ = reinterpret_cast<uint64_t>(both);
  origins_ = shadow_ + size;
}

uint64_t Shadow::shadowOf(uint64_t address, bool isStore) const {
  return address - begin_ < size_ ? shadow_ + (address - begin_) : placeOfNone(isStore);
}

uint64_t Shadow::originsOf(uint64_t address, bool isStore) const {
  return address - begin_ < size_ ? origins_ + ((address - begin_) & ~uint64_t(3)) : placeOfNone(isStore);
}

void Shadow::setUnwritten(const std::byte *begin, uint64_t size) const {
  const auto address = reinterpret_cast<uint64_t>(begin);
  if (address - begin_ >= size_) return;
  std::memset(reinterpret_cast<void *>(shadowOf(address, true)), 0xff, size);
  std::memset(reinterpret_cast<void *>(originsOf(address, true)), abi::kLocalOrigin, size);
}

} // namespace us::memory
