// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules, functions and launches.
#include "frontend/cuda/ptx_container.h"
#include "tests/icd/cuda/cuda_test.h"

#include <cstring>

namespace us::cuda_test {
namespace {

struct Addition {
  CUdeviceptr a, b, c;
  unsigned n;
};

TEST_F(Cuda, launches) {
  CUmodule module = load(kVectorAdd);
  CUfunction add = function(module, "vectorAdd");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(function(module, "vectorAdd"), add);
  const unsigned n = 1000;
  std::vector<float> a(n), b(n), sum(n);
  for (unsigned i = 0; i < n; ++i) a[i] = float(i), b[i] = 2.5f * float(i), sum[i] = a[i] + b[i];
  Addition values{upload(a), upload(b), allocate(n * 4), n};
  const auto check = [&] {
    EXPECT_EQ(download<float>(values.c, n), sum);
    EXPECT_OK(CU(cuMemsetD8_v2)(values.c, 0, n * 4));
  };
  void *parameters[] = {&values.a, &values.b, &values.c, &values.n};
  EXPECT_OK(CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  check();
  // The same values in one piece.
  size_t size = offsetof(Addition, n) + sizeof values.n;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &values, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  EXPECT_OK(CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, CU_STREAM_PER_THREAD, nullptr, extra));
  EXPECT_OK(CU(cuCtxSynchronize)());
  check();
  size = sizeof values;
  EXPECT_CU(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  CUlaunchConfig config = {8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, 0};
  EXPECT_OK(CU(cuLaunchKernelEx)(&config, add, parameters, nullptr));
  check();
  // The oldest way.
  EXPECT_OK(CU(cuFuncSetBlockShape)(add, 128, 1, 1));
  EXPECT_OK(CU(cuParamSetSize)(add, sizeof values));
  EXPECT_OK(CU(cuParamSetv)(add, 0, &values, 24));
  EXPECT_OK(CU(cuParamSeti)(add, 24, n));
  EXPECT_CU(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CU(cuLaunchGrid)(add, 8, 1));
  EXPECT_OK(CU(cuParamSetSize)(add, 28));
  EXPECT_OK(CU(cuLaunchGrid)(add, 8, 1));
  check();
  EXPECT_OK(CU(cuModuleUnload)(module));
  EXPECT_EQ(CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_HANDLE);
}

// As an H200 answers.
// "Kernel parameters: 32764 bytes" of sm_70 and later since PTX 8.1, 4352 otherwise.
TEST_F(Cuda, manyParameters) {
  const auto text = [](const char *version, unsigned bytes) {
    return ".version " + std::string(version) + R"(
.target sm_80
.address_size 64
.visible .entry many(.param .u64 to, .param .align 4 .b8 numbers[)" +
           std::to_string(bytes) + R"(])
{
  .reg .b32 %r<3>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [to];
  ld.param.u32 %r1, [numbers];
  ld.param.u32 %r2, [numbers+)" +
           std::to_string(bytes - 4) + R"(];
  st.global.v2.u32 [%rd], {%r1, %r2};
  ret;
}
)";
  };
  for (const unsigned bytes : {4096 - 8, 4352 - 8, 32764 - 8}) {
    CUfunction many = function(load(text(bytes > 4352 ? "8.1" : "8.0", bytes)), "many");
    CUdeviceptr to = allocate(8);
    std::vector<unsigned> numbers(bytes / 4);
    numbers.front() = 5;
    numbers.back() = bytes;
    void *parameters[] = {&to, numbers.data()};
    EXPECT_OK(CU(cuLaunchKernel)(many, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    EXPECT_EQ(download<unsigned>(to, 2), (std::vector<unsigned>{5, bytes}));
  }
  CUmodule module = nullptr;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, text("8.0", 4352).c_str()), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, text("8.1", 32764).c_str()), CUDA_ERROR_INVALID_PTX);
}

TEST_F(Cuda, impossibleLaunches) {
  CUfunction add = function(load(kVectorAdd), "vectorAdd");
  Addition values{};
  void *parameters[] = {&values.a, &values.b, &values.c, &values.n};
  const auto launch = [&](unsigned grid, unsigned block, unsigned shared) {
    return CU(cuLaunchKernel)(add, grid, 1, 1, block, 1, 1, shared, nullptr, parameters, nullptr);
  };
  EXPECT_EQ(launch(0, 32, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(1, 2048, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(1, 32, 300000), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(launch(1, 32, 0));
  EXPECT_EQ(CU(cuLaunchKernel)(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuCtxSynchronize)());
}

TEST_F(Cuda, globalVariables) {
  const std::string text = kHead + R"(
.visible .const .align 4 .f32 factors[2] = {0f40000000, 3.0};
.visible .global .align 8 .u64 self = factors;
.visible .entry scale(.param .u64 to)
{
  .reg .f32 %f<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.const.f32 %f1, [factors];
  ld.const.f32 %f2, [factors+4];
  st.global.v2.f32 [%rd1], {%f1, %f2};
  ret;
}
)";
  CUmodule module = load(text);
  CUdeviceptr factors = 0, self = 0;
  size_t size = 0;
  ASSERT_OK(CU(cuModuleGetGlobal_v2)(&factors, &size, module, "factors"));
  EXPECT_EQ(size, 8u);
  EXPECT_EQ(download<float>(factors, 2), (std::vector<float>{2, 3}));
  ASSERT_OK(CU(cuModuleGetGlobal_v2)(&self, &size, module, "self"));
  EXPECT_EQ(download<CUdeviceptr>(self, 1)[0], factors);
  const float changed[] = {8, 9};
  EXPECT_OK(CU(cuMemcpyHtoD_v2)(factors, changed, sizeof changed));
  CUdeviceptr to = allocate(8);
  void *parameters[] = {&to};
  EXPECT_OK(CU(cuLaunchKernel)(function(module, "scale"), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(download<float>(to, 2), (std::vector<float>{8, 9}));
  EXPECT_EQ(CU(cuModuleGetGlobal_v2)(&self, &size, module, "nothing"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(Cuda, dynamicSharedMemory) {
  const std::string text = kHead + R"(
.extern .shared .align 4 .b8 room[];
.visible .entry mirror(.param .u64 to)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 own[12];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, room;
  mad.lo.u32 %r3, %r1, 4, %r2;
  st.shared.u32 [%r3], %r1;
  st.shared.u32 [own], 77;
  bar.sync 0;
  mov.u32 %r4, %ntid.x;
  sub.u32 %r4, %r4, %r1;
  sub.u32 %r4, %r4, 1;
  mad.lo.u32 %r5, %r4, 4, %r2;
  ld.shared.u32 %r6, [%r5];
  ld.param.u64 %rd1, [to];
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  st.global.u32 [%rd1], %r6;
  ret;
}
)";
  CUfunction mirror = function(load(text), "mirror");
  CUdeviceptr to = allocate(256);
  void *parameters[] = {&to};
  EXPECT_OK(CU(cuLaunchKernel)(mirror, 1, 1, 1, 64, 1, 1, 256, nullptr, parameters, nullptr));
  const std::vector<int> got = download<int>(to, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[size_t(i)], 63 - i);
  int value = 0;
  EXPECT_OK(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, mirror));
  EXPECT_EQ(value, 16); // where memory of the launch follows, its beginning is aligned
  size_t offset = 9, size = 9;
  EXPECT_OK(CU(cuFuncGetParamInfo)(mirror, 0, &offset, &size));
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ(size, 8u);
  EXPECT_EQ(CU(cuFuncGetParamInfo)(mirror, 1, &offset, &size), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, functionAttributes) {
  CUfunction add = function(load(kVectorAdd), "vectorAdd");
  int value = 0;
  EXPECT_OK(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, add));
  EXPECT_EQ(value, 80);
  EXPECT_OK(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_BINARY_VERSION, add));
  EXPECT_EQ(value, 86);
  EXPECT_OK(CU(cuFuncSetAttribute)(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 50000));
  EXPECT_OK(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, add));
  EXPECT_EQ(value, 50000);
  EXPECT_EQ(CU(cuFuncSetAttribute)(add, CU_FUNC_ATTRIBUTE_NUM_REGS, 5), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_MAX, add), CUDA_ERROR_INVALID_VALUE);
  int blocks = 0;
  EXPECT_OK(CU(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, add, 256, 0));
  EXPECT_EQ(blocks, 6); // 1536 threads a multiprocessor
}

TEST_F(Cuda, errorsOfImages) {
  CUmodule module = nullptr;
  char log[4096] = "x";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_WALL_TIME};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log), reinterpret_cast<void *>(512), nullptr};
  const std::string bad = kHead + ".visible .entry k()\n{\n  .reg .b32 %r<3>;\n  add.s32 %r1, %r2, %q;\n}\n";
  EXPECT_EQ(CU(cuModuleLoadDataEx)(&module, bad.c_str(), 4, options, values), CUDA_ERROR_INVALID_PTX);
  EXPECT_STREQ(log, "<ptx>:7:21: error: '%q' is not declared\n");
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), std::strlen(log));
  EXPECT_EQ(reinterpret_cast<size_t>(values[2]), 0u);
  // Used sizes are written after success too.
  values[1] = reinterpret_cast<void *>(sizeof log);
  EXPECT_OK(CU(cuModuleLoadDataEx)(&module, kVectorAdd.c_str(), 2, options, values));
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), 0u);

  // What understudy-nvcc writes for --cubin: the newest of its texts.
  const PtxText texts[] = {{80, 0, bad}, {86, 0, kVectorAdd}};
  std::string container = writePtxContainer(texts);
  EXPECT_OK(CU(cuModuleLoadData)(&module, container.c_str()));
  container[8] = 9;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, container.c_str()), CUDA_ERROR_INVALID_IMAGE);

  EXPECT_EQ(CU(cuModuleLoadData)(&module, "rubbish"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, "\x7f"
                                          "ELF..."),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(CU(cuModuleLoad)(&module, "/nowhere/at/all.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
  CUfunction none = nullptr;
  EXPECT_EQ(CU(cuModuleGetFunction)(&none, load(kVectorAdd), "missing"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(Cuda, faultsStayWithTheContext) {
  const std::string text = kHead + R"(
.visible .entry wild()
{
  .reg .b64 %rd<2>;
  mov.u64 %rd1, 4096;
  st.global.u32 [%rd1], 1;
  ret;
}
)";
  CUfunction wild = function(load(text), "wild");
  EXPECT_OK(CU(cuLaunchKernel)(wild, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr memory = 0;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&memory, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_OK(CU(cuCtxDestroy_v2)(context));
  // Another context of the same device is well.
  EXPECT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  EXPECT_OK(CU(cuMemAlloc_v2)(&memory, 4));
}

TEST_F(Cuda, trapEndsTheKernel) {
  CUfunction ends = function(load(kHead + ".visible .entry ends()\n{\n  trap;\n}\n"), "ends");
  EXPECT_OK(CU(cuLaunchKernel)(ends, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CU(cuStreamSynchronize)(nullptr), CUDA_ERROR_LAUNCH_FAILED);
}

} // namespace
} // namespace us::cuda_test
