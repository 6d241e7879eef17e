// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/stream_checks.h"

#include "icd/cuda/api_checks.h"
#include "icd/cuda/context.h"
#include "icd/cuda/memory.h"

#include <cstring>

namespace us::cuda {
namespace {

/// What sentences call memory of a kind.
constexpr const char *kNouns[] = {"device memory",      "managed memory",         "page-locked memory",
                                  "page-locked memory", "a variable of a module", "imported memory",
                                  "an array",           "mapped memory"};
static_assert(std::size(kNouns) == size_t(MemoryKind::Mapped) + 1);

icd::TouchedMemory memoryOf(const Allocation &allocation) {
  const MemoryKind kind = allocation.kind;
  return {.number = allocation.id(),
          .noun = kNouns[size_t(kind)],
          .madeAt = allocation.madeAt,
          .isAtHand = kind == MemoryKind::Managed || kind == MemoryKind::Host || kind == MemoryKind::Registered};
}

/// Whose memory an address lies in, and where that ends. Other memory is the program's where commands transfer it;
/// where kernels use it, it is their own.
std::pair<icd::TouchedMemory, uint64_t> memoryAt(uint64_t address, bool mayBeHosts) {
  if (const Ref<Allocation> found = findMemory(address)) return {memoryOf(*found), found->address() + found->size()};
  return {{}, mayBeHosts ? ~uint64_t(0) : 0};
}

/// Memory of the host's that a command may use: what it transfers, and what a kernel's arguments point to.
void addAtHand(icd::WatchedCommand &command, const LaunchCommand *launch) {
  const auto add = [&](uint64_t address, uint64_t end) {
    const Ref<Allocation> found = findMemory(address);
    if (!found || !memoryOf(*found).isAtHand) return;
    const uint64_t last = found->address() + found->size();
    command.atHand.push_back(
        {end ? address : found->address(), end ? end : last, found->kind == MemoryKind::Registered});
  };
  for (const icd::CommandTouch &touch : command.touchedBytes) add(touch.range.begin, touch.range.end);
  for (size_t at = 0; launch && at + sizeof(uint64_t) <= launch->arguments.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, launch->arguments.data() + at, sizeof word);
    add(word, 0);
  }
}

} // namespace

class StreamChecks::Command final : public icd::WatchedCommand {
public:
  explicit Command(StreamChecks &checks) : checks_(checks) {}
  ~Command() override {
    const std::scoped_lock lock(checks_.mutex_);
    checks_.races_.forget(*this);
  }
  Expected<void> begins() override {
    checks_.begins(*this);
    return {};
  }
  bool wantsTouched() const override { return context->mayHaveNoOrder || checks_.contexts_ > 1 || !hostWrote.empty(); }
  void touched(const std::vector<TouchedRange> &ranges) override { checks_.touched(*this, ranges); }
  void ends(bool) override { checks_.ends(*this); }

  std::shared_ptr<CheckedContext> context;

private:
  StreamChecks &checks_;
};

void StreamChecks::made(Stream &stream) {
  const std::scoped_lock lock(mutex_);
  auto checked = std::make_shared<CheckedStream>();
  checked->id = nextStream_++;
  checked->isBlocking = stream.isBlocking();
  Stream *const legacy = stream.context().legacyIfMade();
  checked->isLegacy = !legacy;
  checked->context = legacy ? legacy->checked->context : std::make_shared<CheckedContext>();
  CheckedContext &context = *checked->context;
  if (legacy && stream.isBlocking()) ++context.blockingStreams;
  if (!stream.isBlocking() || context.blockingStreams > 1) context.mayHaveNoOrder = true;
  stream.checked = std::move(checked);
}

/// CUDA C++ Programming Guide, "Explicit Synchronization" and "Default Stream"; the driver API's "Stream
/// synchronization behavior": "The legacy default stream is an implicit stream which synchronizes with all other
/// streams in the same CUcontext except for non-blocking streams ... Before the action, the legacy stream first waits
/// on all blocking streams, the action is queued in the legacy stream, and then all blocking streams wait on the legacy
/// stream."
Ref<StreamChecks::Command> StreamChecks::add(Stream &stream, const core::CommandRequest &request) {
  CheckedStream &checked = *stream.checked;
  CheckedContext &context = *checked.context;
  auto command = makeRef<Command>(*this);
  command->context = checked.context;
  command->queue = checked.id;
  command->number = checked.next++;
  command->ordinal = nextOrdinal_++;
  command->before = host_;
  command->before.join(checked.before);
  if (checked.isBlocking) command->before.join(context.legacy);
  if (checked.isLegacy) command->before.join(context.blocking);
  for (const Ref<core::Event> &event : request.waitList)
    if (const auto *const watch = static_cast<const icd::OrderedWatch *>(event->watch())) watch->addTo(command->before);
  checked.before = {};
  command->addTo(checked.before);
  if (checked.isLegacy)
    context.legacy = checked.before;
  else if (checked.isBlocking)
    context.blocking.join(checked.before);
  all_.add(command->queue, command->number);
  return command;
}

Ref<core::CommandWatch> StreamChecks::watch(Stream &stream, const core::CommandRequest &request) {
  if (!stream.checked) return nullptr;
  const auto *const launch = std::get_if<LaunchCommand>(&request.command);
  const CallSite *const site = launch && launch->enqueuedAt ? launch->enqueuedAt : ApiChecks::site();
  const std::vector<TouchedRange> transferred = icd::transferredBy(request.command);
  const std::scoped_lock lock(mutex_);
  Ref<Command> command = add(stream, request);
  command->site = site;
  command->what = launch ? "kernel '" + launch->kernel->info().name + "'" : site->call;
  command->isHostCall = std::holds_alternative<HostCallCommand>(request.command);
  for (const TouchedRange &range : transferred)
    command->touches(range, [](uint64_t address) { return memoryAt(address, true); });
  addAtHand(*command, launch);
  races_.enqueued(*command);
  return command;
}

/// cuMemAllocAsync: "The allocation must not be accessed until the allocation operation completes."
void StreamChecks::allocated(Stream &stream, const Allocation &allocation) {
  if (!stream.checked) return;
  const CallSite *const site = ApiChecks::site();
  Ref<Command> command;
  {
    const std::scoped_lock lock(mutex_);
    command = add(stream, {});
    command->site = site;
    command->what = site->call;
    races_.enqueued(*command);
    command->verb = "allocates";
    command->touchedBytes.push_back(
        {cuda::memoryOf(allocation),
         {allocation.address(), allocation.address() + allocation.size(), false, true, false}});
  }
  ends(*command);
}

/// cuMemFreeAsync: "The allocation must not be accessed after stream execution reaches the free."
Ref<core::CommandWatch> StreamChecks::watchFree(Stream &stream, const Allocation &allocation) {
  if (!stream.checked) return nullptr;
  const CallSite *const site = ApiChecks::site();
  const std::scoped_lock lock(mutex_);
  Ref<Command> command = add(stream, {});
  command->site = site;
  command->what = site->call;
  command->verb = "frees";
  const uint64_t begin = allocation.address(), end = begin + allocation.size();
  command->touchedBytes.push_back({cuda::memoryOf(allocation), {begin, end, false, true, false}});
  races_.enqueued(*command);
  const uint64_t firstOpen = races_.firstOpen();
  std::erase_if(freed_, [&](const Freed &one) { return one.ordinal < firstOpen; });
  freed_.push_back({command->ordinal, begin, end, cuda::memoryOf(allocation)});
  return command;
}

void StreamChecks::begins(Command &command) {
  const std::scoped_lock lock(mutex_);
  races_.begins(command);
  // The program's own code is about to run, and knows of what was before.
  if (command.isHostCall) host_.join(command.before);
}

/// Whose memory it was when the command was enqueued.
std::pair<icd::TouchedMemory, uint64_t> StreamChecks::memoryOf(const Command &command, uint64_t address) const {
  for (const Freed &one : freed_)
    if (one.ordinal > command.ordinal && address >= one.begin && address < one.end) return {one.memory, one.end};
  return memoryAt(address, false);
}

void StreamChecks::touched(Command &command, const std::vector<TouchedRange> &ranges) {
  const std::scoped_lock lock(mutex_);
  for (const TouchedRange &range : ranges)
    command.touches(range, [&](uint64_t address) { return memoryOf(command, address); });
}

void StreamChecks::ends(Command &command) {
  std::vector<HostFinding> found;
  {
    const std::scoped_lock lock(mutex_);
    races_.ended(command, host_, found);
    if (command.mayTellHost()) command.addTo(host_);
  }
  for (const HostFinding &one : found) findings_.tell(one);
}

// --- What the host knows ---

void StreamChecks::hostKnows(const core::Event &event) {
  if (event.watch()) hostKnows(*event.watch());
}

void StreamChecks::hostKnows(const core::CommandWatch &watch) {
  const std::scoped_lock lock(mutex_);
  static_cast<const icd::OrderedWatch &>(watch).addTo(host_);
}

void StreamChecks::hostKnows(const Stream &stream) {
  if (!stream.checked) return;
  const std::scoped_lock lock(mutex_);
  host_.join(stream.checked->before);
}

void StreamChecks::hostMayKnowAll() {
  const std::scoped_lock lock(mutex_);
  host_.join(all_);
}

} // namespace us::cuda
