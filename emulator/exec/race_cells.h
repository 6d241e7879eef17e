// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's side of the cells that checked code keeps beside memory (emulator/abi/race_cells.h).
#pragma once

#include "emulator/abi/launch_checks.h"
#include "emulator/abi/race_cells.h"
#include "runtime/device/touched_range.h"

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace us::exec {

/// Who touched some bytes, by a cell of them.
struct Toucher {
  abi::AccessKind kind = abi::AccessKind::Read; ///< Read, Write or AtomicUpdate
  uint32_t item = 0, site = 0, epoch = 0;
};

/// Of those that an access of `item` in these epochs races with, one.
std::optional<Toucher> findToucher(const abi::MemoryCells &memory, uint32_t cellBytes, const abi::CellEpochs &epochs,
                                   uint64_t address, uint64_t bytes, abi::AccessKind kind, uint64_t item);

/// The cells beside the memory of a launch's arguments. Its work-groups run one after the other.
class GlobalCells {
public:
  /// Gives them back.
  struct Release {
    void operator()(GlobalCells *cells) const;
  };
  using Handle = std::unique_ptr<GlobalCells, Release>;
  struct Range {
    uint64_t begin = 0, size = 0;
  };
  /// For the memory of arguments, by their numbers; memory that has no size has none. Ranges may overlap. Null where it
  /// would be too much.
  static Handle acquire(std::span<const Range> arguments, uint32_t cellBytes);
  ~GlobalCells();
  GlobalCells(const GlobalCells &) = delete;
  GlobalCells &operator=(const GlobalCells &) = delete;

  /// LaunchContext::argumentCells.
  const abi::MemoryCells *arguments() const { return arguments_.data(); }
  uint32_t cellBytes() const { return cellBytes_; }
  /// A work-group begins, and is in `epochs`.
  void begin(uint64_t group, abi::CellEpochs &epochs);
  /// All of it go on behind a barrier that orders global memory.
  void passBarrier(abi::CellEpochs &epochs);
  /// What lies at an address; null: nothing that has cells.
  const abi::MemoryCells *at(uint64_t address) const;
  /// Which work-group was in an epoch of this launch.
  uint64_t groupIn(uint32_t epoch) const;
  /// What this launch has touched, in order of addresses; bytes side by side that were touched in the same way are one
  /// range.
  std::vector<TouchedRange> touched() const;

private:
  GlobalCells() = default;
  bool reserve(uint64_t bytes);
  void layOut(std::span<const Range> arguments);
  uint32_t nextEpoch(abi::CellEpochs &epochs);

  uint64_t *memory_ = nullptr;
  uint64_t capacity_ = 0, used_ = 0; ///< bytes
  uint32_t cellBytes_ = 4;
  uint32_t epoch_ = 0, since_ = 1;                   ///< the last one of all launches; the first one of this
  std::vector<abi::MemoryCells> arguments_, ranges_; ///< ranges_: in order, apart
  std::vector<std::pair<uint32_t, uint64_t>> begun_; ///< each group's first epoch, in order
};

} // namespace us::exec
