// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks: functions of the caller's that the device calls for each number before a transform, or after it. Their
// code is linked with a kernel of ours while the program runs ("LTO callbacks"), or was when it was made ("legacy").
#include "icd/cufft/callback_kernels.h"
#include "icd/cufft/plan.h"
#include "icd/cufft/static_callbacks.h"

#include "icd/cuda/include/nvJitLink.h"

#include <algorithm>
#include <dlfcn.h>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace us::cufft {
namespace {

/// The callback's type that a plan can use on one side.
cufftXtCallbackType typeOn(const Made &made, bool isOutput) {
  const bool isReal = made.shape.kind == (isOutput ? Kind::ComplexToReal : Kind::RealToComplex);
  return cufftXtCallbackType((isOutput ? CUFFT_CB_ST_COMPLEX : CUFFT_CB_LD_COMPLEX) + (isReal ? 2 : 0) +
                             (made.isDouble ? 1 : 0));
}

/// The linker of code that is made while the program runs.
struct CodeLinker {
#define US_LINKER(DO)                                                                                                  \
  DO(nvJitLinkCreate)                                                                                                  \
  DO(nvJitLinkDestroy)                                                                                                 \
  DO(nvJitLinkAddData)                                                                                                 \
  DO(nvJitLinkComplete)                                                                                                \
  DO(nvJitLinkGetLinkedPtxSize)                                                                                        \
  DO(nvJitLinkGetLinkedPtx)                                                                                            \
  DO(nvJitLinkGetErrorLogSize)                                                                                         \
  DO(nvJitLinkGetErrorLog)
#define US_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  US_LINKER(US_DECLARE)

  bool isComplete = false;

  CodeLinker() { // never closed
    // That of our release: beside this library, or where the process looks for libraries.
    const std::string name = "libnvJitLink.so." + std::to_string(US_CUFFT_MAJOR + 1);
    void *library = nullptr;
    Dl_info self{};
    if (dladdr(reinterpret_cast<const void *>(&typeOn), &self) && self.dli_fname) {
      const std::string own = self.dli_fname;
      library = dlopen((own.substr(0, own.rfind('/') + 1) + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    isComplete = true;
#define US_FIND(NAME)                                                                                                  \
  NAME = reinterpret_cast<decltype(NAME)>(dlsym(library, #NAME));                                                      \
  isComplete = isComplete && NAME;
    US_LINKER(US_FIND)
  }
};

const CodeLinker &codeLinker() {
  static const CodeLinker found;
  return found;
}

/// A kernel that calls the function of that name, beside the function; said, if there is none.
std::optional<std::string> link(const char *function, const math::Session &session, int type,
                                const CallbackCode &callback) {
  const CodeLinker &linker = codeLinker();
  // The name is compiled while the program runs, without extern "C" or a namespace (cufftXtSetJITCallback).
  const std::string name =
      "_Z" + std::to_string(callback.function.size()) + callback.function + kCallbackTypeTable[type].mangled;
  std::vector<char> kernel(kKernelText + 4 * name.size());
  const size_t size =
      appendKernel(kernel.data(), kernel.size(), beginKernels(kernel.data(), kernel.size()), type, name.c_str());
  int architecture = 0;
  session.architecture(&architecture);
  const std::string target = "-arch=sm_" + std::to_string(architecture);
  const char *options[] = {target.c_str(), "-lto", "-ptx"};
  nvJitLinkHandle handle = nullptr;
  nvJitLinkResult result = linker.nvJitLinkCreate(&handle, std::size(options), options);
  if (result == NVJITLINK_SUCCESS)
    result = linker.nvJitLinkAddData(handle, NVJITLINK_INPUT_ANY, callback.code.data(), callback.code.size(),
                                     "the callback's code");
  if (result == NVJITLINK_SUCCESS)
    result = linker.nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kernel.data(), size + 1, "the transform's kernel");
  if (result == NVJITLINK_SUCCESS) result = linker.nvJitLinkComplete(handle);
  size_t bytes = 0;
  if (result == NVJITLINK_SUCCESS) result = linker.nvJitLinkGetLinkedPtxSize(handle, &bytes);
  std::optional<std::string> linked;
  if (result == NVJITLINK_SUCCESS) {
    linked.emplace(bytes, '\0');
    linker.nvJitLinkGetLinkedPtx(handle, linked->data());
  } else {
    std::string log;
    if (handle && linker.nvJitLinkGetErrorLogSize(handle, &bytes) == NVJITLINK_SUCCESS && bytes > 0) {
      log.resize(bytes);
      linker.nvJitLinkGetErrorLog(handle, log.data());
    }
    math::say(function, "the callback %s(%s) was not linked (nvJitLink: %d): %s", callback.function.c_str(),
              kCallbackTypeTable[type].isStore ? "void *, unsigned long long, element, void *, void *"
                                               : "void *, unsigned long long, void *, void *",
              result, log.c_str());
  }
  if (handle) linker.nvJitLinkDestroy(&handle);
  return linked;
}

/// A module that goes with the last who has it.
class Code {
public:
  Code(const math::Session &session, CUmodule module) : session_(session), module_(module) {}
  ~Code() { session_.unload(module_); }
  Code(const Code &) = delete;
  Code &operator=(const Code &) = delete;

private:
  const math::Session session_;
  const CUmodule module_;
};

bool isIdentifier(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789",
                             kAll = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !name.empty() && !kDigits.contains(name.front()) && name.find_first_not_of(kAll) == name.npos;
}

struct SideOf {
  cufftResult result;
  std::shared_ptr<Side> side; ///< the plan's
};
/// Where a made plan has its callback of this type.
SideOf sideOf(cufftHandle handle, cufftXtCallbackType type) {
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan || !plan->made) return {CUFFT_INVALID_PLAN, nullptr};
  // CUFFT_INVALID_TYPE: a plan loads numbers of one type and stores numbers of one type.
  const CallbackType *const what = callbackTypeOf(type);
  if (!what || type != typeOn(*plan->made, what->isStore)) return {CUFFT_INVALID_TYPE, nullptr};
  return {CUFFT_SUCCESS, {plan, what->isStore ? &plan->made->store : &plan->made->load}};
}

/// Callbacks that are pointers are the static library's (cuFFT, "Callback Routines").
cufftResult onlyLinked(const char *function) {
  math::say(function, "callbacks that are pointers are those of programs that are linked with -lcufft_static, from "
                      "objects of nvcc -dc; cufftXtSetJITCallback takes code from any program");
  return CUFFT_NOT_IMPLEMENTED;
}

} // namespace

cufftResult makeCallbacks(const char *function, const Plan &plan, Made &made) {
  for (const auto &[type, callback] : plan.callbackCode) {
    const CallbackType &what = kCallbackTypeTable[type];
    // A callback for other numbers of the same precision is not called; NVIDIA's library does not mind it.
    if (what.isDouble != made.isDouble) {
      math::say(function, "the callback %s is for numbers of another precision", callback.function.c_str());
      return CUFFT_INTERNAL_ERROR;
    }
    if (type != typeOn(made, what.isStore)) {
      math::say(function, "the callback %s is not called: the plan has no such numbers", callback.function.c_str());
      continue;
    }
    if (!codeLinker().isComplete) {
      math::say(function, "libnvJitLink.so.%d is not there to link the callback", US_CUFFT_MAJOR + 1);
      return CUFFT_MISSING_DEPENDENCY;
    }
    const std::optional<std::string> linked = link(function, plan.session, type, callback);
    if (!linked) return CUFFT_INTERNAL_ERROR; // which is documented for what linking comes to
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    if (plan.session.load(linked->c_str(), &module) != CUDA_SUCCESS) {
      math::say(function, "the driver does not take the code of the callback %s", callback.function.c_str());
      return CUFFT_INTERNAL_ERROR;
    }
    auto code = std::make_shared<const Code>(plan.session, module);
    if (plan.session.find(module, what.kernel, &kernel) != CUDA_SUCCESS) return CUFFT_INTERNAL_ERROR;
    (what.isStore ? made.store : made.load).callback = Callback{kernel, nullptr, callback.info, std::move(code)};
  }
  return CUFFT_SUCCESS;
}

cufftResult call(const math::Session &session, const Shape &shape, const Side &side, void *data, const Layout &layout,
                 int64_t lineSize, void *numbers) {
  constexpr unsigned kThreads = 128, kMostBlocks = 1 << 20;
  CallbackArguments arguments = {data, numbers, side.callback->info, 1, {1, 1, 1}, {}, 1, side.callback->routine};
  // From the inside to the outside. What goes on where the one inside it ends is no dimension of its own.
  unsigned inner = 3;
  uint64_t size = 1, stride = 1;
  const auto add = [&](int64_t outerSize, int64_t outerStride) {
    arguments.count *= uint64_t(outerSize);
    if (outerSize == 1) return;
    if (size != 1 && uint64_t(outerStride) != size * stride) {
      --inner;
      arguments.sizes[inner] = size;
      arguments.strides[inner] = stride;
      size = 1;
    }
    if (size == 1) stride = uint64_t(outerStride);
    size *= uint64_t(outerSize);
  };
  for (unsigned i = shape.rank; i-- > 0;) add(i + 1 == shape.rank ? lineSize : shape.sizes[i], layout.strides[i]);
  add(shape.batch, layout.distance);
  arguments.distance = stride;
  const uint64_t blocks = std::min<uint64_t>((arguments.count + kThreads - 1) / kThreads, kMostBlocks);
  return resultOf(session.launch(side.callback->kernel, unsigned(blocks), kThreads, side.sharedBytes, &arguments));
}

} // namespace us::cufft

using namespace us;
using namespace us::cufft;

// Valid for a handle that is no plan yet.
US_EXPORT cufftResult cufftXtSetJITCallback(cufftHandle handle, const char *callbackSymbolName,
                                            const void *callbackFatbin, size_t callbackFatbinSize,
                                            cufftXtCallbackType type, void **callerInfo) {
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan || plan->made) return CUFFT_INVALID_PLAN;
  // CUFFT_INVALID_VALUE: there is no code, or it has no size; and what is no name, as NVIDIA's has it.
  if (!callbackFatbin || callbackFatbinSize == 0 || (callbackSymbolName && !isIdentifier(callbackSymbolName)))
    return CUFFT_INVALID_VALUE;
  const CallbackType *const what = callbackTypeOf(type);
  if (!what) return CUFFT_INVALID_TYPE;
  if (!plan->shares.empty()) {
    math::say(__func__, "on several devices no callbacks are called");
    return CUFFT_NOT_SUPPORTED;
  }
  try {
    plan->callbackCode[type] = {callbackSymbolName ? callbackSymbolName : what->unnamed,
                                std::string(static_cast<const char *>(callbackFatbin), callbackFatbinSize),
                                callerInfo ? callerInfo[0] : nullptr};
  } catch (const std::exception &) { // there is no room for that many bytes
    return CUFFT_ALLOC_FAILED;
  }
  return CUFFT_SUCCESS;
}
// What headers of CUDA 12 make of that name.
US_EXPORT cufftResult __cufftXtSetJITCallback_12_7(cufftHandle plan, const char *callbackSymbolName,
                                                   const void *callbackFatbin, size_t callbackFatbinSize,
                                                   cufftXtCallbackType type, void **callerInfo) {
  return cufftXtSetJITCallback(plan, callbackSymbolName, callbackFatbin, callbackFatbinSize, type, callerInfo);
}

US_EXPORT cufftResult cufftUnderstudySetCallback(cufftHandle handle, void **callbackRoutine, cufftXtCallbackType type,
                                                 void **callerInfo, UnderstudyKernelOf kernelOf) {
  const auto [result, side] = sideOf(handle, type);
  if (result != CUFFT_SUCCESS) return result;
  if (!callbackRoutine) return CUFFT_INTERNAL_ERROR;
  if (!find(handle)->shares.empty()) {
    math::say("cufftXtSetCallback", "on several devices no callbacks are called");
    return CUFFT_NOT_SUPPORTED;
  }
  void *kernel = nullptr;
  if (const cufftResult found = kernelOf(type, &kernel); found != CUFFT_SUCCESS) return found;
  side->callback =
      Callback{static_cast<CUfunction>(kernel), callbackRoutine[0], callerInfo ? callerInfo[0] : nullptr, {}};
  return CUFFT_SUCCESS;
}
US_EXPORT cufftResult cufftUnderstudyClearCallback(cufftHandle handle, cufftXtCallbackType type) {
  const auto [result, side] = sideOf(handle, type);
  if (result != CUFFT_SUCCESS) return result;
  // What was linked with the plan stays.
  if (side->callback && side->callback->code) return CUFFT_NOT_IMPLEMENTED;
  side->callback.reset();
  return CUFFT_SUCCESS;
}
US_EXPORT cufftResult cufftUnderstudySetCallbackSharedSize(cufftHandle handle, cufftXtCallbackType type,
                                                           size_t sharedSize) {
  const auto [result, side] = sideOf(handle, type);
  if (result != CUFFT_SUCCESS) return result;
  if (sharedSize > 16384) return CUFFT_INVALID_SIZE; // a block's callbacks share 16 KB at most
  side->sharedBytes = unsigned(sharedSize);
  return CUFFT_SUCCESS;
}

// In the shared library, as NVIDIA's.
US_EXPORT cufftResult cufftXtSetCallback(cufftHandle, void **, cufftXtCallbackType, void **) {
  return onlyLinked(__func__);
}
US_EXPORT cufftResult cufftXtClearCallback(cufftHandle, cufftXtCallbackType) { return onlyLinked(__func__); }
US_EXPORT cufftResult cufftXtSetCallbackSharedSize(cufftHandle handle, cufftXtCallbackType type, size_t sharedSize) {
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan || !plan->made || (!plan->made->load.callback && !plan->made->store.callback)) return CUFFT_INVALID_PLAN;
  return cufftUnderstudySetCallbackSharedSize(handle, type, sharedSize);
}
