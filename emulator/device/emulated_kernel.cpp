// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_kernel.h"

#include "emulator/device/builder.h"
#include "emulator/device/emulated_program.h"
#include "runtime/base/log.h"

#include <algorithm>

namespace us::emulator {
namespace {

using abi::Tier;

/// Of the fiber tier, for each instruction of a kernel with sub-groups, before it is compiled for the loop tier.
constexpr uint64_t kItemsForInstruction = 100;
/// So often a work-item waits, in a turn of a loop for example, in the time of one that hardly does.
constexpr uint64_t kWaitsOfItem = 128;

/// Code of single work-items runs every launch of a kernel, for one set of image formats and samplers.
abi::Specialization forTier(const abi::Specialization &asked) {
  if (abi::tierInfo(asked.tier).entry != abi::EntryShape::Item) return asked;
  return {.tier = asked.tier,
          .baseline = asked.baseline,
          .workDimensions = 3,
          .subGroupSize = asked.subGroupSize,
          .ragged = true,
          .instrumentation = asked.instrumentation,
          .exhaustive = asked.exhaustive,
          .tellsAccesses = asked.tellsAccesses,
          .followed = asked.followed,
          .opaque = asked.opaque,
          .counters = asked.counters};
}

bool serves(const ReadyCode &code, abi::Specialization wanted) {
  wanted.baseline &= code.specialization.baseline;
  // Of those that could be copied it copies those that are worth it, often none.
  uint64_t copied = 0;
  for (const abi::ArgumentCopy &copy : code.data.copies) copied |= uint64_t(1) << copy.argument;
  const uint64_t asked = code.specialization.copied;
  if ((wanted.copied & asked) == wanted.copied && (copied & wanted.copied) == copied) wanted.copied = asked;
  return code.specialization == wanted;
}

} // namespace

KernelCode::KernelCode(EmulatedProgram &program, const KernelInfo &info)
    : program_(program), info_(info), launches_(program.engine().statistics.launchesOf(info.name)) {
  for (const TierObstacle &obstacle : info.tierObstacles)
    if (const std::optional<Tier> tier = abi::tierNamed(obstacle.tier)) refusals_ |= 1u << unsigned(*tier);
  for (const ArgumentInfo &argument : info.arguments) {
    argumentAlignment_ = std::max(argumentAlignment_, argument.alignment);
    const bool isOpaque =
        argument.kind == ArgumentKind::Image || argument.kind == ArgumentKind::Sampler || argument.texture;
    if (isOpaque && opaqueArguments_.size() < abi::kOpaqueArguments) opaqueArguments_.push_back(&argument);
  }
}

KernelCode::~KernelCode() {
  for (ReadyCode *code = all_.load(), *next; code; code = next) {
    next = code->next;
    delete code;
  }
}

Tier KernelCode::tier() const {
  const uint32_t refusals = refusals_.load(std::memory_order_relaxed);
  for (unsigned i = unsigned(program_.engine().fastestTier); i + 1 < std::size(abi::kTiers); ++i)
    if (!(refusals & 1u << i)) return Tier(i);
  return kTierOfAll;
}

std::vector<TierObstacle> KernelCode::obstacles() {
  std::scoped_lock lock(mutex_);
  std::vector<TierObstacle> all = info_.tierObstacles;
  all.insert(all.end(), found_.begin(), found_.end());
  return all;
}

uint64_t KernelCode::takeCounters() {
  std::scoped_lock lock(mutex_);
  if (counters_.size() >= program_.engine().options.countLines) return 0;
  counters_.push_back(std::make_unique<uint64_t[]>(abi::kCounters));
  return reinterpret_cast<uint64_t>(counters_.back().get());
}

bool KernelCode::baselineSuffices(uint64_t items) const {
  const uint64_t before = baselineItems() + cost_.waits.load(std::memory_order_relaxed) / kWaitsOfItem;
  uint64_t limit = program_.engine().baselineLimit;
  // To make vectors of a long kernel's sub-groups takes seconds: as long as fibers take for so many of its work-items.
  if (info_.usesSubGroupSync && limit != 0) limit = std::max(limit, info_.instructions * kItemsForInstruction);
  return items <= limit && before <= limit - items;
}

ReadyCode *KernelCode::find(const abi::Specialization &wanted) const {
  for (ReadyCode *code = all_.load(std::memory_order_acquire); code; code = code->next)
    if (serves(*code, wanted)) return code;
  return nullptr;
}

ReadyCode *KernelCode::readyCode(const abi::Specialization &asked) {
  const abi::Specialization wanted = forTier(asked);
  if (ReadyCode *latest = latest_.load(std::memory_order_acquire); latest && serves(*latest, wanted)) return latest;
  ReadyCode *const code = find(wanted);
  if (code) latest_.store(code, std::memory_order_release);
  return code;
}

Expected<ReadyCode *> KernelCode::code(const abi::Specialization &asked) {
  if (ReadyCode *const code = readyCode(asked)) return code;
  const abi::Specialization wanted = forTier(asked);
  prepared_.store(true, std::memory_order_relaxed);
  return make(wanted, std::unique_lock(mutex_));
}

void KernelCode::prepare(const abi::Specialization &asked) {
  const abi::Specialization wanted = forTier(asked);
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && !find(wanted)) (void)make(wanted, std::move(lock));
}

Expected<ReadyCode *> KernelCode::make(const abi::Specialization &wanted, std::unique_lock<std::mutex> lock) {
  if (ReadyCode *code = find(wanted)) return code; // another thread made it meanwhile
  Expected<std::unique_ptr<ReadyCode>> made =
      makeCode(program_.engine(), program_.module(), program_.key(), info_.name, wanted);
  const auto sentence = [&] { return "no machine code for kernel '" + info_.name + "': " + made.error().message; };
  if (!made && wanted.tier != kTierOfAll) {
    // Any failure of a faster tier makes a slower one run the kernel.
    const std::string_view name = abi::tierInfo(wanted.tier).name;
    found_.push_back({std::string(name), made.error().message});
    refusals_.fetch_or(1u << unsigned(wanted.tier), std::memory_order_relaxed);
    abi::Specialization slower = wanted;
    slower.tier = tier();
    log(LogLevel::Info, sentence() + "; the " + std::string(abi::tierInfo(slower.tier).name) + " tier runs it");
    return make(forTier(slower), std::move(lock));
  }
  if (!made) return fail(made.error().code, sentence());
  ReadyCode *code = made->release();
  code->next = all_.load(std::memory_order_relaxed);
  all_.store(code, std::memory_order_release);
  latest_.store(code, std::memory_order_release);
  return code;
}

EmulatedKernel::EmulatedKernel(Ref<EmulatedProgram> program, KernelCode &code)
    : program_(std::move(program)), code_(code) {}

EmulatedKernel::~EmulatedKernel() = default;

Ref<DeviceKernel> EmulatedKernel::block(std::string_view name) const {
  KernelCode *code = program_->blockKernel(name);
  return code ? Ref<DeviceKernel>(new EmulatedKernel(program_, *code)) : nullptr;
}

} // namespace us::emulator
