// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/check/host_side.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace us::opencl {
namespace {

constexpr size_t kPiece = 16 * 1024;

HostContents::State add(const std::byte *from, uint64_t size, uint64_t &hash) {
  std::array<std::byte, kPiece> piece;
  for (uint64_t done = 0; done < size;) {
    const uint64_t bytes = std::min<uint64_t>(size - done, kPiece);
    const iovec to{piece.data(), bytes}, there{const_cast<std::byte *>(from) + done, bytes};
    const ssize_t copied = process_vm_readv(getpid(), &to, 1, &there, 1, 0);
    if (copied < 0 && errno != EFAULT) return HostContents::State::Unknown;
    if (copied != static_cast<ssize_t>(bytes)) return HostContents::State::Gone;
    for (uint64_t at = 0; at < bytes; at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, piece.data() + at, std::min(bytes - at, sizeof word));
      hash = (hash ^ word) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    done += bytes;
  }
  return HostContents::State::Known;
}

} // namespace

bool HostSide::overlaps(const HostSide &other) const {
  const std::byte *const begin = memory + layout.offset, *const itsBegin = other.memory + other.layout.offset;
  return begin < itsBegin + spanOf(other.layout, other.region) && itsBegin < begin + spanOf(layout, region);
}

HostContents contentsOf(const HostSide &side) {
  HostContents contents{HostContents::State::Known, 0};
  forEachRow(side.layout, side.region, [&](uint64_t at) {
    if (contents.state == HostContents::State::Known)
      contents.state = add(side.memory + at, side.region[0], contents.hash);
  });
  return contents;
}

bool isGone(const HostSide &side) {
  constexpr uint64_t kPageBytes = 4096;
  std::vector<iovec> places; // a byte of each page
  std::array<std::byte, IOV_MAX> bytes;
  const auto look = [&] {
    const iovec to{bytes.data(), places.size()};
    const ssize_t copied = process_vm_readv(getpid(), &to, 1, places.data(), places.size(), 0);
    const bool isMissing = copied < 0 ? errno == EFAULT : static_cast<size_t>(copied) < places.size();
    places.clear();
    return isMissing;
  };
  bool gone = false;
  const auto add = [&](uint64_t at) {
    places.push_back({const_cast<std::byte *>(side.memory) + at, 1});
    if (!gone && places.size() == IOV_MAX) gone = look();
  };
  forEachRow(side.layout, side.region, [&](uint64_t at) {
    for (uint64_t byte = 0; byte < side.region[0] && !gone; byte += kPageBytes) add(at + byte);
    if (side.region[0] && !gone) add(at + side.region[0] - 1);
  });
  return gone || (!places.empty() && look());
}

} // namespace us::opencl
