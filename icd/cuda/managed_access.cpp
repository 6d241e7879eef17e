// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/managed_access.h"

#include "icd/cuda/device.h"

namespace us::cuda {
namespace {

/// What the device says behind the address that the host has touched.
constexpr const char *kReason = "while a kernel may use it: the device has no concurrent managed access "
                                "(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS is 0). Synchronise before.";

struct Range {
  DeviceMemory *memory = nullptr; ///< alive: whoever frees it unguards it first
  const Context *context = nullptr;
  unsigned attachment = CU_MEM_ATTACH_GLOBAL;
  uint64_t stream = 0; ///< CU_MEM_ATTACH_SINGLE
  bool isClosed = false;
};

struct Guard {
  std::mutex mutex; // guards all below
  std::map<uint64_t, Range> byBegin;
  std::map<const Context *, std::set<uint64_t>> busy; ///< streams with kernels that the host has not waited for
};
Guard &guard() {
  static auto &instance = *new Guard;
  return instance;
}
std::atomic<bool> hasRanges{false};

bool isBusy(const Range &range) {
  const auto found = guard().busy.find(range.context);
  if (found == guard().busy.end() || range.attachment == CU_MEM_ATTACH_HOST) return false;
  return range.attachment == CU_MEM_ATTACH_SINGLE ? found->second.contains(range.stream) : !found->second.empty();
}

void apply() {
  for (auto &[begin, range] : guard().byBegin) {
    const bool closed = isBusy(range);
    if (closed == range.isClosed) continue;
    range.memory->restrictHostAccess(closed ? kReason : nullptr);
    range.isClosed = closed;
  }
}

} // namespace

bool lacksConcurrentAccess(const Device &device) {
  return attributeOf(device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS).value_or(1) == 0;
}

void guardManaged(const Context &context, DeviceMemory &memory, unsigned attachment) {
  std::lock_guard hold(guard().mutex);
  guard().byBegin[memory.address()] = {.memory = &memory, .context = &context, .attachment = attachment};
  hasRanges = true;
  apply();
}

void unguardManaged(uint64_t begin) {
  if (!hasRanges) return;
  std::lock_guard hold(guard().mutex);
  const auto found = guard().byBegin.find(begin);
  if (found == guard().byBegin.end()) return;
  if (found->second.isClosed) found->second.memory->restrictHostAccess(nullptr);
  guard().byBegin.erase(found);
  hasRanges = !guard().byBegin.empty();
}

bool attachManaged(uint64_t begin, unsigned attachment, const Stream &stream) {
  if (!hasRanges) return false;
  std::lock_guard hold(guard().mutex);
  const auto found = guard().byBegin.find(begin);
  if (found == guard().byBegin.end()) return false;
  found->second.attachment = attachment;
  found->second.stream = stream.id();
  apply();
  return true;
}

bool guardsManaged() { return hasRanges.load(std::memory_order_relaxed); }

void managedLaunched(const Stream &stream) {
  std::lock_guard hold(guard().mutex);
  guard().busy[&stream.context()].insert(stream.id());
  apply();
}

void managedIdle(const Stream &stream) {
  std::lock_guard hold(guard().mutex);
  const auto found = guard().busy.find(&stream.context());
  if (found == guard().busy.end() || !found->second.erase(stream.id())) return;
  if (found->second.empty()) guard().busy.erase(found);
  apply();
}

} // namespace us::cuda
