// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/check/host_writes.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/uio.h>
#include <unistd.h>

namespace us::icd {
namespace {

/// Copies must cost no more than what commands do.
constexpr uint64_t kMostBytes = uint64_t(8) << 20, kPiece = 64 * 1024;
constexpr size_t kMostRanges = 4096; ///< of what was written

/// False where some of it is no memory, or may not be read.
bool copy(uint64_t from, uint64_t size, std::byte *to) {
  const iovec here{to, size}, there{reinterpret_cast<void *>(from), size};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

/// Another process may have it, too.
bool isSharedMapping(uint64_t address) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> maps(std::fopen("/proc/self/maps", "re"), std::fclose);
  if (!maps) return true;
  char line[512];
  while (std::fgets(line, sizeof line, maps.get())) {
    unsigned long begin = 0, end = 0;
    char rights[5] = {};
    if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
    if (address >= begin && address < end) return rights[3] == 's';
  }
  return true;
}

} // namespace

void HostWrites::keep(const HostRegion &region) {
  const uint64_t size = std::min(region.end - region.begin, kMostBytes - size_);
  if (region.end <= region.begin || size == 0) return;
  if (std::ranges::any_of(kept_, [&](const Kept &one) {
        return one.region.begin <= region.begin && region.begin + size <= one.region.end;
      }))
    return;
  if (!room_) room_ = std::make_unique_for_overwrite<std::byte[]>(kMostBytes);
  std::byte *const bytes = room_.get() + size_;
  if (!copy(region.begin, size, bytes)) return;
  size_ += size;
  kept_.push_back({{region.begin, region.begin + size, region.isPrograms}, bytes});
}

std::vector<TouchedRange> HostWrites::take() {
  std::vector<TouchedRange> written;
  const auto compare = [&](const Kept &one, uint64_t from, uint64_t size) {
    std::array<std::byte, kPiece> now;
    std::byte *const before = one.bytes + (from - one.region.begin);
    if (!copy(from, size, now.data())) return false;
    if (std::memcmp(now.data(), before, size) == 0) return true;
    if (one.region.isPrograms && isSharedMapping(from)) return false;
    for (uint64_t at = 0; at < size && written.size() < kMostRanges; ++at) {
      if (now[at] == before[at]) continue;
      if (!written.empty() && written.back().end == from + at)
        ++written.back().end;
      else
        written.push_back({from + at, from + at + 1, false, true, false});
    }
    std::memcpy(before, now.data(), size);
    return true;
  };
  std::erase_if(kept_, [&](const Kept &one) {
    for (uint64_t from = one.region.begin; from < one.region.end; from += kPiece)
      if (!compare(one, from, std::min(kPiece, one.region.end - from))) return true;
    return false;
  });
  return written;
}

void HostWrites::drop() {
  kept_.clear();
  size_ = 0;
}

} // namespace us::icd
