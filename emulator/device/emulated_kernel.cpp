// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_kernel.h"

#include "emulator/device/builder.h"
#include "emulator/device/emulated_program.h"
#include "emulator/device/statistics.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"

#include <cstdio>

namespace us::emulator {
namespace {

/// One piece of code runs every launch of a kernel in the fiber tier.
constexpr abi::Specialization kFiber{.tier = Tier::Fiber, .workDimensions = 3, .ragged = true};

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

} // namespace

Tier requestedTier() { return tierInUse().load(std::memory_order_relaxed); }
void setRequestedTier(Tier tier) { tierInUse().store(tier, std::memory_order_relaxed); }

KernelCode::KernelCode(EmulatedProgram &program, const KernelInfo &info)
    : program_(program), info_(info), launches_(launchesOf(info.name)) {}

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

ReadyCode *KernelCode::find(const abi::Specialization &wanted) const {
  for (ReadyCode *code = all_.load(std::memory_order_acquire); code; code = code->next)
    if (code->specialization == wanted) return code;
  return nullptr;
}

Expected<ReadyCode *> KernelCode::code(const abi::Specialization &asked) {
  const abi::Specialization &wanted = asked.tier == Tier::Fiber ? kFiber : asked;
  if (ReadyCode *latest = latest_.load(std::memory_order_acquire); latest && latest->specialization == wanted)
    return latest;
  if (ReadyCode *code = find(wanted)) {
    latest_.store(code, std::memory_order_release);
    return code;
  }

  std::unique_lock lock(mutex_);
  if (ReadyCode *code = find(wanted)) return code; // another thread made it meanwhile
  Expected<std::unique_ptr<ReadyCode>> made = makeCode(program_.module(), program_.key(), info_.name, wanted);
  if (!made && wanted.tier == Tier::Loop) {
    // "any failure of a faster tier falls back to a slower one"
    log(LogLevel::Info, made.error().message + "; the fiber tier runs it");
    loopRefused_.store(true, std::memory_order_relaxed);
    lock.unlock();
    return code(kFiber);
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
