// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cudart/registry.h"

#include "frontend/cuda/ptx_container.h"
#include "icd/cudart/thread_state.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace us::cudart {
namespace {

/// What objects have in the section .nvFatBinSegment.
struct Wrapper {
  unsigned magic, version;
  const void *image;
  void *linked;
};
constexpr unsigned kWrapperMagic = 0x466243b1;

struct ManagedVariable {
  void **address;
  std::string name;
};

/// One image, or the parts of one, and the library that the driver made of it.
class Binary {
public:
  explicit Binary(const void *image) { parts_.push_back(image); }
  void add(const void *part) { parts_.push_back(part); }

  cudaError_t library(CUlibrary *library) {
    std::call_once(loaded_, [&] { error_ = load(); });
    *library = library_;
    return error_;
  }
  void unload() {
    if (library_) driver().cuLibraryUnload(library_);
  }

  std::vector<ManagedVariable> managed; ///< whose addresses the host wants to know

private:
  cudaError_t load() {
    US_RETURN_IF_ERROR(startDriver());
    std::vector<const void *> codes = parts_;
    for (const void *&code : codes)
      if (isPtxContainer(code)) US_RETURN_IF_ERROR(choosePtx(&code));
    if (codes.size() == 1) return load(codes.front());
    // Relocatable code of several objects is linked now.
    CUlinkState link = nullptr;
    US_RETURN_IF_ERROR(errorOf(driver().cuLinkCreate_v2(0, nullptr, nullptr, &link)));
    cudaError_t error = cudaSuccess;
    for (const void *code : codes)
      if (error == cudaSuccess)
        error = errorOf(driver().cuLinkAddData_v2(link, CU_JIT_INPUT_PTX, const_cast<void *>(code),
                                                  std::strlen(static_cast<const char *>(code)) + 1, nullptr, 0, nullptr,
                                                  nullptr));
    void *linked = nullptr;
    size_t size = 0;
    if (error == cudaSuccess) error = errorOf(driver().cuLinkComplete(link, &linked, &size));
    if (error == cudaSuccess) error = load(linked);
    driver().cuLinkDestroy(link);
    return error;
  }

  cudaError_t load(const void *code) {
    return errorOf(driver().cuLibraryLoadData(&library_, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  }

  /// The newest PTX that the device can run; every driver takes it.
  static cudaError_t choosePtx(const void **code) {
    int device = 0, major = 0, minor = 0;
    US_RETURN_IF_ERROR(currentDevice(&device));
    driver().cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    driver().cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    PtxContainerHeader header;
    std::memcpy(&header, *code, sizeof(header));
    const auto texts = readPtxContainer({static_cast<const char *>(*code), header.size});
    if (!texts || texts->empty()) return cudaErrorInvalidKernelImage;
    const PtxText *best = nullptr, *oldest = &texts->front();
    for (const PtxText &text : *texts) {
      const bool fits = text.architecture <= static_cast<unsigned>(major * 10 + minor);
      if (fits && (!best || text.architecture > best->architecture)) best = &text;
      if (text.architecture < oldest->architecture) oldest = &text;
    }
    // A driver says itself what it thinks of code for a newer device; ours runs it.
    *code = (best ? best : oldest)->text.data();
    return cudaSuccess;
  }

  std::vector<const void *> parts_; ///< changed by the registry only, before anything is used
  std::once_flag loaded_;
  CUlibrary library_ = nullptr;
  cudaError_t error_ = cudaSuccess;
};

struct Function {
  Binary *binary;
  std::string name;
  std::atomic<CUkernel> kernel{nullptr};
};

struct KnownVariable {
  Binary *binary;
  std::string name;
};

struct KnownTexture {
  Binary *binary;
  std::string name;
  bool isNormalized;
  size_t offset = 0;
};

struct Registry {
  std::shared_mutex mutex; // guards all below; what is in them stays where it is
  std::unordered_map<Binary *, std::unique_ptr<Binary>> binaries;
  std::unordered_map<const void *, Binary *> linked; ///< by the place of the program or library that has the parts
  std::unordered_map<const void *, std::unique_ptr<Function>> functions;
  std::unordered_map<const void *, KnownVariable> variables;
  std::unordered_map<const void *, KnownTexture> textures;
  std::unordered_map<const void *, KnownVariable> surfaces;
  std::unordered_map<const void *, CUlibrary> kernels; ///< whose handles the program has
};
/// Made by the first object that is loaded, and never destroyed: objects go after us.
Registry &registry() {
  static auto &all = *new Registry;
  return all;
}

/// "__fatBinC_Wrapper_t": whatever else somebody calls us with is taken for the image itself.
const void *imageOf(const void *wrapper) {
  const auto *segment = static_cast<const Wrapper *>(wrapper);
  return segment->magic == kWrapperMagic ? segment->image : wrapper;
}

Binary *binaryOf(void **handle) { return reinterpret_cast<Binary *>(handle); }

/// What is known of that address of the program's, or the error.
template <class Known>
cudaError_t find(std::unordered_map<const void *, Known> Registry::*table, const void *address, cudaError_t error,
                 Known *known) {
  std::shared_lock hold(registry().mutex);
  const auto found = (registry().*table).find(address);
  if (found == (registry().*table).end()) return error;
  *known = found->second;
  return cudaSuccess;
}

/// In the calling thread's context.
cudaError_t moduleOf(Binary &binary, CUmodule *module) {
  CUlibrary library = nullptr;
  US_RETURN_IF_ERROR(binary.library(&library));
  return errorOf(driver().cuLibraryGetModule(module, library));
}

cudaError_t kernelOf(Function &function, CUkernel *kernel) {
  if (CUkernel known = function.kernel.load(std::memory_order_acquire)) {
    *kernel = known;
    return cudaSuccess;
  }
  CUlibrary library = nullptr;
  US_RETURN_IF_ERROR(function.binary->library(&library));
  const CUresult result = driver().cuLibraryGetKernel(kernel, library, function.name.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) return cudaErrorInvalidDeviceFunction;
  if (result == CUDA_SUCCESS) function.kernel.store(*kernel, std::memory_order_release);
  return errorOf(result);
}

} // namespace

cudaError_t kernelOf(const void *hostFunction, CUkernel *kernel) {
  Function *function = nullptr;
  {
    std::shared_lock hold(registry().mutex);
    const auto found = registry().functions.find(hostFunction);
    if (found == registry().functions.end() && registry().kernels.contains(hostFunction)) {
      *kernel = reinterpret_cast<CUkernel>(const_cast<void *>(hostFunction));
      return cudaSuccess;
    }
    // "The requested device function does not exist": what NVIDIA's runtime of CUDA 13 says is that no handle is.
    if (found == registry().functions.end())
      return CUDART_VERSION >= 13000 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    function = found->second.get();
  }
  return kernelOf(*function, kernel);
}

cudaError_t functionOf(const void *hostFunction, CUfunction *function) {
  CUkernel kernel = nullptr;
  US_RETURN_IF_ERROR(kernelOf(hostFunction, &kernel));
  return errorOf(driver().cuKernelGetFunction(function, kernel));
}

void noteKernel(CUkernel kernel, CUlibrary library) {
  std::unique_lock hold(registry().mutex);
  registry().kernels[kernel] = library;
}

void forgetKernelsOf(CUlibrary library) {
  std::unique_lock hold(registry().mutex);
  std::erase_if(registry().kernels, [&](const auto &entry) { return entry.second == library; });
}

const void *hostFunctionOf(CUkernel kernel) {
  std::shared_lock hold(registry().mutex);
  for (const auto &[address, function] : registry().functions)
    if (function->kernel.load(std::memory_order_acquire) == kernel) return address;
  return nullptr;
}

cudaError_t variableOf(const void *hostVariable, Variable *variable) {
  KnownVariable known;
  US_RETURN_IF_ERROR(find(&Registry::variables, hostVariable, cudaErrorInvalidSymbol, &known));
  CUlibrary library = nullptr;
  US_RETURN_IF_ERROR(known.binary->library(&library));
  const CUresult result = driver().cuLibraryGetGlobal(&variable->address, &variable->size, library, known.name.c_str());
  return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : errorOf(result);
}

cudaError_t textureOf(const void *hostTexture, CUtexref *reference, bool *isNormalized) {
  KnownTexture known;
  US_RETURN_IF_ERROR(find(&Registry::textures, hostTexture, cudaErrorInvalidTexture, &known));
  CUmodule module = nullptr;
  US_RETURN_IF_ERROR(moduleOf(*known.binary, &module));
  *isNormalized = known.isNormalized;
  const CUresult result = driver().cuModuleGetTexRef(reference, module, known.name.c_str());
  return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidTexture : errorOf(result);
}

cudaError_t surfaceOf(const void *hostSurface, CUsurfref *reference) {
  KnownVariable known;
  US_RETURN_IF_ERROR(find(&Registry::surfaces, hostSurface, cudaErrorInvalidSurface, &known));
  CUmodule module = nullptr;
  US_RETURN_IF_ERROR(moduleOf(*known.binary, &module));
  const CUresult result = driver().cuModuleGetSurfRef(reference, module, known.name.c_str());
  return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSurface : errorOf(result);
}

void noteOffset(const void *hostTexture, size_t offset) {
  std::unique_lock hold(registry().mutex);
  if (const auto found = registry().textures.find(hostTexture); found != registry().textures.end())
    found->second.offset = offset;
}

cudaError_t offsetOf(const void *hostTexture, size_t *offset) {
  KnownTexture known;
  US_RETURN_IF_ERROR(find(&Registry::textures, hostTexture, cudaErrorInvalidTexture, &known));
  *offset = known.offset;
  return cudaSuccess;
}

} // namespace us::cudart

using namespace us::cudart;

#define US_EXPORT extern "C" __attribute__((visibility("default")))

US_EXPORT void **__cudaRegisterFatBinaryPart(void *wrapper) {
  Dl_info info = {};
  dladdr(wrapper, &info);
  std::unique_lock hold(registry().mutex);
  Binary *&all = registry().linked[info.dli_fbase];
  if (all) {
    all->add(imageOf(wrapper));
  } else {
    auto binary = std::make_unique<Binary>(imageOf(wrapper));
    all = binary.get();
    registry().binaries.emplace(all, std::move(binary));
  }
  return reinterpret_cast<void **>(all);
}

US_EXPORT void **__cudaRegisterFatBinary(void *wrapper) {
  auto binary = std::make_unique<Binary>(imageOf(wrapper));
  Binary *const handle = binary.get();
  std::unique_lock hold(registry().mutex);
  registry().binaries.emplace(handle, std::move(binary));
  return reinterpret_cast<void **>(handle);
}

US_EXPORT void __cudaRegisterFatBinaryEnd(void **) {}

US_EXPORT void __cudaUnregisterFatBinary(void **handle) {
  std::unique_ptr<Binary> gone;
  {
    std::unique_lock hold(registry().mutex);
    const auto found = registry().binaries.find(binaryOf(handle));
    if (found == registry().binaries.end()) return;
    gone = std::move(found->second);
    registry().binaries.erase(found);
    std::erase_if(registry().linked, [&](const auto &entry) { return entry.second == gone.get(); });
    std::erase_if(registry().functions, [&](const auto &entry) { return entry.second->binary == gone.get(); });
    std::erase_if(registry().variables, [&](const auto &entry) { return entry.second.binary == gone.get(); });
    std::erase_if(registry().textures, [&](const auto &entry) { return entry.second.binary == gone.get(); });
    std::erase_if(registry().surfaces, [&](const auto &entry) { return entry.second.binary == gone.get(); });
  }
  gone->unload();
}

US_EXPORT void __cudaRegisterFunction(void **handle, const char *hostFunction, char *, const char *name, int, uint3 *,
                                      uint3 *, dim3 *, dim3 *, int *) {
  auto function = std::make_unique<Function>();
  function->binary = binaryOf(handle);
  function->name = name;
  std::unique_lock hold(registry().mutex);
  registry().functions[hostFunction] = std::move(function);
}

US_EXPORT void __cudaRegisterVar(void **handle, char *hostVariable, char *, const char *name, int, size_t, int, int) {
  std::unique_lock hold(registry().mutex);
  registry().variables[hostVariable] = {binaryOf(handle), name};
}

US_EXPORT void __cudaRegisterTexture(void **handle, const void *hostTexture, const void **, const char *name, int,
                                     int isNormalized, int) {
  std::unique_lock hold(registry().mutex);
  registry().textures[hostTexture] = {binaryOf(handle), name, isNormalized != 0};
}

US_EXPORT void __cudaRegisterSurface(void **handle, const void *hostSurface, const void **, const char *name, int,
                                     int) {
  std::unique_lock hold(registry().mutex);
  registry().surfaces[hostSurface] = {binaryOf(handle), name};
}

US_EXPORT void __cudaRegisterManagedVar(void **handle, void **address, char *, const char *name, int, size_t, int,
                                        int) {
  std::unique_lock hold(registry().mutex);
  binaryOf(handle)->managed.push_back({address, name});
}

// What the host reads of managed variables: their addresses are known as soon as there is a context.
US_EXPORT char __cudaInitModule(void **handle) {
  CUlibrary library = nullptr;
  if (noteError(useContext()) != cudaSuccess || noteError(binaryOf(handle)->library(&library)) != cudaSuccess) return 0;
  for (const ManagedVariable &variable : binaryOf(handle)->managed) {
    CUdeviceptr pointer = 0;
    size_t size = 0;
    if (noteError(errorOf(driver().cuLibraryGetManaged(&pointer, &size, library, variable.name.c_str()))) !=
        cudaSuccess)
      return 0;
    *variable.address = reinterpret_cast<void *>(pointer);
    std::unique_lock hold(registry().mutex);
    registry().variables[*variable.address] = {binaryOf(handle), variable.name};
  }
  return 1;
}

US_EXPORT unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream) {
  if (pushLaunch({grid, block, sharedBytes, stream})) return 0;
  noteError(cudaErrorLaunchOutOfResources);
  return 1;
}

US_EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream) {
  LaunchShape shape;
  // "cudaErrorMissingConfiguration": a kernel was called like an ordinary function.
  if (!popLaunch(shape)) return noteError(cudaErrorMissingConfiguration);
  *grid = shape.grid;
  *block = shape.block;
  *sharedBytes = shape.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = shape.stream;
  return cudaSuccess;
}
