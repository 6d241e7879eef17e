// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels call. Nothing here may touch thread_local state while it runs on a work-item's stack.
#include "emulator/abi/launch_checks.h"
#include "emulator/abi/origins.h"
#include "emulator/exec/device_calls.h"
#include "emulator/exec/device_heap.h"
#include "emulator/exec/print_arguments.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/exec/work_group.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/bounds.h"
#include "emulator/memory/shadow.h"
#include "emulator/memory/unwritten_buffers.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace us::exec {
namespace {

constexpr uint32_t kBadRelease = 16;      ///< the trap of a free of what was not allocated
constexpr uint32_t kNoDeviceRuntime = 17; ///< that of a call of an API that did not launch the kernel
constexpr uint32_t kSecondArrival = 18;   ///< that of coming to the cluster's barrier again before it has opened

WorkGroup &workGroupOf(abi::GroupContext *group) { return *static_cast<WorkGroup *>(group); }

int32_t print(abi::GroupContext *context, uint64_t item, const char *format, const std::byte *record, uint32_t size) {
  WorkGroup &group = workGroupOf(context);
  if (size == abi::kFormatSaysSize) {
    if (!format) return -1;
    PrintRecord arguments;
    if (record || !group.checks) readPrintArguments(format, record, arguments);
    group.printf->append(group.linearGroup, item, format, arguments.bytes, arguments.size, group.guard,
                         PrintStyle::Circular);
    // "the number of arguments parsed"
    return int32_t(arguments.count);
  }
  if (group.checks) {
    const std::string mismatch = formatMismatch(format, record, size);
    group.guard->setInRuntime(true);
    if (!mismatch.empty())
      group.checks->misprinted(group.linearGroup, item, reinterpret_cast<uint64_t>(__builtin_return_address(0)),
                               mismatch);
    group.guard->setInRuntime(false);
  }
  return group.printf->append(group.linearGroup, item, format, record, size, group.guard) ? 0 : -1;
}

void barrier(abi::ItemContext *item, uint32_t flags, uint32_t scope, uint32_t site) {
  // One thread runs the whole group, so that switching is all a barrier's fence needs.
  Fiber &fiber = *static_cast<Fiber *>(item);
  fiber.site = site;
  fiber.fences = flags;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.suspend(FiberState::AtBarrier);
}

uint32_t subGroupSync(abi::ItemContext *item, uint32_t flags, uint32_t members, uint32_t site) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  fiber.site = site;
  fiber.members = members;
  fiber.isForAll = (flags & abi::kForWholeSubGroup) != 0;
  fiber.isOnlyInStep = (flags & abi::kOnlyInStep) != 0;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.suspend(FiberState::AtSubGroupSync);
  return fiber.released;
}

void yield(abi::ItemContext *item, uint32_t site) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  fiber.site = site;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.changed = true;
  fiber.suspend(FiberState::Yielded);
}

void groupYield(abi::GroupContext *context) {
  Fiber &fiber = workGroupOf(context).fiberOfAll();
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.changed = true;
  fiber.suspend(FiberState::Yielded);
}

void watch(abi::ItemContext *item, uint32_t changed, uint64_t address, uint32_t bytes, uint32_t site) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  fiber.site = site;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.changed = changed != 0;
  fiber.watched = address;
  fiber.watchedBytes = bytes;
  fiber.suspend(FiberState::Yielded);
}

void trap(abi::GroupContext *context, uint32_t code) {
  WorkGroup &group = workGroupOf(context);
  group.trapCode = code;
  group.trapPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  group.guard->leave(Leave::Trap);
}

uint32_t namedBarrier(abi::ItemContext *item, uint32_t number, uint32_t threads, uint32_t use, uint32_t predicate,
                      uint32_t site) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  WorkGroup &group = workGroupOf(fiber.group);
  fiber.site = site;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  if (number >= NamedBarriers::kCount) {
    group.trapCode = number;
    group.trapPc = fiber.waitPc;
    group.guard->leave(Leave::Trap);
  }
  fiber.barrier = number;
  fiber.use = abi::BarrierUse(use);
  group.guard->setInRuntime(true);
  const bool mixes = group.barriers.arrive(number, threads, fiber.linearLocalId, fiber.use, predicate != 0);
  if (group.checks && threads % abi::kWarpSize != 0)
    group.checks->metWrongly(group.linearGroup, fiber.linearLocalId, fiber.waitPc, abi::WrongMeeting::PartOfWarp, 0);
  if (group.checks && mixes)
    group.checks->metWrongly(group.linearGroup, fiber.linearLocalId, fiber.waitPc, abi::WrongMeeting::MixedUses, 0);
  group.guard->setInRuntime(false);
  if (fiber.use == abi::BarrierUse::Arrive) return 0;
  fiber.suspend(FiberState::AtNamedBarrier);
  return fiber.released;
}

/// To checks the barrier is a number that all of the cluster update and look at, in order.
void tellOfClusterBarrier(WorkGroup &group, const Fiber &fiber, abi::AccessKind kind) {
  if (!group.checks) return;
  abi::MemoryAccess access;
  access.address = reinterpret_cast<uint64_t>(&group.clusterBarrier());
  access.bytes = sizeof(uint32_t);
  access.kind = kind;
  access.isOrdering = true;
  group.guard->setInRuntime(true);
  group.checks->accessed(group.linearGroup, fiber.linearLocalId, access);
  group.guard->setInRuntime(false);
}

void clusterArrive(abi::ItemContext *item, uint32_t) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  WorkGroup &group = workGroupOf(fiber.group);
  ClusterBarrier &barrier = group.clusterBarrier();
  if (!barrier.isOver(fiber.clusterTurn)) {
    group.trapCode = kSecondArrival;
    group.trapPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
    group.guard->leave(Leave::Trap);
  }
  tellOfClusterBarrier(group, fiber, abi::AccessKind::AtomicUpdate);
  fiber.clusterTurn = barrier.opened + 1;
  barrier.arrive();
}

void clusterWait(abi::ItemContext *item, uint32_t site) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  WorkGroup &group = workGroupOf(fiber.group);
  if (!group.clusterBarrier().isOver(fiber.clusterTurn)) {
    fiber.site = site;
    fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
    fiber.suspend(FiberState::AtClusterBarrier);
  }
  tellOfClusterBarrier(group, fiber, abi::AccessKind::AtomicRead);
}

uint64_t allocate(abi::GroupContext *context, uint64_t size) {
  WorkGroup &group = workGroupOf(context);
  group.guard->setInRuntime(true);
  const auto begin = reinterpret_cast<uint64_t>(group.heap ? group.heap->allocate(size) : nullptr);
  if (group.checks && begin) group.checks->allocated(begin, size);
  group.guard->setInRuntime(false);
  return begin;
}

void release(abi::GroupContext *context, uint64_t address) {
  if (address == 0) return;
  WorkGroup &group = workGroupOf(context);
  group.guard->setInRuntime(true);
  const bool known = group.heap && group.heap->giveBack(reinterpret_cast<const std::byte *>(address));
  group.guard->setInRuntime(false);
  if (known) return;
  group.trapCode = kBadRelease;
  group.trapPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  group.guard->leave(Leave::Trap);
}

std::string tripleOf(uint64_t linear, const uint64_t *sizes) {
  std::string text = "[";
  for (int i = 0; i < 3; ++i) {
    text += std::to_string(linear % sizes[i]) + (i < 2 ? "," : "]");
    linear /= sizes[i];
  }
  return text;
}

void assertFail(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, const char *message,
                const char *file, uint32_t line, const char *function) {
  WorkGroup &group = workGroupOf(context);
  // Wild strings fault here, where the kernel can still be left.
  const size_t lengths[] = {strlen(message), strlen(file), strlen(function)};
  group.guard->setInRuntime(true);
  group.assertion = std::string(message, lengths[0]) + "' in " + std::string(file, lengths[1]) + ":" +
                    std::to_string(line) + ", function '" + std::string(function, lengths[2]);
  const std::string text = std::string(file, lengths[1]) + ":" + std::to_string(line) + ": " +
                           std::string(function, lengths[2]) +
                           ": block: " + tripleOf(linearGroup, group.launch->numGroups) +
                           ", thread: " + tripleOf(linearLocalId, group.launch->localSize) + " Assertion `" +
                           std::string(message, lengths[0]) + "` failed.\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  group.guard->setInRuntime(false);
  group.trapCode = WorkGroup::kAssertion;
  group.trapPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  group.guard->leave(Leave::Trap);
}

uint32_t addressSpace(const void *address) {
  // Asynchronous copies ask for each 16 bytes.
  switch (memory::AddressSpace::instance().kindOf(reinterpret_cast<uint64_t>(address))) {
  case memory::RangeKind::Stack:
    return 0;
  case memory::RangeKind::Local:
    return 3;
  default:
    return 1; // also memory of the host
  }
}

uint64_t deviceCall(abi::GroupContext *context, uint32_t function, DeviceCall *call) {
  WorkGroup &group = workGroupOf(context);
  const std::optional<uint64_t> result =
      group.calls ? group.calls->call(DeviceFunction(function), *call) : std::nullopt;
  if (!result) trap(context, kNoDeviceRuntime);
  // A buffer for parameters is new to its caller, though it was another's before.
  const bool isBuffer = DeviceFunction(function) == DeviceFunction::GetParameterBuffer ||
                        DeviceFunction(function) == DeviceFunction::GetParameterBufferV2;
  if (group.checks && isBuffer && *result) group.checks->allocated(*result, call->words[1]);
  return *result;
}

void checkFailed(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint32_t kind,
                 const char *site, uint64_t first, uint64_t second, uint64_t third) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks) return;
  const bool ends = abi::CheckKind(kind) == abi::CheckKind::NoProgress;
  if (ends && (group.stepLimit == 0 || first < group.stepLimit)) return;
  group.guard->setInRuntime(true);
  group.checks->failed(linearGroup, linearLocalId, {abi::CheckKind(kind), site, {first, second, third}});
  group.guard->setInRuntime(false);
  if (!ends) return;
  group.trapPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  group.guard->leave(Leave::NoProgress);
}

uint64_t boundsBegin(uint64_t address) { return memory::boundsAt(address).begin; }
uint64_t boundsSize(uint64_t address) { return memory::boundsAt(address).size; }

/// With no lock held: there may be no memory in our own range. What lies elsewhere is the kernel's to fault on.
bool readAt(uint64_t address, std::span<std::byte> bytes) {
  if (memory::AddressSpace::instance().contains(address)) {
    std::memcpy(bytes.data(), reinterpret_cast<const void *>(address), bytes.size());
    return true;
  }
  const iovec to{bytes.data(), bytes.size()}, from{reinterpret_cast<void *>(address), bytes.size()};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == ssize_t(bytes.size());
}

abi::MemoryAccess accessOf(uint64_t address, uint64_t bytes, uint32_t what, const char *site, uint64_t value) {
  using abi::MemoryAccess;
  std::array<std::byte, MemoryAccess::kMostValueBytes> before;
  const bool hasValue = (what & MemoryAccess::kHasValue) != 0 && readAt(address, std::span(before).first(bytes));
  const void *now = (what & MemoryAccess::kIsAddressOfValue) != 0 ? reinterpret_cast<const void *>(value) : &value;
  return {.address = address,
          .bytes = bytes,
          .kind = abi::AccessKind(what & MemoryAccess::kKindBits),
          .hasValue = hasValue,
          .isAsBefore = hasValue && std::memcmp(before.data(), now, bytes) == 0,
          .compares = (what & MemoryAccess::kCompares) != 0,
          .isOrdering = (what & MemoryAccess::kIsOrdering) != 0,
          .site = site};
}

bool isOfLocal(const WorkGroup &group, uint64_t address) {
  return address - reinterpret_cast<uint64_t>(group.localArena) < group.launch->localMemory;
}

void memoryAccess(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address,
                  uint64_t bytes, uint32_t what, const char *site, uint64_t value) {
  WorkGroup &group = workGroupOf(context);
  const bool isLocal = isOfLocal(group, address);
  // What else lies there is one work-item's, or the library's.
  if (!group.checks || (!isLocal && memory::AddressSpace::instance().isUnshared(address))) return;
  abi::MemoryAccess access = accessOf(address, bytes, what, site, value);
  access.isLocal = isLocal;
  group.guard->setInRuntime(true);
  group.checks->accessed(linearGroup, linearLocalId, access);
  group.guard->setInRuntime(false);
}

void cellRace(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address,
              uint64_t bytes, uint32_t what, const char *site, uint64_t value, const char *const *sites) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks) return;
  const bool isLocal = isOfLocal(group, address);
  const abi::MemoryCells *memory = &group.localCells;
  if (!isLocal) memory = group.globalCells ? group.globalCells->at(address) : nullptr;
  if (!memory) return;
  const std::optional<Toucher> other = findToucher(*memory, isLocal ? group.cellBytes : group.globalCells->cellBytes(),
                                                   isLocal ? group.localEpochs : group.globalEpochs, address, bytes,
                                                   abi::AccessKind(what & abi::MemoryAccess::kKindBits), linearLocalId);
  if (!other) return;
  abi::CellRace race{accessOf(address, bytes, what, site, value), other->kind,
                     isLocal ? linearGroup : group.globalCells->groupIn(other->epoch), other->item, sites[other->site]};
  race.now.isLocal = isLocal;
  group.guard->setInRuntime(true);
  group.checks->raced(linearGroup, linearLocalId, race);
  group.guard->setInRuntime(false);
}

uint64_t nanBorn(abi::GroupContext *context, uint32_t what, const char *site, uint64_t first, uint64_t second,
                 uint64_t other) {
  WorkGroup &group = workGroupOf(context);
  if (!(what & 1) || !group.checks) return other;
  group.guard->setInRuntime(true);
  const uint64_t birth =
      group.checks->born({site, (what & 2) != 0, std::bit_cast<double>(first), std::bit_cast<double>(second)});
  group.guard->setInRuntime(false);
  return birth;
}

/// The last place is that of a result; arguments behind the others are forgotten.
uint64_t *passedAt(WorkGroup &group, uint32_t place) {
  const size_t last = group.passedBirths.size() - 1;
  return place == ~0u ? &group.passedBirths[last] : place < last ? &group.passedBirths[place] : nullptr;
}

void nanPass(abi::GroupContext *context, uint32_t place, uint64_t birth) {
  if (uint64_t *at = passedAt(workGroupOf(context), place)) *at = birth;
}

uint64_t nanPassed(abi::GroupContext *context, uint32_t place) {
  uint64_t *at = passedAt(workGroupOf(context), place);
  return at ? std::exchange(*at, 0) : 0;
}

uint64_t nanAt(abi::GroupContext *context, uint64_t address) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks) return 0;
  group.guard->setInRuntime(true);
  const uint64_t birth = group.checks->birthAt(address);
  group.guard->setInRuntime(false);
  return birth;
}

void nanStored(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address,
               uint32_t bytes, const char *site, uint64_t birth) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks) return;
  const bool isLocal = address - reinterpret_cast<uint64_t>(group.localArena) < group.launch->localMemory;
  const bool isGlobal = !isLocal && !memory::AddressSpace::instance().isUnshared(address);
  group.guard->setInRuntime(true);
  group.checks->stored(linearGroup, linearLocalId, {birth, address, bytes, site, isGlobal});
  group.guard->setInRuntime(false);
}

void floatAdded(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint64_t address,
                uint32_t bytes, const char *site, uint64_t before, uint64_t number) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks) return;
  group.guard->setInRuntime(true);
  group.checks->added(linearGroup, linearLocalId,
                      {address, bytes, site, std::bit_cast<double>(before), std::bit_cast<double>(number)});
  group.guard->setInRuntime(false);
}

void printed(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, const char *format,
             const std::byte *stored, uint64_t size) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks || !format) return;
  const std::string mismatch = printMismatch(format, reinterpret_cast<const uint8_t *>(stored), size);
  group.guard->setInRuntime(true);
  if (!mismatch.empty())
    group.checks->misprinted(linearGroup, linearLocalId, reinterpret_cast<uint64_t>(__builtin_return_address(0)),
                             mismatch);
  group.guard->setInRuntime(false);
}

/// Work-items of a group, which may be a smaller one at an upper edge.
uint64_t itemsOf(const abi::LaunchContext &launch, uint64_t linearGroup) {
  uint64_t items = 1;
  for (int i = 0; i < 3; ++i) {
    const uint64_t first = linearGroup % launch.numGroups[i] * launch.localSize[i];
    items *= std::min(launch.localSize[i], launch.globalSize[i] - first);
    linearGroup /= launch.numGroups[i];
  }
  return items;
}

uint64_t asyncCopy(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint64_t to,
                   uint64_t toLine, uint64_t toPlane, uint64_t from, uint64_t fromLine, uint64_t fromPlane,
                   uint64_t bytes, uint64_t elements, uint64_t lines, uint64_t planes, uint32_t toLocal, uint64_t event,
                   const char *site) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks) return event;
  group.guard->setInRuntime(true);
  event = group.checks->copied(linearGroup, linearLocalId, itemsOf(*group.launch, linearGroup),
                               {.to = {to, toLine, toPlane},
                                .from = {from, fromLine, fromPlane},
                                .bytes = bytes,
                                .elements = elements,
                                .lines = lines,
                                .planes = planes,
                                .toLocal = toLocal != 0,
                                .event = event,
                                .site = site});
  group.guard->setInRuntime(false);
  return event;
}

void fenceCopies(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint32_t fences,
                 const char *site) {
  WorkGroup &group = workGroupOf(context);
  if (!group.checks) return;
  group.guard->setInRuntime(true);
  group.checks->fencedCopies(linearGroup, linearLocalId, itemsOf(*group.launch, linearGroup), fences, site);
  group.guard->setInRuntime(false);
}

void awaitCopies(abi::GroupContext *context, uint64_t linearGroup, uint64_t linearLocalId, uint32_t count,
                 uint64_t events, const char *site) {
  constexpr uint32_t kMostEvents = 1024;
  WorkGroup &group = workGroupOf(context);
  if (!group.checks || count > kMostEvents) return;
  // A wild list faults here, where the kernel can still be left.
  uint64_t list[kMostEvents];
  std::memcpy(list, reinterpret_cast<const void *>(events), count * sizeof *list);
  group.guard->setInRuntime(true);
  group.checks->awaits(linearGroup, linearLocalId, itemsOf(*group.launch, linearGroup), {list, count}, site);
  group.guard->setInRuntime(false);
}

uint64_t shadowOf(uint64_t address, uint32_t isStore) {
  const memory::Shadow &shadow = memory::Shadow::instance();
  return shadow.isShared(address) ? memory::UnwrittenBuffers::instance().shadowOf(address, isStore != 0)
                                  : shadow.shadowOf(address, isStore != 0);
}
uint64_t originsOf(uint64_t address, uint32_t isStore) {
  static constexpr uint32_t kShared = abi::kGlobalOrigin * 0x01010101u;
  const memory::Shadow &shadow = memory::Shadow::instance();
  const bool isShared = !isStore && shadow.isShared(address);
  return isShared ? reinterpret_cast<uint64_t>(&kShared) : shadow.originsOf(address, isStore != 0);
}

void written(uint64_t address, uint64_t size) {
  const memory::Shadow &shadow = memory::Shadow::instance();
  if (shadow.isShared(address)) return memory::UnwrittenBuffers::instance().written(address, size);
  const uint64_t place = shadow.shadowOf(address, true);
  if (place != memory::Shadow::placeOfNone(true)) std::memset(reinterpret_cast<void *>(place), 0, size);
}

void groupBegins(abi::GroupContext *context) { workGroupOf(context).beginChecks(); }

void groupPassed(abi::GroupContext *context, uint32_t fences) {
  WorkGroup &group = workGroupOf(context);
  group.guard->setInRuntime(true);
  group.passBarrier(fences);
  group.guard->setInRuntime(false);
}

void require(abi::GroupContext *context, uint32_t checks, uint32_t holds) {
  WorkGroup &group = workGroupOf(context);
  if (holds || !group.checks) return;
  group.checks->requirementFailed(checks);
  std::atomic_ref(group.launch->abortWord).store(1, std::memory_order_relaxed);
  group.guard->leave(Leave::Aborted);
}

} // namespace

const abi::RuntimeFunctions &runtimeFunctions() {
  static constexpr abi::RuntimeFunctions kFunctions{.print = print,
                                                    .barrier = barrier,
                                                    .subGroupSync = subGroupSync,
                                                    .yield = yield,
                                                    .trap = trap,
                                                    .clock = monotonicNanoseconds,
                                                    .addressSpace = addressSpace,
                                                    .deviceCall = deviceCall,
                                                    .namedBarrier = namedBarrier,
                                                    .allocate = allocate,
                                                    .release = release,
                                                    .assertFail = assertFail,
                                                    .checkFailed = checkFailed,
                                                    .boundsBegin = boundsBegin,
                                                    .boundsSize = boundsSize,
                                                    .memoryAccess = memoryAccess,
                                                    .shadowOf = shadowOf,
                                                    .originsOf = originsOf,
                                                    .nanBorn = nanBorn,
                                                    .nanPass = nanPass,
                                                    .nanPassed = nanPassed,
                                                    .nanAt = nanAt,
                                                    .nanStored = nanStored,
                                                    .floatAdded = floatAdded,
                                                    .printed = printed,
                                                    .watch = watch,
                                                    .groupBegins = groupBegins,
                                                    .groupPassed = groupPassed,
                                                    .cellRace = cellRace,
                                                    .require = require,

                                                    .asyncCopy = asyncCopy,
                                                    .fenceCopies = fenceCopies,
                                                    .awaitCopies = awaitCopies,
                                                    .written = written,
                                                    .clusterArrive = clusterArrive,
                                                    .clusterWait = clusterWait,
                                                    .groupYield = groupYield};
  return kFunctions;
}

} // namespace us::exec
