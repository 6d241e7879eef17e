// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes that show only when commands run: memory that is mapped meanwhile, or was changed under them, results that
// the host never waits for, and waits that other drivers never end.
//
// What orders commands is what the API says: places in a queue, wait lists, barriers, and what the host was told; not
// how they happen to run. What one thread of the program was told counts as known to all of them.
#pragma once

#include "icd/check/command_races.h"
#include "icd/opencl/check/command_accesses.h"
#include "icd/opencl/check/host_side.h"
#include "icd/opencl/cl.h"
#include "runtime/core/buffer.h"
#include "runtime/core/command_watch.h"
#include "runtime/core/event.h"
#include "runtime/core/queue.h"
#include "runtime/device/host_findings.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace us::opencl {

class ClMem;
class ClQueue;
class CommandChecks;
struct CheckedQueue;

/// A command that nobody has sent on its way, of a queue that somebody waits for.
struct UnflushedCommand {
  std::shared_ptr<CheckedQueue> queue;
  uint64_t number = 0;
  const CallSite *site = nullptr;
};

/// What is known of a context; guarded by CommandChecks.
struct CheckedContext {
  uint64_t queues = 0;
  /// It has a queue that orders nothing, or a second one.
  std::atomic<bool> mayHaveNoOrder{false};
};

/// The same of a queue.
struct CheckedQueue {
  uint64_t id = 0;
  std::shared_ptr<CheckedContext> context;
  uint64_t next = 0;                       ///< number of the next command
  uint64_t flushedUpTo = 0;                ///< commands before this one
  icd::KnownCommands ended;                ///< those that have, and what was before them
  icd::KnownCommands passed;               ///< barriers, and what was before them
  Ref<core::CommandWatch> barrier;         ///< the latest, if it has not ended
  std::vector<UnflushedCommand> unflushed; ///< what its commands wait for; one of each other queue, the latest
};

/// A range of shared virtual memory that the program has mapped, and what it said that it does there.
struct SvmMap {
  TouchedRange range;
  uint64_t memory = 0; ///< its number
  const CallSite *site = nullptr;
  Ref<icd::WatchedCommand> map, unmap; ///< unmap: null until it is enqueued
};

/// A region that the program has mapped, or has asked for.
struct CheckedMap final : Object {
  Ref<core::WeakLink<core::Buffer>> memory; ///< the whole that is divided
  const core::Buffer *through = nullptr;    ///< only to be compared
  uint64_t begin = 0, end = 0;              ///< in the whole
  core::Mapping mapping;
  const CallSite *site = nullptr;
  uint64_t queue = 0, number = 0; ///< its command's
  bool isMapped = false;          ///< which has ended
  bool isUnmapped = false;        ///< the program has asked for it
  bool isDisturbed = false;       ///< commands in no order with it may write there
  std::optional<uint64_t> hash;   ///< of one that is only for reading: of what was there when it was mapped

  void keepContents();
  bool mayBeWrittenBy(const std::vector<CheckedAccess> &accesses) const;
  bool hasChanged() const;
};

class CheckedCommand final : public icd::WatchedCommand {
public:
  explicit CheckedCommand(CommandChecks &checks) : checks_(checks) {}
  ~CheckedCommand() override;
  Expected<void> begins() override;
  bool wantsTouched() const override;
  void touched(const std::vector<TouchedRange> &ranges) override;
  void ends(bool hasSucceeded) override;

private:
  friend class CommandChecks;
  std::pair<icd::TouchedMemory, uint64_t> memoryAt(uint64_t address, bool mayBeHosts) const;

  CommandChecks &checks_;
  std::shared_ptr<CheckedQueue> queue_;
  cl_context context_ = nullptr;
  bool waitsForAll_ = false, isBlocking_ = false, hasEnded_ = false;
  bool mayWriteHost_ = false; ///< memory of the program's, nobody knows which
  Ref<CheckedMap> maps_, unmaps_;
  std::vector<CheckedAccess> accesses_;
  std::optional<HostSide> host_;
  std::optional<uint64_t> hash_; ///< what the host's side held when the command was enqueued
  std::vector<UnflushedCommand> unflushed_;
  std::vector<Ref<CheckedMap>> written_; ///< maps for reading of what it may write, while it runs
  /// Of the buffers that it uses: the whole, and where that lies.
  std::vector<icd::CommandTouch> memories_;
  // Until it begins:
  std::vector<Ref<core::Event>> waitList_;
  Ref<core::CommandWatch> barrier_;
  // From then on:
  bool isOrdered_ = false;
};

class CommandChecks {
public:
  explicit CommandChecks(HostFindings &findings) : findings_(findings), findsRaces_(findings.wants(HostCheck::Races)) {}

  struct Call {
    bool isBlocking = false;
    Ref<CheckedMap> maps = {}, unmaps = {};
  };
  /// For a command that is about to be enqueued; null where nothing is looked at.
  Ref<core::CommandWatch> watch(ClQueue &queue, const core::CommandRequest &request, Call call);
  Ref<core::CommandWatch> watchUserEvent();
  /// On the host.
  void made(ClQueue &queue);

  Ref<CheckedMap> mapped(const ClMem &memory, const core::Mapping &mapping);
  /// The program gives it back, and may not touch it from now on.
  Ref<CheckedMap> unmapped(const ClMem &memory, const core::Mapping &mapping);
  /// The program's memory is a buffer's.
  void usesHostMemory(const ClMem &memory);

  /// The program was told that a command has ended.
  void hostKnows(const core::Event &event);
  /// The program has waited for it in the call in progress, which has flushed its queue.
  void hostWaitedFor(const core::Event &event);
  void hostWaitedFor(const core::CommandWatch &watch);
  void hostWaitedFor(ClQueue &queue);
  /// The program was told something from which it may know of the end of any command.
  void hostMayKnowAll();
  /// It has memory by which kernels can tell it.
  void hasFineGrainMemory();
  void flushed(ClQueue &queue);

  std::vector<const CallSite *> sitesToPrepare();
  void tellAtEnd();

private:
  friend class CheckedCommand;
  friend class CheckedUserEvent;
  using Findings = std::vector<HostFinding>;
  Expected<void> begins(CheckedCommand &command);
  void ends(CheckedCommand &command, bool hasSucceeded);
  void forget(CheckedCommand &command);
  // With the mutex held:
  std::shared_ptr<CheckedQueue> &queueOf(ClQueue &queue);
  void order(CheckedCommand &command);
  void collectUnflushed(CheckedCommand &command, bool isInOrder);
  void addRead(CheckedCommand &command);
  void lookAtMaps(CheckedCommand &command, Findings &found);
  void disturbMaps(const CheckedCommand &command);
  Expected<void> lookAtHostSide(CheckedCommand &command, Findings &found);
  void keepHostContents(CheckedCommand &command, const ClQueue &queue);
  void hostWillChange(const HostSide *side);
  void tellUnflushed(std::vector<UnflushedCommand> &unflushed, Findings &found);
  /// With no lock held: a place that is missing is that of the call in progress.
  void tell(Findings found, cl_context context);

  void addTransferred(CheckedCommand &command, const core::CommandRequest &request);
  void addMapped(CheckedCommand &command, const core::CommandRequest &request);
  void addAtHand(CheckedCommand &command, const core::CommandRequest &request, const CommandAccesses &accesses);
  void lookAtSvmMaps(const CheckedCommand &command, Findings &found);

  HostFindings &findings_;
  const bool findsRaces_;
  /// Guards all below, and what is CheckedQueue's and CheckedCommand's. With it held the last reference to a command
  /// may go, which takes it again.
  std::recursive_mutex mutex_;
  uint64_t nextQueue_ = 1, nextOrdinal_ = 0;
  icd::KnownCommands host_, ended_;
  std::vector<Ref<CheckedMap>> maps_;
  std::vector<const CheckedCommand *> writers_; ///< that have begun and did not end
  struct HostMemory {
    Ref<core::WeakLink<core::Buffer>> memory;
    HostSide side;
  };
  std::vector<HostMemory> hostMemory_;                ///< of buffers
  std::vector<CheckedCommand *> pendingWrites_;       ///< that have a hash and did not begin
  std::vector<CheckedCommand *> hostWriters_;         ///< that did not end
  uint64_t openUserEvents_ = 0, openHostWriters_ = 0; ///< the latter: CheckedCommand::mayWriteHost_
  std::vector<Ref<CheckedCommand>> reads_;            ///< for whose end the program perhaps has not waited
  size_t manyReads_ = 1024;                           ///< with so many of them it is looked which it has waited for
  bool hasFineGrainMemory_ = false;
  icd::CommandRaces races_;
  std::vector<SvmMap> svmMaps_; ///< that commands may meet which did not end
  std::atomic<bool> hasSvmMaps_{false};
};

} // namespace us::opencl
