// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/launch_comparison.h"

#include "runtime/base/without_exceptions.h"
#include "runtime/compare/candidate_launch.h"
#include "runtime/device/argument_words.h"

#include <algorithm>
#include <cstring>

namespace us::compare {
namespace {

constexpr uint64_t kPage = 4096;

Expected<void> copy(Device &device, uint64_t to, uint64_t from, uint64_t size) {
  if (size == 0) return {};
  CopyCommand command;
  command.to = reinterpret_cast<std::byte *>(to);
  command.from = reinterpret_cast<const std::byte *>(from);
  command.region = {size, 1, 1};
  return runAndWait(device, command).result;
}

uint64_t addressOf(const std::byte *host) { return reinterpret_cast<uint64_t>(host); }

/// Such a failure says nothing about the kernel.
bool lacksRoom(ErrorCode code) {
  return code == ErrorCode::OutOfResources || code == ErrorCode::OutOfHostMemory ||
         code == ErrorCode::MemObjectAllocationFailure;
}

std::string argumentText(size_t index) { return "argument " + std::to_string(index); }

ElementType elementOf(const ComparedKernel &kernel, size_t index) {
  const ArgumentInfo &described = kernel.candidate()->info().arguments[index];
  return elementTypeNamed(described.elementName.empty() ? described.typeName : described.elementName);
}

} // namespace

std::string obstacleOf(const LaunchCommand &launch, const ComparedKernel &kernel, const Session &session,
                       const DevicePair &devices) {
  if (!kernel.obstacle().empty()) return kernel.obstacle();
  const KernelInfo &info = kernel.info(), &other = kernel.candidate()->info();
  if (info.usesPrintf || other.usesPrintf) return "it prints, and would do so twice";
  if (info.usesDeviceQueue || other.usesDeviceQueue) return "it may launch kernels";
  if (info.usesHeap || other.usesHeap) return "it allocates memory, at other addresses each time";
  if (session.hasTextures && !devices.sharesMemory()) return "the program has textures, which only the reference knows";
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const ArgumentKind kind = info.arguments[i].kind;
    if (kind == ArgumentKind::Pipe) return argumentText(i) + " is a pipe";
    if (kind == ArgumentKind::Queue) return argumentText(i) + " is a queue";
  }
  if (launch.arguments.size() < info.argumentBlockSize) return "its arguments are not complete";
  return {};
}

LaunchComparison::LaunchComparison(Session &session, const DevicePair &devices, const LaunchCommand &launch,
                                   const ComparedKernel &kernel, LaunchRecord &record)
    : session_(session), devices_(devices), kernel_(kernel), record_(record), launch_(launch) {
  launch_.kernel = kernel.reference();
}

RunOutcome LaunchComparison::run() {
  const Expected<void> ready = withoutExceptions([&] { return prepare(); });
  if (!ready) record_.obstacle = ready.error().message;
  RunOutcome outcome = runAndWait(*devices_.reference, launch_);
  if (!ready) return outcome;
  if (!outcome.result) {
    record_.obstacle = "it fails on the reference: " + outcome.result.error().message;
    return outcome;
  }
  // What fails here has left memory in a state that the program cannot go on with.
  if (Expected<void> compared = withoutExceptions([&] { return compare(); }); !compared) {
    record_.obstacle = compared.error().message;
    outcome.result = std::move(compared);
  }
  return outcome;
}

Expected<void> LaunchComparison::prepare() {
  // Where the program leaves it to the device, both have to choose alike: kernels see it.
  if (launch_.localSize[0] == 0 && kernel_.candidate()->info().usesWorkGroupShape) {
    US_TRY(launch_.localSize, devices_.reference->suggestLocalSize(*launch_.kernel, launch_.workDimensions,
                                                                   launch_.globalOffset, launch_.globalSize));
  }
  record_.localSize = launch_.localSize;
  US_CHECK(collectPlaces());
  US_TRY(candidateLaunch_, compare::candidateLaunch(
                               launch_, kernel_, [&](uint64_t address) { return translated(address); },
                               [&](uint64_t image) {
                                 const auto made = images_.find(image);
                                 return made == images_.end() ? image : made->second->argument();
                               }));
  if (Expected<void> may = devices_.candidate->check(candidateLaunch_); !may)
    return fail(ErrorCode::Unsupported, "the candidate cannot run it: " + may.error().message);
  return readReference(&Place::inputs);
}

Expected<void> LaunchComparison::collectPlaces() {
  for (size_t i = 0; i < kernel_.info().arguments.size(); ++i) US_CHECK(collectArgument(i));
  if (const DeviceVariable variables = kernel_.variables(); variables.size)
    US_CHECK(placeOf(std::make_shared<KnownMemory>(variables.address, variables.size)));
  for (const std::shared_ptr<KnownMemory> &memory : session_.memory.pointedTo()) {
    if (!devices_.sharesMemory())
      return fail(ErrorCode::Unsupported,
                  "kernels may reach memory by pointers that lie in memory, and the candidate's lies elsewhere");
    US_CHECK(placeOf(memory));
  }
  return {};
}

Expected<void> LaunchComparison::collectArgument(size_t index) {
  const ArgumentInfo &argument = kernel_.info().arguments[index];
  if (!takesBuffer(argument.kind) && argument.kind != ArgumentKind::Image) return {};
  uint64_t address = argumentWord(launch_, argument);
  if (address == 0) return {};
  ElementType element;
  std::optional<KnownImage> image;
  if (takesBuffer(argument.kind)) {
    element = elementOf(kernel_, index);
  } else {
    image = session_.images->find(address);
    if (!image) return fail(ErrorCode::Unsupported, argumentText(index) + " is an image that is not the device's");
    address = image->address;
    element = image->pixel;
  }
  const std::shared_ptr<KnownMemory> memory = session_.memory.find(address);
  if (!memory) return fail(ErrorCode::Unsupported, argumentText(index) + " points to memory that is not the device's");
  US_TRY(Place *const place, placeOf(memory));
  if (place->argument < 0) {
    place->argument = static_cast<int>(index);
    place->layout = {element, address - memory->address};
  } else if (place->layout.type != element) {
    place->layout.type = {}; // what it holds depends on who looks
  }
  if (!image || devices_.sharesMemory()) return {};
  return makeImage(argumentWord(launch_, argument), *image, *place);
}

/// The candidate's image of the same pixels, in its own copy of the memory.
Expected<void> LaunchComparison::makeImage(uint64_t argument, const KnownImage &image, const Place &place) {
  if (images_.contains(argument)) return {};
  const uint64_t address = place.candidateAddress + (image.address - place.memory->address);
  Expected<std::unique_ptr<DeviceImage>> made =
      devices_.candidate->createImage(image.description, reinterpret_cast<std::byte *>(address));
  if (!made) return fail(ErrorCode::Unsupported, "the candidate has no such image: " + made.error().message);
  images_[argument] = *std::move(made);
  return {};
}

Expected<LaunchComparison::Place *> LaunchComparison::placeOf(const std::shared_ptr<KnownMemory> &memory) {
  const auto known = std::ranges::find(places_, memory, &Place::memory);
  if (known != places_.end()) return &*known;
  Place place;
  place.memory = memory;
  place.candidateAddress = memory->address;
  if (!devices_.sharesMemory()) {
    if (!memory->mirror) {
      Expected<std::unique_ptr<DeviceMemory>> made = devices_.candidate->allocate({.size = memory->size});
      if (!made) return fail(ErrorCode::Unsupported, "the candidate has no room: " + made.error().message);
      memory->mirror = *std::move(made);
    }
    place.candidateAddress = memory->mirror->address();
  }
  // All that is needed later is taken now, when nothing has happened yet.
  for (Contents contents : {&Place::inputs, &Place::outputs, &Place::candidateOutputs, &Place::again, &Place::unsteady})
    (place.*contents).resize(memory->size);
  places_.push_back(std::move(place));
  return &places_.back();
}

uint64_t LaunchComparison::translated(uint64_t address) const {
  const std::shared_ptr<KnownMemory> memory = session_.memory.find(address);
  const auto place = std::ranges::find(places_, memory, &Place::memory);
  return place == places_.end() ? 0 : place->candidateAddress + (address - memory->address);
}

Expected<void> LaunchComparison::compare() {
  US_CHECK(readReference(&Place::outputs));
  US_CHECK(runCandidate());
  if (!record_.failure.empty() || !record_.obstacle.empty()) return {};
  judgeAll();
  for (uint64_t time = 0; time < session_.rules.repetitions && record_.differs(); ++time) {
    US_CHECK(repeatReference());
    judgeAll();
  }
  return {};
}

Expected<void> LaunchComparison::runCandidate() {
  if (devices_.sharesMemory()) {
    US_CHECK(change(&Place::outputs, &Place::inputs));
  } else {
    for (Place &place : places_)
      US_CHECK(copy(*devices_.candidate, place.candidateAddress, addressOf(place.inputs.data()), place.inputs.size()));
  }
  if (Expected<void> ran = runAndWait(*devices_.candidate, candidateLaunch_).result; !ran)
    (lacksRoom(ran.error().code) ? record_.obstacle : record_.failure) = "the candidate fails: " + ran.error().message;
  for (Place &place : places_)
    US_CHECK(copy(*devices_.candidate, addressOf(place.candidateOutputs.data()), place.candidateAddress,
                  place.candidateOutputs.size()));
  return devices_.sharesMemory() ? change(&Place::candidateOutputs, &Place::outputs) : Expected<void>();
}

Expected<void> LaunchComparison::repeatReference() {
  US_CHECK(change(&Place::outputs, &Place::inputs));
  const Expected<void> ran = runAndWait(*devices_.reference, launch_).result;
  US_CHECK(readReference(&Place::again));
  US_CHECK(change(&Place::again, &Place::outputs));
  if (!ran) return fail(ErrorCode::Internal, "it fails on the reference when it runs again: " + ran.error().message);
  for (Place &place : places_)
    for (size_t i = 0; i < place.again.size(); ++i) place.unsteady[i] |= place.again[i] ^ place.outputs[i];
  return {};
}

void LaunchComparison::judgeAll() {
  record_.memory.clear();
  Tolerance tolerance = session_.rules.tolerance;
  const auto flushes = [](const Ref<Device> &device) { return !(device->info().singleFpConfig & kFpDenorm); };
  tolerance.flushesDenormals |=
      kernel_.notes().flushesDenormals || flushes(devices_.reference) || flushes(devices_.candidate);
  for (const Place &place : places_) {
    MemoryRecord memory{.argument = place.argument, .name = {}, .type = {}, .size = place.memory->size};
    if (place.argument >= 0) {
      const ArgumentInfo &argument = kernel_.candidate()->info().arguments[static_cast<size_t>(place.argument)];
      memory.name =
          argument.name.empty() ? kernel_.info().arguments[static_cast<size_t>(place.argument)].name : argument.name;
      memory.type = argument.typeName;
    }
    memory.judgement = judge({place.outputs, place.candidateOutputs, place.unsteady}, place.layout, tolerance,
                             kernel_.candidate()->info().usesAtomics);
    record_.memory.push_back(std::move(memory));
  }
}

Expected<void> LaunchComparison::readReference(Contents into) {
  for (Place &place : places_)
    US_CHECK(copy(*devices_.reference, addressOf((place.*into).data()), place.memory->address, place.memory->size));
  return {};
}

/// Only what is another byte is written: a program may read the rest meanwhile.
Expected<void> LaunchComparison::change(Contents now, Contents wanted) {
  for (Place &place : places_) {
    const std::vector<std::byte> &from = place.*wanted, &is = place.*now;
    const auto differs = [&](uint64_t page) {
      return std::memcmp(from.data() + page, is.data() + page, std::min<uint64_t>(kPage, from.size() - page)) != 0;
    };
    for (uint64_t begin = 0, end; begin < from.size(); begin = end) {
      end = begin + kPage;
      if (!differs(begin)) continue;
      while (end < from.size() && differs(end)) end += kPage;
      end = std::min<uint64_t>(end, from.size());
      US_CHECK(copy(*devices_.reference, place.memory->address + begin, addressOf(from.data() + begin), end - begin));
    }
  }
  return {};
}

} // namespace us::compare
