// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver library, opened as clients open it, and what its tests share.
#pragma once

#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "icd/cuda/include/cuda.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace us::cuda_test {

inline void *library() {
  // Another driver may be asked, to see what it answers.
  static const char *const other = std::getenv("UNDERSTUDY_TEST_CUDA_LIBRARY");
  static void *const handle = dlopen(other ? other : US_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return handle;
}

/// A function of the library by its exported name; a test fails where there is none.
template <class Function> Function *symbol(const char *name) {
  void *address = library() ? dlsym(library(), name) : nullptr;
  EXPECT_NE(address, nullptr) << name << ": " << (address ? "" : dlerror());
  return reinterpret_cast<Function *>(address);
}
#define CU(name) ::us::cuda_test::symbol<decltype(::name)>(#name)
#define EXPECT_CU(result, ...) EXPECT_EQ(__VA_ARGS__, result)
#define ASSERT_OK(...) ASSERT_EQ(__VA_ARGS__, CUDA_SUCCESS)
#define EXPECT_OK(...) EXPECT_EQ(__VA_ARGS__, CUDA_SUCCESS)

/// A current context on device 0, destroyed at the end.
class Cuda : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_NE(library(), nullptr) << dlerror();
    ASSERT_OK(CU(cuInit)(0));
    ASSERT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  }
  void TearDown() override {
    if (context) CU(cuCtxDestroy_v2)(context);
  }

  CUdeviceptr allocate(size_t size) {
    CUdeviceptr pointer = 0;
    EXPECT_OK(CU(cuMemAlloc_v2)(&pointer, size));
    return pointer;
  }
  template <class T> CUdeviceptr upload(const std::vector<T> &values) {
    const CUdeviceptr pointer = allocate(values.size() * sizeof(T));
    EXPECT_OK(CU(cuMemcpyHtoD_v2)(pointer, values.data(), values.size() * sizeof(T)));
    return pointer;
  }
  template <class T> std::vector<T> download(CUdeviceptr pointer, size_t count) {
    std::vector<T> values(count);
    EXPECT_OK(CU(cuMemcpyDtoH_v2)(values.data(), pointer, count * sizeof(T)));
    return values;
  }
  CUmodule load(const std::string &ptx) {
    CUmodule module = nullptr;
    EXPECT_OK(CU(cuModuleLoadData)(&module, ptx.c_str()));
    return module;
  }
  CUfunction function(CUmodule module, const char *name) {
    CUfunction found = nullptr;
    EXPECT_OK(CU(cuModuleGetFunction)(&found, module, name));
    return found;
  }

  CUcontext context = nullptr;
};

inline const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// c[i] = a[i] + b[i] for i < n.
inline const std::string kVectorAdd = kHead + R"(
.visible .entry vectorAdd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .f32 %f<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [n];
  setp.ge.u32 %p1, %r4, %r5;
  @%p1 ret;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  mad.wide.u32 %rd4, %r4, 4, %rd1;
  mad.wide.u32 %rd5, %r4, 4, %rd2;
  mad.wide.u32 %rd6, %r4, 4, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd6], %f3;
  ret;
}
)";

} // namespace us::cuda_test
