// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: what is wrong with a kernel, as a value: everything that is known of it. What kinds there are, which error
// each is and how a person is told is in findings.def; a check that is new is a row there, and whoever sees it fail.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/geometry.h"
#include "runtime/device/memory_owner.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace us {

enum class FindingKind : uint8_t {
#define US_FINDING(kind, code, sentence) kind,
#include "runtime/device/findings.def"
#undef US_FINDING
};

struct SourcePlace {
  std::string file = {}; ///< empty: the only one there is
  uint32_t line = 0;     ///< 0: unknown
  uint32_t column = 0;   ///< likewise
  bool operator==(const SourcePlace &) const = default;
};

/// What is at an address.
struct FoundMemory {
  enum class Kind : uint8_t {
    NotTheDevices, ///< nothing that a kernel could know
    Unused,        ///< the device's, and nothing is near
    Code,
    Allocation, ///< the one that holds the address, or the nearest
  };
  Kind kind = Kind::NotTheDevices;
  uint64_t base = 0, size = 0; ///< of the allocation, as asked for
  bool released = false;
  MemoryOwner owner = {};
  /// The kernel's argument through which it came, "argument 2 'image'"; empty if none points into it.
  std::string argument = {};
};

/// Which work-items it may have been.
struct FoundItems {
  enum class Known : uint8_t { Item, Group, Range, Several };
  Known known = Known::Group;
  uint32_t dimensions = 1;
  Size3 group{};
  Size3 item{};             ///< Item: its local id
  Size3 first{}, last{};    ///< Range: the global ids of the first and the last
  std::string several = {}; ///< Several: "work-items 16-31 of work-groups 0-7"
};

/// Work-items of a group that wait at one place.
struct FoundWait {
  enum class What : uint8_t { Barrier, SubGroup, Memory, Ended };
  What what = What::Barrier;
  SourcePlace place = {};
  std::vector<std::pair<uint64_t, uint64_t>> items = {}; ///< from and up to, linear local ids
  std::string memory = {};                               ///< Memory: what they look at, if it is known
  bool operator==(const FoundWait &) const = default;
};

/// Groups one behind the other in which the same work-items wait at the same places.
struct FoundWaitingGroups {
  Size3 first{}, last{};
  std::vector<FoundWait> waits = {};
};

struct Finding {
  FindingKind kind = FindingKind::Read;
  std::string kernel = {};
  bool isPlaced = false; ///< `place` and `items` say something
  SourcePlace place = {};
  FoundItems items = {};
  uint64_t address = 0;
  FoundMemory memory = {};
  uint64_t number = 0; ///< a trap's, bytes of a stack or an access, elements, a limit's milliseconds
  int64_t index = 0;
  std::string text = {};             ///< of an assertion; a value
  std::vector<FoundWait> waits = {}; ///< Deadlock: of the group
  std::vector<FoundWaitingGroups> waitingGroups = {};
  bool moreWait = false; ///< groups that are not told
};

ErrorCode codeOf(FindingKind kind);
/// The sentence for a person.
std::string textOf(const Finding &finding);
/// Its parts, where others say them.
std::string textOf(uint64_t address, const FoundMemory &memory); ///< "4 bytes past the end of a 1024-byte buffer"
std::string textOf(const std::vector<FoundWaitingGroups> &groups, bool more, uint32_t dimensions);

/// The error that says it.
Error errorOf(const Finding &finding);

} // namespace us
