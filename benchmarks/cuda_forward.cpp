// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What our libcuda.so.1 costs before a real driver: each call directly and through us, by turns, in one process and one
// context. cuda_forward REAL OURS: paths of the real driver's library and of ours. It needs neither LLVM nor CUDA to be
// built: g++ -O2 -std=c++20 -I. benchmarks/cuda_forward.cpp -o cuda_forward -ldl
#include "benchmarks/timing.h"

#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "icd/cuda/include/cuda.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace us::benchmarks;

/// The functions of one of the two libraries.
class Library {
public:
  explicit Library(const char *path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_) return;
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  template <class Function> Function *find(const char *name) const {
    if (void *const found = dlsym(handle_, name)) return reinterpret_cast<Function *>(found);
    std::fprintf(stderr, "there is no %s\n", name);
    std::exit(1);
  }

private:
  void *const handle_;
};
#define US_OF(library, name) (library).find<decltype(::name)>(#name)

constexpr const char *kKernel = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry nothing()
{
  ret;
}
)";

struct Work {
  CUfunction kernel = nullptr;
  CUdeviceptr memory = 0;
  void *pinned = nullptr;
};
constexpr size_t kLarge = size_t(256) << 20;

struct Case {
  const char *name;
  unsigned calls; ///< in a measurement
  /// The call, with that library's functions.
  std::function<std::function<void()>(const Library &, const Work &)> of;
};

std::vector<Case> cases() {
  return {
      {"cuCtxGetCurrent", 100000,
       [](const Library &l, const Work &) -> std::function<void()> {
         return [get = US_OF(l, cuCtxGetCurrent)] {
           CUcontext context = nullptr;
           get(&context);
         };
       }},
      {"cuDeviceGetAttribute", 100000,
       [](const Library &l, const Work &) -> std::function<void()> {
         return [get = US_OF(l, cuDeviceGetAttribute)] {
           int value = 0;
           get(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
         };
       }},
      {"cuPointerGetAttribute", 100000,
       [](const Library &l, const Work &w) -> std::function<void()> {
         return [get = US_OF(l, cuPointerGetAttribute), pointer = w.memory] {
           unsigned value = 0;
           get(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer);
         };
       }},
      {"cuLaunchKernel", 500,
       [](const Library &l, const Work &w) -> std::function<void()> {
         return [launch = US_OF(l, cuLaunchKernel), kernel = w.kernel] {
           launch(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
         };
       }},
      {"cuLaunchKernel + cuCtxSynchronize", 500,
       [](const Library &l, const Work &w) -> std::function<void()> {
         return [launch = US_OF(l, cuLaunchKernel), wait = US_OF(l, cuCtxSynchronize), kernel = w.kernel] {
           launch(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
           wait();
         };
       }},
      {"cuMemAlloc + cuMemFree, 1 MiB", 500,
       [](const Library &l, const Work &) -> std::function<void()> {
         return [allocate = US_OF(l, cuMemAlloc_v2), release = US_OF(l, cuMemFree_v2)] {
           CUdeviceptr pointer = 0;
           allocate(&pointer, size_t(1) << 20);
           release(pointer);
         };
       }},
      {"cuMemcpyHtoD, 64 B", 500,
       [](const Library &l, const Work &w) -> std::function<void()> {
         return [copy = US_OF(l, cuMemcpyHtoD_v2), w] { copy(w.memory, w.pinned, 64); };
       }},
      {"cuMemcpyDtoH, 64 B", 500,
       [](const Library &l, const Work &w) -> std::function<void()> {
         return [copy = US_OF(l, cuMemcpyDtoH_v2), w] { copy(w.pinned, w.memory, 64); };
       }},
      {"cuMemcpyHtoD, 256 MiB pinned", 3,
       [](const Library &l, const Work &w) -> std::function<void()> {
         return [copy = US_OF(l, cuMemcpyHtoD_v2), w] { copy(w.memory, w.pinned, kLarge); };
       }},
      {"cuMemcpyDtoH, 256 MiB pinned", 3,
       [](const Library &l, const Work &w) -> std::function<void()> {
         return [copy = US_OF(l, cuMemcpyDtoH_v2), w] { copy(w.pinned, w.memory, kLarge); };
       }},
  };
}

/// Nanoseconds a call: the median of measurements that take turns, so that both see the same machine.
void measure(const Case &one, const Library &real, const Library &ours, const Work &work) {
  const auto wait = US_OF(real, cuCtxSynchronize);
  const std::function<void()> calls[] = {one.of(real, work), one.of(ours, work)};
  std::vector<double> times[2];
  for (int round = 0; round < 21; ++round)
    for (const int which : {round % 2, 1 - round % 2}) {
      const auto begin = Clock::now();
      for (unsigned i = 0; i < one.calls; ++i) calls[which]();
      const double took = microseconds(begin) * 1e3 / one.calls;
      check(wait(), one.name);
      if (round > 0) times[which].push_back(took); // the first one warms up
    }
  double medians[2];
  for (const int which : {0, 1}) {
    std::nth_element(times[which].begin(), times[which].begin() + 10, times[which].end());
    medians[which] = times[which][10];
  }
  std::printf("%-36s %14.1f %14.1f %+10.1f ns %+7.2f %%\n", one.name, medians[0], medians[1], medians[1] - medians[0],
              100 * (medians[1] / medians[0] - 1));
}

} // namespace

int main(int count, char **arguments) {
  if (count != 3 || arguments[1][0] != '/') {
    std::fputs("usage: cuda_forward /path/of/the/real/libcuda.so.VERSION /path/of/our/libcuda.so.1\n", stderr);
    return 2;
  }
  setenv("UNDERSTUDY_DEVICES", "real", 1);
  setenv("UNDERSTUDY_FORWARD", arguments[1], 1);
  // Before the real driver was started here: the other process starts one, too.
  const Library ours(arguments[2]);
  auto begin = Clock::now();
  int version = 0;
  US_OF(ours, cuDriverGetVersion)(&version);
  const double first = microseconds(begin) / 1e3;
  const Library real(arguments[1]);
  begin = Clock::now();
  check(US_OF(real, cuInit)(0), "cuInit");
  std::printf("first call through us (the driver is asked in another process): %.1f ms; its cuInit here: %.1f ms\n",
              first, microseconds(begin) / 1e3);
  CUcontext context = nullptr, seen = nullptr;
  check(US_OF(real, cuCtxCreate_v2)(&context, 0, 0), "cuCtxCreate");
  check(US_OF(ours, cuCtxGetCurrent)(&seen), "cuCtxGetCurrent");
  if (seen != context) {
    std::fputs("our library does not forward to that driver\n", stderr);
    return 1;
  }
  Work work;
  CUmodule module = nullptr;
  check(US_OF(real, cuModuleLoadData)(&module, kKernel), "cuModuleLoadData");
  check(US_OF(real, cuModuleGetFunction)(&work.kernel, module, "nothing"), "cuModuleGetFunction");
  check(US_OF(real, cuMemAlloc_v2)(&work.memory, kLarge), "cuMemAlloc");
  check(US_OF(real, cuMemAllocHost_v2)(&work.pinned, kLarge), "cuMemAllocHost");
  std::memset(work.pinned, 1, kLarge);
  std::printf("%-36s %14s %14s\n", "", "direct, ns", "through us, ns");
  for (const Case &one : cases()) measure(one, real, ours, work);
}
