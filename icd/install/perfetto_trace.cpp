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
/// Of the stages that all launches are in; queues have the numbers behind it.
constexpr uint64_t kKernels = 1;

Message packet(uint64_t time, uint64_t flags) {
  Message made;
  made.number(kTimestamp, time).number(kSequence, kOurSequence).number(kSequenceFlags, flags);
  return made;
}

/// A track of a thread: any number that is no other track's.
uint64_t trackOf(const TimedEvent &event) { return event.process << 32 | event.thread; }

Message sizeOf(const std::array<uint64_t, 3> &size) {
  return Message().number(1, size[0]).number(2, size[1]).number(3, size[2]);
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

  void specify(const std::vector<TimedEvent> &events) {
    Message data;
    data.message(24, Message()
                         .number(1, kKernels)
                         .text(2, "kernels")
                         .text(3, "Launches; times are of an emulation on the processor")
                         .number(4, kCompute));
    for (const TimedEvent &event : events) {
      if (event.what == "launch" && !queues_.contains({event.process, event.device})) {
        const uint64_t number = kKernels + 1 + queues_.size();
        queues_[{event.process, event.device}] = number;
        data.message(24, Message()
                             .number(1, number)
                             .text(2, event.device + " of process " + std::to_string(event.process))
                             .number(4, kCompute));
      }
      if (event.what != "launch") threads_[trackOf(event)] = &event;
    }
    const uint64_t begin = events.empty() ? 0 : events.front().begin;
    add(packet(begin, kStateCleared).message(kInternedData, data));
    for (const auto &[track, event] : threads_)
      add(packet(begin, kNeedsState)
              .message(kTrackDescriptor, Message().number(1, track).message(
                                             4, Message().number(1, event->process).number(2, event->thread))));
  }

  void addLaunch(const TimedEvent &event) {
    std::array<uint64_t, 3> groups{};
    for (size_t at = 0; at < 3; ++at)
      groups[at] = event.localSize[at] ? (event.globalSize[at] + event.localSize[at] - 1) / event.localSize[at] : 0;
    Message launch;
    launch.message(1, sizeOf(groups)).message(2, sizeOf(event.localSize));
    launch.message(3, Message().text(2, "tier").text(6, event.tier));
    for (const auto &[tier, reason] : event.obstacles)
      if (!reason.empty()) launch.message(3, Message().text(2, "not " + tier).text(6, reason));
    add(packet(event.begin, kNeedsState)
            .message(kRenderStage, Message()
                                       .number(1, ++launches_)
                                       .number(2, event.end - event.begin)
                                       .number(13, queues_.at({event.process, event.device}))
                                       .number(14, kKernels)
                                       .text(17, event.name)
                                       .message(21, launch)));
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
  std::map<uint64_t, const TimedEvent *> threads_;
  uint64_t launches_ = 0;
  std::string bytes_;
};

} // namespace

std::string perfettoTraceOf(const std::vector<TimedEvent> &events) { return Trace().of(events); }

} // namespace us::install
