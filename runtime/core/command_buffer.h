// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CommandBuffer: commands recorded once, for one queue or several, and submitted many times. Those of one queue run in
// the order of recording, and a submission is one command of it; with several queues it is parts, each of which is one
// command of its queue and waits for others (docs/decisions/0022-command-buffers.md).
#pragma once

#include "runtime/core/queue.h"

#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace us::core {

/// Finalized: nothing can be added, and something that a command needs has not been given yet.
enum class CommandBufferState : uint8_t { Recording, Executable, Finalized };

class CommandBuffer final : public Object {
public:
  using SyncPoint = uint32_t; ///< the number of a recorded command, from 1

  static Ref<CommandBuffer> create(uint32_t queues = 1);

  /// A command and what it needs alive.
  struct Recorded {
    Command command;
    KeepList keep;
    bool isComplete = true; ///< false: stands for a command that cannot be made yet
  };
  /// Where a command is recorded. A command of a queue runs after all that were recorded for that queue before.
  struct Place {
    uint32_t queue = 0;                    ///< which of the buffer's
    std::span<const SyncPoint> after = {}; ///< what it waits for
    bool isBarrier = false; ///< without `after` it waits for all before it; all commands after it wait for it
  };

  /// Adds a command. The caller has checked everything the API demands, and that `has` each sync point the command
  /// waits for. InvalidOperation once finalised.
  Expected<SyncPoint> record(Recorded &&command, const Place &place);
  Expected<SyncPoint> record(Recorded &&command) { return record(std::move(command), Place()); }
  /// True for a command recorded so far.
  bool has(SyncPoint point) const;

  /// InvalidOperation if it is not being recorded.
  Expected<void> finalize();

  /// Puts other commands in the place of recorded ones, for submissions from now on. InvalidOperation if it is not
  /// finalised.
  Expected<void> replace(std::vector<std::pair<SyncPoint, Recorded>> &&commands);

  /// What one queue runs of a submission.
  struct Part {
    uint32_t queue = 0;          ///< which of the buffer's
    std::vector<uint32_t> after; ///< parts before this one that must have ended
    SequenceCommand command;
    KeepList keep;
  };

  /// Everything recorded, for the queues in this order. InvalidOperation if it is not executable. A buffer of one queue
  /// is one part, even if nothing was recorded.
  Expected<std::vector<Part>> prepare();

  CommandBufferState state() const;

private:
  /// Commands of one queue, one after the other.
  struct Section {
    uint32_t queue = 0;
    std::set<uint32_t> after; ///< sections before this one
    bool isClosed = false;    ///< another one waits for it: nothing is added
    /// Submissions share it: it is copied before a command of it is replaced.
    std::shared_ptr<CommandList> list = std::make_shared<CommandList>();
    std::vector<SyncPoint> points{}; ///< of the commands
  };
  struct Recording {
    uint32_t section = 0;
    uint32_t index = 0; ///< in the section
    KeepList keep;      ///< what the command needs alive, as long as the buffer has it
  };
  static constexpr uint32_t kNone = ~0u;

  explicit CommandBuffer(uint32_t queues) : last_(queues, kNone), before_(queues) {}
  ~CommandBuffer() override;
  void lastReferenceGone() override;
  CommandBufferState stateLocked() const;
  uint32_t sectionFor(const Place &place);

  mutable std::mutex mutex_; // guards all below
  std::vector<Section> sections_;
  std::vector<Recording> commands_;
  std::vector<uint32_t> last_;             ///< the latest section of each queue, or kNone
  std::vector<std::set<uint32_t>> before_; ///< what the sections of each queue so far have waited for
  uint32_t barrier_ = kNone;               ///< the section that ends with the latest barrier
  std::set<SyncPoint> incomplete_;         ///< commands that cannot run yet
  bool finalized_ = false;
};

} // namespace us::core
