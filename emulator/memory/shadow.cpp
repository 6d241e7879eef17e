// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/shadow.h"

#include "emulator/abi/origins.h"
#include "emulator/memory/address_space.h"
#include "runtime/base/align.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace us::memory {
namespace {

alignas(128) constinit const std::byte kWritten[abi::kLargestShadowed] = {};
alignas(128) constinit std::byte lost[abi::kLargestShadowed] = {};

/// From this size on, pages are mapped anew instead of written.
constexpr uint64_t kMapped = 1ull << 20;
/// Bytes of the file of ones: large buffers have few pieces of it, each of which is an entry of the process's map.
constexpr uint64_t kPiece = 16ull << 20;
uint64_t reserve(uint64_t size) {
  void *got = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(got);
}

int fileOfOnes() {
  const int file = memfd_create("understudy-shadow", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, kPiece) != 0) return -1;
  void *const bytes = mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) return -1;
  std::memset(bytes, 0xff, kPiece);
  munmap(bytes, kPiece);
  return file;
}

std::byte *bytesAt(uint64_t address) { return reinterpret_cast<std::byte *>(address); }

} // namespace

uint64_t Shadow::placeOfNone(bool isStore) { return reinterpret_cast<uint64_t>(isStore ? lost : kWritten); }

Shadow &Shadow::instance() {
  static Shadow &shadow = *new Shadow;
  return shadow;
}

Shadow::Shadow() {
  const AddressSpace &space = AddressSpace::instance();
  const auto [begin, size] = space.unshared();
  shadow_ = reserve(2 * size);
  if (!shadow_) return;
  begin_ = begin;
  size_ = size;
  origins_ = shadow_ + size;
  sharedBegin_ = space.base();
  // Under a limit of the address space the program needs the rest.
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) shared_ = reserve(begin_ - sharedBegin_);
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
  std::memset(bytesAt(shadowOf(address, true)), 0xff, size);
  std::memset(bytesAt(originsOf(address, true)), abi::kLocalOrigin, size);
}

void Shadow::setUnwritten(uint64_t begin, uint64_t size) const {
  static const int ones = fileOfOnes();
  uint64_t at = ofShared(begin);
  const uint64_t end = at + size, pages = alignTo(at, kPageSize);
  if (ones >= 0 && size >= kMapped) {
    std::memset(bytesAt(at), 0xff, pages - at);
    for (at = pages; end - at >= kPageSize;) {
      const uint64_t piece = std::min(kPiece, (end - at) / kPageSize * kPageSize);
      if (mmap(bytesAt(at), piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, ones, 0) ==
          MAP_FAILED)
        break;
      at += piece;
    }
  }
  std::memset(bytesAt(at), 0xff, end - at);
}

void Shadow::setWritten(uint64_t begin, uint64_t size) const {
  if (!coversShared()) return;
  uint64_t at = ofShared(begin);
  const uint64_t end = at + size, pages = alignTo(at, kPageSize),
                 bytes = (end - std::min(end, pages)) / kPageSize * kPageSize;
  if (size >= kMapped && mmap(bytesAt(pages), bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED) {
    std::memset(bytesAt(at), 0, pages - at);
    at = pages + bytes;
  }
  std::memset(bytesAt(at), 0, end - at);
}

} // namespace us::memory
