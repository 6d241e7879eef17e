// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_kernel.h"

#include "emulator/device/builder.h"
#include "emulator/device/emulated_program.h"
#include "emulator/device/statistics.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace us::emulator {
namespace {

/// In the fiber tier one piece of code runs every launch of a kernel, for one set of image formats and samplers.
abi::Specialization forTier(const abi::Specialization &asked) {
  if (asked.tier != Tier::Fiber) return asked;
  return {.tier = Tier::Fiber, .baseline = asked.baseline, .workDimensions = 3, .ragged = true, .opaque = asked.opaque};
}

Tier tierOption() {
  const std::string &text = options().tier;
  if (text == "fiber") return Tier::Fiber;
  if (text == "loop") return Tier::Loop;
  if (text != "auto")
    std::fprintf(stderr, "understudy: UNDERSTUDY_TIER: '%s' is not auto, loop or fiber; auto is used\n", text.c_str());
  return Tier::Auto;
}

std::atomic<Tier> &tierInUse() {
  static std::atomic<Tier> tier{tierOption()};
  return tier;
}

/// About so many work-items run in the time that it takes to optimize: both grow with the kernel's length.
constexpr uint64_t kBaselineItems = 65536;

uint64_t optimizeOption() {
  const std::string &text = options().optimize;
  if (text == "always") return 0;
  if (text == "never") return std::numeric_limits<uint64_t>::max();
  if (text != "auto")
    std::fprintf(stderr, "understudy: UNDERSTUDY_OPTIMIZE: '%s' is not auto, always or never; auto is used\n",
                 text.c_str());
  return kBaselineItems;
}

std::atomic<uint64_t> &baselineLimitInUse() {
  static std::atomic<uint64_t> limit{optimizeOption()};
  return limit;
}

bool serves(const abi::Specialization &code, abi::Specialization wanted) {
  wanted.baseline &= code.baseline;
  return code == wanted;
}

} // namespace

Tier requestedTier() { return tierInUse().load(std::memory_order_relaxed); }
void setRequestedTier(Tier tier) { tierInUse().store(tier, std::memory_order_relaxed); }

uint64_t baselineLimit() { return baselineLimitInUse().load(std::memory_order_relaxed); }
void setBaselineLimit(uint64_t workItems) { baselineLimitInUse().store(workItems, std::memory_order_relaxed); }

KernelCode::KernelCode(EmulatedProgram &program, const KernelInfo &info)
    : program_(program), info_(info), launches_(launchesOf(info.name)) {
  for (const ArgumentInfo &argument : info.arguments) {
    argumentAlignment_ = std::max(argumentAlignment_, argument.alignment);
    const bool isOpaque = argument.kind == ArgumentKind::Image || argument.kind == ArgumentKind::Sampler;
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
  if (requestedTier() == Tier::Fiber) return Tier::Fiber;
  return info_.loopTierEligible && !loopRefused_.load(std::memory_order_relaxed) ? Tier::Loop : Tier::Fiber;
}

bool KernelCode::baselineSuffices(uint64_t items) const {
  const uint64_t limit = baselineLimit(), before = baselineItems();
  return items <= limit && before <= limit - items;
}

ReadyCode *KernelCode::find(const abi::Specialization &wanted) const {
  for (ReadyCode *code = all_.load(std::memory_order_acquire); code; code = code->next)
    if (serves(code->specialization, wanted)) return code;
  return nullptr;
}

Expected<ReadyCode *> KernelCode::code(const abi::Specialization &asked) {
  const abi::Specialization wanted = forTier(asked);
  if (ReadyCode *latest = latest_.load(std::memory_order_acquire); latest && serves(latest->specialization, wanted))
    return latest;
  if (ReadyCode *code = find(wanted)) {
    latest_.store(code, std::memory_order_release);
    return code;
  }

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
  Expected<std::unique_ptr<ReadyCode>> made = makeCode(program_.module(), program_.key(), info_.name, wanted);
  if (!made && wanted.tier == Tier::Loop) {
    // "any failure of a faster tier falls back to a slower one"
    log(LogLevel::Info, made.error().message + "; the fiber tier runs it");
    loopRefused_.store(true, std::memory_order_relaxed);
    abi::Specialization slower = wanted;
    slower.tier = Tier::Fiber;
    return make(forTier(slower), std::move(lock));
  }
  if (!made) return std::unexpected(made.error());
  ReadyCode *code = made->release();
  code->next = all_.load(std::memory_order_relaxed);
  all_.store(code, std::memory_order_release);
  latest_.store(code, std::memory_order_release);
  return code;
}

EmulatedKernel::EmulatedKernel(Ref<EmulatedProgram> program, KernelCode &code)
    : program_(std::move(program)), code_(code) {}

EmulatedKernel::~EmulatedKernel() = default;

} // namespace us::emulator
