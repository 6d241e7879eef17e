// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/race_cells.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

namespace us::exec {
namespace {

using abi::AccessKind;
using abi::CellPlane;

uint64_t memoryOfMachine() {
  static const uint64_t bytes = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  return bytes;
}
/// For one launch: addresses cost nothing, and of five planes three are the rule.
uint64_t mostBytes() { return memoryOfMachine() / 4; }
/// Kept for the next launch: pages that are given back cost more than what a small launch does.
uint64_t keptBytes() { return memoryOfMachine() / 32; }

std::mutex poolMutex; // guards freeCells
std::vector<GlobalCells *> &freeCells() {
  static std::vector<GlobalCells *> &list = *new std::vector<GlobalCells *>;
  return list;
}

uint64_t placeOf(uint32_t epoch) { return uint64_t(epoch) << abi::kCellEpochShift; }

} // namespace

std::optional<Toucher> findToucher(const abi::MemoryCells &memory, uint32_t cellBytes, const abi::CellEpochs &epochs,
                                   uint64_t address, uint64_t bytes, AccessKind kind, uint64_t item) {
  struct Plane {
    CellPlane plane;
    AccessKind kind;
  };
  static constexpr Plane kPlanes[] = {{CellPlane::Write, AccessKind::Write},
                                      {CellPlane::FirstRead, AccessKind::Read},
                                      {CellPlane::LastRead, AccessKind::Read},
                                      {CellPlane::FirstUpdate, AccessKind::AtomicUpdate},
                                      {CellPlane::LastUpdate, AccessKind::AtomicUpdate}};
  const uint64_t begin = (address - memory.begin) / cellBytes;
  for (const Plane &plane : kPlanes) {
    if (plane.kind == kind && kind != AccessKind::Write) continue;
    for (uint64_t at = begin; at < begin + (bytes + cellBytes - 1) / cellBytes && at < memory.count; ++at) {
      const uint64_t cell = memory.cells[uint64_t(plane.plane) * (memory.count + abi::kMostCells) + at];
      const Toucher other{plane.kind, uint32_t(cell >> abi::kCellItemShift & 0xffff), uint32_t(cell & 0xffff),
                          uint32_t(cell >> abi::kCellEpochShift)};
      const bool isNow = placeOf(other.epoch) == epochs.now && other.item != item;
      if (isNow || cell - epochs.since < epochs.others) return other;
    }
  }
  return std::nullopt;
}

GlobalCells::Handle GlobalCells::acquire(std::span<const Range> arguments, uint32_t cellBytes) {
  GlobalCells *cells = nullptr;
  {
    const std::scoped_lock lock(poolMutex);
    if (!freeCells().empty()) {
      cells = freeCells().back();
      freeCells().pop_back();
    }
  }
  Handle handle(cells ? cells : new GlobalCells);
  handle->cellBytes_ = cellBytes;
  handle->layOut(arguments);
  if (!handle->reserve(handle->used_)) return nullptr;
  for (std::vector<abi::MemoryCells> *list : {&handle->arguments_, &handle->ranges_})
    for (abi::MemoryCells &one : *list)
      one.cells = handle->memory_ + reinterpret_cast<uint64_t>(one.cells) / sizeof(uint64_t);
  handle->begun_.clear();
  handle->since_ = handle->epoch_ + 1;
  return handle;
}

void GlobalCells::Release::operator()(GlobalCells *cells) const {
  const uint64_t used = std::min(cells->used_, cells->capacity_);
  if (used > keptBytes()) madvise(cells->memory_, used, MADV_DONTNEED);
  const std::scoped_lock lock(poolMutex);
  freeCells().push_back(cells);
}

GlobalCells::~GlobalCells() {
  if (memory_) munmap(memory_, capacity_);
}

bool GlobalCells::reserve(uint64_t bytes) {
  if (bytes > mostBytes()) return false;
  if (bytes <= capacity_) return true;
  if (memory_) munmap(memory_, capacity_);
  memory_ = nullptr;
  capacity_ = 0;
  void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return false;
  memory_ = static_cast<uint64_t *>(got);
  capacity_ = bytes;
  epoch_ = 0;
  return true;
}

/// Places of cells count from 0 on, in bytes, until there is memory for them.
void GlobalCells::layOut(std::span<const Range> arguments) {
  arguments_.assign(arguments.size(), {});
  ranges_.clear();
  used_ = 0;
  std::vector<size_t> order(arguments.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, [&](size_t number) { return arguments[number].begin; });
  const auto place = [&](size_t first, size_t last, uint64_t begin, uint64_t end) {
    abi::MemoryCells range{begin, (end - begin + cellBytes_ - 1) / cellBytes_, reinterpret_cast<uint64_t *>(used_)};
    used_ += (range.count + abi::kMostCells) * abi::kCellPlanes * sizeof(uint64_t);
    ranges_.push_back(range);
    for (size_t i = first; i < last; ++i)
      if (arguments[order[i]].size) arguments_[order[i]] = range;
  };
  size_t first = 0;
  uint64_t begin = 0, end = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const Range &one = arguments[order[i]];
    if (one.size == 0) continue;
    if (begin != end && one.begin >= end) {
      place(first, i, begin, end);
      begin = end = 0;
    }
    if (begin == end) {
      first = i;
      begin = one.begin / cellBytes_ * cellBytes_;
    }
    end = std::max(end, one.begin + one.size);
  }
  if (begin != end) place(first, order.size(), begin, end);
}

uint32_t GlobalCells::nextEpoch(abi::CellEpochs &epochs) {
  if (++epoch_ == 0) { // all have been
    madvise(memory_, capacity_, MADV_DONTNEED);
    epoch_ = since_ = 1;
    begun_.clear();
  }
  epochs.now = placeOf(epoch_);
  epochs.since = placeOf(since_);
  return epoch_;
}

void GlobalCells::begin(uint64_t group, abi::CellEpochs &epochs) {
  begun_.emplace_back(nextEpoch(epochs), group);
  epochs.others = epochs.now - epochs.since;
}

void GlobalCells::passBarrier(abi::CellEpochs &epochs) { nextEpoch(epochs); }

const abi::MemoryCells *GlobalCells::at(uint64_t address) const {
  for (const abi::MemoryCells &range : ranges_)
    if (address - range.begin < range.count * cellBytes_) return &range;
  return nullptr;
}

uint64_t GlobalCells::groupIn(uint32_t epoch) const {
  const auto behind = std::ranges::upper_bound(begun_, epoch, {}, &std::pair<uint32_t, uint64_t>::first);
  return behind == begun_.begin() ? 0 : std::prev(behind)->second;
}

std::vector<TouchedRange> GlobalCells::touched() const {
  std::vector<TouchedRange> found;
  for (const abi::MemoryCells &range : ranges_) {
    const auto isIn = [&](CellPlane plane, uint64_t place) {
      return range.cells[uint64_t(plane) * (range.count + abi::kMostCells) + place] >= placeOf(since_);
    };
    for (uint64_t place = 0; place < range.count; ++place) {
      const uint64_t begin = range.begin + place * cellBytes_;
      const TouchedRange one{.begin = begin,
                             .end = begin + cellBytes_,
                             .reads = isIn(CellPlane::FirstRead, place),
                             .writes = isIn(CellPlane::Write, place),
                             .isAtomic = isIn(CellPlane::FirstUpdate, place)};
      if (!one.reads && !one.writes && !one.isAtomic) continue;
      TouchedRange *const last = found.empty() ? nullptr : &found.back();
      if (last && last->end == one.begin && last->reads == one.reads && last->writes == one.writes &&
          last->isAtomic == one.isAtomic)
        last->end = one.end;
      else
        found.push_back(one);
    }
  }
  return found;
}

} // namespace us::exec
