// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parallel scheduler: an ascending ticket counter that the calling thread works off itself. Others are invited only
// when there is enough left to pay for waking them, a few at first, who then invite more; and nobody waits for one that
// has not come (docs/decisions/0059-who-is-invited.md). A large job is cut into sections, a counter each, so that in
// the next launch a thread finds in its cache what it worked on in this (docs/decisions/0077-sections-of-a-launch.md).
#include "emulator/exec/scheduler.h"

#include "emulator/exec/futex.h"
#include "emulator/exec/worker_pool.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <new>
#include <utility>

namespace us::exec {
namespace {

constexpr uint64_t kPicosecond = 1, kNanosecond = 1000 * kPicosecond, kMicrosecond = 1000 * kNanosecond;
/// What each participant should find to do where workers wait awake, and where they must be woken: the latter takes
/// some 10 us of CPU time, and they come 20 to 50 us later.
constexpr uint64_t kShareOfAwake = 20 * kMicrosecond, kShareOfAsleep = 40 * kMicrosecond;
/// So many are woken by one participant between two tickets; those that come wake others.
constexpr unsigned kWokenAtOnce = 2;
/// Launches that follow each other so soon find the workers of the one before awake.
constexpr uint64_t kSoon = 20 * kMicrosecond;
/// What a work-item of an unknown kernel is taken to cost, until one has run.
constexpr uint64_t kAssumedItem = 40 * kNanosecond;
/// One ticket that took so long tells enough; else two are needed before an estimate of this launch is believed.
constexpr uint64_t kTellsEnough = 100 * kMicrosecond;
/// Taken as one ticket.
constexpr uint64_t kNotWorthLooking = 1 * kMicrosecond;
/// What a ticket should take.
constexpr uint64_t kTicketTime = 30 * kMicrosecond;
/// Of a launch that is worth sharing, this part is a participant's first ticket at most; the next may be twice that.
constexpr uint64_t kFirstPart = 16;
/// What there is to do in a section, at the least: a worker that had to be woken should find its own still there.
constexpr uint64_t kSectionTime = 100 * kMicrosecond;
/// No estimate is more: sums and products of few of them fit.
constexpr uint64_t kMuch = 1'000'000 * kMicrosecond;
/// As long the caller waits awake for those who are inside.
constexpr uint64_t kWaitAwake = 20 * kMicrosecond;

uint64_t nowPicoseconds() { return monotonicNanoseconds() * kNanosecond; }

/// The work of so many groups of that cost.
uint64_t workOf(uint64_t groups, uint64_t each) { return std::min(groups, kMuch / each) * each; }

class Team;

/// Groups that follow each other, taken in ascending order; in a cache line of its own.
struct alignas(64) Section {
  std::atomic<uint64_t> next{0};
  uint64_t end = 0;

  uint64_t left() const {
    const uint64_t at = next.load(std::memory_order_relaxed);
    return at < end ? end - at : 0;
  }
};

/// The counter, shared by the participants of one run.
class Counter {
public:
  explicit Counter(uint64_t total) : total(total) { whole_.end = total; }

  /// Before anybody takes part. One, if there is no memory.
  void cutInto(unsigned sections) {
    if (sections < 2) return;
    sections_.reset(new (std::nothrow) Section[sections]);
    if (!sections_) return;
    count_ = sections;
    for (unsigned i = 0; i < sections; ++i) {
      const auto bound = [&](unsigned at) { return total / sections * at + std::min<uint64_t>(at, total % sections); };
      sections_[i].next.store(bound(i), std::memory_order_relaxed);
      sections_[i].end = bound(i + 1);
    }
    left_.store(total, std::memory_order_relaxed);
  }
  unsigned sections() const { return count_; }

  /// Of those that one participant takes if it goes on as it began.
  uint64_t groupsOfEach() const { return total / count_; }

  /// What a participant has done in sections, which need not cost the same.
  void account(uint64_t groups, uint64_t picoseconds) {
    if (count_ == 1) return;
    done_.fetch_add(groups, std::memory_order_relaxed);
    spent_.fetch_add(picoseconds, std::memory_order_relaxed);
  }
  uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  uint64_t spent() const { return spent_.load(std::memory_order_relaxed); }

  /// Groups that nobody has taken; may be more for a moment.
  uint64_t left() const { return count_ == 1 ? whole_.left() : left_.load(std::memory_order_relaxed); }

  /// From the section, or when that has none left, from the next one that has some, which then is the participant's.
  bool take(unsigned &section, uint64_t size, GroupRange &range) {
    do {
      Section &from = of(section);
      range.first = from.next.fetch_add(size, std::memory_order_relaxed);
      if (range.first >= from.end) continue;
      range.last = std::min(range.first + size, from.end);
      if (count_ > 1) left_.fetch_sub(range.last - range.first, std::memory_order_relaxed);
      return true;
    } while (moveOn(section));
    return false;
  }

  void stop() {
    left_.store(0, std::memory_order_relaxed);
    for (unsigned i = 0; i < count_; ++i) of(i).next.store(of(i).end, std::memory_order_relaxed);
  }

  const uint64_t total;
  unsigned poolThreads = 1, mostParticipants = 1; ///< of the pool's threads, so many may take part
  std::atomic<uint64_t> groupTime{1};             ///< picoseconds
  std::atomic<bool> assumed{false};               ///< groupTime is a guess: the first measurement replaces it
  std::atomic<unsigned> participants{1};          ///< the caller, and those who were invited

private:
  Section &of(unsigned section) { return count_ == 1 ? whole_ : sections_[section]; }
  /// Each begins to look behind its own: those who have done theirs do not all go to the same.
  bool moveOn(unsigned &section) {
    for (unsigned i = 1; i < count_; ++i)
      if (const unsigned one = (section + i) % count_; of(one).left()) return section = one, true;
    return false;
  }

  Section whole_;                       ///< if there is one
  std::unique_ptr<Section[]> sections_; ///< if there are several
  unsigned count_ = 1;
  std::atomic<uint64_t> done_{0}, spent_{0};
  std::atomic<uint64_t> left_{0}; ///< if there are several: not to be summed up from all their cache lines
};

/// What invited workers hold on to: it outlives the run, the job does not.
class Team {
public:
  Team(Job &job, Counter &counter) : job_(&job), counter_(&counter) {}

  /// Asks workers of the pool: so many of those awake, and of the others until `anyway` were asked. Returns how many
  /// will come. For participants only.
  unsigned invite(unsigned awake, unsigned anyway) {
    owners_.fetch_add(awake, std::memory_order_relaxed);
    const unsigned come = inviteWorkers({.threads = counter_->poolThreads,
                                         .awake = awake,
                                         .anyway = anyway,
                                         .function = [](void *team) { static_cast<Team *>(team)->join(); },
                                         .argument = this});
    owners_.fetch_sub(awake - come, std::memory_order_relaxed); // never the last: the participant's is among them
    return come;
  }
  /// A worker's turn: works on the job if it is still open.
  void join();
  /// The caller's last act: lets nobody in any more and waits for those inside.
  void closeAndWait();

private:
  void drop() {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  static constexpr uint32_t kClosed = 0x80000000, kAsleep = 0x40000000;
  Job *const job_;
  Counter *const counter_;
  std::atomic<uint32_t> state_{0};  ///< kClosed, kAsleep (the caller, and must be woken), and how many are inside
  std::atomic<uint32_t> owners_{1}; ///< the caller, and those who were invited
};

/// One participant's view of the counter.
class Taker : public TicketSource {
public:
  /// `number`: of the worker, from 1; 0 for the caller.
  Taker(Counter &counter, Team *team, unsigned number)
      : counter_(counter), team_(team), section_(number % counter.sections()) {}

  bool next(GroupRange &range) final {
    if (timed_) {
      uint64_t now = nowPicoseconds();
      if (taken_)
        learn(now - last_);
      else
        start_ = now;
      last_ = now;
    }
    const uint64_t left = counter_.left();
    if (left == 0) return false;
    if (timed_) consider(left);
    if (!counter_.take(section_, ticketSize(left), range)) return false;
    taken_ = range.last - range.first;
    done_ += taken_;
    ++tickets_;
    return true;
  }
  void stop() final { counter_.stop(); }
  /// When it takes no more.
  void account() { counter_.account(done_, spent()); }

protected:
  /// Work that was done shortly before, by launches whose workers may still be awake, in picoseconds.
  virtual uint64_t workBefore() { return 0; }
  /// Whether the estimate is good enough to wake others.
  virtual bool isSure() const { return true; }
  /// Null: no memory, and nobody is invited.
  virtual Team *makeTeam() { return nullptr; }

  uint64_t groupTime() const { return counter_.groupTime.load(std::memory_order_relaxed); }
  /// Of this participant, without inviting.
  uint64_t spent() const { return last_ - start_ - inviting_; }

  Counter &counter_;
  Team *team_; ///< null as long as the caller is alone
  unsigned section_;
  bool timed_ = true;
  uint64_t start_ = 0, last_ = 0; ///< picoseconds
  uint64_t inviting_ = 0;         ///< of the time between them
  uint64_t taken_ = 0, done_ = 0, tickets_ = 0;
  uint64_t own_ = 0; ///< picoseconds for a group of the last ticket

private:
  /// Before a ticket is taken: invites others if it is worth it.
  void consider(uint64_t left) {
    const unsigned here = counter_.participants.load(std::memory_order_relaxed);
    const uint64_t most = std::min<uint64_t>(counter_.mostParticipants, left);
    if (here >= most) return;
    const uint64_t work = workOf(left, groupTime());
    if (work < (here + 1) * kShareOfAwake || !isSure()) return;
    // One after the other as good as one long launch: who is woken stays awake for the next. But each should be worth
    // it.
    const uint64_t wanted = std::min(work / kShareOfAwake, most);
    const uint64_t worthWaking = std::min((work + workBefore()) / kShareOfAsleep, wanted);
    const unsigned awake = static_cast<unsigned>(wanted - here),
                   anyway = worthWaking > here ? std::min(static_cast<unsigned>(worthWaking) - here, kWokenAtOnce) : 0;
    if (anyway == 0 && !workersAreAwake()) return;
    if (!team_) team_ = makeTeam();
    if (!team_) return;
    // Reserved first: others may consider the same.
    const unsigned before = counter_.participants.fetch_add(awake, std::memory_order_relaxed);
    const unsigned come = before == here ? team_->invite(awake, anyway) : 0;
    counter_.participants.fetch_sub(awake - come, std::memory_order_relaxed);
    const uint64_t now = nowPicoseconds();
    inviting_ += now - last_;
    last_ = now;
  }
  void learn(uint64_t elapsed) {
    const uint64_t each = std::clamp<uint64_t>(elapsed / taken_, 1, kMuch), known = groupTime();
    own_ = each;
    if (counter_.assumed.load(std::memory_order_relaxed)) {
      counter_.assumed.store(false, std::memory_order_relaxed);
      return counter_.groupTime.store(each, std::memory_order_relaxed);
    }
    if (each > known - known / 8 && each < known + known / 8) return; // as good as the same, and all read it
    // What is cold is slow: the estimate falls at once and rises slowly.
    counter_.groupTime.store(known < each ? known + (each - known) / 4 : each, std::memory_order_relaxed);
  }
  uint64_t ticketSize(uint64_t left) const {
    // Groups of other sections may cost less.
    const uint64_t each = std::max(groupTime(), counter_.sections() > 1 ? own_ : 0);
    if (each <= kNotWorthLooking && left * each <= kNotWorthLooking) return left;
    // Tickets shrink towards the end, so that the participants finish together; and a lone caller looks at the clock
    // a few times even when the estimate says that all of it fits into one ticket.
    uint64_t share = (left + 1) / (2 * uint64_t{counter_.participants.load(std::memory_order_relaxed)});
    // An estimate may be far too low, and what is in a ticket is done by one thread: the first are small.
    if (workOf(counter_.total, each) > kShareOfAwake)
      share = std::min(share, (counter_.groupsOfEach() / kFirstPart) << std::min<uint64_t>(tickets_, 4));
    return std::clamp<uint64_t>(share, 1, std::max<uint64_t>(kTicketTime / each, 1));
  }
};

void Team::join() {
  uint32_t state = state_.load(std::memory_order_relaxed);
  do {
    if (state & kClosed) return drop();
  } while (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire));
  {
    Taker taker(*counter_, this, workerNumber());
    job_->work(taker);
    taker.account();
  }
  if (state_.fetch_sub(1, std::memory_order_release) - 1 == (kClosed | kAsleep)) futexWake(state_);
  drop();
}

void Team::closeAndWait() {
  uint32_t state = state_.fetch_or(kClosed, std::memory_order_acquire) | kClosed;
  // Tickets are short towards the end: it is soon over, as a rule.
  if (state != kClosed && spinFor(kWaitAwake / kNanosecond, [&] {
        state = state_.load(std::memory_order_acquire);
        return state == kClosed;
      }))
    return drop();
  if (state != kClosed) {
    state = state_.fetch_or(kAsleep, std::memory_order_acquire) | kAsleep;
    for (; state != (kClosed | kAsleep); state = state_.load(std::memory_order_acquire)) futexWait(state_, state);
  }
  drop();
}

/// What the launches of a scheduler have done that came shortly after one another. Launches side by side mix: no harm.
struct Recent {
  std::atomic<uint64_t> end{0}, work{0}; ///< picoseconds

  uint64_t before(uint64_t begin) const {
    const bool soon = begin < end.load(std::memory_order_relaxed) + kSoon; // another thread's may have ended since
    return soon ? work.load(std::memory_order_relaxed) : 0;
  }
  /// One has ended, of so much work; `before` it there was that.
  void add(uint64_t before, uint64_t more, uint64_t at) {
    work.store(std::min(before + more, kMuch), std::memory_order_relaxed);
    end.store(at, std::memory_order_relaxed);
  }
};

/// What a launch's groups have cost: so many took so long.
void remember(const JobShape &shape, uint64_t groups, uint64_t picoseconds) {
  if (!shape.cost) return;
  const uint64_t each = std::max<uint64_t>(picoseconds / (groups * std::max<uint64_t>(shape.itemsPerGroup, 1)), 1);
  auto &stored = shape.cost->picosecondsPerItem;
  const uint64_t old = stored.load(std::memory_order_relaxed);
  // Falls soon and rises slowly: a thread that was interrupted seems to have had much to do.
  uint64_t next = each;
  if (old) next = each < old ? (old + each) / 2 : std::min(old + (each - old) / 4, 4 * old);
  if (next != old) stored.store(next, std::memory_order_relaxed);
}

/// What a work-item costs as far as is known, 0 if it is not; and a group of such items.
uint64_t itemCost(const JobShape &shape) {
  return shape.cost ? shape.cost->picosecondsPerItem.load(std::memory_order_relaxed) : 0;
}
uint64_t groupCost(const JobShape &shape, uint64_t item) {
  // Saturates: a wrong estimate only changes ticket sizes.
  return workOf(std::clamp<uint64_t>(shape.itemsPerGroup, 1, 1 << 20), item);
}

/// The calling thread's view: it makes the team, and knows what was before.
class CallerTaker final : public Taker {
public:
  /// Of single groups, whose cost is known, only those that are `measured` are looked at.
  CallerTaker(Counter &counter, Job &job, const JobShape &shape, unsigned threads, bool measured, Recent &recent)
      : Taker(counter, nullptr, 0), job_(job), shape_(shape), recent_(recent) {
    counter.poolThreads = threads;
    counter.mostParticipants = shape.maxThreads ? std::min(threads, shape.maxThreads) : threads;
    const uint64_t perItem = itemCost(shape);
    counter.assumed.store(perItem == 0, std::memory_order_relaxed);
    const uint64_t item = perItem ? std::min(perItem, 1000 * kMicrosecond) : kAssumedItem;
    const uint64_t group = groupCost(shape, item);
    counter.groupTime.store(group, std::memory_order_relaxed);
    // What is not known well is not cut: tickets of wrong sizes do least harm in one order.
    if (perItem && !shape.ascending && workOf(shape.groups, group) / counter.mostParticipants >= kSectionTime)
      counter.cutInto(static_cast<unsigned>(std::min<uint64_t>(counter.mostParticipants, shape.groups)));
    estimated_ = perItem != 0;
    // There is nobody to invite to a single group, and looking at the clock takes as long as a small one.
    timed_ = !estimated_ || shape.groups > 1 || measured;
  }

  /// After the job's work on this thread: waits for the others and remembers the cost.
  void finish() {
    account();
    if (team_) team_->closeAndWait();
    if (!done_ || !timed_) return;
    const bool isCut = counter_.sections() > 1;
    const uint64_t done = isCut ? counter_.done() : done_, spent = isCut ? counter_.spent() : this->spent();
    if (shape_.groups > 1) recent_.add(workBefore(), workOf(shape_.groups, std::max<uint64_t>(spent / done, 1)), last_);
    remember(shape_, done, spent);
  }

private:
  uint64_t workBefore() override {
    if (!workBefore_) workBefore_ = 1 + recent_.before(start_);
    return workBefore_;
  }
  // A first ticket may have been slow because all was cold.
  bool isSure() const override { return estimated_ || tickets_ != 1 || spent() >= kTellsEnough; }
  Team *makeTeam() override { return new (std::nothrow) Team(job_, counter_); }

  Job &job_;
  const JobShape &shape_;
  Recent &recent_;
  uint64_t workBefore_ = 0; ///< and one; 0: not known yet
  bool estimated_ = false;
};

/// Of a launch with one group: there is nothing to share out.
class OnlyTicket final : public TicketSource {
public:
  bool next(GroupRange &range) override {
    if (std::exchange(isTaken_, true)) return false;
    range = {0, 1};
    return true;
  }
  void stop() override { isTaken_ = true; }

private:
  bool isTaken_ = false;
};

class ParallelScheduler final : public Scheduler {
public:
  explicit ParallelScheduler(unsigned threads) : threads_(threads) {}
  void run(Job &job, const JobShape &shape) override {
    const bool isMeasured = measuresThisOne();
    if (shape.groups == 1 && !isMeasured && itemCost(shape) != 0) {
      OnlyTicket ticket;
      return job.work(ticket);
    }
    Counter counter(shape.groups);
    CallerTaker taker(counter, job, shape, threads_, isMeasured, recent_);
    job.work(taker);
    taker.finish();
  }
  Alone runsAlone(const JobShape &shape) override {
    const uint64_t item = itemCost(shape);
    if (item == 0) return Alone::No;
    if (shape.groups == 1) return measuresThisOne() ? Alone::Timed : Alone::Yes;
    return shape.groups != 0 && workOf(shape.groups, groupCost(shape, item)) <= kNotWorthLooking ? Alone::Timed
                                                                                                 : Alone::No;
  }
  void ranAlone(const JobShape &shape, uint64_t begin, uint64_t end) override {
    const uint64_t start = begin * kNanosecond, spent = (end - begin) * kNanosecond;
    if (shape.groups > 1) recent_.add(recent_.before(start), std::max<uint64_t>(spent, 1), start + spent);
    remember(shape, shape.groups, spent);
  }

private:
  /// True for one of sixteen calls or so: a count that is lost between threads does no harm.
  bool measuresThisOne() {
    const uint32_t count = calls_.load(std::memory_order_relaxed);
    calls_.store(count + 1, std::memory_order_relaxed);
    return count % 16 == 0;
  }

  const unsigned threads_;
  std::atomic<uint32_t> calls_{0};
  Recent recent_;
};

} // namespace

std::unique_ptr<Scheduler> makeParallelScheduler(unsigned threads) {
  return std::make_unique<ParallelScheduler>(threads);
}

} // namespace us::exec
