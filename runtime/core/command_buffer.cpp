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

Ref<CommandBuffer> CommandBuffer::create(uint32_t queues) { return Ref<CommandBuffer>(new CommandBuffer(queues)); }

CommandBuffer::~CommandBuffer() {
  for (const Recording &command : commands_) tellShared(command.keep, &SvmAllocation::forgotten);
}

void CommandBuffer::lastReferenceGone() {
  if (!runtimeDead()) delete this;
}

/// The section that a command belongs to. Sections wait for earlier ones only, and one that is waited for grows no
/// more: so no command waits for one that was recorded later. It may wait for more than it names: for all that its sync
/// point's queue was given up to now.
uint32_t CommandBuffer::sectionFor(const Place &place) {
  std::set<uint32_t> wanted;
  for (const SyncPoint point : place.after) wanted.insert(commands_[point - 1].section);
  if (place.isBarrier && place.after.empty())
    for (const uint32_t last : last_)
      if (last != kNone) wanted.insert(last);
  if (barrier_ != kNone) wanted.insert(barrier_);
  std::set<uint32_t> &known = before_[place.queue];
  std::erase_if(wanted,
                [&](uint32_t section) { return sections_[section].queue == place.queue || known.contains(section); });
  uint32_t &last = last_[place.queue];
  if (last == kNone || sections_[last].isClosed || !wanted.empty()) {
    for (const uint32_t section : wanted) sections_[section].isClosed = true;
    known.insert(wanted.begin(), wanted.end());
    if (last != kNone) wanted.insert(last);
    sections_.push_back({.queue = place.queue, .after = std::move(wanted)});
    last = static_cast<uint32_t>(sections_.size() - 1);
  }
  // Other queues go on behind the barrier only.
  if (place.isBarrier && last_.size() > 1) barrier_ = last;
  return last;
}

Expected<CommandBuffer::SyncPoint> CommandBuffer::record(Recorded &&recorded, const Place &place) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  if (finalized_) return fail(ErrorCode::InvalidOperation, "the command buffer is finalised: nothing can be added");
  const uint32_t where = sectionFor(place);
  Section &section = sections_[where];
  const auto point = static_cast<SyncPoint>(commands_.size() + 1);
  tellShared(recorded.keep, &SvmAllocation::recorded);
  commands_.push_back({where, static_cast<uint32_t>(section.points.size()), std::move(recorded.keep)});
  section.list->commands.push_back(std::move(recorded.command));
  section.points.push_back(point);
  if (!recorded.isComplete) incomplete_.insert(point);
  return point;
}

bool CommandBuffer::has(SyncPoint point) const {
  if (runtimeDead()) return false;
  std::lock_guard hold(mutex_);
  return point > 0 && point <= commands_.size();
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
  std::set<uint32_t> copied;
  for (auto &[point, recorded] : commands) {
    Recording &command = commands_[point - 1];
    std::shared_ptr<CommandList> &list = sections_[command.section].list;
    // Submissions that have not ended run what they were given.
    if (copied.insert(command.section).second) list = std::make_shared<CommandList>(*list);
    list->commands[command.index] = std::move(recorded.command);
    tellShared(recorded.keep, &SvmAllocation::recorded);
    tellShared(command.keep, &SvmAllocation::forgotten);
    released.push_back(std::exchange(command.keep, std::move(recorded.keep)));
    if (recorded.isComplete)
      incomplete_.erase(point);
    else
      incomplete_.insert(point);
  }
  return {};
}

Expected<std::vector<CommandBuffer::Part>> CommandBuffer::prepare() {
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
  std::vector<Part> parts;
  for (const Section &section : sections_) {
    Part &part = parts.emplace_back();
    part.queue = section.queue;
    part.after.assign(section.after.begin(), section.after.end());
    part.command = SequenceCommand{section.list};
    for (const SyncPoint point : section.points)
      for (const Ref<Object> &object : commands_[point - 1].keep) part.keep.push_back(object);
  }
  if (parts.empty() && last_.size() == 1) parts.emplace_back().command.list = std::make_shared<CommandList>();
  return parts;
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
