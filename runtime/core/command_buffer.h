// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CommandBuffer: commands recorded once and submitted many times, each time as one command of a queue. They run in the
// order of recording, which respects every sync point: a sync point names an earlier command.
#pragma once

#include "runtime/core/queue.h"

#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace us::core {

/// Finalized: nothing can be added, and something that a command needs has not been given yet.
enum class CommandBufferState : uint8_t { Recording, Executable, Finalized };

class CommandBuffer final : public Object {
public:
  using SyncPoint = uint32_t; ///< the number of a recorded command, from 1

  static Ref<CommandBuffer> create(Queue &queue);

  /// A command and what it needs alive.
  struct Recorded {
    Command command;
    KeepList keep;
    bool isComplete = true; ///< false: stands for a command that cannot be made yet
  };

  /// Adds a command. The caller has checked everything the API demands, and that `has` each sync point the command
  /// waits for. InvalidOperation once finalised.
  Expected<SyncPoint> record(Recorded &&command);
  /// True for a command recorded so far.
  bool has(SyncPoint point) const;

  /// InvalidOperation if it is not being recorded.
  Expected<void> finalize();

  /// Puts other commands in the place of recorded ones, for submissions from now on. InvalidOperation if it is not
  /// finalised.
  Expected<void> replace(std::vector<std::pair<SyncPoint, Recorded>> &&commands);

  /// Fills a request whose command is everything recorded. InvalidOperation if it is not executable.
  Expected<void> prepare(CommandRequest &request);

  CommandBufferState state() const;
  Queue &queue() const { return *queue_; } ///< the one it was made for

private:
  explicit CommandBuffer(Queue &queue) : queue_(&queue) {}
  ~CommandBuffer() override;
  void lastReferenceGone() override;
  CommandBufferState stateLocked() const;

  const Ref<Queue> queue_;

  mutable std::mutex mutex_; // guards all below
  /// Submissions share it: it is copied before a command of it is replaced.
  std::shared_ptr<CommandList> list_ = std::make_shared<CommandList>();
  std::vector<KeepList> keep_;     ///< what each command needs alive, as long as the buffer has it
  std::set<SyncPoint> incomplete_; ///< commands that cannot run yet
  bool finalized_ = false;
};

} // namespace us::core
