// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA C++ to PTX as a library: texts in memory, logs, and nothing left behind. What the PTX means is tested by running
// it.
#include "frontend/cuda/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace us::frontend::cuda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kKernel = "extern \"C\" __global__ void kernel(float *a) { a[0] = a[1] / a[2]; }\n";

CompileInput inputOf(std::string_view source, CodeOptions options = {}) {
  CompileInput input{.source = source, .name = "kernel.cu", .options = std::move(options), .toolkit = US_TOOLKIT};
  input.architecture = *architectureNamed("sm_86", input.release);
  return input;
}

/// In a folder of its own, which must be empty at the end as it was at the beginning; nothing is printed.
class CompileCuda : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "us-cuda-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    before_ = fs::current_path();
    fs::current_path(folder_);
    setenv("TMPDIR", folder_.c_str(), 1);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
  }
  void TearDown() override {
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    unsetenv("TMPDIR");
    fs::current_path(before_);
    EXPECT_TRUE(fs::is_empty(folder_));
    fs::remove_all(folder_);
  }
  fs::path folder_, before_;
};

TEST_F(CompileCuda, SourceAndHeadersInMemory) {
  CompileInput input = inputOf("#include \"value.h\"\n#include <deep/more.h>\n"
                               "extern \"C\" __global__ void kernel(int *p) { *p = VALUE + MORE; }\n");
  input.headers = {{"value.h", "#define VALUE 4000\n"},
                   {"deep/more.h", "#include \"inner.h\"\n"},
                   {"deep/inner.h", "#define MORE 321\n"}};
  const Logged<Compiled> ptx = compile(input);
  ASSERT_TRUE(ptx) << ptx.log;
  EXPECT_EQ(ptx.log, "");
  EXPECT_THAT(ptx->content, HasSubstr(".target sm_86"));
  EXPECT_THAT(ptx->content, HasSubstr(".entry kernel"));
  EXPECT_THAT(ptx->content, HasSubstr("4321"));
}

TEST_F(CompileCuda, ErrorsAndWarningsAreInTheLog) {
  const Logged<Compiled> wrong = compile(inputOf("__global__ void k() { missing(); }\n"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(wrong.log, HasSubstr("kernel.cu:1:23: error: use of undeclared identifier 'missing'"));
  EXPECT_THAT(wrong.log, HasSubstr("1 error generated"));
  const std::string warned = "#warning look here\n" + std::string(kKernel);
  const Logged<Compiled> ptx = compile(inputOf(warned));
  ASSERT_TRUE(ptx);
  EXPECT_THAT(ptx.log, HasSubstr("kernel.cu:1:2: warning: look here"));
  EXPECT_EQ(compile(inputOf(warned, {.noWarnings = true})).log, "");
  EXPECT_THAT(compile(inputOf(kKernel, {.clang = {"-std"}})).log, HasSubstr("error: unknown argument: '-std'"));
}

TEST_F(CompileCuda, WhatStandsBesideTheSourceCanBeIncluded) {
  const fs::path other = folder_.parent_path() / (folder_.filename().string() + "-beside");
  fs::create_directories(other);
  std::ofstream(other / "beside.h") << "#define VALUE 77777\n";
  CompileInput input = inputOf("#include \"beside.h\"\nextern \"C\" __global__ void k(int *p) { *p = VALUE; }\n");
  input.name = (other / "kernel.cu").string();
  const Logged<Compiled> ptx = compile(input);
  fs::remove_all(other);
  ASSERT_TRUE(ptx) << ptx.log;
  EXPECT_THAT(ptx->content, HasSubstr("77777"));
}

TEST_F(CompileCuda, OtherProducts) {
  CompileInput input = inputOf("#include \"value.h\"\nint x = VALUE;\n");
  input.headers = {{"value.h", "#define VALUE 4711\n"}};
  input.product = Product::Preprocessed;
  EXPECT_THAT(compile(input).value().content, HasSubstr("int x = 4711;"));
  input.product = Product::Dependencies;
  EXPECT_THAT(compile(input).value().content, testing::StartsWith("kernel.o: kernel.cu"));
  input.onlyCommand = true;
  EXPECT_THAT(compile(input).value().content, HasSubstr("\"kernel.cu\""));
}

/// The headers are precompiled for sm_80 from one folder; a source for sm_86 finds the toolkit in another.
TEST_F(CompileCuda, HeadersPrecompiledElsewhere) {
  CompileInput headers = inputOf("", {.withoutHost = true});
  headers.architecture = *architectureNamed("sm_80", headers.release);
  headers.product = Product::Precompiled;
  headers.withIdentifiers = true;
  const Logged<Compiled> made = compile(headers);
  ASSERT_TRUE(made) << made.log;
  EXPECT_THAT(made->identifiers, testing::Contains("__CUDACC_EXTENDED_LAMBDA__"));
  EXPECT_THAT(made->identifiers, Not(testing::Contains("THE_VALUE")));

  const fs::path toolkit = folder_ / "toolkit";
  fs::create_directory_symlink(US_TOOLKIT, toolkit);
  const auto compiled = [&](std::string_view source, bool precompiled) {
    CompileInput input = inputOf(source, {.clang = {"-DTHE_VALUE=__CUDA_ARCH__"}, .withoutHost = true});
    input.toolkit = toolkit;
    if (precompiled) input.precompiled = made->content;
    input.precompiledElsewhere = precompiled;
    return compile(input);
  };
  for (const char *source : {
           "extern \"C\" __global__ void k(int *p) { *p = THE_VALUE + CUDART_VERSION; }\n",
           "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n"
           "extern \"C\" __global__ void k(__half *p, double *q) { *p = hsin(*p); atomicAdd(q, erf(*q)); }\n",
           "extern \"C\" __global__ void k(float *p, cudaTextureObject_t t) { *p = tex2D<float>(t, *p, p[1]); }\n",
           "template <class T> struct S { __device__ static T of(T x) { return __reduce_add_sync(~0u, x); } };\n"
           "extern \"C\" __global__ void k(int *p) { *p = S<int>::of(*p) + __popc(warpSize); }\n",
       }) {
    const Logged<Compiled> fresh = compiled(source, false), from = compiled(source, true);
    ASSERT_TRUE(fresh) << fresh.log;
    ASSERT_TRUE(from) << from.log;
    EXPECT_EQ(from.log, "");
    EXPECT_EQ(from->content, fresh->content);
    EXPECT_THAT(from->content, HasSubstr(".target sm_86"));
  }
  // A message about a header names it where it is.
  const Logged<Compiled> wrong = compiled("__global__ void k(int *p) { atomicAdd(p, p); }\n", true);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.log, HasSubstr(toolkit.string() + "/include/understudy/atomics.h:"));
  EXPECT_THAT(wrong.log, Not(HasSubstr(US_TOOLKIT)));
  EXPECT_EQ(wrong.log, compiled("__global__ void k(int *p) { atomicAdd(p, p); }\n", false).log);
  fs::remove(toolkit);
}

/// LLVM's options are the process's; a source's are its own.
TEST_F(CompileCuda, OptionsOfOneDoNotReachAnother) {
  const auto ptxOf = [](bool precise) {
    return compile(inputOf(kKernel, {.preciseDivision = precise})).value().content;
  };
  std::string exact, fast;
  std::thread one([&] { exact = ptxOf(true); }), other([&] { fast = ptxOf(false); });
  one.join();
  other.join();
  EXPECT_THAT(exact, HasSubstr("div.rn.f32"));
  EXPECT_THAT(fast, HasSubstr("div.full.f32"));
  EXPECT_EQ(ptxOf(true), exact);
}

} // namespace
} // namespace us::frontend::cuda
