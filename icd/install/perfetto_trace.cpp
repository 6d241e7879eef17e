// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/perfetto_trace.h"

#include <algorithm>
#include <utility>

namespace us::install {
namespace {

/// A message of protocol buffers under construction. The numbers of fields are those of Perfetto's .proto files.
class Message {
public:
  Message &number(uint32_t field, uint64_t value) {
    varint(uint64_t{field} << 3);
    varint(value);
    return *this;
  }
  Message &text(uint32_t field, const std::string &value) {
    varint(uint64_t{field} << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message &message(uint32_t field, const Message &value) { return text(field, value.bytes_); }
  const std::string &bytes() const { return bytes_; }

private:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// TracePacket
constexpr uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12, kSequenceFlags = 13,
                   kRenderStage = 53, kTrackDescriptor = 60;
constexpr uint64_t kStateCleared = 1, kNeedsState = 2, kOurSequence = 1;
// InternedGpuRenderStageSpecification's category
constexpr uint64_t kCompute = 2;

Message packet(uint64_t time, uint64_t flags) {
  Message made;
  made.number(kTimestamp, time).number(kSequence, kOurSequence).number(kSequenceFlags, flags);
  return made;
}

/// A track of a thread: any number that is no other track's.
uint64_t trackOf(const TimedEvent &event) { return event.process << 32 | event.thread; }

using Size = std::array<uint64_t, 3>;

Message sizeOf(const Size &size) { return Message().number(1, size[0]).number(2, size[1]).number(3, size[2]); }

std::string textOf(const Size &size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

class Trace {
public:
  std::string of(const std::vector<TimedEvent> &events) {
    specify(events);
    for (const TimedEvent &event : events) event.what == "launch" ? addLaunch(event) : addSlice(event);
    return std::move(bytes_);
  }

private:
  using Queue = std::pair<uint64_t, std::string>; ///< process and device

  void add(const Message &packet) { bytes_ += Message().message(1, packet).bytes(); }

  /// Queues and stages share their numbers: `specified` has the InternedGpuRenderStageSpecification of each.
  uint64_t specify(Message &specified, const std::string &name, const std::string &description) {
    specified.message(24, Message().number(1, ++specified_).text(2, name).text(3, description).number(4, kCompute));
    return specified_;
  }

  void specify(const std::vector<TimedEvent> &events) {
    Message data;
    for (const TimedEvent &event : events) {
      if (event.what != "launch") {
        threads_[trackOf(event)] = &event;
        continue;
      }
      if (uint64_t &queue = queues_[{event.process, event.device}]; !queue)
        queue = specify(data, event.device + " of process " + std::to_string(event.process),
                        "Launches; times are of an emulation on the processor");
      // Viewers of before 2026 show the name of the stage, and not that of the event.
      if (uint64_t &stage = stages_[event.name]; !stage) stage = specify(data, event.name, "Launches of a kernel");
    }
    const uint64_t begin = events.empty() ? 0 : events.front().begin;
    add(packet(begin, kStateCleared).message(kInternedData, data));
    for (const auto &[track, event] : threads_)
      add(packet(begin, kNeedsState)
              .message(kTrackDescriptor, Message().number(1, track).message(
                                             4, Message().number(1, event->process).number(2, event->thread))));
  }

  void addLaunch(const TimedEvent &event) {
    Size groups{};
    for (size_t at = 0; at < 3; ++at)
      groups[at] = event.localSize[at] ? (event.globalSize[at] + event.localSize[at] - 1) / event.localSize[at] : 0;
    Message launch;
    launch.message(1, sizeOf(groups)).message(2, sizeOf(event.localSize));
    launch.message(3, Message().text(2, "tier").text(6, event.tier));
    for (const auto &[tier, reason] : event.obstacles)
      if (!reason.empty()) launch.message(3, Message().text(2, "not " + tier).text(6, reason));
    Message stage;
    stage.number(1, ++launches_)
        .number(2, event.end - event.begin)
        .number(13, queues_.at({event.process, event.device}))
        .number(14, stages_.at(event.name))
        .text(17, event.name)
        .message(21, launch);
    // What viewers of before 2026 show of a launch.
    const auto extra = [&](const char *name, const std::string &value) {
      stage.message(6, Message().text(1, name).text(2, value));
    };
    extra("groups", textOf(groups));
    extra("group size", textOf(event.localSize));
    extra("tier", event.tier);
    add(packet(event.begin, kNeedsState).message(kRenderStage, stage));
  }

  void addSlice(const TimedEvent &event) {
    constexpr uint64_t kBegin = 1, kEnd = 2; // TrackEvent's types
    Message begin;
    begin.number(9, kBegin).number(11, trackOf(event)).text(22, event.what).text(23, event.name);
    if (event.bytes) begin.message(4, Message().text(10, "bytes").number(3, event.bytes));
    add(packet(event.begin, kNeedsState).message(kTrackEvent, begin));
    add(packet(event.end, kNeedsState).message(kTrackEvent, Message().number(9, kEnd).number(11, trackOf(event))));
  }

  std::map<Queue, uint64_t> queues_;
  std::map<std::string, uint64_t> stages_; ///< by the kernel's name
  std::map<uint64_t, const TimedEvent *> threads_;
  uint64_t specified_ = 0, launches_ = 0;
  std::string bytes_;
};

} // namespace

std::string perfettoTraceOf(const std::vector<TimedEvent> &events) { return Trace().of(events); }

} // namespace us::install
