// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/launch_findings.h"

#include "emulator/abi/image_abi.h"

#include "emulator/abi/origins.h"
#include "emulator/check/follow_ons.h"
#include "emulator/check/source_lines.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/bounds.h"
#include "emulator/memory/shadow.h"
#include "emulator/memory/unwritten_buffers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace us::check {
namespace {

using Json = nlohmann::json;

constexpr abi::CheckClass kClassOf[] = {
#define US_CHECK_KIND(kind, class) abi::CheckClass::class,
#include "emulator/abi/check_kinds.def"
#undef US_CHECK_KIND
};
std::string className(abi::CheckClass checkClass) { return std::string(abi::kCheckClasses[size_t(checkClass)].name); }

/// With one space where there were several: an editor's changes of indentation keep a key.
std::string normalized(std::string_view line) {
  std::string text;
  for (char c : line) {
    const bool isSpace = c == ' ' || c == '\t' || c == '\r';
    if (isSpace && (text.empty() || text.back() == ' ')) continue;
    text += isSpace ? ' ' : c;
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::vector<std::pair<uint64_t, uint64_t>> readsOf(const Json &site) {
  std::vector<std::pair<uint64_t, uint64_t>> reads;
  if (site.contains("from"))
    for (const Json &read : site.at("from")) reads.emplace_back(read[0], read[1]);
  return reads;
}

SourcePlace placeOf(const Json &site) {
  return {site.value("file", ""), site.value("line", 0u), site.value("column", 0u)};
}

std::string numberText(uint64_t number, const std::string &type, bool isBitsOfDouble) {
  if (isBitsOfDouble) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", std::bit_cast<double>(number));
    return text;
  }
  return type.starts_with("u") ? std::to_string(number) : std::to_string(int64_t(number));
}

/// Of a vector's elements the code does not say which one it was.
bool isVector(const std::string &type) { return !type.empty() && type.back() >= '0' && type.back() <= '9'; }

/// What a value that was never written is used for.
const char *useText(const std::string &operation) {
  if (operation == "branch") return "to decide where to go on";
  if (operation == "address") return "in an address";
  if (operation == "store") return "and stored it in global memory";
  if (operation == "update") return "in an atomic operation";
  return "in a calculation that it may stop";
}

/// What may end a checked launch, but for the program's own will, and what fails while it goes on.
struct End {
  FindingKind finding;
  abi::CheckClass checkClass;
  const char *kind;
};
constexpr End kEnds[] = {
    {FindingKind::Hang, abi::CheckClass::Progress, "wait that cannot end"},
    {FindingKind::Deadlock, abi::CheckClass::Progress, "deadlock"},
    {FindingKind::StackOverflow, abi::CheckClass::Progress, "stack overflow"},
    {FindingKind::NoStack, abi::CheckClass::Progress, "no memory for a stack"},
    {FindingKind::Read, abi::CheckClass::Memory, "fault"},
    {FindingKind::Write, abi::CheckClass::Memory, "fault"},
    {FindingKind::Call, abi::CheckClass::Memory, "fault"},
    {FindingKind::WildCall, abi::CheckClass::Memory, "call of no function"},
    {FindingKind::WildBranch, abi::CheckClass::Memory, "branch to no label"},
    {FindingKind::Address, abi::CheckClass::Memory, "fault"},
};

const char *ownerOf(const std::string &object) {
  if (object == "private") return "private variable";
  if (object == "local") return "local variable";
  if (object == "constant") return "constant";
  return "program variable";
}

/// All of them, whatever the image's kind.
abi::Bounds pixelsOf(const abi::ImageDescriptor *image) {
  if (!image) return {};
  const abi::ImageDescriptor &last = image[image->mipLevels - 1];
  const uint64_t line = uint64_t(last.width) * last.elementSize;
  const uint64_t plane = std::max(line, last.rowPitch * last.height);
  return {reinterpret_cast<uint64_t>(image->data),
          uint64_t(last.data - image->data) + std::max(plane, last.slicePitch * std::max(last.depth, last.arraySize))};
}

} // namespace

std::string keyOf(const CheckFinding &found) {
  std::string kind = found.kind;
  std::ranges::replace(kind, ' ', '-');
  const std::string &function = found.place.function.empty() ? found.finding.kernel : found.place.function;
  return found.checkClass + "/" + kind + "/" + function + "/" + normalized(found.place.text);
}

CheckFinding refusedLaunch(const Finding &finding) {
  CheckFinding found;
  found.finding = finding;
  found.checkClass = className(abi::CheckClass::Progress);
  found.kind = "too much local memory";
  found.key = keyOf(found);
  return found;
}

LaunchFindings::LaunchFindings(CheckedLaunch launch) : launch_(std::move(launch)) {
  const memory::Shadow *const shadow = checks(abi::CheckClass::Uninitialized) ? &memory::Shadow::instance() : nullptr;
  for (const ArgumentInfo &parameter : launch_.parameters) {
    const size_t number = bounds_.size();
    const bool isGiven = launch_.given && number < launch_.given->size();
    const ArgumentMemory given = isGiven ? (*launch_.given)[number] : ArgumentMemory{};
    abi::Bounds bounds{0, abi::kUnknownSize};
    const uint64_t word = wordOf(parameter);
    // PTX passes pointers as numbers; code does not follow a number that is none.
    if (takesBuffer(parameter.kind) || parameter.kind == ArgumentKind::Value) bounds = memory::boundsAt(word);
    if (parameter.kind == ArgumentKind::Image) bounds = pixelsOf(reinterpret_cast<const abi::ImageDescriptor *>(word));
    if (takesBuffer(parameter.kind) && given.size != ArgumentMemory::kUnknown) bounds = {word, given.size};
    // OpenCL C 3.0, 6.7.3: pointers to the constant address space are to "read-only memory".
    const bool mayWrite = given.access.writes && parameter.kind != ArgumentKind::ConstantPointer;
    const bool mayRead =
        given.access.reads && !(checks(abi::CheckClass::Uninitialized) && takesBuffer(parameter.kind) &&
                                memory::UnwrittenBuffers::instance().holds(word));
    isUnwritten_.push_back(given.access.reads && !mayRead);
    bounds_.push_back({bounds.begin, bounds.size, mayRead ? bounds.size : 0, mayWrite ? bounds.size : 0,
                       shadow && shadow->isShared(word) ? shadow->sharedDistance() : 0});
  }
  // Local arguments lie one behind the other in the arena, each at a multiple of at least 16 bytes.
  std::vector<std::pair<uint64_t, size_t>> local;
  for (size_t i = 0; i < launch_.parameters.size(); ++i) {
    if (launch_.parameters[i].kind != ArgumentKind::LocalPointer) continue;
    uint64_t offset = 0;
    std::memcpy(&offset, launch_.arguments.data() + launch_.parameters[i].offset, sizeof offset);
    local.emplace_back(offset, i);
  }
  std::ranges::sort(local);
  for (size_t i = 0; i < local.size(); ++i) {
    const auto [begin, number] = local[i];
    const uint64_t end = i + 1 < local.size() ? local[i + 1].first : launch_.localMemory;
    const uint64_t given = launch_.given ? (*launch_.given)[number].size : ArgumentMemory::kUnknown;
    const uint64_t size = std::min(given, end - begin);
    bounds_[number] = {bounds_[number].begin, size, size, size};
  }
}

uint64_t LaunchFindings::wordOf(const ArgumentInfo &parameter) const {
  uint64_t word = 0;
  if (parameter.size == sizeof word) std::memcpy(&word, launch_.arguments.data() + parameter.offset, sizeof word);
  return word;
}

void LaunchFindings::failed(uint64_t group, uint64_t item, const abi::CheckFailure &failure) {
  const std::scoped_lock lock(mutex_);
  abi::CheckKind kind = failure.kind;
  if (kind == abi::CheckKind::DivisionByZero && failure.numbers[1] != 0) kind = abi::CheckKind::DivisionOverflow;
  const auto [at, isNew] = occurrences_.try_emplace({failure.site, kind}, Occurrence{failure, occurrences_.size(), {}});
  at->second.first.kind = kind;
  at->second.items.add(group, item);
}

void LaunchFindings::diverged(uint64_t group, std::vector<abi::BarrierWait> waits) {
  const std::scoped_lock lock(mutex_);
  const auto sites = [](const std::vector<abi::BarrierWait> &of) {
    std::vector<uint32_t> all;
    for (const abi::BarrierWait &wait : of) all.push_back(wait.site);
    std::ranges::sort(all);
    return all;
  };
  auto known =
      std::ranges::find_if(divergences_, [&](const Divergence &one) { return sites(one.waits) == sites(waits); });
  if (known == divergences_.end()) known = divergences_.insert(known, {waits, {}});
  const auto count = [](const abi::BarrierWait &wait) {
    uint64_t items = 0;
    for (const auto &[from, upTo] : wait.items) items += upTo - from;
    return items;
  };
  const auto hasEnded = [](const abi::BarrierWait &wait) { return wait.site == abi::BarrierWait::kEnded; };
  const bool someEnded = std::ranges::any_of(waits, hasEnded);
  const auto most = std::ranges::max_element(waits, {}, count);
  for (const abi::BarrierWait &wait : waits) {
    if (someEnded ? !hasEnded(wait) : &wait == &*most) continue;
    for (const auto &[from, upTo] : wait.items)
      for (uint64_t item = from; item < upTo; ++item) known->items.add(group, item);
  }
}

void LaunchFindings::misprinted(uint64_t group, uint64_t item, uint64_t pc, const std::string &mismatch) {
  if (!checks(abi::CheckClass::Printf)) return;
  const std::scoped_lock lock(mutex_);
  wrongPrints_.try_emplace(pc, WrongPrint{mismatch, {}}).first->second.items.add(group, item);
}

void LaunchFindings::metWrongly(uint64_t group, uint64_t item, uint64_t pc, abi::WrongMeeting how, uint32_t members) {
  // Operations without a mask, which PTX had before sm_70, wait for all that are there; so do OpenCL's.
  constexpr uint32_t kFirstWithMasks = 70;
  if (!checks(abi::CheckClass::Barriers)) return;
  const bool isOfPtx = launch_.languageTarget != 0;
  if (isOfPtx == (how == abi::WrongMeeting::PartOfSubGroup)) return;
  if (isOfPtx && members == ~0u && launch_.languageTarget < kFirstWithMasks) return;
  const std::scoped_lock lock(mutex_);
  wrongMeetings_[{pc, how}].add(group, item);
}

void LaunchFindings::accessed(uint64_t group, uint64_t item, const abi::MemoryAccess &access) {
  if (!(launch_.checks & abi::kRaceChecks)) return;
  const std::scoped_lock lock(mutex_);
  if (!access.isLocal) touched_.add(access);
  Race race;
  if (detector_.access(group, uint32_t(item), access, race)) found(race, group, item);
}

void LaunchFindings::raced(uint64_t group, uint64_t item, const abi::CellRace &race) {
  const std::scoped_lock lock(mutex_);
  const bool bothWrite = race.now.kind == abi::AccessKind::Write && race.otherKind == abi::AccessKind::Write;
  found({.now = {group, uint32_t(item), race.now.kind, race.now.site},
         .before = {race.otherGroup, race.otherItem, race.otherKind, race.otherSite},
         .address = race.now.address,
         .bytes = uint32_t(race.now.bytes),
         .isLocal = race.now.isLocal,
         .sameValue = bothWrite && race.now.isAsBefore},
        group, item);
}

void LaunchFindings::found(const Race &race, uint64_t group, uint64_t item) {
  if (!checks(race.sameValue ? abi::CheckClass::SameValue : abi::CheckClass::Races)) return;
  const auto [one, other] = std::minmax(race.now.site, race.before.site);
  const auto at = races_.try_emplace({one, other, race.sameValue}, FoundRace{race, {}}).first;
  at->second.items.add(group, item);
}

uint64_t LaunchFindings::copied(uint64_t group, uint64_t item, uint64_t items, const abi::AsyncCopy &copy) {
  const std::scoped_lock lock(mutex_);
  const AsyncCopies::Copy known = copies_.copied(group, item, items, copy);
  if (known.isFirst && (launch_.checks & abi::kRaceChecks)) touches(group, item, known.number, copy);
  return known.event;
}

/// Both sides of a copy, in pieces that are whole elements; none where there is no memory.
void LaunchFindings::touches(uint64_t group, uint64_t item, uint32_t number, const abi::AsyncCopy &copy) {
  detector_.begin(group, number);
  if (copy.bytes == 0) return;
  for (const bool isWrite : {false, true}) touches(group, item, number, copy, isWrite);
}

void LaunchFindings::touches(uint64_t group, uint64_t item, uint32_t number, const abi::AsyncCopy &copy, bool isWrite) {
  const abi::AsyncCopy::Side &side = isWrite ? copy.to : copy.from;
  const abi::Bounds bounds = memory::boundsAt(side.begin);
  if (bounds.size == abi::kUnknownSize || bounds.size == 0) return;
  const bool isLocal = isWrite == copy.toLocal;
  // In elements: how many there are, and how many of what begins `step` elements apart begin among them.
  const uint64_t most = (bounds.begin + bounds.size - side.begin) / copy.bytes;
  const auto atMost = [&](uint64_t count, uint64_t step) {
    return std::min(count, step ? most / step + (most % step != 0) : 1);
  };
  const uint64_t planes = atMost(copy.planes, side.plane), lines = atMost(copy.lines, side.line);
  for (uint64_t plane = 0; plane < planes; ++plane)
    for (uint64_t line = 0; line < lines; ++line) {
      const uint64_t first = plane * side.plane + line * side.line;
      const uint64_t end = first < most ? first + std::min(copy.elements, most - first) : first;
      for (uint64_t i = first; i < end; ++i) {
        Race race;
        const abi::MemoryAccess access{.address = side.begin + i * copy.bytes,
                                       .bytes = copy.bytes,
                                       .kind = isWrite ? abi::AccessKind::Write : abi::AccessKind::Read,
                                       .isLocal = isLocal,
                                       .site = copy.site};
        if (!isLocal) touched_.add(access);
        if (detector_.access(group, RaceDetector::itemOfCopy(number), access, race)) found(race, group, item);
      }
    }
}

void LaunchFindings::fencedCopies(uint64_t group, uint64_t item, uint64_t items, uint32_t fences, const char *site) {
  const std::scoped_lock lock(mutex_);
  if (copies_.fenced(group, item, items, fences, site) && (launch_.checks & abi::kRaceChecks))
    detector_.fenceCopies(group, fences);
}

void LaunchFindings::awaits(uint64_t group, uint64_t item, uint64_t items, std::span<const uint64_t> events,
                            const char *site) {
  const std::scoped_lock lock(mutex_);
  for (uint32_t copy : copies_.awaited(group, item, items, events, site)) detector_.complete(group, copy);
}

void LaunchFindings::allocated(uint64_t begin, uint64_t size) {
  if (!(launch_.checks & abi::kRaceChecks)) return;
  const std::scoped_lock lock(mutex_);
  detector_.forget(begin, size);
}

void LaunchFindings::passedBarrier(uint64_t group, uint32_t fences) {
  if (!(launch_.checks & abi::kRaceChecks)) return;
  const std::scoped_lock lock(mutex_);
  detector_.barrier(group, fences);
}

void LaunchFindings::met(uint64_t group, std::span<const uint32_t> items, abi::Meeting meeting) {
  if (!(launch_.checks & abi::kRaceChecks)) return;
  const std::scoped_lock lock(mutex_);
  detector_.meet(group, items, meeting);
}

uint64_t LaunchFindings::born(const abi::NanBirth &birth) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(births_, birth);
  const auto number = uint64_t(known - births_.begin()) + 1;
  if (known == births_.end()) births_.push_back(birth);
  return number;
}

uint64_t LaunchFindings::birthAt(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  const auto known = birthsAt_.find(address);
  return known == birthsAt_.end() ? 0 : known->second;
}

void LaunchFindings::stored(uint64_t group, uint64_t item, const abi::NanStore &store) {
  constexpr size_t kMostAddresses = 1'000'000; // that are remembered
  const std::scoped_lock lock(mutex_);
  if (birthsAt_.size() < kMostAddresses || birthsAt_.contains(store.address)) birthsAt_[store.address] = store.birth;
  if (store.birth == 0 || !store.isGlobal) return;
  storedNans_.try_emplace(store.birth, StoredNan{store, {}}).first->second.items.add(group, item);
}

void LaunchFindings::added(uint64_t group, uint64_t item, const abi::FloatAddition &addition) {
  const std::scoped_lock lock(mutex_);
  sums_.added(group, item, addition);
}

void LaunchFindings::ended(const Finding &finding) {
  const std::scoped_lock lock(mutex_);
  const End *known = std::ranges::find(kEnds, finding.kind, &End::finding);
  if (known != std::end(kEnds) && abi::isIn(launch_.checks, known->checkClass)) end_ = finding;
}

std::vector<CheckFinding> LaunchFindings::take(bool ended) {
  const std::scoped_lock lock(mutex_);
  std::vector<const Occurrence *> order(occurrences_.size());
  for (const auto &[where, occurrence] : occurrences_) order[occurrence.order] = &occurrence;
  std::vector<CheckFinding> all;
  for (const Occurrence *occurrence : order) {
    CheckFinding found = describe(occurrence->first);
    found.items = occurrence->items;
    all.push_back(std::move(found));
  }
  for (const Divergence &divergence : divergences_) {
    CheckFinding found = describe(divergence);
    found.items = divergence.items;
    all.push_back(std::move(found));
  }
  if (checks(abi::CheckClass::Barriers))
    for (const auto &[place, items] : copies_.mistakes(ended)) {
      CheckFinding found = describe(place);
      found.items = items;
      all.push_back(std::move(found));
    }
  for (const auto &[meeting, items] : wrongMeetings_) {
    CheckFinding found = describe(meeting.first, meeting.second);
    found.items = items;
    all.push_back(std::move(found));
  }
  for (const auto &[pc, print] : wrongPrints_) {
    CheckFinding found = describe(pc, print);
    found.items = print.items;
    all.push_back(std::move(found));
  }
  for (const auto &[places, race] : races_) {
    CheckFinding found = describe(race.first);
    found.items = race.items;
    all.push_back(std::move(found));
  }
  for (const auto &[birth, stored] : storedNans_) {
    CheckFinding found = describe(births_[birth - 1], stored.first);
    found.items = stored.items;
    found.secondItems = found.items.text(launch_.shape);
    all.push_back(std::move(found));
  }
  for (const OrderedSum &sum : sums_.take()) {
    CheckFinding found = describe(sum);
    found.items = sum.items;
    all.push_back(std::move(found));
  }
  if (end_) all.push_back(describe(*end_));
  for (CheckFinding &found : all) {
    found.shape = launch_.shape;
    Finding &finding = found.finding;
    finding.kernel = launch_.kernel;
    finding.isPlaced = true;
    finding.place = found.place.place;
    if (found.items.size() != 0)
      finding.items = {.known = FoundItems::Known::Several,
                       .dimensions = launch_.shape.dimensions,
                       .several = found.items.text(launch_.shape)};
    found.key = keyOf(found);
    const auto addPtx = [&](const char *label, const FoundPlace &place) {
      if (!place.lineOfPtx) return;
      const std::string text = normalized(lineOfProgram(launch_.source, {"", place.lineOfPtx, 0}));
      found.details.emplace_back(label, "line " + std::to_string(place.lineOfPtx) + ": " + text);
    };
    addPtx("PTX", found.place);
    addPtx("PTX of the other side", found.second);
  }
  return withFollowOns(std::move(all));
}

std::string LaunchFindings::argumentText(size_t number) const {
  std::string text = "argument " + std::to_string(number);
  if (number < launch_.parameters.size() && !launch_.parameters[number].name.empty())
    text += " '" + launch_.parameters[number].name + "'";
  return text;
}

CheckFinding LaunchFindings::describe(const abi::CheckFailure &failure) const {
  const Json site = Json::parse(failure.site, nullptr, false);
  CheckFinding found;
  found.place = placed(site);
  found.inlinedFrom = callers(site);
  found.reads = readsOf(site);
  found.checkClass = className(kClassOf[size_t(failure.kind)]);
  Finding &finding = found.finding;
  const std::string operation = site.value("operation", ""), type = site.value("type", "");
  const auto operand = [&](uint64_t number, bool isFloat) {
    return isVector(type) ? "an element" : numberText(number, type, isFloat);
  };
  switch (failure.kind) {
  case abi::CheckKind::Access:
    describeObject(failure, site, found);
    describeAccess(failure, site, found);
    break;
  case abi::CheckKind::Index:
    finding.kind = FindingKind::WrongIndex;
    finding.index = int64_t(failure.numbers[0]);
    finding.number = failure.numbers[1];
    found.kind = "wrong array index";
    break;
  case abi::CheckKind::Image:
    describeImage(failure, site, found);
    break;
  case abi::CheckKind::DivisionByZero:
    finding.kind = FindingKind::DivisionByZero;
    finding.text = operand(failure.numbers[0], false);
    found.kind = operation == "remainder" ? "remainder by zero" : "division by zero";
    break;
  case abi::CheckKind::DivisionOverflow:
    finding.kind = FindingKind::DivisionOverflow;
    finding.text = operand(failure.numbers[0], false);
    found.kind = "division overflow";
    break;
  case abi::CheckKind::NoProgress:
    finding.kind = FindingKind::NoProgress;
    finding.number = failure.numbers[0];
    found.kind = "no progress";
    break;
  case abi::CheckKind::Uninitialized:
    describeUninitialized(failure, operation, found);
    break;
  case abi::CheckKind::Conversion:
    finding.kind = FindingKind::ConversionOverflow;
    finding.text = operand(failure.numbers[0], true) + " to " + type;
    found.kind = "conversion out of range";
    break;
  }
  return found;
}

void LaunchFindings::describeUninitialized(const abi::CheckFailure &failure, const std::string &operation,
                                           CheckFinding &found) const {
  const auto origin = uint32_t(failure.numbers[0]);
  const auto kind = uint8_t(origin);
  const Json known = Json::parse(reinterpret_cast<const char *>(failure.numbers[1]), nullptr, false);
  Finding &finding = found.finding;
  finding.kind = FindingKind::UninitializedUse;
  found.kind = "uninitialized " + operation;
  found.isOfLocal = kind == abi::kLocalOrigin;
  std::string from = "from a private variable";
  if (found.isOfLocal) from = "from local memory";
  if (kind == abi::kGlobalOrigin) {
    const Json &reads = known.at("reads");
    const uint32_t number = (origin & ~abi::kCalculated) >> 8;
    from = "from global memory";
    if (number != 0 && number <= reads.size()) {
      const Json &read = reads[number - 1];
      const FoundPlace place = placed(read);
      if (place.place.line && !(place.place == found.place.place)) {
        found.second = place;
        found.secondWhat = "read it";
        from += " that line " + std::to_string(place.place.line) + " read";
      }
      const size_t argument = read.value("argument", launch_.parameters.size());
      if (argument < launch_.parameters.size()) {
        const uint64_t address = wordOf(launch_.parameters[argument]);
        finding.address = address;
        finding.memory = memory::AddressSpace::instance().locate(address);
        finding.memory.argument = argumentText(argument);
        const auto [first, end] = memory::UnwrittenBuffers::instance().firstUnwritten(address);
        if (first != end)
          found.details.emplace_back("never written", "bytes " + std::to_string(first) + " to " +
                                                          std::to_string(end - 1) + " of it, and maybe others");
        from += ", " + argumentText(argument);
      }
    }
  } else if (const Json &variables = known.at("variables"); kind != 0 && kind <= variables.size()) {
    const Json &variable = variables[kind - 1];
    const std::string name = variable.value("name", ""), line = std::to_string(variable.value("line", 0u));
    from = "of the private variable " + (name.empty() ? "" : "'" + name + "' ") + "of line " + line;
  }
  finding.text = from + ", " + useText(operation);
}

size_t LaunchFindings::argumentOf(const abi::CheckFailure &failure, const Json &site) const {
  size_t i = 0;
  while (i < bounds_.size() && (bounds_[i].begin != failure.numbers[1] || site.value("argument", i) != i)) ++i;
  return i;
}

/// Of the memory that was meant: code knows none where it may not touch it so.
uint64_t LaunchFindings::sizeOf(const abi::CheckFailure &failure, const Json &site) const {
  const auto [address, begin, size] = failure.numbers;
  if (size != 0 || begin == 0) return size;
  if (site.contains("size")) return site.at("size").get<uint64_t>();
  const size_t argument = argumentOf(failure, site);
  return argument < bounds_.size() ? bounds_[argument].size : abi::kUnknownSize; // of one variable among others
}

void LaunchFindings::describeObject(const abi::CheckFailure &failure, const Json &site, CheckFinding &found) const {
  const uint64_t address = failure.numbers[0], begin = failure.numbers[1], size = sizeOf(failure, site);
  Finding &finding = found.finding;
  finding.address = address;
  const std::string object = site.value("object", "");
  const FoundMemory there = memory::AddressSpace::instance().locate(address);
  if (size == 0 || size == abi::kUnknownSize) { // by no pointer to anything
    finding.memory = there;
    return;
  }
  finding.memory = {.kind = FoundMemory::Kind::Allocation, .base = begin, .size = size};
  if (object.empty() || object == "argument") {
    const FoundMemory known = memory::AddressSpace::instance().locate(begin);
    finding.memory.owner = known.owner;
    if (known.kind == FoundMemory::Kind::Allocation && size < known.size) finding.memory.owner.what = "sub-buffer";
  } else {
    finding.memory.owner = {ownerOf(object), site.value("name", "")};
  }
  if (object == "argument") {
    const size_t number = site.value("argument", size_t(0));
    finding.memory.argument = argumentText(number);
    if (number < launch_.parameters.size() && launch_.parameters[number].kind == ArgumentKind::LocalPointer)
      finding.memory.owner = {"block of local memory", ""};
  }
  const bool isElsewhere = there.kind == FoundMemory::Kind::Allocation && address - there.base < there.size &&
                           (there.base != begin || there.size != size) && (object.empty() || object == "argument");
  if (isElsewhere) found.details.emplace_back("at that address", textOf(address, there));
}

void LaunchFindings::describeAccess(const abi::CheckFailure &failure, const Json &site, CheckFinding &found) const {
  const uint64_t address = failure.numbers[0], begin = failure.numbers[1], size = sizeOf(failure, site);
  const uint64_t bytes = site.value("bytes", uint64_t(0));
  Finding &finding = found.finding;
  finding.number = bytes;
  const uint64_t distance = address - begin;
  const bool isInside = distance <= size && bytes <= size - distance && size != 0;
  const std::string operation = site.value("operation", "");
  const std::string what = operation == "update" ? "atomic operation" : operation;
  if (isInside && failure.numbers[2] == 0) {
    const size_t argument = argumentOf(failure, site);
    const bool mayRead =
        operation == "write" || (operation == "update" && argument < bounds_.size() && bounds_[argument].readable != 0);
    if (operation == "read" && argument < bounds_.size() && isUnwritten_[argument]) {
      found.checkClass = className(abi::CheckClass::Uninitialized);
      found.kind = "read of a buffer that was never written";
      finding.kind = FindingKind::UnwrittenRead;
      return;
    }
    finding.kind = operation == "write"    ? FindingKind::ForbiddenWrite
                   : operation == "update" ? FindingKind::ForbiddenUpdate
                                           : FindingKind::ForbiddenRead;
    finding.text = mayRead ? "read" : "write";
    found.kind = what +
                 (operation == "update"  ? " on "
                  : operation == "write" ? " to "
                                         : " of ") +
                 (mayRead ? "read-only memory" : "write-only memory");
    return;
  }
  if (isInside && bytes) {
    finding.kind = FindingKind::MisalignedAccess;
    finding.text = std::to_string(site.value("alignment", uint64_t(1)));
    found.kind = "misaligned access";
    return;
  }
  finding.kind = operation == "write"    ? FindingKind::OutOfBoundsWrite
                 : operation == "update" ? FindingKind::OutOfBoundsUpdate
                                         : FindingKind::OutOfBoundsRead;
  const bool isNull = address < memory::kPageSize;
  const bool isReleased = finding.memory.released;
  found.kind = isNull ? "null pointer " + what : isReleased ? what + " of released memory" : "out of bounds " + what;
  if (size == 0 || size == abi::kUnknownSize || distance > size + (uint64_t(1) << 40)) return;
  found.touchedFrom = distance;
  found.touchedTo = distance + bytes;
}

/// OpenCL C 3.0, 6.15.15.3: of writes "the behavior ... is undefined" where a coordinate is not "in the range 0 ...
/// image width - 1" and so on; of reads with CLK_ADDRESS_NONE, which those without a sampler have too, 6.15.15.1: "it
/// is assumed that the coordinates ... refer to a location inside the image; otherwise the results are undefined".
void LaunchFindings::describeImage(const abi::CheckFailure &failure, const Json &site, CheckFinding &found) const {
  const auto [firstTwo, third, address] = failure.numbers;
  const bool isWrite = site.value("operation", "") == "write", isFloat = site.value("type", "") == "float";
  const size_t count = site.value("coordinates", size_t(0));
  const auto &image = *reinterpret_cast<const abi::ImageDescriptor *>(address);
  uint32_t sizes[] = {image.width, image.height, image.depth};
  if (site.value("layers", false)) sizes[count - 1] = image.arraySize;
  const uint32_t bits[] = {uint32_t(firstTwo), uint32_t(firstTwo >> 32), uint32_t(third)};
  std::string where, size;
  for (size_t i = 0; i < count; ++i) {
    const std::string number =
        isFloat ? numberText(std::bit_cast<uint64_t>(double(std::bit_cast<float>(bits[i]))), "", true)
                : std::to_string(int32_t(bits[i]));
    where += (i ? ", " : "") + number;
    size += (i ? " x " : "") + std::to_string(sizes[i]);
  }
  std::string name = "an image";
  for (size_t i = 0; i < launch_.parameters.size(); ++i) {
    uint64_t word = 0;
    if (launch_.parameters[i].kind != ArgumentKind::Image) continue;
    std::memcpy(&word, launch_.arguments.data() + launch_.parameters[i].offset, sizeof word);
    // The address may be that of a level of a mipmap.
    if (word && (address - word) / sizeof image < reinterpret_cast<const abi::ImageDescriptor *>(word)->mipLevels)
      name = argumentText(i);
  }
  std::string fact = "is " + size;
  if (site.value("level", false)) {
    const auto level = uint32_t(third >> 32);
    if (level >= image.mipLevels)
      fact = "has " + std::to_string(image.mipLevels) + (image.mipLevels == 1 ? " level" : " levels");
    name = "level " + std::to_string(int32_t(level)) + " of " + name;
  }
  found.finding.kind = FindingKind::OutsideImage;
  found.finding.text =
      std::string(isWrite ? "wrote" : "read") + " the pixel (" + where + ") of " + name + ", which " + fact;
  found.kind = isWrite ? "write outside of an image" : "read outside of an image";
}

FoundPlace LaunchFindings::placed(const Json &site) const {
  FoundPlace place{placeOf(site), site.value("function", ""), {}, site.value("lineOfPtx", 0u)};
  place.text = lineOfProgram(launch_.source, place.place);
  return place;
}

std::vector<FoundPlace> LaunchFindings::callers(const Json &site) const {
  std::vector<FoundPlace> places;
  if (site.contains("inlinedFrom"))
    for (const Json &caller : site.at("inlinedFrom")) places.push_back(placed(caller));
  return places;
}

FoundPlace LaunchFindings::placed(uint64_t pc) const {
  if (!pc || !launch_.sourceLine) return {};
  abi::SourceLine line = launch_.sourceLine(launch_.user, pc - 1);
  FoundPlace place{{std::move(line.file), line.line, 0}, line.function, {}};
  place.text = lineOfProgram(launch_.source, place.place);
  return place;
}

CheckFinding LaunchFindings::describe(const AsyncCopies::Place &mistake) const {
  static constexpr struct {
    const char *kind, *sentence;
  } kTexts[] = {
      {"asynchronous copy not reached by all", "makes an asynchronous copy that these work-items do not come to"},
      {"asynchronous copies that differ", "makes an asynchronous copy for which work-items give different arguments"},
      {"asynchronous copy not waited for", "makes an asynchronous copy and never waits for it"},
      {"different events", "waits for events that are not the same in all work-items"},
      {"wait for no event", "waits for an event that no asynchronous copy has"},
      {"fence of copies not reached by all", "comes to a fence of copies that these work-items do not come to"},
      {"fences of copies that differ", "comes to a fence of copies for which work-items give different arguments"},
  };
  CheckFinding found;
  found.checkClass = className(abi::CheckClass::Barriers);
  found.place = placed(Json::parse(mistake.first, nullptr, false));
  found.kind = kTexts[size_t(mistake.second)].kind;
  found.finding.kind = FindingKind::WrongCopy;
  found.finding.text = kTexts[size_t(mistake.second)].sentence;
  return found;
}

CheckFinding LaunchFindings::describe(uint64_t pc, abi::WrongMeeting meeting) const {
  static constexpr struct {
    const char *kind, *sentence;
  } kTexts[] = {
      {"lane mask without its own lane",
       "waits for threads of a warp with a mask that does not name the thread itself"},
      {"different lane masks",
       "waits for threads of a warp with a mask that is not the same in all threads that it names"},
      {"lane mask of threads that do not come", "waits for threads of a warp that wait at a barrier of the block"},
      {"barrier for a part of a warp", "comes to a barrier for a number of threads that is no multiple of a warp's"},
      {"barrier with and without reduction",
       "comes to a barrier that some threads reduce values at and others only wait"},
      {"sub-group function not reached by all", "calls a function of the sub-group to which not all of it come"},
  };
  CheckFinding found;
  found.checkClass = className(abi::CheckClass::Barriers);
  found.place = placed(pc);
  found.kind = kTexts[size_t(meeting)].kind;
  found.finding.kind = FindingKind::WrongMeeting;
  found.finding.text = kTexts[size_t(meeting)].sentence;
  return found;
}

CheckFinding LaunchFindings::describe(uint64_t pc, const WrongPrint &print) const {
  CheckFinding found;
  found.checkClass = className(abi::CheckClass::Printf);
  found.place = placed(pc);
  found.kind = "wrong printf argument";
  found.finding.kind = FindingKind::WrongFormat;
  found.finding.text = print.mismatch;
  return found;
}

CheckFinding LaunchFindings::describe(const Race &race) const {
  static constexpr const char *kVerbs[] = {"reads", "writes", "reads by an atomic operation",
                                           "writes by an atomic operation", "changes by an atomic operation"};
  static constexpr const char *kDone[] = {"read", "wrote", "read by an atomic operation",
                                          "wrote by an atomic operation", "changed by an atomic operation"};
  CheckFinding found;
  found.checkClass = className(race.sameValue ? abi::CheckClass::SameValue : abi::CheckClass::Races);
  found.place = placed(Json::parse(race.now.site, nullptr, false));
  found.second = placed(Json::parse(race.before.site, nullptr, false));
  const bool isCopy = RaceDetector::isCopy(race.now.item), wasCopy = RaceDetector::isCopy(race.before.item);
  ItemSet before;
  before.add(race.before.group, race.before.item);
  found.secondItems = wasCopy ? "an asynchronous copy" : before.text(launch_.shape);
  found.secondWhat = kDone[size_t(race.before.kind)];
  const bool isWrite = race.now.kind != abi::AccessKind::Read && race.now.kind != abi::AccessKind::AtomicRead;
  const bool wasWrite = race.before.kind != abi::AccessKind::Read && race.before.kind != abi::AccessKind::AtomicRead;
  found.kind = race.sameValue        ? "writes of the same value"
               : isWrite && wasWrite ? "race of two writes"
                                     : "race of a read and a write";
  Finding &finding = found.finding;
  found.isOfLocal = race.isLocal;
  finding.kind = FindingKind::DataRace;
  finding.address = race.address;
  finding.number = race.bytes;
  finding.memory = memory::AddressSpace::instance().locate(race.address);
  const std::string line = found.second.place.line ? " at line " + std::to_string(found.second.place.line) : "";
  finding.text = (isCopy ? "an asynchronous copy " : "") + std::string(kVerbs[size_t(race.now.kind)]) + " " +
                 std::to_string(race.bytes) + " bytes of " + (race.isLocal ? "local" : "global") + " memory that " +
                 found.secondItems + " " + found.secondWhat + line +
                 (race.now.group == race.before.group && wasCopy ? ", and nobody has waited for it"
                  : race.now.group == race.before.group          ? ", with no barrier for that memory between them"
                                                                 : ", and work-groups are in no order");
  return found;
}

CheckFinding LaunchFindings::describe(const abi::NanBirth &birth, const abi::NanStore &store) const {
  const Json site = Json::parse(birth.site, nullptr, false);
  CheckFinding found;
  found.checkClass = className(abi::CheckClass::Nan);
  found.kind = birth.isNan ? "NaN of finite numbers" : "infinity of finite numbers";
  found.place = placed(site);
  found.inlinedFrom = callers(site);
  found.reads = readsOf(site);
  found.second = placed(Json::parse(store.site, nullptr, false));
  found.secondWhat = "stored it";
  const std::string operation = site.value("operation", "");
  const bool hasTwo = site.value("operands", 1) > 1;
  const auto number = [&](double value) {
    return isVector(site.value("type", "")) ? "an element" : numberText(std::bit_cast<uint64_t>(value), "", true);
  };
  const bool isSign = operation.size() == 1;
  const std::string term =
      isSign ? number(birth.first) + " " + operation + " " + number(birth.second)
             : operation + "(" + number(birth.first) + (hasTwo ? ", " + number(birth.second) : "") + ")";
  Finding &finding = found.finding;
  finding.kind = FindingKind::NotFinite;
  finding.address = store.address;
  finding.memory = memory::AddressSpace::instance().locate(store.address);
  const std::string line = found.second.place.line ? " at line " + std::to_string(found.second.place.line) : "";
  finding.text = std::string(birth.isNan ? "a NaN" : "an infinity") + " of finite numbers, " + term +
                 ", and stored it" + line + " in " + textOf(store.address, finding.memory);
  return found;
}

CheckFinding LaunchFindings::describe(const OrderedSum &sum) const {
  const Json site = Json::parse(sum.site, nullptr, false);
  CheckFinding found;
  found.checkClass = className(abi::CheckClass::Order);
  found.kind = "sum in no certain order";
  found.place = placed(site);
  found.inlinedFrom = callers(site);
  Finding &finding = found.finding;
  finding.kind = FindingKind::UnorderedSum;
  finding.address = sum.address;
  finding.memory = memory::AddressSpace::instance().locate(sum.address);
  finding.text = "the atomic additions to " + textOf(sum.address, finding.memory) +
                 (sum.sums > 1 ? ", and to " + std::to_string(sum.sums - 1) + " more addresses," : "") +
                 " round, so that the result may be another one in each run";
  return found;
}

CheckFinding LaunchFindings::describe(const Divergence &divergence) const {
  CheckFinding found;
  found.checkClass = className(abi::CheckClass::Barriers);
  Finding &finding = found.finding;
  finding.kind = FindingKind::DivergentBarrier;
  const bool someEnded =
      std::ranges::find(divergence.waits, abi::BarrierWait::kEnded, &abi::BarrierWait::site) != divergence.waits.end();
  found.kind = someEnded ? "barrier not reached by all" : "different barriers";
  for (const abi::BarrierWait &wait : divergence.waits) {
    const bool hasEnded = wait.site == abi::BarrierWait::kEnded;
    FoundWait one{.what = hasEnded ? FoundWait::What::Ended : FoundWait::What::Barrier, .items = wait.items};
    const FoundPlace place = placed(wait.pc);
    one.place = place.place;
    if (!found.place.place.line) found.place = place;
    finding.waits.push_back(std::move(one));
  }
  return found;
}

CheckFinding LaunchFindings::describe(const Finding &end) const {
  const End &known = *std::ranges::find(kEnds, end.kind, &End::finding);
  CheckFinding found;
  found.finding = end;
  found.checkClass = className(known.checkClass);
  found.kind = known.kind;
  found.place.place = end.place;
  const Size3 &groups = launch_.shape.numGroups, &local = launch_.shape.localSize;
  const auto linear = [](const Size3 &id, const Size3 &size) { return (id[2] * size[1] + id[1]) * size[0] + id[0]; };
  const auto add = [&](uint64_t group, const std::vector<FoundWait> &waits) {
    for (const FoundWait &wait : waits) {
      if (!found.place.place.line) found.place.place = wait.place;
      for (const auto &[from, upTo] : wait.items)
        for (uint64_t item = from; item < upTo; ++item) found.items.add(group, item);
    }
  };
  if (end.items.known == FoundItems::Known::Item)
    found.items.add(linear(end.items.group, groups), linear(end.items.item, local));
  else
    add(linear(end.items.group, groups), end.waits);
  for (const FoundWaitingGroups &waiting : end.waitingGroups)
    found.details.emplace_back("waits", us::textOf({waiting}, false, launch_.shape.dimensions));
  // The rows above say more than its sentence could.
  if (end.kind == FindingKind::Hang) found.finding.waitingGroups.clear();
  for (const FoundWaitingGroups &waiting : end.waitingGroups)
    for (uint64_t group = linear(waiting.first, groups); group <= linear(waiting.last, groups); ++group)
      add(group, waiting.waits);
  found.place.text = lineOfProgram(launch_.source, found.place.place);
  found.finding.items.several = "in work-group " + std::to_string(linear(end.items.group, groups));
  return found;
}

} // namespace us::check
