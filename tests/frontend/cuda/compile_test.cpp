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
