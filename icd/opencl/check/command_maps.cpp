// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is mapped, for CommandChecks: commands that use it meanwhile, and programs that write what they map for reading.
#include "icd/common/format.h"
#include "icd/opencl/check/api_checks.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/context.h"
#include "icd/opencl/memory.h"

#include <algorithm>

namespace us::opencl {
namespace {

bool overlap(uint64_t begin, uint64_t end, uint64_t otherBegin, uint64_t otherEnd) {
  return begin < otherEnd && otherBegin < end;
}

/// The pointer is where the box begins.
HostContents contentsOf(const core::Mapping &mapping) {
  return contentsOf(
      HostSide{mapping.pointer, {0, mapping.layout.rowPitch, mapping.layout.slicePitch}, mapping.region, false});
}

} // namespace

void CheckedMap::keepContents() {
  hash.reset();
  if (mapping.write || !mapping.read || isDisturbed) return;
  const HostContents contents = contentsOf(mapping);
  if (contents.state == HostContents::State::Known) hash = contents.hash;
}

bool CheckedMap::mayBeWrittenBy(const std::vector<CheckedAccess> &accesses) const {
  return std::ranges::any_of(accesses, [&](const CheckedAccess &access) {
    return access.writes && access.memory == memory && overlap(access.begin, access.end, begin, end);
  });
}

bool CheckedMap::hasChanged() const {
  if (!hash) return false;
  const HostContents contents = contentsOf(mapping);
  return contents.state == HostContents::State::Known && contents.hash != *hash;
}

namespace {

/// CL_MAP_READ: "This flag specifies that the region being mapped in the memory object is being mapped for reading.",
/// and CL_MAP_WRITE is what says "for writing": only then it is brought back to devices with memory of their own.
HostFinding writtenThrough(const CheckedMap &map, const CallSite *noticed) {
  return {HostCheck::Use,
          "write through a read map",
          icd::format("memory that {} mapped for reading only was written before it was unmapped", map.site->call),
          map.site,
          {{"changed before", noticed}}};
}

} // namespace

Ref<CheckedMap> CommandChecks::mapped(const ClMem &memory, const core::Mapping &mapping) {
  auto map = makeRef<CheckedMap>();
  const core::Buffer &buffer = *memory.buffer;
  map->memory = wholeOf(buffer).weak();
  map->through = &buffer;
  map->begin = buffer.origin() + mapping.offset;
  map->end = map->begin + mapping.size;
  map->mapping = mapping;
  map->site = ApiChecks::site();
  const std::scoped_lock lock(mutex_);
  maps_.push_back(map);
  return map;
}

Ref<CheckedMap> CommandChecks::unmapped(const ClMem &memory, const core::Mapping &mapping) {
  const CallSite *const site = ApiChecks::site();
  Ref<CheckedMap> unmapped;
  Findings found;
  {
    const std::scoped_lock lock(mutex_);
    for (const Ref<CheckedMap> &map : maps_)
      if (!map->isUnmapped && map->through == memory.buffer.get() && map->mapping.pointer == mapping.pointer &&
          map->mapping.size == mapping.size && map->mapping.write == mapping.write) {
        unmapped = map;
        break;
      }
    if (!unmapped) return nullptr;
    unmapped->isUnmapped = true;
    if (unmapped->isMapped && unmapped->hasChanged()) found.push_back(writtenThrough(*unmapped, site));
  }
  tell(std::move(found), memory.context->handle());
  return unmapped;
}

/// What has changed under a map is the program's doing only where no command may have done it.
void CommandChecks::disturbMaps(const CheckedCommand &command) {
  if (std::ranges::none_of(command.accesses_, &CheckedAccess::writes)) return;
  writers_.push_back(&command);
  for (const Ref<CheckedMap> &map : maps_) {
    const bool isBehind = command.before.has(map->queue, map->number);
    if (isBehind || (map->isMapped && !findsRaces_) || !map->mayBeWrittenBy(command.accesses_)) continue;
    map->isDisturbed = true;
    map->hash.reset();
  }
}

/// OpenCL 3.0, "Accessing mapped regions of a memory object": "If a memory object is currently mapped for writing, the
/// application must ensure that the memory object is unmapped before any enqueued kernels or commands that read from or
/// write to this memory object ... begin execution; otherwise the behavior is undefined. If a memory object is
/// currently mapped for reading, the application must ensure that the memory object is unmapped before any enqueued
/// kernels or commands that write to this memory object ... begin execution; otherwise the behavior is undefined."
void CommandChecks::lookAtMaps(CheckedCommand &command, Findings &found) {
  std::erase_if(maps_, [](const Ref<CheckedMap> &map) { return !map->memory->lock(); });
  disturbMaps(command);
  for (const Ref<CheckedMap> &map : maps_) {
    if (!map->isMapped) continue;
    // Where nothing orders the two it is a race.
    if (findsRaces_ && !command.before.has(map->queue, map->number)) continue;
    for (const CheckedAccess &access : command.accesses_) {
      if (access.memory != map->memory || !overlap(access.begin, access.end, map->begin, map->end)) continue;
      if (map->mapping.write) {
        found.push_back({HostCheck::Use,
                         "use of mapped memory",
                         icd::format("{} {} memory that is mapped for writing", command.what,
                                     access.writes ? "may write" : "reads"),
                         command.site,
                         {{"mapped", map->site}}});
        break;
      }
      if (!access.writes) continue;
      // Whether it does is seen when it has ended: what has changed until now was the program's doing.
      if (!map->isUnmapped && map->hasChanged()) {
        found.push_back(writtenThrough(*map, command.site));
        map->keepContents();
      }
      command.written_.push_back(map);
      break;
    }
  }
}

// --- Races with what is mapped ---

/// OpenCL 3.0, of shared virtual memory: "If a coarse-grained SVM buffer is currently mapped for writing, the
/// application must ensure that the SVM buffer is unmapped before any enqueued kernels or commands that read from or
/// write to this SVM buffer ... begin execution; otherwise the behavior is undefined. If ... currently mapped for
/// reading, ... before any enqueued kernels or commands that write to this memory object ..."; the same of buffers. So
/// a map stands for what the program may do from then on, and an unmap for what it may have done until then.
void CommandChecks::addMapped(CheckedCommand &command, const core::CommandRequest &request) {
  const auto *const map = std::get_if<MapCommand>(&request.command);
  if (!map) return;
  TouchedRange range{map->address, map->address + map->size, map->willRead, map->willWrite, false};
  if (request.apiTag == CL_COMMAND_SVM_MAP) {
    const uint64_t memory = command.memoryAt(range.begin, false).first.number;
    // Of finer memory the host may use all, at any time.
    if (hasFineGrainMemory_ || !memory) return;
    svmMaps_.push_back({range, memory, command.site, Ref<icd::WatchedCommand>(&command), {}});
    hasSvmMaps_ = true;
  } else if (request.apiTag == CL_COMMAND_SVM_UNMAP) {
    const auto mapped = std::ranges::find_if(
        svmMaps_, [&](const SvmMap &one) { return !one.unmap && one.range.begin == map->address; });
    if (mapped == svmMaps_.end()) return;
    mapped->unmap = Ref<icd::WatchedCommand>(&command);
    range = mapped->range;
  } else if (!command.maps_ && !command.unmaps_) {
    return;
  }
  command.verb = map->unmap ? "unmaps" : range.writes ? "maps for writing" : "maps for reading";
  const auto find = [&](uint64_t address) { return command.memoryAt(address, false); };
  const Ref<CheckedMap> &box = map->unmap ? command.unmaps_ : command.maps_;
  if (!box) return command.touches(range, find);
  const core::Mapping &mapping = box->mapping;
  forEachRow({0, mapping.layout.rowPitch, mapping.layout.slicePitch}, mapping.region, [&](uint64_t at) {
    const uint64_t begin = map->address + at;
    command.touches({begin, begin + mapping.region[0], mapping.read, mapping.write, false}, find);
  });
}

/// Buffers' maps are looked at when commands begin; what a kernel does with shared memory is known when it has ended.
void CommandChecks::lookAtSvmMaps(const CheckedCommand &command, Findings &found) {
  if (command.verb) return; // a map or an unmap
  for (const SvmMap &map : svmMaps_) {
    const bool isInOrder = command.before.has(map.map->queue, map.map->number);
    if (!isInOrder || (map.unmap && map.unmap->ordinal <= command.ordinal)) continue;
    if (map.unmap && command.before.has(map.unmap->queue, map.unmap->number)) continue;
    const auto met = std::ranges::find_if(command.touchedBytes, [&](const icd::CommandTouch &touch) {
      return touch.memory.number == map.memory &&
             overlap(touch.range.begin, touch.range.end, map.range.begin, map.range.end) &&
             (map.range.writes || touch.range.writes || touch.range.isAtomic);
    });
    if (met == command.touchedBytes.end()) continue;
    found.push_back({HostCheck::Races,
                     "use of mapped memory",
                     icd::format("{} {} shared memory that is mapped for {}", command.what,
                                 met->range.writes || met->range.isAtomic ? "writes" : "reads",
                                 map.range.writes ? "writing" : "reading"),
                     command.site,
                     {{"mapped", map.site}}});
  }
  const uint64_t firstOpen = races_.firstOpen();
  std::erase_if(svmMaps_, [&](const SvmMap &map) { return map.unmap && map.unmap->ordinal < firstOpen; });
  hasSvmMaps_ = !svmMaps_.empty();
}

} // namespace us::opencl
