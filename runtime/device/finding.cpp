// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/finding.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace us {
namespace {

struct KindInfo {
  ErrorCode code;
  std::string_view sentence;
};
constexpr KindInfo kKinds[] = {
#define US_FINDING(kind, code, sentence) {ErrorCode::code, sentence},
#include "runtime/device/findings.def"
#undef US_FINDING
};
const KindInfo &infoOf(FindingKind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::string bytes(uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

std::string hex(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

std::string tuple(const Size3 &id, uint32_t dimensions) {
  std::string text = "(";
  for (uint32_t i = 0; i < dimensions; ++i) text += (i ? "," : "") + std::to_string(id[i]);
  return text + ")";
}

std::string textOf(const SourcePlace &place) {
  if (!place.line) return "at an unknown line";
  return "at " + (place.file.empty() ? "line " : place.file + ":") + std::to_string(place.line);
}

std::string textOf(const FoundItems &items) {
  const std::string group = "work-group " + tuple(items.group, items.dimensions);
  switch (items.known) {
  case FoundItems::Known::Item:
    return "work-item " + tuple(items.item, items.dimensions) + " of " + group;
  case FoundItems::Known::Group:
    return "in " + group;
  case FoundItems::Known::Range:
    return "in one of the work-items " + tuple(items.first, items.dimensions) + " to " +
           tuple(items.last, items.dimensions);
  case FoundItems::Known::Several:
    return items.several;
  }
  return {};
}

std::string textOf(const std::vector<FoundWait> &waits) {
  static constexpr const char *kWords[] = {" wait at the barrier ", " wait at the sub-group operation ",
                                           " wait in a loop for memory to change ", " have ended"};
  std::string text;
  for (const FoundWait &wait : waits) {
    text += text.empty() ? "work-items " : "; work-items ";
    const char *separator = "";
    for (const auto &[from, upTo] : wait.items) {
      text += separator + std::to_string(from);
      if (upTo - from > 1) text += "-" + std::to_string(upTo - 1);
      separator = ", ";
    }
    text += kWords[static_cast<size_t>(wait.what)];
    if (wait.what != FoundWait::What::Ended) text += textOf(wait.place);
    if (!wait.memory.empty()) text += " (" + wait.memory + ")";
  }
  return text;
}

std::string at(const Finding &finding) { return textOf(finding.place) + ", " + textOf(finding.items); }

/// What stands for a word in braces.
std::string valueOf(std::string_view word, const Finding &finding) {
  if (word == "kernel") return finding.kernel;
  if (word == "address") return hex(finding.address);
  if (word == "memory") return textOf(finding.address, finding.memory);
  if (word == "number") return std::to_string(finding.number);
  if (word == "bytes") return finding.number ? bytes(finding.number) : "bytes";
  if (word == "index") return std::to_string(finding.index);
  if (word == "text") return finding.text;
  if (word == "who") return textOf(finding.items);
  if (word == "at") return at(finding);
  if (word == "waits") return textOf(finding.waits);
  if (word == "stopped") {
    std::string text = finding.isPlaced ? " " + at(finding) : "";
    const std::string groups = textOf(finding.waitingGroups, finding.moreWait, finding.items.dimensions);
    if (!groups.empty()) text += (text.empty() ? ", " : "; ") + groups;
    return text;
  }
  return "{" + std::string(word) + "}";
}

} // namespace

ErrorCode codeOf(FindingKind kind) { return infoOf(kind).code; }

std::string textOf(const Finding &finding) {
  std::string text;
  for (std::string_view rest = infoOf(finding.kind).sentence; !rest.empty();) {
    const size_t open = std::min(rest.find('{'), rest.size());
    text += rest.substr(0, open);
    rest.remove_prefix(open);
    if (rest.empty()) break;
    const size_t close = rest.find('}');
    text += valueOf(rest.substr(1, close - 1), finding);
    rest.remove_prefix(close + 1);
  }
  return text;
}

std::string textOf(uint64_t address, const FoundMemory &memory) {
  constexpr uint64_t kFirstPage = 4096; // nobody has it
  if (address < kFirstPage) return address ? bytes(address) + " after a null pointer" : "a null pointer";
  switch (memory.kind) {
  case FoundMemory::Kind::NotTheDevices:
    return "not device memory";
  case FoundMemory::Kind::Unused:
    return "no memory in use";
  case FoundMemory::Kind::Code:
    return "machine code";
  case FoundMemory::Kind::Allocation:
    break;
  }
  std::string what = "a " + std::string(memory.released ? "released " : "") + std::to_string(memory.size) + "-byte " +
                     memory.owner.what;
  if (!memory.owner.name.empty()) what += " '" + memory.owner.name + "'";
  if (!memory.argument.empty()) what += ", its " + memory.argument;
  const uint64_t end = memory.base + memory.size;
  if (address < memory.base) return bytes(memory.base - address) + " before " + what;
  if (address == end) return "one past the end of " + what;
  if (address > end) return bytes(address - end) + " past the end of " + what;
  return "byte " + std::to_string(address - memory.base) + " of " + what;
}

std::string textOf(const std::vector<FoundWaitingGroups> &groups, bool more, uint32_t dimensions) {
  std::string text;
  for (const FoundWaitingGroups &one : groups) {
    if (!text.empty()) text += "; ";
    text += one.first == one.last ? "in work-group " : "in work-groups " + tuple(one.first, dimensions) + " to ";
    text += tuple(one.last, dimensions) + ": " + textOf(one.waits);
  }
  return more ? text + "; and others" : text;
}

Error errorOf(const Finding &finding) { return {codeOf(finding.kind), textOf(finding)}; }

} // namespace us
