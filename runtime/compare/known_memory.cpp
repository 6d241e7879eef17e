// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/known_memory.h"

#include "runtime/compare/session.h"

namespace us::compare {

void MemoryTable::add(std::shared_ptr<KnownMemory> memory) {
  const uint64_t address = memory->address;
  std::lock_guard hold(mutex_);
  byAddress_[address] = std::move(memory);
}

void MemoryTable::remove(uint64_t address) {
  std::lock_guard hold(mutex_);
  byAddress_.erase(address);
}

std::shared_ptr<KnownMemory> MemoryTable::find(uint64_t address) const {
  std::lock_guard hold(mutex_);
  auto after = byAddress_.upper_bound(address);
  if (after == byAddress_.begin()) return nullptr;
  const std::shared_ptr<KnownMemory> &memory = std::prev(after)->second;
  return address - memory->address <= memory->size ? memory : nullptr;
}

std::vector<std::shared_ptr<KnownMemory>> MemoryTable::pointedTo() const {
  std::vector<std::shared_ptr<KnownMemory>> found;
  std::lock_guard hold(mutex_);
  for (const auto &[address, memory] : byAddress_)
    if (memory->isPointedTo) found.push_back(memory);
  return found;
}

ComparedMemory::ComparedMemory(Ref<Session> session, std::unique_ptr<DeviceMemory> memory, bool isPointedTo)
    : session_(std::move(session)), memory_(std::move(memory)) {
  session_->memory.add(std::make_shared<KnownMemory>(memory_->address(), memory_->size(), isPointedTo));
}

ComparedMemory::~ComparedMemory() {
  std::lock_guard hold(session_->running);
  session_->memory.remove(memory_->address());
  memory_.reset();
}

} // namespace us::compare
