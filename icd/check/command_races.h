// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races between commands: two touch the same bytes, one of them changes these, and nothing orders the two.
//
// What orders commands is what the API says, and not how they happen to run. What one thread of the program was told
// counts as known to all of them.
//
// The host's own writes count, too, where they are found: of memory that a command is enqueued for, between that call
// and the moment when a command begins to run. Only what a program gives to its devices tells of its reads.
#pragma once

#include "icd/check/host_writes.h"
#include "icd/check/known_commands.h"
#include "runtime/core/command_watch.h"
#include "runtime/device/command.h"
#include "runtime/device/host_findings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace us::icd {

/// Whose bytes they are, since addresses come again. Neither link nor number: the program's own memory.
struct TouchedMemory {
  Ref<Object> link{};  ///< a memory object's
  uint64_t number = 0; ///< core::Allocation::id
  const char *noun = "the program's memory";
  const CallSite *madeAt = nullptr;
  bool isAtHand = false; ///< the program may look at it without asking
  bool operator==(const TouchedMemory &other) const { return link == other.link && number == other.number; }
};

struct CommandTouch {
  TouchedMemory memory;
  TouchedRange range;
};

/// A watch that orders what waits for it.
class OrderedWatch : public core::CommandWatch {
public:
  /// With the mutex held of whoever made it, where it has ended or its order is known: itself and all that is known to
  /// be before it.
  virtual void addTo(KnownCommands &known) const = 0;
};

/// A command, its order, and what it touches. Guarded by the mutex of whoever made it.
class WatchedCommand : public OrderedWatch {
public:
  uint64_t queue = 0, number = 0; ///< the number-th of its queue
  uint64_t ordinal = 0;           ///< among all
  const CallSite *site = nullptr;
  std::string what;                       ///< "kernel 'f'", or the call
  const char *verb = nullptr;             ///< what it does with all that it touches; null: reads and writes
  KnownCommands before;                   ///< all that are known to have ended before it begins
  std::vector<CommandTouch> touchedBytes; ///< by address once it has ended
  bool isHostCall = false;                ///< the program's own code, which may wait for whatever it likes
  std::vector<HostRegion> atHand;         ///< what it may touch, and the host as well
  std::vector<TouchedRange> hostWrote;    ///< since it was enqueued, and before it began
  bool hasBegun = false, isKept = false;  ///< isKept: what is at hand was looked at, if it could be

  void addTo(KnownCommands &known) const override {
    known.join(before);
    known.add(queue, number);
  }
  bool mayBeginLate() const override { return !atHand.empty(); }
  /// `find` says whose memory an address lies in, and where that ends: at 0 where it is nobody's that could be named.
  template <class Find> void touches(TouchedRange range, Find find) {
    while (range.begin < range.end) {
      const auto [memory, end] = find(range.begin);
      if (end <= range.begin) return;
      TouchedRange part = range;
      part.end = std::min(range.end, end);
      touchedBytes.push_back({memory, part});
      range.begin = part.end;
    }
  }
  /// The host may learn from its memory how far the command has come.
  bool mayTellHost() const;
};

/// With the mutex held that guards its commands.
class CommandRaces {
public:
  void enqueued(WatchedCommand &command);
  void begins(WatchedCommand &command);
  /// It has ended, with all that it has touched; `host`: which the host knows to have ended.
  void ended(WatchedCommand &command, const KnownCommands &host, std::vector<HostFinding> &found);
  /// What it is that was enqueued first, of those that did not end; behind all where there is none.
  uint64_t firstOpen() const;
  /// It goes, and has not ended.
  void forget(WatchedCommand &command);
  /// From now on, and until `hostIsNoMoreAwaited`, commands may wait for something that the host does.
  void hostIsAwaited();
  void hostIsNoMoreAwaited();

private:
  void forgetOrdered(const KnownCommands &host);
  void lookAtHost();
  void keep(WatchedCommand &command);
  void leaves(WatchedCommand &command);
  void compareWithHost(const WatchedCommand &command, std::vector<HostFinding> &found);

  std::vector<WatchedCommand *> open_;       ///< that did not end
  HostWrites hostWrites_;                    ///< of what open commands have at hand, while none runs
  unsigned running_ = 0, hostIsAwaited_ = 0; ///< commands; user events, functions of the program's, and the like
  std::vector<Ref<WatchedCommand>> done_;    ///< that have touched something, and may be in no order with another
  size_t manyDone_ = 64;                     ///< with so many of them it is looked which are before all that can come
};

/// What a copy or a fill touches: rows that lie together are one range. Its target is written, its source read.
std::vector<TouchedRange> transferredBy(const Command &command);

} // namespace us::icd
