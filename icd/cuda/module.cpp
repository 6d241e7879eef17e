// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/module.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/image.h"
#include "icd/cuda/jit_options.h"
#include "icd/cuda/memory.h"

#include <chrono>
#include <fstream>
#include <sstream>

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

Expected<void> load(CUmodule *handle, const void *image, unsigned count, CUjit_option *jitOptions, void **values) {
  US_CHECK(checkOut(handle, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const JitOptions options, JitOptions::read(count, jitOptions, values));
  const auto begin = std::chrono::steady_clock::now();
  const auto finish = [&](const std::string &info, const std::string &error) {
    options.write(info, error,
                  std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count());
  };
  const Expected<std::string> ptx = ptxOf(image);
  if (!ptx) {
    finish("", "error: " + ptx.error().message + "\n");
    return std::unexpected(ptx.error());
  }
  CompileRequest request;
  request.source = *ptx;
  request.language = SourceLanguage::Ptx;
  BuildResult built = context->device().compile(request);
  if (!built.program) {
    finish("", built.log);
    return std::unexpected(Error{built.error.code, built.log.empty() ? built.error.message : built.log});
  }
  finish(report(context->device(), options, built.log), "");
  *handle = modules().add(Ref<Module>(new Module(*context, std::move(built.program))));
  return {};
}

void forget(Module &module) {
  functions().removeIf([&](const Function &function) { return &function.module() == &module; });
}

} // namespace

std::span<const ArgumentInfo> Function::parameters() const {
  std::span<const ArgumentInfo> all = info().arguments;
  const bool hidden = !all.empty() && all.back().kind == ArgumentKind::LocalPointer;
  return hidden ? all.first(all.size() - 1) : all;
}

Expected<Ref<Function>> Module::function(const std::string &name) {
  std::lock_guard hold(mutex_);
  if (const auto found = functions_.find(name); found != functions_.end()) return found->second;
  US_TRY(Ref<DeviceKernel> kernel, program_->kernel(name));
  Ref<Function> function(new Function(*this, name, std::move(kernel)));
  functions().add(function);
  functions_[name] = function;
  return function;
}

Expected<Ref<Module>> moduleOf(CUmodule handle) {
  Ref<Module> module = modules().find(handle);
  if (!module) return fail(CUDA_ERROR_INVALID_HANDLE, "the module is not valid");
  return module;
}

Expected<Ref<Function>> functionOf(CUfunction handle) {
  Ref<Function> function = functions().find(handle);
  if (!function) return fail(CUDA_ERROR_INVALID_HANDLE, "the function is not valid");
  return function;
}

CUfunction handleOf(Function &function) { return reinterpret_cast<CUfunction>(&function); }

void forgetModulesOf(const Context &context) {
  functions().removeIf([&](const Function &function) { return &function.context() == &context; });
  modules().removeIf([&](const Module &module) { return &module.context() == &context; });
}

Expected<void> moduleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                void **values) {
  return load(module, image, count, options, values);
}

Expected<void> moduleLoadData(CUmodule *module, const void *image) { return load(module, image, 0, nullptr, nullptr); }

Expected<void> moduleLoadFatBinary(CUmodule *module, const void *image) {
  return load(module, image, 0, nullptr, nullptr);
}

Expected<void> moduleLoad(CUmodule *module, const char *path) {
  US_CHECK(checkOut(path, "the file's name"));
  US_CHECK(currentContext());
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail(CUDA_ERROR_FILE_NOT_FOUND, format("{} cannot be read", path));
  return load(module, text.str().c_str(), 0, nullptr, nullptr);
}

Expected<void> moduleUnload(CUmodule handle) {
  US_CHECK(currentContext());
  const Ref<Module> module = modules().remove(handle);
  if (!module) return fail(CUDA_ERROR_INVALID_HANDLE, "the module is not valid");
  // Launches that are under way keep the program.
  forget(*module);
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
  const Expected<std::span<std::byte>> place = module->program().variable(name);
  if (!place) {
    if (place.error().code == ErrorCode::InvalidValue) return fail(CUDA_ERROR_NOT_FOUND, place.error().message);
    return std::unexpected(place.error());
  }
  const auto begin = reinterpret_cast<uint64_t>(place->data());
  addMemory({begin, place->size(), MemoryKind::Variable, 0, &module->context(), Ref<Object>(&module->program())});
  if (pointer) *pointer = begin;
  if (size) *size = place->size();
  return {};
}

} // namespace us::cuda
