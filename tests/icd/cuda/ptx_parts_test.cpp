// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long texts of many kernels: a part is built when something of it is asked for.
#include "tests/icd/cuda/cuda_test.h"

#include <cstring>

namespace us::cuda_test {
namespace {

/// Kernels enough for a text that is built in parts: k<i> writes `i`, by a function of its own.
std::string manyKernels() {
  std::string text = kHead;
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i);
    text += ".weak .shared .align 4 .b8 room" + number + "[64];\n.func (.param .b32 result) value" + number +
            "(.param .b32 x)\n{\n  .reg .b32 %r<3>;\n  ld.param.b32 %r1, [x];\n";
    for (int line = 0; line < 20; ++line) text += "  // what makes a text long, of which nothing is built\n";
    text += "  add.s32 %r2, %r1, " + number +
            ";\n  st.param.b32 [result], %r2;\n  ret;\n}\n"
            ".visible .entry k" +
            number + "(.param .u64 to)\n{\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [to];\n" +
            "  mov.b32 %r1, 0;\n  st.shared.u32 [room" + number + "], %r1;\n  ld.shared.u32 %r2, [room" + number +
            "];\n  {\n  .param .b32 in;\n  .param .b32 out;\n  st.param.b32 [in], %r2;\n  call.uni (out), value" +
            number + ", (in);\n  ld.param.b32 %r3, [out];\n  }\n  st.global.u32 [%rd1], %r3;\n  ret;\n}\n";
  }
  return text;
}

/// Counts its launches, and says how many there were.
std::string counting(const std::string &name) {
  return ".visible .entry " + name + R"((.param .u64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  atom.global.add.u32 %r1, [counter], 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
}

class CudaParts : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    to_ = allocate(4);
  }
  uint32_t result(CUmodule module, const std::string &kernel) {
    void *parameters[] = {&to_};
    EXPECT_OK(CU(cuLaunchKernel)(function(module, kernel.c_str()), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    return download<uint32_t>(to_, 1)[0];
  }

private:
  CUdeviceptr to_ = 0;
};

TEST_F(CudaParts, kernelsAreBuiltOneByOne) {
  CUmodule module = load(manyKernels());
  for (const int i : {0, 57, 99}) EXPECT_EQ(result(module, "k" + std::to_string(i)), uint32_t(i));
  EXPECT_EQ(function(module, "k57"), function(module, "k57"));
  CUfunction missing = nullptr;
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, CU(cuModuleGetFunction)(&missing, module, "k100"));
  unsigned count = 0;
  EXPECT_OK(CU(cuModuleGetFunctionCount)(&count, module));
  EXPECT_EQ(count, 100u);
  std::vector<CUfunction> two(2);
  EXPECT_OK(CU(cuModuleEnumerateFunctions)(two.data(), 2, module));
  EXPECT_EQ(two, (std::vector{function(module, "k0"), function(module, "k1")}));
  CUdeviceptr variable;
  size_t size;
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, CU(cuModuleGetGlobal_v2)(&variable, &size, module, "counter"));
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, CU(cuModuleGetGlobal_v2)(&variable, &size, module, "room1"));
}

TEST_F(CudaParts, aVariableIsOneForAll) {
  // The second declares what the first one's text has behind its kernel.
  CUmodule module = load(manyKernels() + ".visible .global .u32 counter = 5;\n" + counting("first") +
                         counting("second") + counting("third"));
  EXPECT_EQ(result(module, "second"), 5u);
  EXPECT_EQ(result(module, "k7"), 7u);
  EXPECT_EQ(result(module, "first"), 6u);
  CUdeviceptr counter = 0;
  size_t size = 0;
  ASSERT_OK(CU(cuModuleGetGlobal_v2)(&counter, &size, module, "counter"));
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(download<uint32_t>(counter, 1)[0], 7u);
  EXPECT_OK(CU(cuMemsetD32_v2)(counter, 40, 1));
  EXPECT_EQ(result(module, "third"), 40u);
}

// A pointer to a function that one kernel leaves in memory is called by another.
TEST_F(CudaParts, functionsThatArePointedToAreOneForAll) {
  CUmodule module = load(manyKernels() + R"(
.visible .entry points(.param .u64 to)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  mov.u64 %rd2, value33;
  st.global.u64 [%rd1], %rd2;
  ret;
}
.visible .entry calls(.param .u64 to)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  ld.global.u64 %rd2, [%rd1];
  mov.b32 %r1, 100;
  {
  .param .b32 in;
  .param .b32 out;
  st.param.b32 [in], %r1;
  prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (out), %rd2, (in), prototype;
  ld.param.b32 %r2, [out];
  }
  st.global.u32 [%rd1], %r2;
  ret;
}
)");
  CUdeviceptr to = allocate(8);
  void *parameters[] = {&to};
  for (const char *name : {"points", "calls"})
    EXPECT_OK(CU(cuLaunchKernel)(function(module, name), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(download<uint32_t>(to, 1)[0], 133u);
}

// What cannot be built is a failure of who asks for it; others are there.
TEST_F(CudaParts, aKernelThatCannotBeBuiltFailsAlone) {
  const std::string text = manyKernels() + ".visible .entry wrong()\n{\n  not.an.instruction;\n}\n";
  CUmodule module = load(text);
  CUfunction wrong = nullptr;
  EXPECT_CU(CUDA_ERROR_INVALID_PTX, CU(cuModuleGetFunction)(&wrong, module, "wrong"));
  EXPECT_EQ(result(module, "k3"), 3u);
  CUlibrary library = nullptr;
  ASSERT_OK(CU(cuLibraryLoadData)(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel = nullptr;
  EXPECT_OK(CU(cuLibraryGetKernel)(&kernel, library, "wrong"));
  EXPECT_CU(CUDA_ERROR_INVALID_PTX, CU(cuKernelGetFunction)(&wrong, kernel));
  EXPECT_OK(CU(cuLibraryGetKernel)(&kernel, library, "k4"));
  EXPECT_OK(CU(cuKernelGetFunction)(&wrong, kernel));
  EXPECT_OK(CU(cuLibraryUnload)(library));
}

} // namespace
} // namespace us::cuda_test
