// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/command_buffer.h"

#include "runtime/core/runtime.h"

namespace us::core {

Ref<CommandBuffer> CommandBuffer::create(Queue &queue, bool simultaneousUse) {
  return Ref<CommandBuffer>(new CommandBuffer(queue, simultaneousUse));
}

void CommandBuffer::lastReferenceGone() {
  if (!runtimeDead()) delete this;
}

Expected<CommandBuffer::SyncPoint> CommandBuffer::record(Command &&command, KeepList &&keep) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  if (finalized_) return fail(ErrorCode::InvalidOperation, "the command buffer is finalised: nothing can be added");
  list_->commands.push_back(std::move(command));
  for (Ref<Object> &object : keep) keep_.push_back(std::move(object));
  return static_cast<SyncPoint>(list_->commands.size());
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

Expected<void> CommandBuffer::prepare(CommandRequest &request) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  if (!finalized_) return fail(ErrorCode::InvalidOperation, "the command buffer is not finalised");
  if (pending_ && !simultaneousUse_)
    return fail(ErrorCode::InvalidOperation, "the command buffer is pending and was made without simultaneous use");
  ++pending_;
  request.command = SequenceCommand{list_};
  request.keep = keep_;
  request.keep.push_back(Ref<CommandBuffer>(this));
  request.beforeComplete = [this] { endSubmission(); }; // `keep` holds this until later
  return {};
}

void CommandBuffer::endSubmission() {
  std::lock_guard hold(mutex_);
  --pending_;
}

CommandBufferState CommandBuffer::state() const {
  if (runtimeDead()) return CommandBufferState::Recording;
  std::lock_guard hold(mutex_);
  if (!finalized_) return CommandBufferState::Recording;
  return pending_ ? CommandBufferState::Pending : CommandBufferState::Executable;
}

} // namespace us::core
