// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/module.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/file.h"
#include "icd/cuda/image.h"
#include "icd/cuda/jit_options.h"
#include "icd/cuda/library.h"
#include "icd/cuda/memory.h"
#include "icd/cuda/ptx_text.h"
#include "runtime/device/device_functions.h"

#include <algorithm>
#include <chrono>

namespace us::cuda {
namespace {

auto &modules() {
  static auto &set = *new HandleSet<Module, CUmodule>;
  return set;
}
auto &functions() {
  static auto &set = *new HandleSet<Function, CUfunction>;
  return set;
}

/// What the information log says of a build that went well.
std::string report(const Device &device, const JitOptions &options, const std::string &log) {
  const int64_t capability = attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR).value_or(0) * 10 +
                             attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR).value_or(0);
  if (options.target <= capability) return log;
  return log + format("compiling for compute capability {}.{}: the device has {}.{}\n", options.target / 10,
                      options.target % 10, capability / 10, capability % 10);
}

Expected<void> load(CUmodule *handle, Expected<std::string> ptx, unsigned count, CUjit_option *jitOptions,
                    void **values) {
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const JitOptions options, JitOptions::read(count, jitOptions, values));
  US_TRY(const Ref<Module> module, loadModule(*context, std::move(ptx), options));
  *handle = handleOf(*module);
  return {};
}

void forget(Module &module) {
  module.close();
  functions().removeIf([&](const Function &function) { return &function.module() == &module; });
}

} // namespace

std::span<const ArgumentInfo> Function::parameters() const {
  std::span<const ArgumentInfo> all = info().arguments;
  const bool hidden = !all.empty() && all.back().kind == ArgumentKind::LocalPointer;
  return hidden ? all.first(all.size() - 1) : all;
}

std::vector<std::string> Module::kernelNames() const {
  if (parts_) return parts_->kernels();
  std::vector<std::string> names;
  for (const KernelInfo &kernel : program_->kernels()) names.push_back(kernel.name);
  return names;
}

Expected<Ref<DeviceProgram>> Module::build(const std::string &part) {
  CompileRequest request;
  request.source = part;
  request.language = SourceLanguage::Ptx;
  BuildResult built = context_->device().compile(request);
  if (!built) return std::unexpected(Error{built.error().code, built.log.empty() ? built.error().message : built.log});
  return *std::move(built);
}

Expected<Ref<DeviceProgram>> Module::common() {
  if (!program_) {
    US_TRY(program_, build(parts_->commonPart()));
  }
  return program_;
}

Expected<Ref<DeviceProgram>> Module::programOf(const std::string &variable) {
  std::lock_guard hold(building_);
  if (parts_ && !parts_->hasVariable(variable))
    return fail(CUDA_ERROR_NOT_FOUND, format("the module has no variable '{}'", variable));
  return common();
}

Expected<Ref<DeviceProgram>> Module::programWith(const std::string &kernel) {
  std::lock_guard hold(building_);
  if (parts_ && !parts_->hasKernel(kernel))
    return fail(CUDA_ERROR_NOT_FOUND, format("the module has no kernel '{}'", kernel));
  const std::optional<std::string> part = parts_ ? parts_->partOf(kernel) : std::nullopt;
  return part ? build(*part) : common();
}

Expected<Ref<Function>> Module::function(const std::string &name) {
  const auto known = [&]() -> Expected<Ref<Function>> {
    if (isClosed_) return fail(CUDA_ERROR_INVALID_HANDLE, "the module has been unloaded");
    const auto found = functions_.find(name);
    return found == functions_.end() ? Ref<Function>() : found->second;
  };
  {
    std::lock_guard hold(mutex_);
    US_TRY(Ref<Function> function, known());
    if (function) return function;
  }
  US_TRY(Ref<DeviceProgram> program, programWith(name));
  US_TRY(Ref<DeviceKernel> kernel, program->kernel(name));
  std::lock_guard hold(mutex_);
  US_TRY(Ref<Function> function, known()); // another thread may have been here meanwhile
  if (function) return function;
  function = Ref<Function>(new Function(*this, name, std::move(program), std::move(kernel)));
  functions().add(function);
  functions_[name] = function;
  return function;
}

void Module::close() {
  std::map<std::string, Ref<Function>> gone; // destroyed with no lock held
  std::lock_guard hold(mutex_);
  isClosed_ = true;
  gone.swap(functions_);
}

Expected<Ref<Function>> Module::functionAt(uint64_t address) {
  std::string name;
  bool isClosed;
  {
    std::lock_guard hold(mutex_);
    if (addresses_.empty())
      for (const std::string &kernel : kernelNames()) addresses_[addressOfDeviceFunction(kernel)] = kernel;
    const auto found = addresses_.find(address);
    if (found == addresses_.end())
      return fail(CUDA_ERROR_NOT_FOUND, format("no kernel has the address {:#x}", address));
    name = found->second;
    isClosed = isClosed_;
  }
  if (!isClosed) return function(name);
  US_TRY(Ref<DeviceProgram> program, programWith(name)); // nobody keeps this one
  US_TRY(Ref<DeviceKernel> kernel, program->kernel(name));
  return Ref<Function>(new Function(*this, name, std::move(program), std::move(kernel)));
}

bool Module::isManaged(const std::string &variable) {
  if (ptx_->find(".managed") == ptx_->npos) return false;
  for (const PtxSymbol &symbol : outlineOf(*ptx_).symbols)
    if (symbol.name == variable) return symbol.isManaged;
  return false;
}

KernelText Module::textOf(const std::string &kernel) {
  std::lock_guard hold(mutex_);
  if (texts_.empty()) {
    const PtxOutline outline = outlineOf(*ptx_);
    uint64_t constBytes = 0;
    for (const PtxSymbol &symbol : outline.symbols)
      if (symbol.space == "const") constBytes += symbol.size;
    for (const PtxSymbol &symbol : outline.symbols) {
      if (symbol.kind != PtxKind::Kernel || !symbol.isDefinition) continue;
      // Virtual registers are many more than a device would take: a number that grows with them, lets full blocks fit,
      // and keeps below what was asked for.
      unsigned registers = unsigned(std::clamp<uint64_t>(8 + symbol.registers / 4, 16, 64));
      for (const unsigned most : {mostRegisters_, symbol.mostRegisters})
        if (most != 0) registers = std::min(registers, most);
      texts_[std::string(symbol.name)] = {constBytes, symbol.localBytes, registers};
    }
  }
  const auto found = texts_.find(kernel);
  return found == texts_.end() ? KernelText{} : found->second;
}

CUmodule handleOf(Module &module) { return handleTo<CUmodule>(module); }

Expected<Ref<Module>> loadModule(Context &context, const std::shared_ptr<const std::string> &ptx,
                                 std::optional<PtxParts> parts, const JitOptions &options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto finish = [&](const std::string &info, const std::string &error) {
    options.write(info, error,
                  std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count());
  };
  const auto add = [&](Ref<DeviceProgram> program) {
    Ref<Module> module(new Module(context, std::move(program), std::move(parts), ptx, options.mostRegisters));
    modules().add(module);
    return module;
  };
  if (parts) {
    finish(report(context.device(), options, ""), "");
    return add(nullptr);
  }
  CompileRequest request;
  request.source = *ptx;
  request.language = SourceLanguage::Ptx;
  BuildResult built = context.device().compile(request);
  if (!built) {
    finish("", built.log);
    const std::string &message = built.log.empty() ? built.error().message : built.log;
    if (const PtxOutline outline = outlineOf(*ptx); outline.major * 10 + outline.minor > 90)
      return fail(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, message);
    return std::unexpected(Error{built.error().code, message});
  }
  finish(report(context.device(), options, built.log), "");
  return add(*std::move(built));
}

Expected<Ref<Module>> loadModule(Context &context, Expected<std::string> ptx, const JitOptions &options) {
  if (!ptx) {
    options.write("", "error: " + ptx.error().message + "\n", 0);
    return std::unexpected(ptx.error());
  }
  const auto text = std::make_shared<const std::string>(*std::move(ptx));
  return loadModule(context, text, PtxParts::of(text), options);
}

void unloadModule(Module &module) {
  const Ref<Module> keep = modules().remove(handleOf(module));
  forget(module);
}

Expected<Ref<Module>> moduleOf(CUmodule handle) {
  Ref<Module> module = modules().find(handle);
  if (!module) return fail(CUDA_ERROR_INVALID_HANDLE, "the module is not valid");
  return module;
}

Expected<Ref<Function>> functionOf(CUfunction handle) {
  Ref<Function> function = functions().find(handle);
  // "A CUkernel may be given in the place of a function": it means the one of the current context.
  if (!function && isKernel(reinterpret_cast<CUkernel>(handle)))
    return functionOfKernel(reinterpret_cast<CUkernel>(handle));
  if (!function) return fail(CUDA_ERROR_INVALID_HANDLE, "the function is not valid");
  return function;
}

CUfunction handleOf(Function &function) { return handleTo<CUfunction>(function); }

void forgetModulesOf(const Context &context) {
  functions().removeIf([&](const Function &function) { return &function.context() == &context; });
  for (const Ref<Module> &module : modules().removeIf([&](const Module &one) { return &one.context() == &context; }))
    module->close();
}

Expected<void> moduleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                void **values) {
  US_CHECK(checkOut(module, "the result"));
  return load(module, ptxOf(image), count, options, values);
}

Expected<void> moduleLoadData(CUmodule *module, const void *image) {
  return moduleLoadDataEx(module, image, 0, nullptr, nullptr);
}

Expected<void> moduleLoadFatBinary(CUmodule *module, const void *image) {
  return moduleLoadDataEx(module, image, 0, nullptr, nullptr);
}

Expected<void> moduleLoad(CUmodule *module, const char *path) {
  US_CHECK(checkOut(module, "the result"));
  US_CHECK(currentContext());
  US_TRY(const std::string bytes, readFile(path));
  return load(module, ptxOfFile(bytes), 0, nullptr, nullptr);
}

Expected<void> moduleUnload(CUmodule handle) {
  US_CHECK(currentContext());
  const Ref<Module> module = modules().remove(handle);
  if (!module) return fail(CUDA_ERROR_INVALID_HANDLE, "the module is not valid");
  // Launches that are under way keep the program.
  forget(*module);
  return {};
}

Expected<void> moduleGetFunctionCount(unsigned *count, CUmodule handle) {
  US_CHECK(checkOut(count, "the result"));
  US_TRY(const Ref<Module> module, moduleOf(handle));
  *count = unsigned(module->kernelNames().size());
  return {};
}

Expected<void> moduleEnumerateFunctions(CUfunction *into, unsigned count, CUmodule handle) {
  US_CHECK(checkOut(into, "the result"));
  US_TRY(const Ref<Module> module, moduleOf(handle));
  const std::vector<std::string> names = module->kernelNames();
  for (size_t i = 0; i < std::min<size_t>(count, names.size()); ++i) {
    US_TRY(const Ref<Function> function, module->function(names[i]));
    into[i] = handleOf(*function);
  }
  return {};
}

Expected<void> moduleGetLoadingMode(CUmoduleLoadingMode *mode) {
  US_CHECK(checkOut(mode, "the result"));
  US_CHECK(checkInitialised());
  *mode = CU_MODULE_LAZY_LOADING;
  return {};
}

Expected<void> moduleGetFunction(CUfunction *function, CUmodule handle, const char *name) {
  US_CHECK(checkOut(function, "the result"));
  US_CHECK(checkOut(name, "the name"));
  US_CHECK(currentContext());
  US_TRY(const Ref<Module> module, moduleOf(handle));
  US_TRY(const Ref<Function> found, module->function(name));
  *function = handleOf(*found);
  return {};
}

Expected<void> moduleGetGlobal(CUdeviceptr *pointer, size_t *size, CUmodule handle, const char *name) {
  US_CHECK(checkOut(name, "the name"));
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const Ref<Module> module, moduleOf(handle));
  US_TRY(const Ref<DeviceProgram> program, module->programOf(name));
  const Expected<DeviceVariable> place = program->variable(name);
  if (!place) {
    if (place.error().code == ErrorCode::InvalidValue) return fail(CUDA_ERROR_NOT_FOUND, place.error().message);
    return std::unexpected(place.error());
  }
  if (!findMemory(place->address))
    addMemory(place->address, place->size,
              {.kind = MemoryKind::Variable,
               .context = &module->context(),
               .owner = Ref<Object>(program.get()),
               .isManagedVariable = module->isManaged(name)});
  if (pointer) *pointer = place->address;
  if (size) *size = place->size;
  return {};
}

} // namespace us::cuda
