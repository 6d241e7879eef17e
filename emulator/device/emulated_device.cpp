// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verbs of the device interface, each in terms of the folder that does the work.
#include "emulator/device/emulated_device.h"

#include "emulator/abi/image_abi.h"
#include "emulator/abi/pipe_abi.h"
#include "emulator/check/launch_findings.h"
#include "emulator/device/aligned_arguments.h"
#include "emulator/device/argument_copies.h"
#include "emulator/device/builder.h"
#include "emulator/device/checked_transfer.h"
#include "emulator/device/child_launches.h"
#include "emulator/device/code_target.h"
#include "emulator/device/compile_threads.h"
#include "emulator/device/emulated_image.h"
#include "emulator/device/emulated_kernel.h"
#include "emulator/device/emulated_program.h"
#include "emulator/device/local_size.h"
#include "emulator/device/partition.h"
#include "emulator/device/prepared_list.h"
#include "emulator/device/transfer.h"
#include "emulator/device/unwritten_memory.h"
#include "emulator/exec/device_heap.h"
#include "emulator/exec/launch.h"
#include "emulator/memory/host_access.h"
#include "emulator/memory/shadow.h"
#include "emulator/memory/unwritten_buffers.h"
#include "emulator/profiles/profile.h"
#include "runtime/base/clock.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/device/argument_words.h"
#include "runtime/device/command_outcome.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace us::emulator {
namespace {

/// Local memory of a work-group that any device can give. A launch that adds memory, of which kernels are told, may go
/// beyond what the device says it has as far as its API lets it.
constexpr uint64_t kMostLocalMemory = uint64_t(16) << 20;

/// Of the device's own heap.
constexpr uint64_t kHeapBytes = uint64_t(8) << 20;

LanguageFacts languageFacts(const DeviceInfo &info, const Engine &engine) {
  LanguageFacts facts;
  facts.keepsNames = engine.checks != nullptr;
  facts.extensions = profiles::languageExtensions(info);
  for (const NamedVersion &feature : info.openclCFeatures) facts.features.push_back(feature.name);
  const uint32_t version = profiles::versionIn(info.version);
  facts.openclVersion = (version >> 22) * 100 + (version >> 12 & 0x3FF) * 10;
  facts.localMemory = info.localMemory;
  facts.maxProgramVariable = info.maxProgramVariable;
  facts.hasFma = limitedTo(engine.target, profiles::machine()).fma;
  return facts;
}

Finding excessOfLocalMemory(const LaunchCommand &launch, const KernelInfo &kernel, uint64_t most) {
  Finding excess;
  excess.kind = FindingKind::LocalMemory;
  excess.kernel = kernel.name;
  excess.number = launch.localMemory;
  excess.text = std::to_string(kernel.localMemory) + " for its variables and " +
                std::to_string(launch.localMemory - std::min(kernel.localMemory, launch.localMemory)) +
                " that the launch asks for; the device has " + std::to_string(most);
  return excess;
}

/// Formats and samplers of the arguments, for code that is made for them.
void collectOpaque(const LaunchCommand &command, const KernelCode &kernel, TexturePool &textures,
                   abi::Specialization &into) {
  uint32_t place = 0;
  for (const ArgumentInfo *argument : kernel.opaqueArguments()) {
    const uint64_t word = argumentWord(command, *argument);
    uint16_t &bits = into.opaque[place++];
    if (argument->kind == ArgumentKind::Sampler)
      bits = abi::opaqueBits(word);
    else if (argument->texture)
      bits = abi::textureBits(textures.at(word));
    else if (auto *image = reinterpret_cast<const abi::ImageDescriptor *>(word))
      bits = abi::opaqueBits({image->order, image->type, image->elementSize});
  }
}

/// The launch's work-items; the largest number where there are more.
uint64_t itemsOf(const LaunchCommand &command) {
  uint64_t items = command.globalSize[0];
  for (int d = 1; d < 3; ++d)
    if (__builtin_mul_overflow(items, command.globalSize[d], &items)) return UINT64_MAX;
  return items;
}

void setCode(exec::LaunchPlan &plan, ReadyCode &code) {
  plan.entry = code.loaded.entry;
  plan.shape = code.data.waits ? abi::EntryShape::Group : abi::tierInfo(code.specialization.tier).entry;
  plan.frameBytes = code.data.frameBytes;
  plan.localCellBytes = code.data.localCellBytes;
  plan.copies = code.data.copies;
  plan.user = &code;
}

constexpr abi::CheckClass kUninitialized = abi::CheckClass::Uninitialized;

/// Some work-groups are not for themselves.
bool hasClusters(const LaunchCommand &command) {
  return command.clusterSize[0] * command.clusterSize[1] * command.clusterSize[2] > 1;
}

/// The work-items of a kernel's full sub-groups.
uint32_t subGroupSizeOf(const KernelInfo &kernel, const DeviceInfo &device) {
  if (kernel.languageTarget != 0) return abi::kWarpSize; // it is PTX
  return kernel.requiredSubGroupSize != 0 ? kernel.requiredSubGroupSize : device.subGroupSize;
}

/// What of a launch decides which machine code runs.
abi::Specialization specializationFor(const LaunchCommand &command, const KernelCode &kernel, const Size3 &local,
                                      const DeviceInfo &device, TexturePool &textures) {
  abi::Specialization wanted;
  if (const auto &checks = kernel.program().engine().checks) wanted.instrumentation = checks->checks();
  if (abi::isIn(wanted.instrumentation, kUninitialized)) wanted.followed = followedArguments(kernel.info(), command);
  wanted.workDimensions = command.workDimensions;
  wanted.subGroupSize = subGroupSizeOf(kernel.info(), device);
  wanted.smallIndex = wanted.zeroOffset = true;
  for (int d = 0; d < 3; ++d) {
    wanted.localSize[d] = static_cast<uint32_t>(local[d]);
    wanted.ragged |= command.globalSize[d] % local[d] != 0;
    wanted.zeroOffset &= command.globalOffset[d] == 0;
    wanted.smallIndex &= command.globalSize[d] <= (1u << 31) && command.globalOffset[d] <= (1u << 31) &&
                         command.globalSize[d] + command.globalOffset[d] <= (1u << 31);
  }
  wanted.tier = hasClusters(command) ? kTierOfAll : kernel.tier();
  wanted.target = kernel.program().engine().target;
  wanted.vectorPlan = kernel.program().engine().vectorPlan;
  wanted.baseline = !wanted.instrumentation && kernel.baselineSuffices(itemsOf(command));
  // Little work is done sooner by fibers than vectors are made for it; that of matrices is never little.
  wanted.baseline &= !kernel.info().usesMatrices;
  if (wanted.baseline && kernel.info().usesSubGroupSync) wanted.tier = kTierOfAll;
  if (wanted.tier == abi::Tier::Loop && !wanted.baseline)
    wanted.copied = copiedArguments(command, kernel.info(), itemsOf(command), kernel.program().engine().threads);
  collectOpaque(command, kernel, textures, wanted);
  return wanted;
}

std::string textOf(const Size3 &size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

/// The work-groups may have another shape than the program asks for, since neither it nor whoever checks it sees that.
bool mayReshape(const KernelInfo &kernel, const Engine &engine) { return shapeIsInvisible(kernel) && !engine.checks; }

/// The local size that a launch runs with.
Size3 localSizeFor(const LaunchCommand &command, const KernelInfo &kernel, const DeviceInfo &device,
                   const Engine &engine) {
  if (mayReshape(kernel, engine) && !hasClusters(command))
    return internalLocalSize(kernel, device, command.workDimensions, command.globalSize);
  if (command.localSize[0] != 0) return command.localSize;
  return chooseLocalSize(kernel, device, command.workDimensions, command.globalSize);
}

/// What of a finished program the device's limits refuse, as a sentence; empty if nothing.
std::string beyondLimits(const DeviceInfo &info, uint64_t variables, std::span<const KernelInfo> kernels) {
  if (variables > info.maxProgramVariable)
    return "the program's variables take " + std::to_string(variables) + " bytes, at most " +
           std::to_string(info.maxProgramVariable) + " are possible";
  // Arguments to constant memory are pointers like any others: CL_DEVICE_MAX_CONSTANT_ARGS says how many every program
  // may count on, and real devices that name 8 or 9 take more.
  // PTX has limits of its own, which its front end looks at.
  for (const KernelInfo &kernel : kernels)
    if (kernel.languageTarget == 0 && kernel.argumentBlockSize > info.maxParameterSize)
      return "the arguments of kernel '" + kernel.name + "' take " + std::to_string(kernel.argumentBlockSize) +
             " bytes, " + info.name + " passes " + std::to_string(info.maxParameterSize);
  return {};
}

BuildResult resultOf(const Ref<Engine> &engine, Logged<StoredProgram> built, const DeviceInfo &info,
                     ErrorCode failure) {
  if (!built) return {std::unexpected(std::move(built.error())), std::move(built.log)};
  const abi::ModuleData &module = built->module;
  if (const std::string excess = beyondLimits(info, module.variables.size, module.kernels); !excess.empty())
    return {fail(failure, excess), built.log + "error: " + excess + "\n"};
  return {makeRef<EmulatedProgram>(engine, *std::move(built)), std::move(built.log)};
}

/// How a launch of such code runs, and why no faster tier does it.
KernelRun runOf(KernelCode &kernel, abi::Tier tier, const exec::LaunchPlan &plan, const Engine &engine) {
  KernelRun run{kernel.info().name, std::string(abi::tierInfo(tier).name), {}};
  const std::vector<TierObstacle> obstacles = kernel.obstacles();
  for (const abi::TierInfo &faster : abi::kTiers) {
    if (faster.tier == tier) break;
    const auto known = std::ranges::find(obstacles, faster.name, &TierObstacle::tier);
    std::string reason = known != obstacles.end()           ? known->reason
                         : plan.clusterSize[0]              ? "the work-groups of a cluster run together"
                         : faster.tier < engine.fastestTier ? "the option TIER excludes it"
                         : kernel.info().usesSubGroupSync   ? "there is little work"
                                                            : "";
    run.obstacles.emplace_back(faster.name, std::move(reason));
  }
  return run;
}

} // namespace

EmulatedDevice::EmulatedDevice(Ref<Engine> engine, DeviceInfo info, unsigned maxThreads, Ref<EmulatedDevice> parent,
                               std::vector<int> cores)
    : engine_(std::move(engine)), info_(std::move(info)), maxThreads_(maxThreads), parent_(std::move(parent)),
      cores_(std::move(cores)), heap_(createHeap(kHeapBytes)), facts_(languageFacts(info_, *engine_)),
      textures_(makeRef<TexturePool>()) {}

uint64_t EmulatedDevice::now() const { return monotonicNanoseconds(); }

Expected<std::unique_ptr<DeviceMemory>> EmulatedDevice::allocate(const MemoryRequest &request) {
  MemoryRequest ours = request;
  ours.startsUnwritten &= engine_->checks && abi::isIn(engine_->checks->checks(), kUninitialized);
  return memory::allocateGlobal(engine_->account, ours, info_.baseAddressAlignBits / 8);
}

Expected<std::unique_ptr<DeviceImage>> EmulatedDevice::createImage(const ImageDescription &image, std::byte *memory) {
  if (!info_.images) return fail(ErrorCode::Unsupported, "the device has no images");
  return std::make_unique<EmulatedImage>(image, memory);
}

Expected<Ref<DeviceTexture>> EmulatedDevice::createTexture(const TextureRequest &texture) {
  return Ref<DeviceTexture>(new EmulatedTexture(textures_, texture));
}

uint64_t EmulatedDevice::pipeBytes(const PipeDescription &pipe) const {
  const bool possible = info_.maxPipeArguments != 0 && pipe.packetSize != 0 &&
                        pipe.packetSize <= info_.pipeMaxPacketSize && pipe.maxPackets != 0 &&
                        pipe.maxPackets <= abi::kMaxPipePackets;
  return possible ? abi::pipeBytes(pipe.packetSize, pipe.maxPackets) : 0;
}

Expected<uint64_t> EmulatedDevice::createPipe(const PipeDescription &pipe, std::byte *memory) {
  if (info_.maxPipeArguments == 0) return fail(ErrorCode::Unsupported, "the device has no pipes");
  const uint64_t packets = abi::pipePacketsOffset(pipe.maxPackets);
  std::memset(memory, 0, packets); // every slot may be written in lap 0
  auto *header = new (memory) abi::PipeHeader;
  header->packetSize = pipe.packetSize;
  header->maxPackets = pipe.maxPackets;
  header->packets = packets;
  return reinterpret_cast<uint64_t>(header);
}

Ref<KernelHeap> EmulatedDevice::createHeap(uint64_t size) { return Ref<KernelHeap>(new exec::DeviceHeap(size)); }

BuildResult EmulatedDevice::compile(const CompileRequest &request) {
  return resultOf(engine_, compileProgram(*engine_, request, facts_), info_,
                  request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure);
}

BuildResult EmulatedDevice::link(const LinkRequest &request) {
  std::vector<const abi::ModuleData *> inputs;
  inputs.reserve(request.inputs.size());
  for (const Ref<DeviceProgram> &input : request.inputs)
    inputs.push_back(&static_cast<EmulatedProgram &>(*input).module());
  return resultOf(engine_, linkPrograms(*engine_, {std::move(inputs), request.options}, facts_), info_,
                  ErrorCode::LinkProgramFailure);
}

Expected<Ref<DeviceProgram>> EmulatedDevice::load(std::span<const std::byte> binary) {
  std::optional<Bytes> payload = unpack(ContentKind::Program, info_.codeIdentity, binary);
  std::optional<StoredProgram> program = payload ? readProgram(*payload) : std::nullopt;
  if (!program)
    return fail(ErrorCode::InvalidBinary,
                "the binary is damaged, or was made by another version or for another machine");
  // Made for a device with other limits, or by hand: what it says of itself is only a claim.
  if (std::string excess = beyondLimits(info_, program->module.variables.size, program->module.kernels);
      !excess.empty())
    return fail(ErrorCode::InvalidBinary, std::move(excess));
  return Ref<DeviceProgram>(new EmulatedProgram(engine_, std::move(*program)));
}

void EmulatedDevice::unloadCompiler() {
  // The library is never closed (its threads and static objects may be in use); it keeps nothing between calls.
}

Expected<Size3> EmulatedDevice::suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &,
                                                 const Size3 &globalSize) {
  return chooseLocalSize(kernel.info(), info_, dimensions, globalSize);
}

Expected<ReadyCode *> EmulatedDevice::codeFor(KernelCode &kernel, const abi::Specialization &wanted,
                                              CommandObserver &observer) const {
  if (ReadyCode *const code = kernel.readyCode(wanted)) return code;
  const uint64_t began = now();
  US_TRY(ReadyCode *const code, kernel.code(wanted));
  observer.codeAwaited(now() - began);
  return code;
}

// What goes wrong is found again, and said, by the launch.
void EmulatedDevice::makeCode(const LaunchCommand &command, CommandObserver &observer) const {
  KernelCode &kernel = static_cast<EmulatedKernel &>(*command.kernel).code();
  const KernelInfo &info = kernel.info();
  if (itemsOf(command) == 0 || !check(command)) return;
  (void)codeFor(kernel,
                specializationFor(command, kernel, localSizeFor(command, info, info_, *engine_), info_, *textures_),
                observer);
}

void EmulatedDevice::prepare(const LaunchCommand &command) {
  Ref<EmulatedKernel> kernel(static_cast<EmulatedKernel *>(command.kernel.get()));
  const KernelInfo &info = kernel->info();
  if (command.globalSize[0] == 0 || command.globalSize[1] == 0 || command.globalSize[2] == 0) return;
  if (!check(command) || !kernel->code().takePreparation()) return;
  const abi::Specialization wanted =
      specializationFor(command, kernel->code(), localSizeFor(command, info, info_, *engine_), info_, *textures_);
  postToCompileThread(engine_->threads, [kernel = std::move(kernel), wanted] { kernel->code().prepare(wanted); });
}

void EmulatedDevice::submit(const Command &command, CommandObserver &observer) {
  if (engine_->checks) noteWrites(command);
  // The host's functions see memory as the host does.
  if (std::holds_alternative<HostCallCommand>(command)) return run(std::get<HostCallCommand>(command), observer);
  const memory::CommandWindow window;
  std::visit([&](const auto &one) { run(one, observer); }, command);
}

Expected<EmulatedDevice::Choice> EmulatedDevice::chooseCode(const LaunchCommand &command, KernelCode &kernel,
                                                            const Size3 &local, CommandObserver &observer) const {
  const KernelInfo &info = kernel.info();
  abi::Specialization wanted = specializationFor(command, kernel, local, info_, *textures_);
  if (observer.wantsTouched()) wanted.exhaustive |= abi::bitOf(abi::CheckClass::Races);
  if (engine_->timeline && engine_->options.countLines && !engine_->checks)
    if (const uint64_t counters = kernel.takeCounters()) {
      // The tier that refuses nothing: what is found out of the others is not of counting code.
      wanted.tier = kTierOfAll;
      wanted.baseline = false;
      wanted.copied = 0;
      wanted.counters = counters;
    }
  if (wanted.ragged && info.uniformWorkGroups && (!mayReshape(info, *engine_) || hasClusters(command)))
    return fail(ErrorCode::InvalidWorkGroupSize, "the global size " + textOf(command.globalSize) +
                                                     " is not a multiple of the work-group size " + textOf(local) +
                                                     ", and the program was compiled for uniform work-groups");
  US_TRY(ReadyCode * code, codeFor(kernel, wanted, observer));
  // Where it writes to, nobody knows before.
  if (code->data.writesByPointer && (wanted.followed & abi::kFollowsPointers) == 0 &&
      memory::UnwrittenBuffers::instance().isAny()) {
    wanted.followed |= abi::kFollowsPointers;
    US_TRY(code, codeFor(kernel, wanted, observer));
  }
  const bool isPassing = code->specialization.baseline || (wanted.baseline && info.usesSubGroupSync);
  if (isPassing) kernel.countBaselineItems(itemsOf(command));
  return Choice{code, isPassing};
}

Expected<void> EmulatedDevice::planLaunch(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                                          CommandObserver &observer, PreparedLaunch *prepared) const {
  const KernelInfo &info = kernel.info();
  if (const KnownLaunch *const known = prepared ? prepared->known() : nullptr) {
    plan = known->launch.plan();
    plan.observer = &observer;
    plan.launchNumber = engine_->nextLaunch.fetch_add(1, std::memory_order_relaxed);
    if (known->isPassing) kernel.countBaselineItems(known->items);
    return {};
  }
  const Size3 local = prepared ? prepared->localSize : localSizeFor(command, info, info_, *engine_);
  US_TRY(const Choice choice, chooseCode(command, kernel, local, observer));

  setCode(plan, *choice.code);
  plan.kernelName = info.name;
  plan.parameters = info.arguments;
  plan.observer = &observer;
  plan.cost = &kernel.cost();
  plan.workDimensions = command.workDimensions;
  plan.globalSize = command.globalSize;
  plan.globalOffset = command.globalOffset;
  plan.localSize = local;
  plan.subGroupSize = subGroupSizeOf(info, info_);
  plan.fusedGroups = mayReshape(info, *engine_) && !hasClusters(command);
  plan.groupsMayWait = info.hasLoops && info.watchesMemory;
  plan.launchNumber = engine_->nextLaunch.fetch_add(1, std::memory_order_relaxed);
  plan.programVariables = kernel.program().storage();
  plan.allTogether = command.allTogether;
  plan.clusterSize = command.clusterSize;
  plan.localMemory = command.localMemory;
  plan.dynamicMemory = command.dynamicMemory;
  plan.usesExchange = info.usesExchange;
  plan.printfLimit = command.printfBytes ? command.printfBytes : info_.printfBuffer;
  plan.stackLimit = command.stackBytes;
  plan.heap = static_cast<exec::DeviceHeap *>(command.heap ? command.heap : heap_.get());
  plan.maxThreads = maxThreads_;
  plan.cores = cores_;
  plan.timeLimit = engine_->options.timeLimit;
  plan.interruptible = engine_->options.interrupt;
  plan.showsProgress = engine_->options.progress;
  plan.sourceLine = &ReadyCode::sourceLine;
  // What the memory behind the arguments is like may have changed when the launch runs again.
  const bool seesMemory =
      engine_->checks || mayCopyArguments(info, itemsOf(command)) || !kernel.opaqueArguments().empty();
  if (prepared && !seesMemory && !engine_->timeline) {
    auto known = std::make_unique<KnownLaunch>(command, kernel, plan);
    known->items = itemsOf(command);
    known->isPassing = choice.isPassing;
    known->isPlain = !info.usesDeviceQueue && !engine_->countsRuns;
    prepared->keep(std::move(known));
  }
  return {};
}

Expected<void> EmulatedDevice::runPlanned(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                                          CommandObserver &observer) {
  const AlignedArguments arguments(command.arguments, kernel.argumentAlignment());
  plan.arguments = arguments.data();
  const bool countsRuns = engine_->countsRuns;
  const uint64_t begin = countsRuns ? now() : 0;
  Expected<void> result =
      engine_->checks ? runWithChecks(command, kernel, plan, observer) : exec::runLaunch(plan, *engine_->scheduler);
  Statistics &counts = engine_->statistics;
  if (result) kernel.countLaunches(1);
  if (result && countsRuns) {
    const uint64_t end = now();
    const auto &code = *static_cast<ReadyCode *>(plan.user);
    KernelRun run = runOf(kernel, code.specialization.tier, plan, *engine_);
    if (engine_->timeline)
      engine_->timeline->launch(run, {.device = info_.name,
                                      .span = {begin, end},
                                      .globalSize = plan.globalSize,
                                      .localSize = plan.localSize,
                                      .kernel = &kernel.info(),
                                      .code = &code.data,
                                      .counters = code.specialization.counters,
                                      .source = kernel.program().module().expandedSource});
    counts.countRun(std::move(run), end - begin);
  }
  (result ? counts.launches : counts.failedLaunches).fetch_add(1, std::memory_order_relaxed);
  counts.workItems.fetch_add(itemsOf(command), std::memory_order_relaxed);
  return result;
}

namespace {

/// Null where code has to tell of its accesses instead.
exec::GlobalCells::Handle cellsFor(const abi::CodeData &code, const check::LaunchFindings &findings,
                                   const exec::LaunchPlan &plan) {
  if (plan.allTogether || plan.clusterSize[0]) return nullptr; // they take turns
  std::vector<exec::GlobalCells::Range> ranges(plan.parameters.size());
  for (const uint32_t number : code.cellArguments) {
    const abi::ArgumentBounds &bounds = findings.argumentBounds()[number];
    if (bounds.size == abi::kUnknownSize) return nullptr;
    ranges[number] = {bounds.begin, bounds.size};
  }
  return exec::GlobalCells::acquire(ranges, code.globalCellBytes);
}

} // namespace

Expected<void> EmulatedDevice::runWithChecks(const LaunchCommand &command, KernelCode &kernel, exec::LaunchPlan &plan,
                                             CommandObserver &observer) {
  const KernelInfo &info = kernel.info();
  const EmulatedProgram &program = kernel.program();
  const auto &code = *static_cast<ReadyCode *>(plan.user);
  const uint64_t followed = code.data.writesUnseen ? 0 : code.specialization.followed;
  if (code.data.writesUnseen) memory::UnwrittenBuffers::instance().allWritten();
  beginsToWrite(info, command, followed);
  const Size3 groups{(plan.globalSize[0] + plan.localSize[0] - 1) / plan.localSize[0],
                     (plan.globalSize[1] + plan.localSize[1] - 1) / plan.localSize[1],
                     (plan.globalSize[2] + plan.localSize[2] - 1) / plan.localSize[2]};
  if (!engine_->checks->checks()) {
    Expected<void> result = exec::runLaunch(plan, *engine_->scheduler);
    engine_->checks->launched(info.name, itemsOf(command), {}, nullptr, nullptr);
    return result;
  }
  check::LaunchFindings findings({.kernel = info.name,
                                  .checks = engine_->checks->checks(),
                                  .shape = {plan.workDimensions, plan.localSize, groups},
                                  .parameters = info.arguments,
                                  .arguments = command.arguments,
                                  .given = command.argumentMemory.get(),
                                  .localMemory = plan.localMemory,
                                  .subGroupSize = plan.subGroupSize,
                                  .languageTarget = info.languageTarget,
                                  .source = program.module().expandedSource,
                                  .sourceLine = plan.sourceLine,
                                  .user = plan.user});
  plan.checks = &findings;
  plan.argumentBounds = findings.argumentBounds();
  // OpenCL C 3.0, 6.15.8: "All work-items in a work-group executing the kernel on a processor must execute this
  // function before any are allowed to continue". PTX lets threads end before.
  plan.localIsUnwritten = abi::isIn(engine_->checks->checks(), kUninitialized);
  if (plan.localIsUnwritten && !memory::Shadow::instance().exists())
    return fail(ErrorCode::OutOfResources, "there are no addresses left for what is known of local memory; kernels can "
                                           "be checked for all but uninitialized values");
  plan.strictBarriers = abi::isIn(engine_->checks->checks(), abi::CheckClass::Barriers);
  plan.barriersForAll = info.languageTarget == 0;
  std::optional<Finding> endedBy;
  plan.endedBy = &endedBy;
  if (abi::isIn(engine_->checks->checks(), abi::CheckClass::Progress)) {
    plan.stepLimit = engine_->options.checkSteps;
    plan.waitLimit = engine_->options.checkWait;
  }
  const unsigned threads = plan.maxThreads;
  exec::GlobalCells::Handle cells;
  const auto run = [&]() -> Expected<void> {
    const abi::CodeData &code = static_cast<ReadyCode *>(plan.user)->data;
    const bool usesCells = !code.cellArguments.empty();
    cells = usesCells ? cellsFor(code, findings, plan) : nullptr;
    plan.globalCells = cells.get();
    if (usesCells && !cells) return {};
    plan.maxThreads = code.inOrder || usesCells ? 1 : threads;
    findings.runs(plan.user);
    return exec::runLaunch(plan, *engine_->scheduler);
  };
  Expected<void> result = run();
  abi::Specialization wanted = static_cast<ReadyCode *>(plan.user)->specialization;
  const auto lacksCells = [&] {
    return !static_cast<ReadyCode *>(plan.user)->data.cellArguments.empty() && !plan.globalCells;
  };
  while ((findings.exhaustive() & ~wanted.exhaustive) || lacksCells()) {
    wanted.exhaustive |= findings.exhaustive();
    wanted.tellsAccesses |= lacksCells();
    US_TRY(ReadyCode *const code, kernel.code(wanted));
    setCode(plan, *code);
    result = run();
  }
  if (endedBy) findings.ended(*endedBy);
  if (engine_->checks->checks() & abi::kRaceChecks)
    observer.touched(cells && observer.wantsTouched() ? cells->touched() : findings.touched());
  engine_->checks->launched(info.name, itemsOf(command), findings.take(result.has_value()), command.enqueuedAt,
                            &observer);
  hasWritten(info, command, followed);
  return result;
}

Expected<void> EmulatedDevice::check(const LaunchCommand &launch) const {
  const KernelInfo &kernel = launch.kernel->info();
  const Size3 &local = launch.localSize;
  const uint64_t mostLocal = launch.dynamicMemory ? kMostLocalMemory : info_.localMemory;
  if (launch.localMemory > mostLocal) {
    const Finding excess = excessOfLocalMemory(launch, kernel, mostLocal);
    if (engine_->checks && abi::isIn(engine_->checks->checks(), abi::CheckClass::Progress))
      engine_->checks->refused(check::refusedLaunch(excess));
    return std::unexpected(errorOf(excess));
  }
  if (launch.arguments.size() < kernel.argumentBlockSize)
    return fail(ErrorCode::InvalidKernelArgs, "the arguments of kernel '" + kernel.name + "' are not complete");
  if (local[0] == 0) return {};
  const uint64_t most = info_.maxWorkGroupSize;
  if (local[0] > most || local[1] > most || local[2] > most || local[0] * local[1] * local[2] > most ||
      local[0] * local[1] * local[2] == 0)
    return fail(ErrorCode::InvalidWorkGroupSize, "a work-group of " + textOf(local) + " is asked for, at most " +
                                                     std::to_string(most) + " work-items are possible");
  if (launch.clusterSize[0] != 0)
    for (size_t i = 0; i < 3; ++i)
      if (const uint64_t along = local[i] * launch.clusterSize[i]; along == 0 || launch.globalSize[i] % along != 0)
        return fail(ErrorCode::InvalidWorkGroupSize, "clusters of " + textOf(launch.clusterSize) +
                                                         " work-groups do not divide a range of " +
                                                         textOf(launch.globalSize) + " work-items");
  const Size3 &required = kernel.requiredWorkGroupSize;
  if (required[0] != 0 && required != local)
    return fail(ErrorCode::InvalidWorkGroupSize, "kernel '" + kernel.name + "' requires work-groups of " +
                                                     textOf(required) + ", " + textOf(local) + " are asked for");
  return {};
}

void EmulatedDevice::run(const LaunchCommand &command, CommandObserver &observer) { run(command, observer, nullptr); }

void EmulatedDevice::run(const LaunchCommand &command, CommandObserver &observer, PreparedLaunch *prepared) {
  KernelCode &kernel = static_cast<EmulatedKernel &>(*command.kernel).code();
  auto failed = [&](Expected<void> error) {
    ++engine_->statistics.failedLaunches;
    uint64_t time = now();
    observer.started(time);
    observer.finished(time, std::move(error));
  };
  // Whatever is thrown, the command must end: a queue waits for it.
  Expected<void> result;
  if (!prepared) result = withoutExceptions([&] { return check(command); });
  if (!result) return failed(std::move(result));
  if (command.globalSize[0] == 0 || command.globalSize[1] == 0 || command.globalSize[2] == 0)
    return run(NoCommand{}, observer);
  exec::LaunchPlan plan;
  result = withoutExceptions([&] { return planLaunch(command, kernel, plan, observer, prepared); });
  if (!result) return failed(std::move(result));
  const bool timed = observer.wantsTimes();
  observer.started(timed ? now() : 0);
  result = withoutExceptions([&] {
    return kernel.info().usesDeviceQueue ? runWithChildren(*this, command, kernel, plan, observer)
                                         : runPlanned(command, kernel, plan, observer);
  });
  observer.finished(timed ? now() : 0, std::move(result));
}

void EmulatedDevice::run(const CopyCommand &command, CommandObserver &observer) {
  const bool timed = observer.wantsTimes();
  const uint64_t begin = engine_->timeline ? now() : 0;
  observer.started(timed ? now() : 0);
  Expected<void> result = withoutExceptions([&]() -> Expected<void> {
    if (command.isChecked) return runChecked(command);
    runCopy(command, *engine_->scheduler, maxThreads_);
    return {};
  });
  if (engine_->timeline)
    engine_->timeline->other("copy", "copy", {begin, now()}, command.region[0] * command.region[1] * command.region[2]);
  engine_->statistics.copies.fetch_add(1, std::memory_order_relaxed);
  engine_->statistics.copiedBytes.fetch_add(command.region[0] * command.region[1] * command.region[2],
                                            std::memory_order_relaxed);
  observer.finished(timed ? now() : 0, std::move(result));
}

void EmulatedDevice::run(const FillCommand &command, CommandObserver &observer) {
  const bool timed = observer.wantsTimes();
  const uint64_t begin = engine_->timeline ? now() : 0;
  observer.started(timed ? now() : 0);
  Expected<void> result = withoutExceptions([&]() -> Expected<void> {
    if (command.isChecked) return runChecked(command);
    runFill(command, *engine_->scheduler, maxThreads_);
    return {};
  });
  if (engine_->timeline)
    engine_->timeline->other("fill", "fill", {begin, now()}, command.size * command.rows * command.slices);
  engine_->statistics.fills.fetch_add(1, std::memory_order_relaxed);
  engine_->statistics.filledBytes.fetch_add(command.size * command.rows * command.slices, std::memory_order_relaxed);
  observer.finished(timed ? now() : 0, std::move(result));
}

void EmulatedDevice::run(const HostCallCommand &command, CommandObserver &observer) {
  observer.started(now());
  Expected<void> result = withoutExceptions([&]() -> Expected<void> {
    command.call();
    return {};
  });
  observer.finished(now(), std::move(result));
}

namespace {

/// Of a command inside another: it runs on this thread and has ended when submit returns.
struct InnerOutcome final : CommandOutcome {
  explicit InnerOutcome(CommandObserver &whole) : whole(whole) {}
  bool wantsTimes() const override { return false; }
  void codeAwaited(uint64_t nanoseconds) override { whole.codeAwaited(nanoseconds); }
  void found(const Finding &finding) override { whole.found(finding); }
  CommandObserver &whole;
};

/// Of the launches of a list: what all threads count in is not touched for each.
class LaunchCounts {
public:
  explicit LaunchCounts(Statistics &all) : all_(all) {}
  ~LaunchCounts() {
    settle();
    if (launches_) all_.launches.fetch_add(launches_, std::memory_order_relaxed);
    if (items_) all_.workItems.fetch_add(items_, std::memory_order_relaxed);
  }
  LaunchCounts(const LaunchCounts &) = delete;
  LaunchCounts &operator=(const LaunchCounts &) = delete;

  void count(const KnownLaunch &launch, bool succeeded) {
    items_ += launch.items;
    if (!succeeded) return void(all_.failedLaunches.fetch_add(1, std::memory_order_relaxed));
    if (kernel_ != &launch.kernel) settle();
    kernel_ = &launch.kernel;
    ++ofKernel_;
    ++launches_;
  }

private:
  void settle() {
    if (ofKernel_) kernel_->countLaunches(std::exchange(ofKernel_, 0));
  }

  Statistics &all_;
  KernelCode *kernel_ = nullptr;
  uint64_t ofKernel_ = 0, launches_ = 0, items_ = 0;
};

} // namespace

PreparedList *EmulatedDevice::preparedFor(const CommandList &list) const {
  if (auto *there = static_cast<PreparedList *>(list.state.get())) return there->device == this ? there : nullptr;
  auto made = std::make_unique<PreparedList>(*this, list.commands.size());
  for (size_t i = 0; i < list.commands.size(); ++i)
    if (const auto *launch = std::get_if<LaunchCommand>(&list.commands[i]);
        launch && itemsOf(*launch) != 0 && check(*launch))
      made->launches[i].localSize = localSizeFor(*launch, launch->kernel->info(), info_, *engine_);
  auto &kept = static_cast<PreparedList &>(list.state.keep(std::move(made)));
  return kept.device == this ? &kept : nullptr;
}

void EmulatedDevice::run(const SequenceCommand &command, CommandObserver &observer) {
  InnerOutcome inner(observer);
  PreparedList *prepared = nullptr;
  // The times are those of the device's work: code is made before it begins. What goes wrong is said by the launch.
  (void)withoutExceptions([&]() -> Expected<void> {
    if (!command.list->state.get()) makeCode(*command.list, observer); // else it ran before
    if (!engine_->checks) prepared = preparedFor(*command.list);
    return {};
  });
  observer.started(now());
  runList(*command.list, prepared, inner);
  observer.finished(now(), std::move(inner.result));
}

void EmulatedDevice::runList(const CommandList &list, PreparedList *prepared, CommandOutcome &inner) {
  const std::vector<Command> &commands = list.commands;
  LaunchCounts counts(engine_->statistics);
  exec::LaunchSeries series(*engine_->scheduler, inner);
  const uint64_t firstNumber = prepared ? engine_->nextLaunch.fetch_add(commands.size(), std::memory_order_relaxed) : 0;
  for (size_t i = 0; i < commands.size() && inner.result; ++i) {
    PreparedLaunch *const launch =
        prepared && prepared->launches[i].localSize[0] != 0 ? &prepared->launches[i] : nullptr;
    if (!launch) {
      series.letGroupGo();
      submit(commands[i], inner);
      continue;
    }
    const memory::CommandWindow window;
    const KnownLaunch *const known = launch->known();
    if (!known || !known->isPlain) {
      series.letGroupGo();
      run(std::get<LaunchCommand>(commands[i]), inner, launch);
      continue;
    }
    if (known->isPassing) known->kernel.countBaselineItems(known->items);
    inner.result = withoutExceptions([&] { return series.run(known->launch, firstNumber + i); });
    counts.count(*known, inner.result.has_value());
  }
}

void EmulatedDevice::makeCode(const CommandList &list, CommandObserver &observer) const {
  for (const Command &one : list.commands) {
    if (const auto *launch = std::get_if<LaunchCommand>(&one); launch && launch->kernel->wantsPreparation())
      makeCode(*launch, observer);
    if (const auto *branch = std::get_if<BranchCommand>(&one))
      for (const std::shared_ptr<const CommandList> &inner : branch->lists) makeCode(*inner, observer);
  }
}

void EmulatedDevice::run(const BranchCommand &command, CommandObserver &observer) {
  InnerOutcome inner(observer);
  observer.started(now());
  for (uint64_t turn = 0; inner.result; ++turn) {
    const std::shared_ptr<const CommandList> list = chosenBy(command, turn);
    if (!list) break;
    submit(SequenceCommand{list}, inner);
  }
  observer.finished(now(), std::move(inner.result));
}

void EmulatedDevice::run(const BindCommand &command, CommandObserver &observer) {
  observer.started(now());
  std::memcpy(reinterpret_cast<void *>(command.variable),
              &static_cast<const EmulatedTexture &>(*command.texture).descriptor(), sizeof(abi::TextureDescriptor));
  observer.finished(now(), {});
}

void EmulatedDevice::run(const MapCommand &, CommandObserver &observer) {
  run(NoCommand{}, observer); // host and device share memory
}

void EmulatedDevice::run(const NoCommand &, CommandObserver &observer) {
  const uint64_t time = observer.wantsTimes() ? now() : 0;
  observer.started(time);
  observer.finished(time, {});
}

Expected<std::vector<Ref<Device>>> EmulatedDevice::partition(const Partition &partition) {
  US_TRY(std::vector<DevicePart> parts, partitionDevice(info_, cores_, partition));
  std::vector<Ref<Device>> devices;
  for (DevicePart &part : parts) {
    DeviceInfo info = info_;
    info.maxComputeUnits = part.units;
    info.maxSubDevices = part.units > 1 ? part.units : 0;
    // Which cores run the work of a part that is just a number of units is the scheduler's affair.
    info.affinityDomains = part.cores.empty() ? 0 : affinityDomains(part.cores);
    devices.push_back(makeRef<EmulatedDevice>(engine_, std::move(info), part.units, Ref<EmulatedDevice>(this),
                                              std::move(part.cores)));
  }
  return devices;
}

} // namespace us::emulator
