// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/tools/bound_launch.h"

#include "emulator/abi/pipe_abi.h"
#include "runtime/core/enqueue_runtime.h"
#include "runtime/device/command_outcome.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <xxhash.h>

namespace us::tools {
namespace {

/// A pipe's packets, from the oldest that can be read on; the rest of `bytes` is zero.
std::vector<std::byte> packetsOf(const abi::PipeHeader &pipe, size_t bytes) {
  std::vector<std::byte> packets(bytes);
  const auto *first = reinterpret_cast<const std::byte *>(&pipe) + pipe.packets;
  for (uint64_t place = pipe.readPosition; place < pipe.writePosition; ++place)
    std::memcpy(packets.data() + (place - pipe.readPosition) * pipe.packetSize,
                first + place % pipe.maxPackets * pipe.packetSize, pipe.packetSize);
  return packets;
}

/// Puts so many packets into an empty pipe.
void putPackets(abi::PipeHeader &pipe, const std::byte *from, uint64_t count) {
  auto *memory = reinterpret_cast<std::byte *>(&pipe);
  auto *states = reinterpret_cast<uint32_t *>(&pipe + 1);
  std::memcpy(memory + pipe.packets, from, count * pipe.packetSize);
  std::fill(states, states + count, 1u); // may be read in lap 0
  pipe.writePosition = count;
  pipe.written = static_cast<uint32_t>(count);
}

} // namespace

Number BoundLaunch::initialElement(unsigned argument, int64_t index) const {
  if (argument >= bound.size() || !description.arguments[argument].type) return {};
  const ElementType &type = *description.arguments[argument].type;
  int64_t count = static_cast<int64_t>(bound[argument].initial.size() / type.size);
  if (index < 0 || index >= count) return Number::of(int64_t{0});
  return loadElement(type, bound[argument].initial.data() + index * type.size);
}

Surroundings BoundLaunch::around(int64_t i, int64_t n) const {
  return {i, n, [this](unsigned argument, int64_t index) { return initialElement(argument, index); }};
}

Expected<void> BoundLaunch::bind() {
  bound.resize(description.arguments.size());
  if (device.info().maxDeviceQueues) {
    context = core::Context::create({Ref<Device>(&device)});
    US_TRY(Ref<core::OnDeviceQueue> queue,
           core::OnDeviceQueue::create(*context, device, device.info().deviceQueuePreferredSize, false));
    queue->makeDefault(); // which does not count
    runtime = core::makeEnqueueRuntime(device, *kernel, std::move(queue));
  }
  for (size_t index = 0; index < bound.size(); ++index) {
    const ArgumentDescription &argument = description.arguments[index];
    BoundArgument &into = bound[index];
    if (argument.use == ArgumentUse::Local || argument.use == ArgumentUse::Sampler) continue;
    if (argument.use == ArgumentUse::Queue) {
      if (!context) return fail(ErrorCode::Unsupported, "the device has no on-device queues");
      US_TRY(into.queue, core::OnDeviceQueue::create(*context, device, static_cast<uint32_t>(argument.count), false));
      continue;
    }
    // A 3-vector takes the room of a 4-vector.
    uint64_t room = argument.use == ArgumentUse::Value && argument.count == 3 ? 4 : argument.count;
    into.initial.assign(room * argument.type->size, std::byte{0});
    std::mt19937_64 random(seed * 1000003 + index);
    Surroundings here = around(0, static_cast<int64_t>(argument.count));
    for (uint64_t i = 0; i < argument.count; ++i) {
      std::byte *at = into.initial.data() + i * argument.type->size;
      here.i = static_cast<int64_t>(i);
      if (argument.use == ArgumentUse::Value)
        storeElement(*argument.type, at, argument.values[i](here));
      else if (argument.fill)
        storeElement(*argument.type, at, (*argument.fill)(here));
      else if (argument.random) {
        auto [low, high] = *argument.random;
        double fraction = static_cast<double>(random() >> 11) * 0x1p-53;
        storeElement(*argument.type, at, Number::of(low + fraction * (high - low)));
      }
    }
    if (argument.use == ArgumentUse::Value) continue;
    if (argument.use == ArgumentUse::Pipe) {
      const PipeDescription pipe{argument.type->size, static_cast<uint32_t>(argument.count)};
      US_TRY(into.memory, device.allocate({device.pipeBytes(pipe), 0, nullptr}));
      continue;
    }
    if (argument.isPart) into.offset = kBesidePart;
    const uint64_t bytes = into.initial.size() + 2 * into.offset;
    if (argument.isHosts) into.hosts = std::make_unique<std::byte[]>(bytes);
    MemoryRequest request{bytes, 0, into.hosts.get()};
    request.startsUnwritten = argument.isUnwritten;
    US_TRY(into.memory, device.allocate(request));
    if (argument.use == ArgumentUse::Image) {
      US_TRY(into.image, device.createImage(argument.image, into.memory->hostAddress()));
    }
  }
  return {};
}

Expected<void> BoundLaunch::fill() {
  for (size_t index = 0; index < bound.size(); ++index) {
    BoundArgument &argument = bound[index];
    const ArgumentDescription &described = description.arguments[index];
    if (described.use == ArgumentUse::Pipe) {
      const PipeDescription pipe{described.type->size, static_cast<uint32_t>(described.count)};
      US_TRY(argument.pipe, device.createPipe(pipe, argument.hostAddress()));
      putPackets(*reinterpret_cast<abi::PipeHeader *>(argument.pipe), argument.initial.data(), described.packets);
    } else if (argument.memory && !described.isUnwritten) {
      std::memcpy(argument.hostAddress(), argument.initial.data(), argument.initial.size());
    } else if (argument.memory && described.writtenElements) {
      CopyCommand copy;
      copy.to = reinterpret_cast<std::byte *>(argument.address());
      copy.from = argument.initial.data();
      copy.region = {std::min(described.writtenElements, described.count) * described.type->size, 1, 1};
      CommandOutcome outcome;
      device.submit(copy, outcome);
      US_CHECK(outcome.result);
    }
  }
  return {};
}

Expected<LaunchCommand> BoundLaunch::command() const {
  const KernelInfo &info = kernel->info();
  if (info.arguments.size() != bound.size())
    return fail(ErrorCode::InvalidKernelArgs, "kernel '" + info.name + "' has " +
                                                  std::to_string(info.arguments.size()) + " arguments, " +
                                                  std::to_string(bound.size()) + " are described");
  LaunchCommand command;
  command.kernel = kernel;
  command.workDimensions = description.dimensions;
  command.globalSize = description.global;
  command.globalOffset = description.offset;
  command.localSize = description.local;
  command.allTogether = description.together;
  command.clusterSize = description.cluster;
  command.arguments.resize(info.argumentBlockSize);
  command.localMemory = info.localMemory;
  command.deviceRuntime = runtime.get();
  std::vector<ArgumentMemory> given(bound.size());
  for (size_t index = 0; index < bound.size(); ++index) {
    const ArgumentInfo &argument = info.arguments[index];
    const ArgumentDescription &described = description.arguments[index];
    const std::byte *from = bound[index].initial.data();
    uint64_t word = 0, size = bound[index].initial.size();
    if (described.use == ArgumentUse::Buffer) {
      word = bound[index].address();
    } else if (described.use == ArgumentUse::Image) {
      word = bound[index].image->argument();
    } else if (described.use == ArgumentUse::Queue) {
      word = bound[index].queue->argument();
    } else if (described.use == ArgumentUse::Pipe) {
      word = bound[index].pipe;
    } else if (described.use == ArgumentUse::Sampler) {
      word = samplerBits(described.sampler);
    } else if (described.use == ArgumentUse::Local) {
      word = (command.localMemory + 127) / 128 * 128;
      command.localMemory = word + described.count * described.type->size;
    }
    if (described.use != ArgumentUse::Value) from = reinterpret_cast<std::byte *>(&word), size = 8;
    bool pointer = argument.kind != ArgumentKind::Value;
    bool opaque = (argument.kind == ArgumentKind::Image) == (described.use == ArgumentUse::Image) &&
                  (argument.kind == ArgumentKind::Queue) == (described.use == ArgumentUse::Queue) &&
                  (argument.kind == ArgumentKind::Pipe) == (described.use == ArgumentUse::Pipe) &&
                  (argument.kind == ArgumentKind::Sampler) == (described.use == ArgumentUse::Sampler);
    if (!opaque)
      return fail(ErrorCode::InvalidArgValue,
                  "argument " + std::to_string(index) + " is a " + argument.typeName + ", which is not described");
    // PTX passes addresses as numbers.
    bool isAddress = !pointer && described.use == ArgumentUse::Buffer && argument.size == 8;
    if ((!isAddress && pointer != (described.use != ArgumentUse::Value)) || argument.size != size)
      return fail(ErrorCode::InvalidArgSize, "argument " + std::to_string(index) + " ('" + argument.name + "') takes " +
                                                 std::to_string(argument.size) + " bytes, " + std::to_string(size) +
                                                 " are described");
    std::memcpy(command.arguments.data() + argument.offset, from, size);
    if (described.use == ArgumentUse::Buffer)
      given[index] = {bound[index].initial.size(), described.access};
    else if (described.use == ArgumentUse::Local)
      given[index].size = described.count * described.type->size;
  }
  if (device.info().checksArguments)
    command.argumentMemory = std::make_shared<const std::vector<ArgumentMemory>>(std::move(given));
  return command;
}

bool BoundLaunch::close(const ArgumentDescription &argument, Number expected, Number found) {
  if (!argument.type->real) return expected.integer == found.integer;
  double a = expected.value, b = found.value;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b);
  return a == b || std::fabs(a - b) <= argument.tolerance * std::max(1.0, std::fabs(a));
}

bool BoundLaunch::report(size_t index, nlohmann::ordered_json &json) const {
  const ArgumentDescription &argument = description.arguments[index];
  const std::byte *contents = bound[index].hostAddress();
  std::vector<std::byte> packets;
  if (argument.use == ArgumentUse::Pipe) {
    packets = packetsOf(*reinterpret_cast<const abi::PipeHeader *>(bound[index].pipe), bound[index].initial.size());
    contents = packets.data();
  }
  const ElementType &type = *argument.type;
  char hash[17];
  std::snprintf(hash, sizeof(hash), "%016llx",
                static_cast<unsigned long long>(XXH64(contents, bound[index].initial.size(), 0)));
  json["index"] = index;
  json["hash"] = hash;
  if (argument.dump)
    for (uint64_t i = 0; i < argument.count; ++i) {
      Number found = loadElement(type, contents + i * type.size);
      if (type.real)
        json["contents"].push_back(found.value);
      else
        json["contents"].push_back(found.integer);
    }
  bool good = argument.hash.empty() || argument.hash == hash;
  if (!argument.expect) return good;
  uint64_t wrong = 0;
  Surroundings here = around(0, static_cast<int64_t>(argument.count));
  std::byte rounded[8];
  for (uint64_t i = 0; i < argument.count; ++i) {
    here.i = static_cast<int64_t>(i);
    storeElement(type, rounded, (*argument.expect)(here));
    Number expected = loadElement(type, rounded), found = loadElement(type, contents + i * type.size);
    if (close(argument, expected, found)) continue;
    if (wrong++ == 0)
      json["first_difference"] = {{"element", i}, {"expected", expected.asReal()}, {"found", found.asReal()}};
  }
  if (wrong) json["differences"] = wrong;
  return good && wrong == 0;
}

} // namespace us::tools
