// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryPool: memory of one device that is kept for the next allocation, and the rules by which what was freed in the
// order of a queue may be used again before the host knows that it is unused (docs/decisions/0044-memory-pools.md).
#pragma once

#include "runtime/base/memory_file.h"
#include "runtime/core/event.h"
#include "runtime/device/device.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace us::core {

/// Where something was freed: the number-th free of a queue, which names itself as it likes. Once `event` has ended it
/// is unused; null: the host knows that it is.
struct FreePoint {
  uint64_t queue = 0, number = 0;
  Ref<Event> event{};
};

/// Which frees something is known to run behind: of some queues, all up to a number.
class FreeOrder {
public:
  bool knows(const FreePoint &point) const;
  void learn(uint64_t queue, uint64_t number);
  void learn(const FreeOrder &other);

private:
  std::vector<std::pair<uint64_t, uint64_t>> upTo_;
};

/// What may be used again besides what was freed in the same queue, and what the host knows to be unused.
struct PoolRules {
  bool followsOrder = true; ///< what the allocating queue is known to run behind
  bool takesEnded = true;   ///< what happens to have ended
  bool addsOrder = true;    ///< what has not, behind which the allocation then runs: where there is no other memory
};

struct PoolUse {
  uint64_t reserved = 0, reservedHigh = 0; ///< what the device has given
  uint64_t used = 0, usedHigh = 0;         ///< what was allocated and not freed
};

struct PoolRequest {
  uint64_t maxSize = 0;                  ///< 0: as much as the device has
  std::shared_ptr<MemoryFile> file = {}; ///< its memory is this file, behind a first page that is the caller's
  bool isForeign = false;                ///< the file is another process's pool
};

/// Thread-safe.
class MemoryPool final : public Object {
public:
  MemoryPool(Device &device, PoolRequest request) : device_(&device), request_(std::move(request)) {}

  struct Grant {
    uint64_t address = 0;
    Ref<Event> after{}; ///< the allocating queue has to wait for this, unless null
  };
  /// MemObjectAllocationFailure; Unsupported if the device does not share the host's memory.
  Expected<Grant> allocate(uint64_t size, uint64_t queue, const FreeOrder &order);
  /// False if nothing that was allocated begins there.
  bool free(uint64_t address, FreePoint point);

  /// The host has waited for these, or (null) for everything that has ended. Then what is above the threshold is given
  /// back.
  void observe(const FreeOrder *order);
  /// Gives unused memory back to the device as long as at least `keep` bytes stay reserved.
  void trim(uint64_t keep);
  /// From now on nothing is kept that is unused. True once nothing is reserved.
  bool close();

  PoolRules rules() const;
  void setRules(PoolRules rules);
  uint64_t threshold() const;
  void setThreshold(uint64_t bytes);
  PoolUse use() const;
  void resetReservedHigh();
  void resetUsedHigh();
  Device &device() const { return *device_; }
  uint64_t maxSize() const { return request_.maxSize; }

  /// Where in the pool's file an allocation lies; nothing if none begins there, or there is no file.
  struct Place {
    uint64_t offset = 0, size = 0;
  };
  std::optional<Place> placeOf(uint64_t address) const;
  /// Allocates a part of another process's file, as that process's placeOf told it. InvalidValue if it has no such
  /// part.
  Expected<uint64_t> adopt(const Place &place);

private:
  struct Block {
    std::unique_ptr<DeviceMemory> memory;
    uint64_t taken = 0, offset = 0;
    FreePoint point{};
    uint64_t capacity() const { return memory->size(); }
  };
  using Free = std::multimap<uint64_t, Block>; ///< by capacity

  // With mutex_ held:
  bool isUnused(const Block &block) const;
  bool isUsableBy(const Block &block, uint64_t queue, const FreeOrder &order) const;
  Free::iterator findFree(uint64_t size, uint64_t most, uint64_t queue, const FreeOrder &order);
  Expected<Block> grow(uint64_t size);
  uint64_t hand(Block block, uint64_t size);
  uint64_t handFree(Free::iterator at, uint64_t size);
  void giveBack(uint64_t keep);

  const Ref<Device> device_;
  const PoolRequest request_;

  mutable std::mutex mutex_; // guards all below
  PoolRules rules_;
  uint64_t threshold_ = 0;
  PoolUse use_;
  std::map<uint64_t, Block> used_; ///< by address
  Free free_;
  bool isClosed_ = false;
};

} // namespace us::core
