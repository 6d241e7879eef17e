// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch on both devices, from the same inputs.
//
//   1. the memory that the kernel may reach is copied to the host: the inputs
//   2. the reference runs; its outputs are copied
//   3. the candidate runs from the inputs: in its own copy of the memory, or in the same memory, where both share it
//   4. the outputs are compared; where they differ, the reference runs again from the inputs, to learn what it repeats
//   5. the memory is again what the reference left in step 2
#pragma once

#include "runtime/compare/blocking_run.h"
#include "runtime/compare/compared_program.h"
#include "runtime/compare/report.h"
#include "runtime/compare/session.h"

#include <deque>
#include <map>
#include <memory>

namespace us::compare {

/// Why such a launch is not compared, whatever its arguments are; empty: it may be.
std::string obstacleOf(const LaunchCommand &launch, const ComparedKernel &kernel, const Session &session,
                       const DevicePair &devices);

class LaunchComparison {
public:
  /// The session's mutex is held as long as this lives. `launch` names the compared kernel.
  LaunchComparison(Session &session, const DevicePair &devices, const LaunchCommand &launch,
                   const ComparedKernel &kernel, LaunchRecord &record);

  /// How it went on the reference. The record says how the candidate did.
  RunOutcome run();

private:
  /// An allocation that the kernel may reach.
  struct Place {
    std::shared_ptr<KnownMemory> memory;
    uint64_t candidateAddress = 0;
    Layout layout;
    int argument = -1; ///< the first that points to it
    std::vector<std::byte> inputs, outputs, candidateOutputs, again;
    std::vector<std::byte> unsteady; ///< not 0 where a repetition has left another byte
  };
  using Contents = std::vector<std::byte> Place::*;

  Expected<void> prepare();
  Expected<void> collectPlaces();
  Expected<void> collectArgument(size_t index);
  Expected<void> makeImage(uint64_t argument, const KnownImage &image, const Place &place);
  Expected<Place *> placeOf(const std::shared_ptr<KnownMemory> &memory);
  uint64_t translated(uint64_t address) const;
  Expected<void> compare();
  Expected<void> runCandidate();
  Expected<void> repeatReference();
  void judgeAll();
  Expected<void> readReference(Contents into);
  /// The reference's memory holds `now` and shall hold `wanted`.
  Expected<void> change(Contents now, Contents wanted);

  Session &session_;
  const DevicePair &devices_;
  const ComparedKernel &kernel_;
  LaunchRecord &record_;
  LaunchCommand launch_; ///< the reference's
  LaunchCommand candidateLaunch_;
  std::deque<Place> places_;
  std::map<uint64_t, std::unique_ptr<DeviceImage>> images_; ///< the candidate's, by the reference's argument
};

} // namespace us::compare
