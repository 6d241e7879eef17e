// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which commands of streams are in no order, and touch the same bytes: the class `races`.
//
// CUDA says the order of a command when it is enqueued: what is before it in its stream, what the default stream's rule
// adds, events that the stream waits for, and what the host was told.
#pragma once

#include "icd/check/command_races.h"
#include "runtime/core/event.h"
#include "runtime/core/queue.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace us::cuda {

class Allocation;
class Stream;
class StreamChecks;

/// What is known of a context's streams; guarded by StreamChecks.
struct CheckedContext {
  icd::KnownCommands legacy;   ///< of the legacy default stream, and what is before them
  icd::KnownCommands blocking; ///< the same of the other blocking streams
  unsigned blockingStreams = 0;
  std::atomic<bool> mayHaveNoOrder{false}; ///< two of its streams do not wait for each other
};

/// The same of a stream.
struct CheckedStream {
  uint64_t id = 0, next = 0; ///< next: number of the next command
  std::shared_ptr<CheckedContext> context;
  bool isLegacy = false, isBlocking = false;
  icd::KnownCommands before; ///< of the next command, but for the default stream's rule and what the host knows
};

class StreamChecks {
public:
  explicit StreamChecks(HostFindings &findings) : findings_(findings) {}

  void made(Stream &stream);
  /// All contexts reach each other's memory.
  void contextMade() { ++contexts_; }
  void contextGone() { --contexts_; }

  /// For a command that is about to be enqueued by the call in progress.
  Ref<core::CommandWatch> watch(Stream &stream, const core::CommandRequest &request);
  /// The stream's next command has made it.
  void allocated(Stream &stream, const Allocation &allocation);
  /// For one that gives the allocation back.
  Ref<core::CommandWatch> watchFree(Stream &stream, const Allocation &allocation);

  /// The program was told that all up to there has ended.
  void hostKnows(const core::Event &event);
  void hostKnows(const core::CommandWatch &watch);
  void hostKnows(const Stream &stream);
  /// The program was told something from which it may know of the end of any command.
  void hostMayKnowAll();

private:
  class Command;
  /// Memory that was freed in the order of a stream, whose address may be another's by now.
  struct Freed {
    uint64_t ordinal = 0; ///< of the command that has
    uint64_t begin = 0, end = 0;
    icd::TouchedMemory memory;
  };
  std::pair<icd::TouchedMemory, uint64_t> memoryOf(const Command &command, uint64_t address) const;
  void begins(Command &command);
  void touched(Command &command, const std::vector<TouchedRange> &ranges);
  void ends(Command &command);
  Ref<Command> add(Stream &stream, const core::CommandRequest &request); ///< with the mutex held

  HostFindings &findings_;
  std::atomic<unsigned> contexts_{0};
  /// Guards all below, and what is CheckedContext's, CheckedStream's and a command's. With it held the last reference
  /// to a command may go, which takes it again.
  std::recursive_mutex mutex_;
  uint64_t nextStream_ = 1, nextOrdinal_ = 0;
  icd::KnownCommands host_, all_; ///< all_: that were ever enqueued
  icd::CommandRaces races_;
  std::vector<Freed> freed_; ///< that commands may use that did not end; in order
};

} // namespace us::cuda
