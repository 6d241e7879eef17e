// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_program.h"

#include "runtime/base/list_text.h"
#include "runtime/forward/loader/driver_text.h"
#include "runtime/forward/opencl/kernel_facts.h"

#include <algorithm>
#include <functional>

namespace us::forward {
namespace {

/// The driver's program, until somebody takes it.
class OwnedProgram {
public:
  OwnedProgram(const RealDevice &device, cl_program program) : device_(device), program_(program) {}
  OwnedProgram(OwnedProgram &&other) noexcept
      : device_(other.device_), program_(std::exchange(other.program_, nullptr)) {}
  ~OwnedProgram() {
    if (program_) device_.call().clReleaseProgram(program_);
  }
  cl_program get() const { return program_; }
  cl_program take() { return std::exchange(program_, nullptr); }

private:
  const RealDevice &device_;
  cl_program program_;
};

Expected<OwnedProgram> fromSource(const RealDevice &device, std::string_view source) {
  const char *text = source.data() ? source.data() : "";
  const size_t length = source.size();
  cl_int code = CL_SUCCESS;
  OwnedProgram program(device, device.call().clCreateProgramWithSource(device.context(), 1, &text, &length, &code));
  US_CHECK(driverResult("clCreateProgramWithSource", code));
  return Expected<OwnedProgram>(std::move(program));
}

Expected<OwnedProgram> fromIl(const RealDevice &device, const CompileRequest &request) {
  const cl_icd_dispatch &call = device.call();
  cl_int code = CL_SUCCESS;
  OwnedProgram program(
      device, call.clCreateProgramWithIL(device.context(), request.source.data(), request.source.size(), &code));
  US_CHECK(driverResult("clCreateProgramWithIL", code));
  for (const SpecializationValue &value : request.specializations)
    US_CHECK(driverResult(
        "clSetProgramSpecializationConstant",
        call.clSetProgramSpecializationConstant(program.get(), value.id, value.bytes.size(), value.bytes.data())));
  return Expected<OwnedProgram>(std::move(program));
}

std::string logOf(const RealDevice &device, cl_program program) {
  return textFrom([&](size_t size, void *into, size_t *needed) {
    return device.call().clGetProgramBuildInfo(program, device.id(), CL_PROGRAM_BUILD_LOG, size, into, needed);
  });
}

ProgramKind kindOf(const RealDevice &device, cl_program program) {
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  device.call().clGetProgramBuildInfo(program, device.id(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr);
  switch (type) {
  case CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT:
    return ProgramKind::CompiledObject;
  case CL_PROGRAM_BINARY_TYPE_LIBRARY:
    return ProgramKind::Library;
  case CL_PROGRAM_BINARY_TYPE_EXECUTABLE:
    return ProgramKind::Executable;
  default:
    return ProgramKind::None;
  }
}

std::vector<std::string> kernelNames(const RealDevice &device, cl_program program) {
  const std::string list = textFrom([&](size_t size, void *into, size_t *needed) {
    return device.call().clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, into, needed);
  });
  std::vector<std::string> names;
  // "semi-colon separated list of kernel names"
  for (std::string_view rest = list; !rest.empty();)
    if (const std::string_view name = takeItem(rest, ";"); !name.empty()) names.emplace_back(name);
  return names;
}

const KernelInfo *find(std::span<const KernelInfo> kernels, std::string_view name) {
  const auto found = std::ranges::find(kernels, name, &KernelInfo::name);
  return found == kernels.end() ? nullptr : &*found;
}

} // namespace

Expected<size_t> ForwardedKernel::answer(uint32_t question, std::span<const std::byte> input, void *value,
                                         size_t size) const {
  if (!tellsOfSubGroups(device_->call())) return fail(ErrorCode::InvalidOperation, "the driver has no sub-groups");
  size_t needed = 0;
  US_CHECK(driverResult("clGetKernelSubGroupInfo",
                        device_->call().clGetKernelSubGroupInfo(kernel_, device_->id(), question, input.size(),
                                                                input.data(), size, value, &needed)));
  return needed;
}

Expected<Ref<ForwardedProgram>> ForwardedProgram::create(Ref<RealDevice> device, cl_program program,
                                                         Ref<DeviceProgram> described, KernelList known) {
  Ref<ForwardedProgram> made(new ForwardedProgram(std::move(device), program, std::move(described)));
  made->kind_ = kindOf(*made->device_, program);
  std::span<const KernelInfo> told;
  if (known) told = *known;
  if (made->described_) told = made->described_->kernels();
  if (made->kind_ == ProgramKind::Executable) US_CHECK(made->addKernels(told));
  return made;
}

Expected<void> ForwardedProgram::addKernels(std::span<const KernelInfo> known) {
  std::vector<std::string> names = kernelNames(*device_, program_), ordered;
  // In the order of the source, as far as we know it.
  for (const KernelInfo &kernel : known)
    if (const auto found = std::ranges::find(names, kernel.name); found != names.end()) {
      ordered.push_back(std::move(*found));
      names.erase(found);
    }
  ordered.insert(ordered.end(), names.begin(), names.end());
  for (const std::string &name : ordered) {
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = device_->call().clCreateKernel(program_, name.c_str(), &code);
    US_CHECK(driverResult("clCreateKernel", code));
    Expected<KernelInfo> info = kernelFacts(*device_, kernel, find(known, name));
    device_->call().clReleaseKernel(kernel);
    if (info)
      kernels_.push_back(*std::move(info));
    else
      unknown_.emplace_back(name, std::move(info).error());
  }
  return {};
}

Expected<Ref<DeviceKernel>> ForwardedProgram::kernel(std::string_view name) {
  if (kind_ != ProgramKind::Executable) return fail(ErrorCode::InvalidProgramExecutable);
  for (const KernelInfo &info : kernels_) {
    if (info.name != name) continue;
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = device_->call().clCreateKernel(program_, info.name.c_str(), &code);
    US_CHECK(driverResult("clCreateKernel", code));
    return Ref<DeviceKernel>(makeRef<ForwardedKernel>(device_, Ref<Object>(this), kernel, info));
  }
  for (const auto &[unknown, why] : unknown_)
    if (unknown == name) return std::unexpected(why);
  return fail(ErrorCode::InvalidKernelName, "the program has no kernel \"" + std::string(name) + "\"");
}

Expected<std::vector<std::byte>> ForwardedProgram::binary() {
  // Of a program of one device these are lists of one.
  size_t size = 0;
  US_CHECK(driverResult("clGetProgramInfo", device_->call().clGetProgramInfo(program_, CL_PROGRAM_BINARY_SIZES,
                                                                             sizeof size, &size, nullptr)));
  std::vector<std::byte> bytes(size);
  std::byte *into = bytes.data();
  US_CHECK(driverResult("clGetProgramInfo",
                        device_->call().clGetProgramInfo(program_, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr)));
  device_->knownBinaries().remember(bytes, kernels_);
  return bytes;
}

bool takesIl(const cl_icd_dispatch &call) {
  // Of 2.1 and 2.2: an older driver's table has none.
  return call.clCreateProgramWithIL && call.clSetProgramSpecializationConstant;
}

bool tellsOfSubGroups(const cl_icd_dispatch &call) {
  return call.clGetKernelSubGroupInfo; // of 2.1
}

// --- Builds ---

BuildResult Builder::finish(cl_program taken, const char *call, cl_int code, ErrorCode failure,
                            const std::function<Ref<DeviceProgram>()> &describe) const {
  OwnedProgram program(*device_, taken);
  std::string log = program.get() ? logOf(*device_, program.get()) : std::string();
  if (code != CL_SUCCESS) {
    Error error = driverError(call, code);
    // Some answer a compilation that fails as if it were a build.
    if (code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE || code == CL_LINK_PROGRAM_FAILURE)
      error.code = failure;
    return {std::unexpected(std::move(error)), std::move(log)};
  }
  Expected<Ref<ForwardedProgram>> made = ForwardedProgram::create(device_, program.get(), describe());
  (void)program.take(); // its own now, or released with what could not be made
  if (!made) return {std::unexpected(std::move(made).error()), std::move(log)};
  return {Ref<DeviceProgram>(*std::move(made)), std::move(log)};
}

BuildResult Builder::compile(const CompileRequest &request) const {
  const bool isIl = request.language == SourceLanguage::SpirV;
  if (request.language != SourceLanguage::OpenClC && !(isIl && takesIl(device_->call())))
    return fail(ErrorCode::InvalidOperation, "a program of this kind is not for the driver's compiler");
  Expected<OwnedProgram> program = isIl ? fromIl(*device_, request) : fromSource(*device_, request.source);
  if (!program) return std::unexpected(std::move(program).error());
  const std::string options(request.options);
  const cl_device_id device = device_->id();
  const auto describe = [&]() -> Ref<DeviceProgram> {
    if (!describer_) return nullptr;
    BuildResult result = describer_->compile(request);
    return result ? *result : Ref<DeviceProgram>();
  };
  const cl_icd_dispatch &call = device_->call();
  if (request.link) {
    const cl_int code = call.clBuildProgram(program->get(), 1, &device, options.c_str(), nullptr, nullptr);
    return finish(program->take(), "clBuildProgram", code, ErrorCode::BuildProgramFailure, describe);
  }
  std::vector<OwnedProgram> headers;
  std::vector<cl_program> objects;
  std::vector<std::string> texts;
  std::vector<const char *> names;
  for (const NamedText &header : request.headers) {
    Expected<OwnedProgram> made = fromSource(*device_, header.text);
    if (!made) return std::unexpected(std::move(made).error());
    objects.push_back(made->get());
    headers.push_back(*std::move(made));
    texts.emplace_back(header.name);
  }
  for (const std::string &text : texts) names.push_back(text.c_str());
  const cl_int code = call.clCompileProgram(
      program->get(), 1, &device, options.c_str(), static_cast<cl_uint>(objects.size()),
      objects.empty() ? nullptr : objects.data(), names.empty() ? nullptr : names.data(), nullptr, nullptr);
  return finish(program->take(), "clCompileProgram", code, ErrorCode::CompileProgramFailure, describe);
}

BuildResult Builder::link(const LinkRequest &request) const {
  std::vector<cl_program> objects;
  LinkRequest ours{{}, request.options};
  bool isDescribed = describer_ != nullptr;
  for (const Ref<DeviceProgram> &input : request.inputs) {
    const auto &program = static_cast<const ForwardedProgram &>(*input);
    objects.push_back(program.object());
    isDescribed = isDescribed && program.described();
    ours.inputs.push_back(program.described());
  }
  const std::string options(request.options);
  const cl_device_id device = device_->id();
  cl_int code = CL_SUCCESS;
  const cl_program linked =
      device_->call().clLinkProgram(device_->context(), 1, &device, options.c_str(),
                                    static_cast<cl_uint>(objects.size()), objects.data(), nullptr, nullptr, &code);
  return finish(linked, "clLinkProgram", code, ErrorCode::LinkProgramFailure, [&]() -> Ref<DeviceProgram> {
    if (!isDescribed) return nullptr;
    BuildResult result = describer_->link(ours);
    return result ? *result : Ref<DeviceProgram>();
  });
}

Expected<Ref<DeviceProgram>> Builder::load(std::span<const std::byte> binary) const {
  const auto refuse = [](const std::string &why) { return fail(ErrorCode::InvalidBinary, why); };
  if (binary.empty()) return refuse("the binary is empty");
  const cl_device_id device = device_->id();
  const auto *bytes = reinterpret_cast<const unsigned char *>(binary.data());
  const size_t size = binary.size();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  const cl_icd_dispatch &call = device_->call();
  OwnedProgram program(*device_,
                       call.clCreateProgramWithBinary(device_->context(), 1, &device, &size, &bytes, &status, &code));
  if (code != CL_SUCCESS || status != CL_SUCCESS)
    return refuse(driverError("clCreateProgramWithBinary", code != CL_SUCCESS ? code : status).message);
  // "If a program is created with clCreateProgramWithBinary, clBuildProgram must be called to ... build a program
  // executable": objects and libraries are for the linker.
  const ProgramKind kind = kindOf(*device_, program.get());
  if (kind != ProgramKind::CompiledObject && kind != ProgramKind::Library)
    if (const cl_int built = call.clBuildProgram(program.get(), 1, &device, "", nullptr, nullptr); built != CL_SUCCESS)
      return refuse(driverError("clBuildProgram", built).message);
  US_TRY(Ref<ForwardedProgram> made,
         ForwardedProgram::create(device_, program.take(), nullptr, device_->knownBinaries().find(binary)));
  return Ref<DeviceProgram>(std::move(made));
}

} // namespace us::forward
