// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/check/host_writes.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/uio.h>
#include <unistd.h>

namespace us::icd {
namespace {

/// Copies must cost no more than what commands do.
constexpr uint64_t kMostBytes = uint64_t(16) << 20;

/// False where some of it is no memory, or may not be read.
bool copy(const HostRegion &region, std::vector<std::byte> &to) {
  to.resize(region.end - region.begin);
  const iovec here{to.data(), to.size()}, there{reinterpret_cast<void *>(region.begin), to.size()};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == static_cast<ssize_t>(to.size());
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
  const uint64_t size = region.end - region.begin;
  if (region.end <= region.begin || size > kMostBytes - size_) return;
  if (std::ranges::any_of(
          kept_, [&](const Kept &one) { return one.region.begin <= region.begin && region.end <= one.region.end; }))
    return;
  Kept kept{region, {}};
  if (!copy(region, kept.bytes)) return;
  size_ += size;
  kept_.push_back(std::move(kept));
}

std::vector<TouchedRange> HostWrites::take() {
  std::vector<TouchedRange> written;
  for (Kept &one : kept_) {
    if (one.bytes.empty()) continue;
    if (!copy(one.region, now_)) {
      one.bytes.clear();
      continue;
    }
    if (std::memcmp(now_.data(), one.bytes.data(), now_.size()) == 0) continue;
    const bool isOthers = one.region.isPrograms && isSharedMapping(one.region.begin);
    for (size_t at = 0; at < now_.size() && !isOthers; ++at) {
      if (now_[at] == one.bytes[at]) continue;
      const uint64_t byte = one.region.begin + at;
      if (!written.empty() && written.back().end == byte)
        ++written.back().end;
      else
        written.push_back({byte, byte + 1, false, true, false});
    }
    one.bytes.swap(now_);
  }
  return written;
}

void HostWrites::drop() {
  kept_.clear();
  size_ = 0;
}

} // namespace us::icd
