// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/check/command_races.h"

#include "icd/common/format.h"

#include <algorithm>

namespace us::icd {
namespace {

struct Meeting {
  const CommandTouch *one = nullptr, *other = nullptr;
};

bool conflict(const TouchedRange &a, const TouchedRange &b) {
  const bool aWrites = a.writes || a.isAtomic, bWrites = b.writes || b.isAtomic;
  return (a.writes && (b.reads || bWrites)) || (b.writes && (a.reads || aWrites)) || (a.isAtomic && b.reads) ||
         (b.isAtomic && a.reads);
}

/// The first bytes that both touch and one of them changes; none where both use some by atomic operations, by which
/// they may have waited for each other. Both are by address.
Meeting meetingOf(const std::vector<CommandTouch> &ones, const std::vector<CommandTouch> &others) {
  Meeting meeting;
  auto from = others.begin();
  for (const CommandTouch &one : ones) {
    while (from != others.end() && from->range.end <= one.range.begin) ++from;
    for (auto other = from; other != others.end() && other->range.begin < one.range.end; ++other) {
      if (one.range.begin >= other->range.end || !(one.memory == other->memory)) continue;
      if (one.range.isAtomic && other->range.isAtomic) return {};
      if (!meeting.one && conflict(one.range, other->range)) meeting = {&one, &*other};
    }
  }
  return meeting;
}

std::string verbOf(const WatchedCommand &command, const TouchedRange &range) {
  if (command.verb) return command.verb;
  if (range.writes) return range.reads ? "reads and writes" : "writes";
  return range.isAtomic ? "changes" : "reads";
}

bool isBefore(const WatchedCommand &one, const WatchedCommand &other) {
  return other.before.has(one.queue, one.number);
}

} // namespace

bool WatchedCommand::mayTellHost() const {
  return std::ranges::any_of(touchedBytes,
                             [](const CommandTouch &touch) { return touch.memory.isAtHand && touch.range.isAtomic; });
}

void CommandRaces::ended(WatchedCommand &command, const KnownCommands &host, std::vector<HostFinding> &found) {
  leaves(command);
  if (command.touchedBytes.empty()) return;
  std::ranges::sort(command.touchedBytes, {}, [](const CommandTouch &touch) { return touch.range.begin; });
  if (!command.hostWrote.empty()) compareWithHost(command, found);
  for (const Ref<WatchedCommand> &other : done_) {
    if (isBefore(*other, command) || isBefore(command, *other)) continue;
    // Whichever ran first, what is told is the same: the one that was enqueued later.
    const bool isLater = command.ordinal > other->ordinal;
    const WatchedCommand &later = isLater ? command : *other, &earlier = isLater ? *other : command;
    const Meeting meeting = meetingOf(later.touchedBytes, earlier.touchedBytes);
    if (!meeting.one || earlier.mayTellHost()) continue;
    const uint64_t begin = std::max(meeting.one->range.begin, meeting.other->range.begin);
    const uint64_t end = std::min(meeting.one->range.end, meeting.other->range.end);
    found.push_back({HostCheck::Races,
                     "race between commands",
                     format("{} {} {} bytes of {} that {} {}, and nothing orders the two commands", later.what,
                            verbOf(later, meeting.one->range), end - begin, meeting.one->memory.noun, earlier.what,
                            verbOf(earlier, meeting.other->range)),
                     later.site,
                     {{"made", meeting.one->memory.madeAt}},
                     earlier.site});
  }
  done_.push_back(Ref<WatchedCommand>(&command));
  if (done_.size() >= manyDone_) forgetOrdered(host);
}

// --- What the host writes ---

void CommandRaces::hostIsAwaited() {
  ++hostIsAwaited_;
  hostWrites_.drop();
}
void CommandRaces::hostIsNoMoreAwaited() { --hostIsAwaited_; }

void CommandRaces::enqueued(WatchedCommand &command) {
  lookAtHost();
  open_.push_back(&command);
  if (command.isHostCall) hostIsAwaited();
  keep(command);
}

/// Once for each command, and not before others that run have ended.
void CommandRaces::keep(WatchedCommand &command) {
  if (running_ || command.isKept || command.hasBegun) return;
  command.isKept = true;
  if (hostIsAwaited_) return;
  for (const HostRegion &region : command.atHand) hostWrites_.keep(region);
}

void CommandRaces::begins(WatchedCommand &command) {
  lookAtHost();
  hostWrites_.drop();
  command.hasBegun = true;
  ++running_;
}

/// What has changed was written behind the enqueueing of all that is open: nobody has told the host of their ends.
void CommandRaces::lookAtHost() {
  const std::vector<TouchedRange> written = hostWrites_.take();
  if (written.empty()) return;
  constexpr size_t kEnough = 4096;
  for (WatchedCommand *const open : open_)
    if (open->hostWrote.size() < kEnough) open->hostWrote.insert(open->hostWrote.end(), written.begin(), written.end());
}

void CommandRaces::leaves(WatchedCommand &command) {
  if (std::erase(open_, &command) == 0) return;
  if (command.isHostCall) hostIsNoMoreAwaited();
  if (command.hasBegun) --running_;
  for (WatchedCommand *const open : open_) keep(*open);
}

void CommandRaces::forget(WatchedCommand &command) { leaves(command); }

/// A command that uses such memory by atomic operations may wait for the host, and with it all that comes behind.
void CommandRaces::compareWithHost(const WatchedCommand &command, std::vector<HostFinding> &found) {
  if (command.mayTellHost()) {
    for (WatchedCommand *const open : open_) open->hostWrote.clear();
    return hostIsAwaited();
  }
  if (command.isHostCall || command.verb || !command.hasBegun) return;
  for (const TouchedRange &written : command.hostWrote) {
    auto touch = std::ranges::lower_bound(command.touchedBytes, written.end, {},
                                          [](const CommandTouch &one) { return one.range.begin; });
    if (touch == command.touchedBytes.begin() || (--touch)->range.end <= written.begin) continue;
    found.push_back({HostCheck::Races,
                     "race with the host",
                     format("the program writes to {} that {} {}, behind the call that enqueues it, and has not waited "
                            "for its end",
                            touch->memory.noun, command.what, verbOf(command, touch->range)),
                     command.site,
                     {{"made", touch->memory.madeAt}}});
    return;
  }
}

uint64_t CommandRaces::firstOpen() const {
  uint64_t first = ~uint64_t(0);
  for (const WatchedCommand *const open : open_) first = std::min(first, open->ordinal);
  return first;
}

/// What the host knows to have ended is before all that it enqueues from now on; what it has enqueued already may not
/// know of it.
void CommandRaces::forgetOrdered(const KnownCommands &host) {
  std::erase_if(done_, [&](const Ref<WatchedCommand> &one) {
    return host.has(one->queue, one->number) &&
           std::ranges::all_of(open_, [&](const WatchedCommand *open) { return isBefore(*one, *open); });
  });
  manyDone_ = std::max<size_t>(64, 2 * done_.size());
}

std::vector<TouchedRange> transferredBy(const Command &command) {
  std::vector<TouchedRange> ranges;
  const auto add = [&](const std::byte *memory, const PitchedLayout &layout, const Size3 &region, bool writes) {
    const size_t first = ranges.size();
    forEachRow(layout, region, [&](uint64_t at) {
      const uint64_t begin = reinterpret_cast<uint64_t>(memory) + at, end = begin + region[0];
      if (ranges.size() > first && ranges.back().end == begin)
        ranges.back().end = end;
      else if (begin != end)
        ranges.push_back({begin, end, !writes, writes, false});
    });
  };
  if (const auto *const copy = std::get_if<CopyCommand>(&command)) {
    add(copy->to, copy->toLayout, copy->region, true);
    add(copy->from, copy->fromLayout, copy->region, false);
  }
  if (const auto *const fill = std::get_if<FillCommand>(&command))
    add(fill->to, {0, fill->rowPitch, fill->slicePitch}, {fill->size, fill->rows, fill->slices}, true);
  return ranges;
}

} // namespace us::icd
