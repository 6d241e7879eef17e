// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/command_buffer.h"

#include "runtime/core/runtime.h"
#include "runtime/core/svm.h"

namespace us::core {
namespace {

/// Tells the shared memory among what a command needs that a command buffer has it, or has it no longer.
void tellShared(const KeepList &keep, void (SvmAllocation::*what)()) {
  for (const Ref<Object> &object : keep)
    if (auto *const shared = dynamic_cast<SvmAllocation *>(object.get())) (shared->*what)();
}

} // namespace

Ref<CommandBuffer> CommandBuffer::create(Queue &queue) { return Ref<CommandBuffer>(new CommandBuffer(queue)); }

CommandBuffer::~CommandBuffer() {
  for (const KeepList &kept : keep_) tellShared(kept, &SvmAllocation::forgotten);
}

void CommandBuffer::lastReferenceGone() {
  if (!runtimeDead()) delete this;
}

Expected<CommandBuffer::SyncPoint> CommandBuffer::record(Recorded &&recorded) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  if (finalized_) return fail(ErrorCode::InvalidOperation, "the command buffer is finalised: nothing can be added");
  list_->commands.push_back(std::move(recorded.command));
  tellShared(recorded.keep, &SvmAllocation::recorded);
  keep_.push_back(std::move(recorded.keep));
  const auto point = static_cast<SyncPoint>(list_->commands.size());
  if (!recorded.isComplete) incomplete_.insert(point);
  return point;
}

bool CommandBuffer::has(SyncPoint point) const {
  if (runtimeDead()) return false;
  std::lock_guard hold(mutex_);
  return point > 0 && point <= list_->commands.size();
}

Expected<void> CommandBuffer::finalize() {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  if (finalized_) return fail(ErrorCode::InvalidOperation, "the command buffer is finalised already");
  finalized_ = true;
  return {};
}

Expected<void> CommandBuffer::replace(std::vector<std::pair<SyncPoint, Recorded>> &&commands) {
  if (runtimeDead()) return failDead();
  std::vector<KeepList> released; // behind the lock: their end may call others
  std::lock_guard hold(mutex_);
  if (!finalized_) return fail(ErrorCode::InvalidOperation, "the command buffer is not finalised");
  auto changed = std::make_shared<CommandList>(*list_); // submissions that have not ended run what they were given
  for (auto &[point, recorded] : commands) {
    changed->commands[point - 1] = std::move(recorded.command);
    tellShared(recorded.keep, &SvmAllocation::recorded);
    tellShared(keep_[point - 1], &SvmAllocation::forgotten);
    released.push_back(std::exchange(keep_[point - 1], std::move(recorded.keep)));
    if (recorded.isComplete)
      incomplete_.erase(point);
    else
      incomplete_.insert(point);
  }
  list_ = std::move(changed);
  return {};
}

Expected<void> CommandBuffer::prepare(CommandRequest &request) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  switch (stateLocked()) {
  case CommandBufferState::Recording:
    return fail(ErrorCode::InvalidOperation, "the command buffer is not finalised");
  case CommandBufferState::Finalized:
    return fail(ErrorCode::InvalidOperation,
                "command " + std::to_string(*incomplete_.begin()) + " of the command buffer lacks arguments");
  case CommandBufferState::Executable:
    break;
  }
  request.command = SequenceCommand{list_};
  for (const KeepList &kept : keep_)
    for (const Ref<Object> &object : kept) request.keep.push_back(object);
  return {};
}

CommandBufferState CommandBuffer::state() const {
  if (runtimeDead()) return CommandBufferState::Recording;
  std::lock_guard hold(mutex_);
  return stateLocked();
}

CommandBufferState CommandBuffer::stateLocked() const {
  if (!finalized_) return CommandBufferState::Recording;
  return incomplete_.empty() ? CommandBufferState::Executable : CommandBufferState::Finalized;
}

} // namespace us::core
