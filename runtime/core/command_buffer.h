// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CommandBuffer: commands recorded once and submitted many times, each time as one command of a queue. They run in the
// order of recording, which respects every sync point: a sync point names an earlier command.
#pragma once

#include "runtime/core/queue.h"

#include <memory>
#include <mutex>

namespace us::core {

enum class CommandBufferState : uint8_t { Recording, Executable, Pending };

class CommandBuffer final : public Object {
public:
  using SyncPoint = uint32_t; ///< the number of a recorded command, from 1

  /// `simultaneousUse`: it may be submitted while a submission of it has not ended.
  static Ref<CommandBuffer> create(Queue &queue, bool simultaneousUse);

  /// Adds a command and what it needs alive. The caller has checked everything the API demands, and that `has` each
  /// sync point the command waits for. InvalidOperation once finalised.
  Expected<SyncPoint> record(Command &&command, KeepList &&keep);
  /// True for a command recorded so far.
  bool has(SyncPoint point) const;

  /// InvalidOperation if it is not being recorded.
  Expected<void> finalize();

  /// Fills a request whose command is everything recorded. InvalidOperation if it is not finalised, or pending without
  /// simultaneous use. The request must be enqueued, or taken back.
  Expected<void> prepare(CommandRequest &request);
  /// A prepared request was not enqueued.
  void takeBack() { endSubmission(); }

  CommandBufferState state() const;
  Queue &queue() const { return *queue_; } ///< the one it was made for

private:
  CommandBuffer(Queue &queue, bool simultaneousUse) : queue_(&queue), simultaneousUse_(simultaneousUse) {}
  void lastReferenceGone() override;
  void endSubmission();

  const Ref<Queue> queue_;
  const bool simultaneousUse_;

  mutable std::mutex mutex_; // guards all below
  std::shared_ptr<CommandList> list_ = std::make_shared<CommandList>();
  KeepList keep_; ///< what the commands need alive, as long as the buffer lives
  bool finalized_ = false;
  uint32_t pending_ = 0; ///< submissions that have not ended
};

} // namespace us::core
