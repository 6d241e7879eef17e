// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/library.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/file.h"
#include "icd/cuda/image.h"
#include "icd/cuda/jit_options.h"
#include "icd/cuda/ptx_text.h"

#include <algorithm>

namespace us::cuda {
namespace {

class Library;

class Kernel final : public Object {
public:
  Kernel(Library &library, std::string name);

  Library &library() const { return *library_; }
  const std::string &name() const { return name_; }

private:
  const Ref<Library> library_; ///< another thread may unload it meanwhile
  const std::string name_;
};

class Library final : public Object {
public:
  Library(std::shared_ptr<const std::string> ptx, std::optional<PtxParts> parts, JitOptions options)
      : ptx_(std::move(ptx)), parts_(std::move(parts)), options_(std::move(options)) {
    for (const PtxSymbol &symbol : parts_ ? parts_->outline().symbols : outlineOf(*ptx_).symbols) {
      if (symbol.kind == PtxKind::Kernel && symbol.isDefinition) names_.emplace_back(symbol.name);
      if (symbol.isManaged && symbol.isDefinition) managed_.emplace_back(symbol.name);
    }
  }

  const std::vector<std::string> &names() const { return names_; }
  bool isManaged(std::string_view variable) const {
    return std::find(managed_.begin(), managed_.end(), variable) != managed_.end();
  }

  /// The module of the current context, made at the first call.
  Expected<Ref<Module>> module() {
    US_TRY(const Ref<Context> context, currentContext());
    return module(*context);
  }
  /// The same of another context.
  Expected<Ref<Module>> module(Context &context) {
    std::lock_guard hold(mutex_);
    if (isUnloaded_) return fail(CUDA_ERROR_INVALID_HANDLE, "the library has been unloaded");
    if (const auto found = modules_.find(&context); found != modules_.end()) return found->second;
    US_TRY(Ref<Module> made, loadModule(context, ptx_, parts_, options_));
    modules_[&context] = made;
    return made;
  }

  Expected<Ref<Kernel>> kernel(const std::string &name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end())
      return fail(CUDA_ERROR_NOT_FOUND, format("the library has no kernel '{}'", name));
    std::lock_guard hold(mutex_);
    if (isUnloaded_) return fail(CUDA_ERROR_INVALID_HANDLE, "the library has been unloaded");
    Ref<Kernel> &kernel = kernels_[name];
    if (!kernel) kernel = Ref<Kernel>(new Kernel(*this, name));
    return kernel;
  }

  void forget(const Context &context) {
    std::lock_guard hold(mutex_);
    modules_.erase(&context);
  }
  /// The library and its kernels keep each other; this ends it.
  void unload() {
    std::map<const Context *, Ref<Module>> gone;
    std::map<std::string, Ref<Kernel>> kernels;
    {
      std::lock_guard hold(mutex_);
      isUnloaded_ = true;
      gone.swap(modules_);
      kernels.swap(kernels_);
    }
    for (const auto &[context, module] : gone) unloadModule(*module);
  }

private:
  const std::shared_ptr<const std::string> ptx_;
  const std::optional<PtxParts> parts_;
  const JitOptions options_;
  std::vector<std::string> names_, managed_;
  std::mutex mutex_; // guards all below
  std::map<const Context *, Ref<Module>> modules_;
  std::map<std::string, Ref<Kernel>> kernels_;
  bool isUnloaded_ = false;
};

Kernel::Kernel(Library &library, std::string name) : library_(&library), name_(std::move(name)) {}

struct Live {
  std::mutex mutex; // guards all
  std::map<CUlibrary, Ref<Library>> libraries;
  std::map<CUkernel, Ref<Kernel>> kernels;
};
Live &live() {
  static auto &all = *new Live;
  return all;
}

Expected<Ref<Library>> libraryOf(CUlibrary handle) {
  US_CHECK(checkInitialised());
  std::lock_guard hold(live().mutex);
  const auto found = live().libraries.find(handle);
  if (found == live().libraries.end()) return fail(CUDA_ERROR_INVALID_HANDLE, "the library is not valid");
  return found->second;
}

Ref<Kernel> findKernel(CUkernel handle) {
  std::lock_guard hold(live().mutex);
  const auto found = live().kernels.find(handle);
  return found == live().kernels.end() ? nullptr : found->second;
}

Expected<Ref<Kernel>> kernelOf(CUkernel handle) {
  US_CHECK(checkInitialised());
  Ref<Kernel> kernel = findKernel(handle);
  if (!kernel) return fail(CUDA_ERROR_INVALID_HANDLE, "the kernel is not valid");
  return kernel;
}

CUkernel show(const Ref<Kernel> &kernel) {
  std::lock_guard hold(live().mutex);
  const auto handle = handleTo<CUkernel>(*kernel);
  live().kernels[handle] = kernel;
  return handle;
}

Expected<void> load(CUlibrary *library, Expected<std::string> image, unsigned jitCount, CUjit_option *jitOptions,
                    void **jitValues, unsigned count, const CUlibraryOption *options) {
  US_TRY(const JitOptions read, JitOptions::read(jitCount, jitOptions, jitValues));
  for (unsigned i = 0; i < count; ++i)
    if (!options || options[i] < 0 || options[i] >= CU_LIBRARY_NUM_OPTIONS)
      return fail(CUDA_ERROR_INVALID_VALUE, "a library option that there is not");
  US_TRY(std::string text, std::move(image));
  const auto ptx = std::make_shared<const std::string>(std::move(text));
  std::optional<PtxParts> parts = PtxParts::of(ptx);
  // What is wrong with it is said at once, unless it is in parts; every context makes its own later.
  if (parts) {
    read.write("", "", 0);
  } else {
    CompileRequest request;
    request.source = *ptx;
    request.language = SourceLanguage::Ptx;
    US_TRY(Device & first, deviceAt(0));
    const BuildResult built = first.compile(request);
    read.write(built ? built.log : "", built ? "" : built.log, 0);
    if (!built) return std::unexpected(Error{built.error().code, built.log});
  }
  JitOptions kept;
  kept.target = read.target;
  kept.mostRegisters = read.mostRegisters;
  const Ref<Library> made(new Library(ptx, std::move(parts), kept));
  std::lock_guard hold(live().mutex);
  *library = handleTo<CUlibrary>(*made);
  live().libraries[*library] = made;
  return {};
}

/// The calling thread's context must be one of that device.
Expected<Ref<Function>> functionOn(CUkernel handle, CUdevice number) {
  US_CHECK(deviceAt(number));
  US_TRY(const Ref<Context> context, currentContext());
  if (context->number() != number)
    return fail(CUDA_ERROR_INVALID_CONTEXT, format("the current context is not one of device {}", number));
  return functionOfKernel(handle);
}

} // namespace

bool isKernel(CUkernel handle) { return findKernel(handle) != nullptr; }

Expected<Ref<Function>> functionOfKernel(CUkernel handle) {
  US_TRY(const Ref<Context> context, currentContext());
  return functionOfKernel(handle, *context);
}

Expected<Ref<Function>> functionOfKernel(CUkernel handle, Context &context) {
  US_TRY(const Ref<Kernel> kernel, kernelOf(handle));
  US_TRY(const Ref<Module> module, kernel->library().module(context));
  return module->function(kernel->name());
}

void forgetLibraryModulesOf(const Context &context) {
  std::lock_guard hold(live().mutex);
  for (const auto &[handle, library] : live().libraries) library->forget(context);
}

Expected<void> libraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitValues,
                               unsigned jitCount, CUlibraryOption *options, void **, unsigned count) {
  US_CHECK(checkOut(library, "the result"));
  US_CHECK(checkInitialised());
  return load(library, ptxOf(code), jitCount, jitOptions, jitValues, count, options);
}

Expected<void> libraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jitOptions, void **jitValues,
                                   unsigned jitCount, CUlibraryOption *options, void **, unsigned count) {
  US_CHECK(checkOut(library, "the result"));
  US_CHECK(checkInitialised());
  US_TRY(const std::string bytes, readFile(path));
  return load(library, ptxOfFile(bytes), jitCount, jitOptions, jitValues, count, options);
}

Expected<void> libraryUnload(CUlibrary handle) {
  US_TRY(const Ref<Library> library, libraryOf(handle));
  {
    std::lock_guard hold(live().mutex);
    live().libraries.erase(handle);
    std::erase_if(live().kernels, [&](const auto &entry) { return &entry.second->library() == library.get(); });
  }
  library->unload();
  return {};
}

Expected<void> libraryGetKernel(CUkernel *kernel, CUlibrary handle, const char *name) {
  US_CHECK(checkOut(kernel, "the result"));
  US_CHECK(checkOut(name, "the name"));
  US_TRY(const Ref<Library> library, libraryOf(handle));
  US_TRY(const Ref<Kernel> found, library->kernel(name));
  *kernel = show(found);
  return {};
}

Expected<void> libraryGetKernelCount(unsigned *count, CUlibrary handle) {
  US_CHECK(checkOut(count, "the result"));
  US_TRY(const Ref<Library> library, libraryOf(handle));
  *count = unsigned(library->names().size());
  return {};
}

Expected<void> libraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary handle) {
  US_CHECK(checkOut(kernels, "the result"));
  US_TRY(const Ref<Library> library, libraryOf(handle));
  for (size_t i = 0; i < std::min<size_t>(count, library->names().size()); ++i) {
    US_TRY(const Ref<Kernel> found, library->kernel(library->names()[i]));
    kernels[i] = show(found);
  }
  return {};
}

Expected<void> libraryGetModule(CUmodule *module, CUlibrary handle) {
  US_CHECK(checkOut(module, "the result"));
  US_TRY(const Ref<Library> library, libraryOf(handle));
  US_TRY(const Ref<Module> found, library->module());
  *module = handleOf(*found);
  return {};
}

Expected<void> libraryGetGlobal(CUdeviceptr *pointer, size_t *size, CUlibrary handle, const char *name) {
  US_TRY(const Ref<Library> library, libraryOf(handle));
  US_TRY(const Ref<Module> module, library->module());
  return moduleGetGlobal(pointer, size, handleOf(*module), name);
}

/// The host reads them where they are, as it can all variables of emulated devices.
Expected<void> libraryGetManaged(CUdeviceptr *pointer, size_t *size, CUlibrary handle, const char *name) {
  US_CHECK(checkOut(name, "the name"));
  US_TRY(const Ref<Library> library, libraryOf(handle));
  if (!library->isManaged(name))
    return fail(CUDA_ERROR_NOT_FOUND, format("the library has no managed variable '{}'", name));
  return libraryGetGlobal(pointer, size, handle, name);
}

/// "Unified" functions are ones that host and device both call.
Expected<void> libraryGetUnifiedFunction(void **function, CUlibrary handle, const char *name) {
  US_CHECK(checkOut(function, "the result"));
  US_CHECK(checkOut(name, "the name"));
  US_CHECK(libraryOf(handle));
  return fail(CUDA_ERROR_NOT_FOUND, format("the library has no unified function '{}'", name));
}

Expected<void> kernelGetFunction(CUfunction *function, CUkernel handle) {
  US_CHECK(checkOut(function, "the result"));
  US_TRY(const Ref<Function> found, functionOfKernel(handle));
  *function = handleOf(*found);
  return {};
}

Expected<void> kernelGetLibrary(CUlibrary *library, CUkernel handle) {
  US_CHECK(checkOut(library, "the result"));
  US_TRY(const Ref<Kernel> kernel, kernelOf(handle));
  *library = handleTo<CUlibrary>(kernel->library());
  return {};
}

Expected<void> kernelGetName(const char **name, CUkernel handle) {
  US_CHECK(checkOut(name, "the result"));
  US_TRY(const Ref<Kernel> kernel, kernelOf(handle));
  *name = kernel->name().c_str();
  return {};
}

Expected<void> kernelGetParamInfo(CUkernel handle, size_t index, size_t *offset, size_t *size) {
  US_TRY(const Ref<Function> function, functionOfKernel(handle));
  return funcGetParamInfo(handleOf(*function), index, offset, size);
}

Expected<void> kernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel handle, CUdevice device) {
  US_TRY(const Ref<Function> function, functionOn(handle, device));
  return funcGetAttribute(value, attribute, handleOf(*function));
}

Expected<void> kernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle, CUdevice device) {
  US_TRY(const Ref<Function> function, functionOn(handle, device));
  return funcSetAttribute(handleOf(*function), attribute, value);
}

Expected<void> kernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice device) {
  US_TRY(const Ref<Function> function, functionOn(handle, device));
  return funcSetCacheConfig(handleOf(*function), config);
}

} // namespace us::cuda
