// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reserved range: a map of blocks, free ranges beside it, and a small cache of mapped blocks in front.
//
// The kernel allows 65,530 map entries a process (vm.max_map_count), and a block with a gap costs two. Fiber stacks may
// take half of them; once blocks with gaps have used up their share, further ones are cut without gaps from chunks.
#include "emulator/memory/address_space.h"

#include "emulator/abi/compiler_api.h"
#include "runtime/base/align.h"
#include "runtime/base/fork_guard.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <new>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/resource.h>

namespace us::memory {
namespace {

constexpr uint64_t kWishedSize = 1ull << 45;
/// The range begins here or up to kHints large pages above: below all that the kernel chooses by itself.
constexpr uint64_t kHint = 0x100000000000, kHints = 1 << 24;
constexpr uint64_t kCodeSize = 1ull << 30;
/// Wider gaps find more wild indices, but each small buffer then needs a page table of its own.
constexpr uint64_t kMaxGap = 1ull << 20;
constexpr uint64_t kLargePage = 2ull << 20;
constexpr uint64_t kChunkSize = 64ull << 20;
/// Blocks up to this size stay mapped when released (in pages), as long as all of them are below the total.
constexpr uint64_t kCachedPages = 256;
constexpr uint64_t kMaxCachedBytes = 16ull << 20;

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool kThreadSanitizer = false;
#endif

/// What is not a buffer, by RangeKind.
constexpr const char *kNouns[] = {"", "", "block of program variables", "local memory", "stack", "machine code"};

void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

/// How much may be asked for: under a limit of the address space, half of it stays with the program.
uint64_t allowedSize(uint64_t wish) {
  // The thread sanitizer keeps a shadow of everything reserved.
  if (kThreadSanitizer) wish = std::min<uint64_t>(wish, 1ull << 36);
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    while (wish > limit.rlim_cur / 2 && wish > kPageSize) wish /= 2;
  return wish;
}

std::atomic<uint64_t> placeSeed{0};

/// Another one in each process, as the system does it with libraries, so that nobody can tell where device memory and
/// machine code lie. A chosen seed, and debuggers, which switch that off for the whole process, make it the same.
uint64_t hint() {
  const uint64_t seed = placeSeed.load(std::memory_order_relaxed);
  uint64_t number = seed * 0x9e3779b97f4a7c15 >> 32;
  if (seed == 0) {
    const int kind = personality(0xffffffff);
    if (kind != -1 && (kind & ADDR_NO_RANDOMIZE)) return kHint;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) return kHint;
  }
  return kHint + number % kHints * kLargePage;
}

uint64_t maxMapCount() {
  unsigned long count = 65530;
  if (FILE *file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
    if (std::fscanf(file, "%lu", &count) != 1) count = 65530;
    std::fclose(file);
  }
  return count;
}

} // namespace

void AddressSpace::FreeRanges::insert(uint64_t base, uint64_t size) {
  byAddress_.emplace(base, size);
  bySize_.emplace(size, base);
}

void AddressSpace::FreeRanges::give(uint64_t base, uint64_t size) {
  auto after = byAddress_.lower_bound(base);
  if (after != byAddress_.end() && after->first == base + size) {
    size += after->second;
    bySize_.erase({after->second, after->first});
    after = byAddress_.erase(after);
  }
  if (after != byAddress_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == base) {
      base = before->first;
      size += before->second;
      bySize_.erase({before->second, before->first});
      byAddress_.erase(before);
    }
  }
  insert(base, size);
}

uint64_t AddressSpace::FreeRanges::take(uint64_t size, uint64_t alignment) {
  // A best fit may be spoiled by alignment; the first that is larger by the alignment never is.
  for (auto at = bySize_.lower_bound({size, 0}); at != bySize_.end(); ++at) {
    auto [length, base] = *at;
    uint64_t begin = alignTo(base, alignment);
    if (begin < base || begin - base > length - size) continue;
    bySize_.erase(at);
    byAddress_.erase(base);
    if (begin > base) insert(base, begin - base);
    if (uint64_t rest = base + length - (begin + size)) insert(begin + size, rest);
    return begin;
  }
  return 0;
}

void AddressSpace::placeBySeed(uint64_t seed) { placeSeed.store(seed, std::memory_order_relaxed); }

AddressSpace &AddressSpace::instance() {
  // Never destroyed: memory is released during process exit too.
  static AddressSpace &space = *new AddressSpace(kWishedSize, hint());
  return space;
}

AddressSpace::AddressSpace(uint64_t bytes, uint64_t hint, uint64_t maxGapped) {
  watchFork();
  for (uint64_t size = allowedSize(bytes); size >= 256 * kPageSize; size /= 2) {
    void *got = mmap(pointer(hint), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) continue;
    base_ = reinterpret_cast<uint64_t>(got);
    size_ = size;
    break;
  }
  // Two entries each; half of all entries are left to stacks, an eighth to the program.
  maxGapped_ = maxGapped ? maxGapped : maxMapCount() * 3 / 16;
  codeSize_ = std::min(kCodeSize, size_ / 8);
  cached_.resize(kCachedPages + 1);
  if (!size_) return;
  gap_ = std::clamp(size_ >> 25, kGap, kMaxGap);
  const uint64_t buffers = base_ + std::max(codeSize_, size_ / 8);
  others_ = base_ + size_ / 8 * 7;
  freeCode_.give(base_, codeSize_);
  // A gap before the first block, too.
  freeBuffers_.give(buffers + gap_, others_ - buffers - gap_);
  freeOthers_.give(others_ + gap_, base_ + size_ - others_ - gap_);
}

AddressSpace::~AddressSpace() {
  if (size_) munmap(pointer(base_), size_);
}

std::byte *AddressSpace::allocate(RangeKind kind, uint64_t size, uint64_t alignment, MemoryOwner owner) {
  return map(kind, size, alignment, true, std::move(owner));
}

std::byte *AddressSpace::reserve(RangeKind kind, uint64_t size, uint64_t alignment) {
  return map(kind, size, alignment, false, {});
}

std::byte *AddressSpace::map(RangeKind kind, uint64_t size, uint64_t alignment, bool accessible, MemoryOwner owner) {
  if (kind != RangeKind::Buffer) owner = {kNouns[static_cast<size_t>(kind)], {}};
  if (size > size_ || inForkedChild()) return nullptr;
  const uint64_t slack = kind == RangeKind::Buffer && accessible ? kSlack : 0;
  uint64_t mapped = alignTo(std::max<uint64_t>(size + slack, 1), kPageSize), pages = mapped / kPageSize;
  alignment = std::max(alignment, kPageSize);
  std::lock_guard lock(mutex_);
  auto block = blocks_.end();
  const bool buffer = kind == RangeKind::Buffer || kind == RangeKind::Variables;
  const bool small = buffer && accessible && pages <= kCachedPages && alignment == kPageSize;
  if (small && !cached_[pages].empty()) {
    block = cached_[pages].back();
    cached_[pages].pop_back();
    if (block->second.counted) cachedBytes_ -= mapped;
  } else if (small && gapped_ >= maxGapped_) {
    block = carve(mapped);
  } else {
    block = mapGapped(buffer ? freeBuffers_ : freeOthers_, mapped, alignment, accessible);
    // In a small range (a limited address space) it matters more to find room than to be far away.
    if (block == blocks_.end()) {
      if (!buffer) isMixed_.store(true, std::memory_order_relaxed);
      block = mapGapped(buffer ? freeOthers_ : freeBuffers_, mapped, alignment, accessible);
    }
  }
  if (block == blocks_.end()) return nullptr;
  block->second.asked = size;
  block->second.kind = kind;
  block->second.owner = std::move(owner);
  block->second.live = true;
  ++live_;
  return reinterpret_cast<std::byte *>(block->first);
}

AddressSpace::Blocks::iterator AddressSpace::mapGapped(FreeRanges &free, uint64_t mapped, uint64_t alignment,
                                                       bool accessible) {
  // Large blocks begin where a large page can.
  if (mapped >= kLargePage) alignment = std::max(alignment, kLargePage);
  uint64_t base = free.take(mapped + gap_, alignment);
  if (!base) return blocks_.end();
  if (accessible && mprotect(pointer(base), mapped, PROT_READ | PROT_WRITE) != 0) {
    free.give(base, mapped + gap_);
    return blocks_.end();
  }
  // One fault per 2 MiB instead of 512; it is only a hint.
  if (accessible && mapped >= 8 * kLargePage) madvise(pointer(base), mapped, MADV_HUGEPAGE);
  ++gapped_;
  return blocks_.emplace(base, Block{.size = mapped, .gapped = true, .accessible = accessible}).first;
}

AddressSpace::Blocks::iterator AddressSpace::carve(uint64_t mapped) {
  if (chunkEnd_ - chunk_ < mapped) {
    // What is left of the old chunk stays unused: chunks are only made when tens of thousands of blocks are live.
    uint64_t chunk = freeBuffers_.take(kChunkSize + gap_, kPageSize);
    if (!chunk) return blocks_.end();
    if (mprotect(pointer(chunk), kChunkSize, PROT_READ | PROT_WRITE) != 0) {
      freeBuffers_.give(chunk, kChunkSize + gap_);
      return blocks_.end();
    }
    chunk_ = chunk;
    chunkEnd_ = chunk + kChunkSize;
  }
  uint64_t base = chunk_;
  chunk_ += mapped;
  return blocks_.emplace(base, Block{.size = mapped, .gapped = false, .accessible = true}).first;
}

void AddressSpace::unmap(uint64_t base, uint64_t size) {
  // Mapping anew frees the pages and lets the kernel join the entries; a failure (entries used up) leaves it mapped.
  void *got = mmap(pointer(base), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (got == MAP_FAILED) madvise(pointer(base), size, MADV_DONTNEED);
}

void AddressSpace::release(std::byte *begin) {
  if (!begin || inForkedChild()) return;
  std::lock_guard lock(mutex_);
  auto at = blocks_.find(reinterpret_cast<uint64_t>(begin));
  if (at == blocks_.end() || !at->second.live) return;
  Block &block = at->second;
  block.live = false;
  --live_;
  const uint64_t pages = block.size / kPageSize;
  const bool buffer = at->first < others_;
  if (!buffer || !block.accessible || pages > kCachedPages) return discard(at);
  // A block without a gap cannot be given back, only emptied; the others make room for what is smaller.
  block.counted = makeRoom(pages);
  if (!block.counted && block.gapped) return discard(at);
  if (block.counted)
    cachedBytes_ += block.size;
  else
    madvise(begin, block.size, MADV_DONTNEED);
  cached_[pages].push_back(at);
}

void AddressSpace::discard(Blocks::iterator at) {
  unmap(at->first, at->second.size);
  freeOf(at->first).give(at->first, at->second.size + gap_);
  --gapped_;
  blocks_.erase(at);
}

bool AddressSpace::makeRoom(uint64_t pages) {
  uint64_t largest = kCachedPages;
  while (cachedBytes_ + pages * kPageSize > kMaxCachedBytes) {
    while (largest > pages && (cached_[largest].empty() || !cached_[largest].back()->second.gapped)) --largest;
    if (largest <= pages) return false;
    Blocks::iterator evicted = cached_[largest].back();
    cached_[largest].pop_back();
    if (evicted->second.counted) cachedBytes_ -= evicted->second.size;
    discard(evicted);
  }
  return true;
}

std::byte *AddressSpace::allocateCode(uint64_t size) {
  if (inForkedChild()) return nullptr;
  size = alignTo(std::max<uint64_t>(size, 1), kPageSize);
  std::lock_guard lock(mutex_);
  uint64_t base = freeCode_.take(size, kPageSize);
  if (!base) return nullptr;
  if (mprotect(pointer(base), size, PROT_READ | PROT_WRITE) != 0) {
    freeCode_.give(base, size);
    return nullptr;
  }
  return reinterpret_cast<std::byte *>(base);
}

bool AddressSpace::makeExecutable(std::byte *begin, uint64_t size) {
  return mprotect(begin, alignTo(size, kPageSize), PROT_READ | PROT_EXEC) == 0;
}

void AddressSpace::releaseCode(std::byte *begin, uint64_t size) {
  if (inForkedChild()) return;
  size = alignTo(std::max<uint64_t>(size, 1), kPageSize);
  std::lock_guard lock(mutex_);
  unmap(reinterpret_cast<uint64_t>(begin), size);
  freeCode_.give(reinterpret_cast<uint64_t>(begin), size);
}

abi::CodeMemory AddressSpace::codeMemory() {
  abi::CodeMemory memory;
  memory.user = this;
  memory.allocate = [](void *user, uint64_t size) { return static_cast<AddressSpace *>(user)->allocateCode(size); };
  memory.makeExecutable = [](void *, std::byte *begin, uint64_t size) { return makeExecutable(begin, size); };
  memory.release = [](void *user, std::byte *begin, uint64_t size) {
    static_cast<AddressSpace *>(user)->releaseCode(begin, size);
  };
  return memory;
}

AddressSpace::Blocks::const_iterator AddressSpace::blockNear(uint64_t address) const {
  const auto after = blocks_.upper_bound(address);
  if (after != blocks_.begin()) {
    const auto before = std::prev(after);
    if (address - before->first < before->second.size + gap_ / 2) return before;
    // Between two blocks the nearer one is meant.
    const bool nearAfter = after != blocks_.end() && after->first - address <= gap_ / 2;
    if (!nearAfter && address - before->first < before->second.size + gap_) return before;
  }
  return after != blocks_.end() && after->first - address <= gap_ ? after : blocks_.end();
}

AddressSpace::Blocks::const_iterator AddressSpace::blockBelow(uint64_t address) const {
  constexpr uint64_t kFar = 16ull << 30; // what a 32-bit index of four-byte elements reaches
  for (auto at = blocks_.upper_bound(address); at != blocks_.begin();) {
    --at;
    if (address - at->first > at->second.size + kFar || (at->first >= others_) != (address >= others_)) break;
    if (at->second.live) return at;
  }
  return blocks_.end();
}

AddressInfo AddressSpace::find(uint64_t address) const {
  if (!contains(address)) return {};
  if (isCode(address)) return {RangeKind::Code, base_, codeSize_, false};
  std::lock_guard lock(mutex_);
  const auto at = blockNear(address);
  if (at == blocks_.end()) return {};
  return {at->second.kind, at->first, at->second.asked, !at->second.live};
}

FoundMemory AddressSpace::locate(uint64_t address) const {
  using Kind = FoundMemory::Kind;
  if (!contains(address)) return {.kind = Kind::NotTheDevices};
  if (isCode(address)) return {.kind = Kind::Code};
  std::lock_guard lock(mutex_);
  auto at = blockNear(address);
  if (at == blocks_.end()) at = blockBelow(address);
  if (at == blocks_.end()) return {.kind = Kind::Unused};
  return {.kind = Kind::Allocation,
          .base = at->first,
          .size = at->second.asked,
          .released = !at->second.live,
          .owner = at->second.owner};
}

AddressSpace::Statistics AddressSpace::statistics() const {
  std::lock_guard lock(mutex_);
  return {live_, cachedBytes_, gapped_};
}

bool isShared(const FoundMemory &memory) {
  if (memory.kind != FoundMemory::Kind::Allocation) return true;
  static constexpr std::string_view kShared[] = {"SVM allocation", "managed allocation", "allocation of the host's"};
  return std::ranges::any_of(
      kShared, [&](std::string_view word) { return std::string_view(memory.owner.what).starts_with(word); });
}

} // namespace us::memory
