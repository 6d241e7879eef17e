// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UnfinishedCommands: the commands of one queue, from when they are added until they have ended, and which of them may
// run next. Links and states only: it knows no threads and no device. The mutex of whoever owns it guards everything
// but CommandLinks::open.
//
//    append()         a flush, or its turn     open is 0; in order:      take(): some         remove():
//                     once it is due           all before it are Ready   thread runs it       it has ended
//    ──────> Pending ────────────────> Released ────────────────> Ready ──────────────> Taken ──────────────> Removed
//                                                                   ^                   │   │                   ^
//                                                                   └──── putBack() ────┘   │                   │
//                                                                                           └──> HandedOver ────┘
//                                                                                      handOver()         remove()
//
// `open` counts what a command waits for: other events, and one until it is Released. Who brings it to 0 says so.
// A command is handed over that the device has and runs before what it is given later: the next one may be taken.
#pragma once

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace us::core {

enum class CommandStage : uint8_t { Pending, Released, Ready, Taken, HandedOver, Removed };

/// What the list keeps in a command.
template <class Command> struct CommandLinks {
  Command *next = nullptr, *previous = nullptr; ///< all of the list, oldest first
  Command *nextReady = nullptr,
          *previousReady = nullptr; ///< those that are Ready, in the order in which they came to be
  uint64_t number = 0;              ///< its place among all that were ever added
  CommandStage stage = CommandStage::Pending;
  bool barrier = false;          ///< out of order: later commands wait for this one
  bool lazy = false;             ///< not submitted behind the program's back while nothing else comes after it
  std::atomic<uint32_t> open{1}; ///< changed by anybody
};

/// A Command has CommandLinks<Command> links_ and issued(), called when it becomes Ready.
template <class Command> class UnfinishedCommands {
public:
  explicit UnfinishedCommands(bool outOfOrder) : outOfOrder_(outOfOrder) {}

  bool outOfOrder() const { return outOfOrder_; }
  /// Only while the list is empty and not occupied.
  void setOutOfOrder(bool outOfOrder) { outOfOrder_ = outOfOrder; }

  /// These three may be asked without the mutex.
  size_t size() const { return size_.load(std::memory_order_acquire); }
  /// The device has all of the list (which may be nothing).
  bool isAllHandedOver() const { return notHandedOver_.load(std::memory_order_acquire) == 0; }
  bool hasPending() const { return firstPending_.load(std::memory_order_acquire) != nullptr; }

  Command *first() const { return first_; }
  Command *last() const { return last_; }
  uint64_t nextNumber() const { return nextNumber_; }
  /// Where nothing of an in-order list may run: something that is not in the list does (occupy), or one of it.
  bool occupied() const { return running_ != 0; }
  /// The device has some of the list.
  bool isAnyHandedOver() const { return handedOver_ != 0; }

  // --- Adding ---

  /// Out of order, a new command waits by its place for the latest barrier, or for `all` since that one.
  template <class Visit> void visitEarlier(bool all, Visit visit) const {
    if (!outOfOrder_) return;
    Command *earlier = all && !lastBarrier_ ? first_ : lastBarrier_;
    for (; earlier; earlier = all ? links(earlier).next : nullptr) visit(*earlier);
  }

  void append(Command &command) {
    add(command);
    if (!outOfOrder_ && !nextToIssue_) nextToIssue_ = &command;
    if (!pending()) firstPending_.store(&command, std::memory_order_relaxed);
  }
  /// The same, and submits and takes it: a command that waits for nothing, where all of the list was handed over.
  void appendTaken(Command &command) {
    add(command);
    dueBefore_ = nextNumber_;
    links(&command).open.store(0, std::memory_order_relaxed);
    links(&command).stage = CommandStage::Taken;
    ++running_;
    command.issued();
  }

  // --- Submitting ---

  /// The oldest that is Pending.
  Command *pending() const { return firstPending_.load(std::memory_order_relaxed); }
  /// The first of the Pending ones at the end that are all lazy; null if the last one is not.
  Command *lazyTail() const {
    Command *tail = nullptr;
    for (Command *each = last_; each && pending() && links(each).lazy; each = links(each).previous) {
      tail = each;
      if (each == pending()) break;
    }
    return tail;
  }

  /// Makes what is Pending before `end` (null: all) due. Out of order it is released at once; in order by whoever runs
  /// the list, when its turn comes.
  void submit(Command *end = nullptr) {
    dueBefore_ = std::max(dueBefore_, end ? links(end).number : nextNumber_);
    if (outOfOrder_) releaseDue();
  }
  /// So many of those that are due.
  void releaseDue(int most = INT_MAX) {
    Command *next = pending();
    for (; next && most > 0 && links(next).number < dueBefore_; --most, next = links(next).next) {
      links(next).stage = CommandStage::Released;
      if (links(next).open.fetch_sub(1, std::memory_order_acq_rel) == 1) becameReady(*next);
    }
    firstPending_.store(next, std::memory_order_release);
  }
  /// The command's `open` has fallen to 0. In order it may be gone by now: another thread may have issued it since.
  void becameReady(Command &command) {
    if (outOfOrder_) return issue(command);
    // One that is behind another that waits stays as it is.
    for (; nextToIssue_ && links(nextToIssue_).open.load(std::memory_order_acquire) == 0;
         nextToIssue_ = links(nextToIssue_).next)
      issue(*nextToIssue_);
  }

  // --- Running ---

  /// True if some command may be taken now.
  bool runnable() {
    if (!outOfOrder_ && running_) return false;
    // In order, commands that are due are released so many at a time: the mutex is never held for thousands of them,
    // and who releases them is who runs them.
    if (!firstReady_ && nextToIssue_ && nextToIssue_ == pending()) releaseDue(kReleasedAtOnce);
    return firstReady_ != nullptr;
  }
  /// The one that has been ready longest, if one may run.
  Command *takeAny() {
    if (!runnable()) return nullptr;
    Command *const command = firstReady_;
    take(*command);
    return command;
  }
  void take(Command &command) {
    CommandLinks<Command> &its = links(&command);
    its.stage = CommandStage::Taken;
    (its.previousReady ? links(its.previousReady).nextReady : firstReady_) = its.nextReady;
    (its.nextReady ? links(its.nextReady).previousReady : lastReady_) = its.previousReady;
    ++running_;
  }
  /// A command that was taken cannot run here and now: it is the next one again.
  void putBack(Command &command) {
    CommandLinks<Command> &its = links(&command);
    its.stage = CommandStage::Ready;
    its.nextReady = firstReady_;
    its.previousReady = nullptr;
    (firstReady_ ? links(firstReady_).previousReady : lastReady_) = &command;
    firstReady_ = &command;
    --running_;
  }
  /// The device has the command, unless it has ended already.
  void handOver(Command &command) {
    if (links(&command).stage != CommandStage::Taken) return;
    links(&command).stage = CommandStage::HandedOver;
    --running_, ++handedOver_;
    setNotHandedOver(-1);
  }
  /// What must happen next for `wanted` to end: `ready` may be taken, or `blocked` waits for other events; neither
  /// where something else runs, the device has `wanted`, or it has ended.
  struct Step {
    Command *ready = nullptr, *blocked = nullptr;
  };
  Step towards(Command &wanted) {
    if (links(&wanted).stage >= CommandStage::Taken) return {};
    if (outOfOrder_)
      return links(&wanted).stage == CommandStage::Ready ? Step{&wanted, nullptr} : Step{nullptr, &wanted};
    if (running_) return {};
    return runnable() ? Step{firstReady_, nullptr} : Step{nullptr, nextToIssue_};
  }
  void remove(Command &command) {
    CommandLinks<Command> &its = links(&command);
    (its.previous ? links(its.previous).next : first_) = its.next;
    (its.next ? links(its.next).previous : last_) = its.previous;
    if (lastBarrier_ == &command) lastBarrier_ = nullptr;
    size_.store(size_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
    if (its.stage == CommandStage::HandedOver) {
      --handedOver_;
    } else {
      --running_;
      setNotHandedOver(-1);
    }
    its.stage = CommandStage::Removed;
  }

  /// In order: as if a command of the list ran, until vacate().
  void occupy() { ++running_; }
  void vacate() { --running_; }

private:
  static constexpr int kReleasedAtOnce = 32;

  static CommandLinks<Command> &links(Command *command) { return command->links_; }
  void add(Command &command) {
    links(&command).number = nextNumber_++;
    links(&command).previous = last_;
    (last_ ? links(last_).next : first_) = &command;
    last_ = &command;
    size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    setNotHandedOver(1);
    if (outOfOrder_ && links(&command).barrier) lastBarrier_ = &command;
  }
  void setNotHandedOver(int64_t change) {
    notHandedOver_.store(notHandedOver_.load(std::memory_order_relaxed) + change, std::memory_order_release);
  }

  void issue(Command &command) {
    CommandLinks<Command> &its = links(&command);
    its.stage = CommandStage::Ready;
    its.previousReady = lastReady_;
    (lastReady_ ? links(lastReady_).nextReady : firstReady_) = &command;
    lastReady_ = &command;
    command.issued();
  }

  bool outOfOrder_;
  Command *first_ = nullptr, *last_ = nullptr;
  std::atomic<Command *> firstPending_{nullptr};
  Command *nextToIssue_ = nullptr; ///< in order: the oldest that is not Ready
  Command *firstReady_ = nullptr, *lastReady_ = nullptr;
  Command *lastBarrier_ = nullptr; ///< out of order: the latest
  uint64_t nextNumber_ = 0;
  uint64_t dueBefore_ = 0;  ///< Pending commands with lower numbers may be released
  uint64_t running_ = 0;    ///< Taken, or from outside; in order: 1 at most
  uint64_t handedOver_ = 0; ///< of the list
  std::atomic<size_t> size_{0};
  std::atomic<uint64_t> notHandedOver_{0}; ///< of the list
};

} // namespace us::core
