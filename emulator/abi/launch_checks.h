// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How checked code says what has gone wrong in a launch (emulator/check receives it). What the code knows of the place
// is a text of JSON beside it, the site:
//   line, column, file, function   where, as the source says; inlinedFrom: a list of the same, innermost first
//   operation                      "read", "write", "update"; "division", "remainder", "conversion"; "copy", "wait"
//   bytes, alignment               of an access; bytes: absent where the code does not know
//   object, name, argument         "private", "local", "constant", "variable": a variable of that name; "argument" and
//   its
//                                  number; size: of a variable, its bytes
//   coordinates, layers            of a pixel: how many, and whether the last one is a layer
//   from                           lines and columns, as pairs, of the reads that the operands, or the address, come
//                                  from
//   type                           of the operands, of a conversion its result's
#pragma once

#include "emulator/abi/check_classes.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace us::abi {

enum class CheckKind : uint32_t {
#define US_CHECK_KIND(kind, class) kind,
#include "emulator/abi/check_kinds.def"
#undef US_CHECK_KIND
};

/// What code hands over: a kind, its site, the three numbers of check_kinds.def.
struct CheckFailure {
  CheckKind kind = CheckKind::Access;
  const char *site = nullptr; ///< lives as long as the code
  uint64_t numbers[3] = {};
};

/// Flags of us.barrier. Memory of images is global.
inline constexpr uint32_t kLocalFence = 1, kGlobalFences = 2 | 4;
/// And of us.sub_group_sync: all work-items of the sub-group have to come to it.
inline constexpr uint32_t kForWholeSubGroup = 0x100;
/// It orders nothing: those that come there are only kept in step (keep_warps_in_step).
inline constexpr uint32_t kOnlyInStep = 0x200;

/// How shared memory is touched; from AtomicRead on by atomic operations.
enum class AccessKind : uint8_t { Read, Write, AtomicRead, AtomicWrite, AtomicUpdate };

/// An access that is about to be made.
struct MemoryAccess {
  // Beside the kind in what code says.
  static constexpr uint32_t kKindBits = 0xff, kHasValue = 1 << 8, kIsOrdering = 1 << 9, kCompares = 1 << 10;
  static constexpr uint32_t kIsAddressOfValue = 1 << 11; ///< it has more than 8 bytes, and is told by its address
  static constexpr uint64_t kMostValueBytes = 128;       ///< of a vector

  uint64_t address = 0, bytes = 0;
  AccessKind kind = AccessKind::Read;
  bool hasValue = false;   ///< known is what is written, or, of one that compares, what it compares with
  bool isAsBefore = false; ///< this value is what is there already
  bool compares = false;   ///< a compare-and-exchange
  bool isLocal = false;    ///< of the work-group's local memory
  bool isOrdering = false; ///< an atomic operation that orders what lies before and behind it
  const char *site = nullptr;
};

/// Who an access races with.
struct CellRace {
  MemoryAccess now;
  AccessKind otherKind = AccessKind::Read;
  uint64_t otherGroup = 0;
  uint32_t otherItem = 0;
  const char *otherSite = nullptr;
};

/// An asynchronous copy, as one work-item of those that make it together asks for it.
struct AsyncCopy {
  /// What is read, or written: from where on, and how many elements it is from a line, or plane, to the next.
  struct Side {
    uint64_t begin = 0, line = 0, plane = 0;
    bool operator==(const Side &) const = default;
  };
  Side to, from;
  uint64_t bytes = 0;                           ///< of an element
  uint64_t elements = 0, lines = 1, planes = 1; ///< of a line; of a plane; in all
  bool toLocal = false;                         ///< else from local memory
  uint64_t event = 0;
  const char *site = nullptr;
};

/// What is wrong with how a thread waits for others of its block (PTX), or a work-item for others of its sub-group.
enum class WrongMeeting : uint8_t {
  LacksItself,    ///< the member mask does not name the thread's own lane
  DifferentMasks, ///< another lane that it names came with another mask
  WaitsElsewhere, ///< a lane that it names waits at a barrier of the block
  PartOfWarp,     ///< a barrier for a number of threads that is no multiple of the warp's
  MixedUses,      ///< a barrier that others use to reduce values, or that others do not
  PartOfSubGroup, ///< OpenCL: a function of the sub-group that not all of it come to
};

/// Whom work-items of a group have waited for.
enum class Meeting : uint8_t {
  OfSubGroup, ///< each other, of one sub-group
  OfGroup,    ///< all of the group that have come to a barrier with a number
};

/// Work-items of a group that wait at one barrier, or have ended.
struct BarrierWait {
  static constexpr uint32_t kEnded = ~0u;
  uint32_t site = kEnded;                           ///< the barrier's number in the code
  uint64_t pc = 0;                                  ///< behind its call; 0 of those that have ended
  std::vector<std::pair<uint64_t, uint64_t>> items; ///< from and up to, linear local ids
};

/// Where a NaN, or an infinity, was made of finite numbers.
struct NanBirth {
  const char *site = nullptr;
  bool isNan = false; ///< else infinite
  double first = 0, second = 0;
  bool operator==(const NanBirth &other) const { return site == other.site && isNan == other.isNan; }
};

/// Where it was stored.
struct NanStore {
  uint64_t birth = 0; ///< 0: not known
  uint64_t address = 0;
  uint32_t bytes = 0;
  const char *site = nullptr;
  bool isGlobal = false; ///< others than the work-group see it
};

/// An atomic addition of floating-point numbers.
struct FloatAddition {
  uint64_t address = 0;
  uint32_t bytes = 0; ///< of the type
  const char *site = nullptr;
  double before = 0, number = 0;
};

/// Receives what fails in one launch; all functions are thread-safe and throw nothing. Called on stacks of work-items.
class LaunchChecks {
public:
  virtual ~LaunchChecks() = default;
  virtual void failed(uint64_t group, uint64_t item, const CheckFailure &failure) = 0;
  /// Work-items of a group wait at different barriers, or some have ended while others wait.
  virtual void diverged(uint64_t group, std::vector<BarrierWait> waits) = 0;
  /// A format and what is printed by it do not go together; `pc` is behind the call.
  virtual void misprinted(uint64_t group, uint64_t item, uint64_t pc, const std::string &mismatch) = 0;
  /// `pc` is behind the call; `members`: the mask, if there is one.
  virtual void metWrongly(uint64_t group, uint64_t item, uint64_t pc, WrongMeeting how, uint32_t members) = 0;
  /// Code that tells of its accesses runs group by group, on one thread.
  virtual void accessed(uint64_t group, uint64_t item, const MemoryAccess &access) = 0;
  /// What the code itself has found.
  virtual void raced(uint64_t group, uint64_t item, const CellRace &race) = 0;
  /// The launch is not what its code takes for granted of these checks, and is given up.
  virtual void requirementFailed(CheckSet checks) = 0;
  /// A work-item of a group of `items` makes a copy; returns its event. The copy lies within memory that there is.
  virtual uint64_t copied(uint64_t group, uint64_t item, uint64_t items, const AsyncCopy &copy) = 0;
  /// It comes to a fence that orders what its group's copies do with memory; `fences` as us.barrier has them.
  virtual void fencedCopies(uint64_t group, uint64_t item, uint64_t items, uint32_t fences, const char *site) = 0;
  /// It will wait for events, at the barrier that comes next.
  virtual void awaits(uint64_t group, uint64_t item, uint64_t items, std::span<const uint64_t> events,
                      const char *site) = 0;
  /// Memory that is new to whoever has it.
  virtual void allocated(uint64_t begin, uint64_t size) = 0;
  /// All of a group go on behind a barrier; `fences` as us.barrier has them, those that all of them have.
  virtual void passedBarrier(uint64_t group, uint32_t fences) = 0;
  /// Some work-items of a group have waited and go on.
  virtual void met(uint64_t group, std::span<const uint32_t> items, Meeting meeting) = 0;
  /// The number of a birth, from 1 on.
  virtual uint64_t born(const NanBirth &birth) { return 0; }
  /// That of what was last stored at an address; 0: none.
  virtual uint64_t birthAt(uint64_t address) { return 0; }
  virtual void stored(uint64_t group, uint64_t item, const NanStore &store) {}
  virtual void added(uint64_t group, uint64_t item, const FloatAddition &addition) {}
};

} // namespace us::abi
