// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fails in one checked launch: one finding for each place and kind, with all work-items that had it.
#pragma once

#include "emulator/abi/bounds.h"
#include "emulator/abi/compiler_api.h"
#include "emulator/abi/launch_checks.h"
#include "emulator/check/async_copies.h"
#include "emulator/check/float_sums.h"
#include "emulator/check/found_place.h"
#include "emulator/check/item_set.h"
#include "emulator/check/race_detector.h"
#include "emulator/check/touched_bytes.h"
#include "runtime/device/command.h"
#include "runtime/device/executable.h"
#include "runtime/device/finding.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace us::check {

/// The launch that is checked. All that it refers to outlives the findings.
struct CheckedLaunch {
  std::string kernel;
  abi::CheckSet checks = 0;
  LaunchShape shape;
  std::span<const ArgumentInfo> parameters;
  std::span<const std::byte> arguments;
  const std::vector<ArgumentMemory> *given = nullptr; ///< LaunchCommand::argumentMemory
  uint64_t localMemory = 0;                           ///< bytes of the local arena
  uint32_t subGroupSize = 32;                         ///< work-items
  uint32_t languageTarget = 0;                        ///< KernelInfo::languageTarget
  std::string_view source;                            ///< of the program, where places name no file
  abi::SourceLine (*sourceLine)(void *user, uint64_t pc) = nullptr;
  void *user = nullptr;
};

/// A finding with all that reports say of it.
struct CheckFinding {
  Finding finding;
  std::string key, checkClass, kind;
  FoundPlace place;
  std::vector<FoundPlace> inlinedFrom; ///< innermost first
  FoundPlace second;                   ///< of the other side, if there is one:
  std::string secondWhat, secondItems; ///< what it did, and who
  std::vector<std::pair<std::string, std::string>> details;
  uint64_t touchedFrom = 0, touchedTo = 0; ///< bytes of finding.memory; none: equal
  LaunchShape shape;
  ItemSet items;
  std::vector<std::pair<uint64_t, uint64_t>> reads; ///< lines and columns of those that its value comes from
  bool isOfLocal = false;                           ///< it is about local memory
  std::vector<CheckFinding> followOns;
};

/// Its key, by what else is known of it.
std::string keyOf(const CheckFinding &found);

/// One that ends before it begins, of the class progress.
CheckFinding refusedLaunch(const Finding &finding);

class LaunchFindings final : public abi::LaunchChecks {
public:
  explicit LaunchFindings(CheckedLaunch launch);

  /// LaunchContext::argumentBounds of the launch.
  const abi::ArgumentBounds *argumentBounds() const { return bounds_.data(); }

  void failed(uint64_t group, uint64_t item, const abi::CheckFailure &failure) override;
  void diverged(uint64_t group, std::vector<abi::BarrierWait> waits) override;
  void misprinted(uint64_t group, uint64_t item, uint64_t pc, const std::string &mismatch) override;
  void metWrongly(uint64_t group, uint64_t item, uint64_t pc, abi::WrongMeeting how, uint32_t members) override;
  void accessed(uint64_t group, uint64_t item, const abi::MemoryAccess &access) override;
  void raced(uint64_t group, uint64_t item, const abi::CellRace &race) override;
  void requirementFailed(abi::CheckSet checks) override { exhaustive_ |= checks; }
  uint64_t copied(uint64_t group, uint64_t item, uint64_t items, const abi::AsyncCopy &copy) override;
  void fencedCopies(uint64_t group, uint64_t item, uint64_t items, uint32_t fences, const char *site) override;
  void awaits(uint64_t group, uint64_t item, uint64_t items, std::span<const uint64_t> events,
              const char *site) override;
  void allocated(uint64_t begin, uint64_t size) override;
  void passedBarrier(uint64_t group, uint32_t fences) override;
  void met(uint64_t group, std::span<const uint32_t> items, abi::Meeting meeting) override;

  uint64_t born(const abi::NanBirth &birth) override;
  uint64_t birthAt(uint64_t address) override;
  void stored(uint64_t group, uint64_t item, const abi::NanStore &store) override;
  void added(uint64_t group, uint64_t item, const abi::FloatAddition &addition) override;

  /// After the launch: what has ended it.
  void ended(const Finding &finding);

  /// Where races are looked for: what the launch has touched.
  std::vector<TouchedRange> touched() const { return touched_.ranges(); }
  /// Before each run: whose source lines are asked for, as CheckedLaunch::user.
  void runs(void *user) { launch_.user = user; }
  /// Not empty: the launch was given up, and runs where these checks are exhaustive.
  abi::CheckSet exhaustive() const { return exhaustive_; }
  /// After the launch, which has `ended`, or was ended: in the order in which they were found.
  std::vector<CheckFinding> take(bool ended);

private:
  struct Occurrence {
    abi::CheckFailure first;
    uint64_t order;
    ItemSet items;
  };
  struct Divergence {
    std::vector<abi::BarrierWait> waits;
    ItemSet items; ///< that have ended; where none has, those that are not where most are
  };
  struct WrongPrint {
    std::string mismatch;
    ItemSet items;
  };
  struct FoundRace {
    Race first;
    ItemSet items; ///< whose access came later
  };
  CheckFinding describe(const abi::CheckFailure &failure) const;
  CheckFinding describe(const Race &race) const;
  CheckFinding describe(uint64_t pc, const WrongPrint &print) const;
  CheckFinding describe(uint64_t pc, abi::WrongMeeting meeting) const;
  bool checks(abi::CheckClass one) const { return abi::isIn(launch_.checks, one); }
  CheckFinding describe(const AsyncCopies::Place &mistake) const;
  void touches(uint64_t group, uint64_t item, uint32_t number, const abi::AsyncCopy &copy);
  void touches(uint64_t group, uint64_t item, uint32_t number, const abi::AsyncCopy &copy, bool isWrite);
  void found(const Race &race, uint64_t group, uint64_t item);
  FoundPlace placed(const nlohmann::json &site) const;
  std::vector<FoundPlace> callers(const nlohmann::json &site) const; ///< innermost first
  FoundPlace placed(uint64_t pc) const;
  CheckFinding describe(const Divergence &divergence) const;
  CheckFinding describe(const Finding &end) const;
  CheckFinding describe(const abi::NanBirth &birth, const abi::NanStore &store) const;
  CheckFinding describe(const OrderedSum &sum) const;
  void describeAccess(const abi::CheckFailure &failure, const nlohmann::json &site, CheckFinding &found) const;
  void describeUninitialized(const abi::CheckFailure &failure, const std::string &operation, CheckFinding &found) const;
  uint64_t wordOf(const ArgumentInfo &parameter) const; ///< of one of so many bytes; else 0
  void describeImage(const abi::CheckFailure &failure, const nlohmann::json &site, CheckFinding &found) const;
  uint64_t sizeOf(const abi::CheckFailure &failure, const nlohmann::json &site) const;
  /// The argument that a pointer of a failed access was made from; behind the last one of none.
  size_t argumentOf(const abi::CheckFailure &failure, const nlohmann::json &site) const;
  void describeObject(const abi::CheckFailure &failure, const nlohmann::json &site, CheckFinding &found) const;
  std::string argumentText(size_t number) const;

  CheckedLaunch launch_;
  std::vector<abi::ArgumentBounds> bounds_; ///< by argument, as code has them
  std::vector<bool> isUnwritten_;           ///< nobody has ever written what it points to
  std::atomic<abi::CheckSet> exhaustive_{0};
  std::mutex mutex_; ///< guards all below
  std::map<std::pair<const char *, abi::CheckKind>, Occurrence> occurrences_;
  std::vector<Divergence> divergences_;
  std::optional<Finding> end_;
  std::vector<abi::NanBirth> births_;
  std::unordered_map<uint64_t, uint64_t> birthsAt_; ///< by address
  struct StoredNan {
    abi::NanStore first;
    ItemSet items;
  };
  std::map<uint64_t, StoredNan> storedNans_; ///< by birth
  FloatSums sums_;
  std::map<uint64_t, WrongPrint> wrongPrints_;                              ///< by pc
  std::map<std::pair<uint64_t, abi::WrongMeeting>, ItemSet> wrongMeetings_; ///< likewise
  AsyncCopies copies_;
  RaceDetector detector_{launch_.subGroupSize};
  TouchedBytes touched_; ///< of global memory
  std::map<std::tuple<const char *, const char *, bool>, FoundRace>
      races_; ///< by both places, and the same value or not
};

} // namespace us::check
