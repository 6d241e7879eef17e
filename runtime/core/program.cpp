// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/program.h"

#include "runtime/core/kernel.h"
#include "runtime/core/runtime.h"

#include <algorithm>
#include <memory>

namespace us::core {
namespace {
constexpr size_t kNowhere = ~size_t(0);

size_t placeOf(std::span<const Ref<Device>> devices, const Device &device) {
  for (size_t i = 0; i < devices.size(); ++i)
    if (devices[i].get() == &device) return i;
  return kNowhere;
}

bool hasObject(const BuildState &state) {
  return state.kind() == ProgramKind::CompiledObject || state.kind() == ProgramKind::Library;
}

/// "CL_INVALID_KERNEL_DEFINITION if the function definition for __kernel function given by kernel_name such as the
/// number of arguments, the argument types are not the same for all devices"
bool sameDefinition(const KernelInfo &a, const KernelInfo &b) {
  return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const ArgumentInfo &x, const ArgumentInfo &y) { return x.kind == y.kind && x.size == y.size; });
}
} // namespace

Program::Program(Context &context, ProgramOrigin origin, std::string source, std::vector<Ref<Device>> devices,
                 IntermediateLanguage il)
    : context_(&context), origin_(origin), source_(std::move(source)), devices_(std::move(devices)), il_(std::move(il)),
      states_(devices_.size()) {}

void Program::lastReferenceGone() {
  if (runtimeDead()) return;
  destructorCallbacks_.runAndDelete(*this);
}

Ref<Program> Program::fromSource(Context &context, std::string source) {
  return Ref<Program>(new Program(context, ProgramOrigin::Source, std::move(source),
                                  {context.devices().begin(), context.devices().end()}));
}

Expected<Ref<Program>> Program::fromIl(Context &context, std::span<const std::byte> il) {
  if (runtimeDead()) return failDead();
  US_TRY(IntermediateLanguage read, readIntermediateLanguage(il));
  return Ref<Program>(new Program(context, ProgramOrigin::IntermediateLanguage, {},
                                  {context.devices().begin(), context.devices().end()}, std::move(read)));
}

Expected<void> Program::setSpecializationConstant(uint32_t id, std::span<const std::byte> value) {
  if (origin_ != ProgramOrigin::IntermediateLanguage)
    return fail(ErrorCode::InvalidProgram, "the program was not created from an intermediate language");
  const auto constant = il_.specializationConstants.find(id);
  if (constant == il_.specializationConstants.end())
    return fail(ErrorCode::InvalidSpecId, "the program has no specialization constant " + std::to_string(id));
  if (constant->second != value.size())
    return fail(ErrorCode::InvalidValue, "specialization constant " + std::to_string(id) + " has " +
                                             std::to_string(constant->second) + " bytes, " +
                                             std::to_string(value.size()) + " were given");
  std::lock_guard hold(mutex_);
  for (SpecializationValue &set : specializations_)
    if (set.id == id) {
      set.bytes.assign(value.begin(), value.end());
      return {};
    }
  specializations_.push_back({id, {value.begin(), value.end()}});
  return {};
}

Expected<Ref<Program>> Program::fromBinaries(Context &context, std::span<const Ref<Device>> devices,
                                             std::span<const std::span<const std::byte>> binaries,
                                             std::vector<Expected<void>> *results) {
  if (runtimeDead()) return failDead();
  Ref<Program> program(new Program(context, ProgramOrigin::Binary, {}, {devices.begin(), devices.end()}));
  Expected<void> first;
  for (size_t i = 0; i < devices.size(); ++i) {
    Expected<void> outcome;
    if (binaries[i].empty()) {
      outcome = fail(ErrorCode::InvalidValue, "the binary for " + devices[i]->info().name + " is empty");
    } else if (Expected<Ref<DeviceProgram>> loaded = devices[i]->load(binaries[i]); !loaded) {
      outcome = std::unexpected(std::move(loaded).error());
    } else {
      program->states_[i].program = *loaded;
    }
    if (!outcome && first) first = outcome;
    if (results) results->push_back(std::move(outcome));
  }
  if (!first) return std::unexpected(std::move(first).error());
  return program;
}

// --- Builds ---

Expected<std::vector<size_t>> Program::beginBuild(std::span<const Ref<Device>> devices, const std::string &options) {
  if (runtimeDead()) return failDead();
  if (devices.empty()) devices = devices_;
  std::vector<size_t> places;
  for (const Ref<Device> &device : devices) {
    const size_t place = placeOf(devices_, *device);
    if (place == kNowhere)
      return fail(ErrorCode::InvalidDevice, "the program is not for the device " + device->info().name);
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  std::lock_guard hold(mutex_);
  // "CL_INVALID_OPERATION if there are kernel objects attached to program."
  if (const uint32_t kernels = attachedKernels())
    return fail(ErrorCode::InvalidOperation,
                "the program has " + std::to_string(kernels) + " kernels that are not released");
  for (const size_t place : places)
    if (states_[place].status == BuildStatus::InProgress)
      return fail(ErrorCode::InvalidOperation, "an earlier build of the program has not completed");
  for (const size_t place : places) {
    states_[place].status = BuildStatus::InProgress;
    states_[place].options = options;
    states_[place].log.clear();
  }
  return places;
}

CompileRequest Program::requestFor(const std::string &options) const {
  CompileRequest request;
  request.source = source_;
  request.options = options;
  if (origin_ == ProgramOrigin::IntermediateLanguage) {
    request.source = {reinterpret_cast<const char *>(il_.bytes.data()), il_.bytes.size()};
    request.language = SourceLanguage::SpirV;
  }
  std::lock_guard hold(mutex_);
  request.specializations = specializations_;
  return request;
}

Expected<void> Program::runJob(const std::vector<size_t> &places, const Job &job) {
  Expected<void> first;
  for (const size_t place : places) {
    BuildState before;
    {
      std::lock_guard hold(mutex_);
      before = states_[place];
    }
    BuildResult result = job(*devices_[place], before);
    if (!result && first) first = std::unexpected(result.error());
    std::lock_guard hold(mutex_);
    BuildState &state = states_[place];
    state.status = result ? BuildStatus::Success : BuildStatus::Failed;
    state.log = std::move(result.log);
    if (state.log.empty() && !result) state.log = result.error().message;
    // A program from binaries keeps what it was given, and may be built again with other options.
    if (result)
      state.program = *std::move(result);
    else if (origin_ != ProgramOrigin::Binary)
      state.program = nullptr;
  }
  return first;
}

Expected<void> Program::start(std::vector<size_t> places, Job job, BuildCallback callback) {
  if (!callback) return runJob(places, job);
  runInBackground([self = Ref<Program>(this), places = std::move(places), job = std::move(job),
                   callback = std::move(callback)]() mutable {
    if (const Expected<void> outcome = self->runJob(places, job); !outcome) self->context_->report(outcome.error());
    runUserCode([self, callback = std::move(callback)] { callback(); });
  });
  return {};
}

Expected<void> Program::build(std::span<const Ref<Device>> devices, const std::string &options,
                              BuildCallback callback) {
  if (origin_ == ProgramOrigin::Linked) return fail(ErrorCode::InvalidOperation, "a linked program is built already");
  if (origin_ == ProgramOrigin::Binary)
    for (const Ref<Device> &device : devices.empty() ? std::span<const Ref<Device>>(devices_) : devices) {
      US_TRY(const BuildState state, stateOn(*device));
      if (!state.program) return fail(ErrorCode::InvalidBinary, "no binary is loaded for " + device->info().name);
    }
  US_TRY(std::vector<size_t> places, beginBuild(devices, options));
  const Job job = [this, options](Device &device, const BuildState &before) -> BuildResult {
    if (origin_ != ProgramOrigin::Binary) return device.compile(requestFor(options));
    if (before.kind() == ProgramKind::Executable) return {before.program};
    if (before.kind() == ProgramKind::CompiledObject) return device.link({{before.program}, options});
    return {fail(ErrorCode::InvalidBinary, "the binary for " + device.info().name + " is a library")};
  };
  return start(std::move(places), job, std::move(callback));
}

Expected<void> Program::compile(std::span<const Ref<Device>> devices, const std::string &options,
                                const std::vector<Header> &headers, BuildCallback callback) {
  // "CL_INVALID_OPERATION if program has no source or IL available"
  if (origin_ != ProgramOrigin::Source && origin_ != ProgramOrigin::IntermediateLanguage)
    return fail(ErrorCode::InvalidOperation, "the program has no source");
  US_TRY(std::vector<size_t> places, beginBuild(devices, options));
  const Job job = [this, options, headers](Device &device, const BuildState &) {
    CompileRequest request = requestFor(options);
    for (const Header &header : headers) request.headers.push_back({header.name, header.program->source()});
    request.link = false;
    return device.compile(request);
  };
  return start(std::move(places), job, std::move(callback));
}

Expected<Ref<Program>> Program::link(Context &context, std::span<const Ref<Device>> devices,
                                     std::span<const Ref<Program>> inputs, const std::string &options,
                                     BuildCallback callback, Expected<void> *outcome) {
  if (runtimeDead()) return failDead();
  if (inputs.empty()) return fail(ErrorCode::InvalidValue, "no programs to link were given");
  if (devices.empty()) devices = context.devices();
  Ref<Program> linked(new Program(context, ProgramOrigin::Linked, {}, {devices.begin(), devices.end()}));

  // "All programs specified by input_programs contain a compiled binary or library for the device" (linked there), or
  // none does (nothing is done there); "All other cases will return a CL_INVALID_OPERATION error."
  auto objects = std::make_shared<std::vector<std::vector<Ref<DeviceProgram>>>>(devices.size());
  std::vector<size_t> places;
  for (size_t i = 0; i < devices.size(); ++i) {
    for (const Ref<Program> &input : inputs) {
      const Expected<BuildState> state = input->stateOn(*devices[i]);
      if (!state) continue;
      if (state->status == BuildStatus::InProgress)
        return fail(ErrorCode::InvalidOperation, "a program to link is still being compiled");
      if (hasObject(*state)) (*objects)[i].push_back(state->program);
    }
    if ((*objects)[i].empty()) continue;
    if ((*objects)[i].size() != inputs.size())
      return fail(ErrorCode::InvalidOperation,
                  "only some of the programs to link are compiled for " + devices[i]->info().name);
    places.push_back(i);
  }
  if (places.empty()) return fail(ErrorCode::InvalidOperation, "no program to link is compiled for any device");
  for (const size_t place : places) {
    linked->states_[place].status = BuildStatus::InProgress;
    linked->states_[place].options = options;
  }
  const Job job = [target = linked.get(), objects, options](Device &device, const BuildState &) {
    return device.link({(*objects)[placeOf(target->devices_, device)], options});
  };
  Expected<void> result = linked->start(std::move(places), job, std::move(callback));
  if (outcome) *outcome = std::move(result);
  return linked;
}

// --- Queries ---

/// "If a program binary has not been built for a sub-device, the program binary associated with the parent device will
/// be used." Called with the mutex held, for a device of the program.
const BuildState &Program::stateFor(const Device &device) const {
  const BuildState &own = states_[placeOf(devices_, device)];
  if (own.status != BuildStatus::None || own.program) return own;
  for (const Device *parent = device.parent(); parent; parent = parent->parent())
    if (const size_t place = placeOf(devices_, *parent); place != kNowhere)
      if (states_[place].status != BuildStatus::None || states_[place].program) return states_[place];
  return own;
}

Expected<BuildState> Program::stateOn(const Device &device) const {
  if (runtimeDead()) return failDead();
  if (placeOf(devices_, device) == kNowhere)
    return fail(ErrorCode::InvalidDevice, "the program is not for the device " + device.info().name);
  std::lock_guard hold(mutex_);
  return stateFor(device);
}

Expected<std::vector<std::byte>> Program::binaryFor(const Device &device) const {
  US_TRY(const BuildState state, stateOn(device));
  if (!state.program) return std::vector<std::byte>();
  return state.program->binary();
}

/// A successful build, or an executable that was loaded and not built yet: many programs make kernels of it right away.
static bool isExecutable(const BuildState &state) {
  bool failed = state.status == BuildStatus::Failed || state.status == BuildStatus::InProgress;
  return !failed && state.kind() == ProgramKind::Executable;
}

Expected<std::vector<std::string>> Program::kernelNames() const {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  for (const BuildState &state : states_) {
    if (!isExecutable(state)) continue;
    std::vector<std::string> names;
    for (const KernelInfo &kernel : state.program->kernels()) names.push_back(kernel.name);
    return names;
  }
  return fail(ErrorCode::InvalidProgramExecutable);
}

Expected<Ref<Kernel>> Program::createKernel(const std::string &name) {
  if (runtimeDead()) return failDead();
  // Held throughout, so that no build begins meanwhile; the devices' programs only look the name up.
  std::lock_guard hold(mutex_);
  Kernel::PerDevice kernels;
  bool anyExecutable = false;
  for (size_t i = 0; i < states_.size(); ++i) {
    const BuildState &state = states_[i];
    if (!isExecutable(state)) continue;
    anyExecutable = true;
    Expected<Ref<DeviceKernel>> kernel = state.program->kernel(name);
    if (!kernel && kernel.error().code == ErrorCode::InvalidKernelName) continue;
    if (!kernel) return std::unexpected(std::move(kernel).error());
    kernels.emplace_back(devices_[i], std::move(*kernel));
  }
  if (!anyExecutable) return fail(ErrorCode::InvalidProgramExecutable);
  if (kernels.empty()) return fail(ErrorCode::InvalidKernelName, "the program has no kernel \"" + name + "\"");
  const KernelInfo &info = kernels.front().second->info();
  for (const auto &[device, kernel] : kernels)
    if (!sameDefinition(info, kernel->info()))
      return fail(ErrorCode::InvalidKernelDefinition, "kernel " + name + " differs between the devices");
  ArgumentBlock arguments(info.arguments);
  return Ref<Kernel>(new Kernel(*this, name, std::move(kernels), std::move(arguments)));
}

} // namespace us::core
