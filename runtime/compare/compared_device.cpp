// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/compared_device.h"

#include "runtime/base/without_exceptions.h"
#include "runtime/compare/launch_comparison.h"
#include "runtime/compare/reference_launch.h"

#include <string_view>
#include <utility>

namespace us::compare {
namespace {

/// Of the reference, but each command runs when it is submitted.
DeviceInfo factsOf(const Device &reference) {
  DeviceInfo info = reference.info();
  info.handsOver = info.keepsMemory = false;
  return info;
}

/// "-cl-unsafe-math-optimizations … this option includes … -cl-denorms-are-zero" and the like.
bool flushesDenormals(std::string_view options) {
  for (std::string_view word :
       {"-cl-denorms-are-zero", "-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations", "-ftz=true"})
    if (options.find(word) != options.npos) return true;
  return false;
}

} // namespace

ComparedDevice::ComparedDevice(Ref<Session> session, DevicePair devices, Ref<Device> parent)
    : session_(std::move(session)), devices_(std::move(devices)), parent_(std::move(parent)),
      info_(factsOf(*devices_.reference)) {}

Expected<std::unique_ptr<DeviceMemory>> ComparedDevice::allocate(const MemoryRequest &request) {
  US_TRY(std::unique_ptr<DeviceMemory> memory, devices_.reference->allocate(request));
  return std::make_unique<ComparedMemory>(session_, std::move(memory), request.isPointedTo);
}

Expected<std::unique_ptr<DeviceImage>> ComparedDevice::createImage(const ImageDescription &image, std::byte *memory) {
  US_TRY(std::unique_ptr<DeviceImage> made, devices_.reference->createImage(image, memory));
  return std::make_unique<ComparedImage>(session_->images, std::move(made), memory);
}

Expected<Ref<DeviceTexture>> ComparedDevice::createTexture(const TextureRequest &texture) {
  session_->hasTextures = true;
  return devices_.reference->createTexture(texture);
}

Expected<uint64_t> ComparedDevice::createPipe(const PipeDescription &pipe, std::byte *memory) {
  return devices_.reference->createPipe(pipe, memory);
}

// --- Programs ---

Ref<DeviceProgram> ComparedDevice::pair(Ref<DeviceProgram> reference, BuildResult candidate, ProgramNotes notes) {
  notes.number = ++session_->programs;
  std::string obstacle;
  if (!candidate) {
    obstacle = "its program was not built for the candidate: " + candidate.error().message;
    session_->report.add(
        BuildRecord{notes.number, devices_.candidate->info().name, candidate.error().message, candidate.log});
  }
  return Ref<DeviceProgram>(new ComparedProgram(std::move(reference), candidate ? *candidate : Ref<DeviceProgram>(),
                                                std::move(obstacle),
                                                std::make_shared<const ProgramNotes>(std::move(notes))));
}

BuildResult ComparedDevice::compile(const CompileRequest &request) {
  BuildResult reference = devices_.reference->compile(request);
  if (!reference) return reference;
  ProgramNotes notes;
  notes.sources.push_back(std::make_shared<const std::string>(request.source));
  notes.flushesDenormals = flushesDenormals(request.options);
  // The report names arguments, also those of programs that do not ask for their names.
  const std::string options = std::string(request.options) + " -cl-kernel-arg-info";
  CompileRequest other = request;
  if (request.language == SourceLanguage::OpenClC) other.options = options;
  return {pair(*reference, devices_.candidate->compile(other), std::move(notes)), std::move(reference.log)};
}

BuildResult ComparedDevice::link(const LinkRequest &request) {
  LinkRequest reference{{}, request.options}, candidate{{}, request.options};
  ProgramNotes notes;
  notes.flushesDenormals = flushesDenormals(request.options);
  std::string obstacle;
  for (const Ref<DeviceProgram> &input : request.inputs) {
    const auto &program = static_cast<const ComparedProgram &>(*input);
    reference.inputs.push_back(program.reference());
    candidate.inputs.push_back(program.candidate());
    if (!program.candidate()) obstacle = program.obstacle();
    const std::vector<std::shared_ptr<const std::string>> &sources = program.notes().sources;
    notes.sources.insert(notes.sources.end(), sources.begin(), sources.end());
    notes.flushesDenormals |= program.notes().flushesDenormals;
  }
  BuildResult linked = devices_.reference->link(reference);
  if (!linked) return linked;
  BuildResult other = obstacle.empty() ? devices_.candidate->link(candidate)
                                       : BuildResult(fail(ErrorCode::LinkProgramFailure, obstacle));
  return {pair(*linked, std::move(other), std::move(notes)), std::move(linked.log)};
}

Expected<Ref<DeviceProgram>> ComparedDevice::load(std::span<const std::byte> binary) {
  US_TRY(Ref<DeviceProgram> reference, devices_.reference->load(binary));
  return pair(std::move(reference), BuildResult(devices_.candidate->load(binary)), {});
}

void ComparedDevice::unloadCompiler() {
  devices_.reference->unloadCompiler();
  devices_.candidate->unloadCompiler();
}

// --- Launches ---

Expected<Size3> ComparedDevice::suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &globalOffset,
                                                 const Size3 &globalSize) {
  const Ref<DeviceKernel> reference = referenceKernel(Ref<DeviceKernel>(&kernel));
  return devices_.reference->suggestLocalSize(*reference, dimensions, globalOffset, globalSize);
}

Expected<void> ComparedDevice::check(const LaunchCommand &launch) const {
  return devices_.reference->check(ReferenceLaunch(launch).launch());
}

void ComparedDevice::prepare(const LaunchCommand &command) {
  devices_.reference->prepare(ReferenceLaunch(command).launch());
}

LaunchRecord ComparedDevice::recordOf(const LaunchCommand &launch, const ComparedKernel &kernel) const {
  LaunchRecord record;
  record.launch = ++session_->launches;
  record.kernel = kernel.info().name;
  record.place = kernel.place();
  record.reference = devices_.reference->info().name;
  record.candidate = devices_.candidate->info().name;
  record.globalSize = launch.globalSize;
  record.localSize = launch.localSize;
  record.obstacle = obstacleOf(launch, kernel, *session_, devices_);
  return record;
}

void ComparedDevice::submit(const Command &command, CommandObserver &observer) {
  // The application's functions may wait for whatever they like.
  if (std::holds_alternative<HostCallCommand>(command)) return devices_.reference->submit(command, observer);
  RunOutcome outcome;
  const Expected<void> done = withoutExceptions([&]() -> Expected<void> {
    std::lock_guard hold(session_->running);
    outcome = run(command);
    return {};
  });
  if (!done) {
    outcome.begin = outcome.end = now();
    outcome.result = done;
  }
  tell(observer, std::move(outcome));
}

RunOutcome ComparedDevice::run(const Command &command) {
  if (const auto *launch = std::get_if<LaunchCommand>(&command)) return run(*launch);
  if (const auto *sequence = std::get_if<SequenceCommand>(&command)) return run(*sequence);
  if (const auto *branch = std::get_if<BranchCommand>(&command)) return run(*branch);
  return runAndWait(*devices_.reference, command);
}

RunOutcome ComparedDevice::run(const BranchCommand &branch) {
  RunOutcome whole;
  whole.begin = whole.end = now();
  for (uint64_t turn = 0; whole.result; ++turn) {
    const std::shared_ptr<const CommandList> list = chosenBy(branch, turn);
    if (!list) break;
    RunOutcome outcome = run(SequenceCommand{list});
    whole.end = outcome.end;
    whole.codeAwaited += outcome.codeAwaited;
    whole.findings.insert(whole.findings.end(), outcome.findings.begin(), outcome.findings.end());
    whole.result = std::move(outcome.result);
  }
  return whole;
}

RunOutcome ComparedDevice::run(const SequenceCommand &sequence) {
  RunOutcome whole;
  whole.begin = whole.end = now();
  bool isFirst = true;
  for (const Command &one : sequence.list->commands) {
    RunOutcome outcome = run(one);
    if (std::exchange(isFirst, false)) whole.begin = outcome.begin;
    whole.end = outcome.end;
    whole.codeAwaited += outcome.codeAwaited;
    whole.findings.insert(whole.findings.end(), outcome.findings.begin(), outcome.findings.end());
    whole.result = std::move(outcome.result);
    if (!whole.result) break;
  }
  return whole;
}

RunOutcome ComparedDevice::run(const LaunchCommand &launch) {
  const auto *const kernel = dynamic_cast<const ComparedKernel *>(launch.kernel.get());
  if (!kernel) return runAndWait(*devices_.reference, launch);
  LaunchRecord record = recordOf(launch, *kernel);
  RunOutcome outcome = record.obstacle.empty() ? LaunchComparison(*session_, devices_, launch, *kernel, record).run()
                                               : runAndWait(*devices_.reference, ReferenceLaunch(launch).launch());
  session_->report.add(record);
  return outcome;
}

// --- Parts ---

Expected<std::vector<Ref<Device>>> ComparedDevice::partition(const Partition &partition) {
  US_TRY(std::vector<Ref<Device>> parts, devices_.reference->partition(partition));
  for (Ref<Device> &part : parts)
    part = Ref<Device>(new ComparedDevice(session_, {part, devices_.candidate}, Ref<Device>(this)));
  return parts;
}

std::vector<Ref<Device>> comparedDevices(const std::vector<DevicePair> &pairs, const ComparisonRules &rules) {
  const auto session = makeRef<Session>(rules);
  std::vector<Ref<Device>> devices;
  for (const DevicePair &pair : pairs) devices.push_back(Ref<Device>(new ComparedDevice(session, pair)));
  return devices;
}

} // namespace us::compare
