// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the devices of one createDevices() share, and what says how they work: made there, handed down to device,
// program, kernel and launch. Two engines of a process may differ in all of it (docs/decisions/0047-engine.md).
#pragma once

#include "emulator/abi/targets.h"
#include "emulator/abi/tiers.h"
#include "emulator/check/session.h"
#include "emulator/device/object_cache.h"
#include "emulator/device/statistics.h"
#include "emulator/exec/scheduler.h"
#include "emulator/memory/global_heap.h"
#include "runtime/base/options.h"
#include "runtime/base/ref.h"

#include <memory>

namespace us::emulator {

struct Engine final : Object {
  /// `memory`: bytes that all of its devices together may use.
  Engine(const Options &chosen, uint64_t memory);

  const Options options;
  const Ref<memory::MemoryAccount> account;
  const unsigned threads; ///< that run work-groups
  const std::unique_ptr<exec::Scheduler> scheduler;
  /// The fastest tier that launches may use.
  const abi::Tier fastestTier;
  /// That machine code is made for.
  const abi::Target target;
  /// Of each kernel, all its launches together, baseline code runs so many work-items at most. 0: none is used.
  const uint64_t baselineLimit;
  /// Of code of the loop tier.
  const abi::VectorPlan vectorPlan;
  /// How each kernel ran is counted, too.
  const bool countsRuns;
  /// What kernels are checked for, and what was found; null: nothing is checked.
  const std::unique_ptr<check::Session> checks;
  ObjectCache cache;
  Statistics statistics;
  std::atomic<uint64_t> nextLaunch{0}; ///< its number
};

/// Has the engine's summary written when the process ends, if its options ask for one.
void summarizeAtExit(const Ref<Engine> &engine);
/// What these engines have run up to now, as they will write it: a line each.
std::string summariesSoFar();
/// Their next launch has this number. With a seed the order of work-groups and work-items depends on both and nothing
/// else.
void numberLaunchesFrom(uint64_t next);
/// The same for what its checks have found.
void endChecksAtExit(const Ref<Engine> &engine);

} // namespace us::emulator
