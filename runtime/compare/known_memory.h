// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's memory, and where the candidate has its own copy of it.
#pragma once

#include "runtime/device/device.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace us::compare {

/// An allocation of the reference.
struct KnownMemory {
  uint64_t address = 0, size = 0;
  bool isPointedTo = false; ///< MemoryRequest::isPointedTo
  /// Of the candidate, where it does not share memory with the reference: made when a launch first needs it.
  std::unique_ptr<DeviceMemory> mirror{};
};

/// By address. Thread-safe.
class MemoryTable {
public:
  void add(std::shared_ptr<KnownMemory> memory);
  void remove(uint64_t address);
  /// The allocation that holds the byte, or whose end it is if it is nobody's; null if there is none.
  std::shared_ptr<KnownMemory> find(uint64_t address) const;
  /// Those that kernels may reach without being told where they are.
  std::vector<std::shared_ptr<KnownMemory>> pointedTo() const;

private:
  mutable std::mutex mutex_; // guards byAddress_
  std::map<uint64_t, std::shared_ptr<KnownMemory>> byAddress_;
};

struct Session;

/// The reference's memory, known to the session as long as it lives.
class ComparedMemory final : public DeviceMemory {
public:
  ComparedMemory(Ref<Session> session, std::unique_ptr<DeviceMemory> memory, bool isPointedTo);
  /// Waits while a command runs: one that is compared may look at this memory.
  ~ComparedMemory() override;

  uint64_t address() const override { return memory_->address(); }
  std::byte *hostAddress() const override { return memory_->hostAddress(); }
  uint64_t size() const override { return memory_->size(); }
  Expected<std::shared_ptr<MemoryFile>> share() override { return memory_->share(); }
  void restrictHostAccess(const char *reason) override { memory_->restrictHostAccess(reason); }

private:
  const Ref<Session> session_;
  std::unique_ptr<DeviceMemory> memory_;
};

} // namespace us::compare
