// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C in process: logs, macros, headers from memory and disk, what the IR keeps of the options.
#include "tests/support/compile_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <xxhash.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace us::frontend {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using tests::compileRequest;
using tests::compileSource;

std::string irOf(const Logged<KernelModule> &result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (result) result->module->print(stream, nullptr);
  return text;
}

/// True if the expression is true for the preprocessor.
bool preprocessorSays(std::string_view condition, std::string_view options,
                      const LanguageFacts &facts = tests::ampleFacts()) {
  return compileSource("#if !(" + std::string(condition) + ")\n#error no\n#endif\n", options, facts).has_value();
}

TEST(CompileOpenCl, AnEmptyLogWithoutWarnings) {
  const Logged<KernelModule> result = compileSource("kernel void k(global int* p) { *p = 1; }");
  EXPECT_TRUE(result);
  EXPECT_EQ(result.log, "");
  EXPECT_NE(result->module->getFunction("k"), nullptr);
}

TEST(CompileOpenCl, TheLogShowsLineAndCaret) {
  const Logged<KernelModule> result = compileSource("kernel void k(global int* p) {\n  *p = missing;\n}\n");
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_EQ(result.log, "<source>:2:8: error: use of undeclared identifier 'missing'\n"
                        "    2 |   *p = missing;\n"
                        "      |        ^\n"
                        "1 error generated.\n");
}

TEST(CompileOpenCl, WarningsAreInTheLogOfASuccessfulBuild) {
  const Logged<KernelModule> result = compileSource("#warning careful\nkernel void k() {}\n");
  EXPECT_TRUE(result);
  EXPECT_THAT(result.log, HasSubstr("<source>:1:2: warning: careful"));
  EXPECT_THAT(result.log, HasSubstr("1 warning generated.\n"));
}

TEST(CompileOpenCl, WarningsCanBeSilencedOrErrors) {
  const char *source = "#warning careful\nkernel void k() {}\n";
  EXPECT_EQ(compileSource(source, "-w").log, "");
  const Logged<KernelModule> asErrors = compileSource(source, "-Werror");
  EXPECT_FALSE(asErrors);
  EXPECT_THAT(asErrors.log, HasSubstr("error: careful"));
}

TEST(CompileOpenCl, CompileFailuresHaveTheirOwnCode) {
  const Logged<KernelModule> result = compileRequest({.source = "x", .options = "", .headers = {}, .link = false}, {});
  EXPECT_EQ(result.error().code, ErrorCode::CompileProgramFailure);
}

TEST(CompileOpenCl, InvalidOptionsAreNamedInTheLog) {
  const Logged<KernelModule> result = compileSource("kernel void k() {}", "-unheard");
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidBuildOptions);
  EXPECT_THAT(result.log, HasSubstr("'-unheard'"));
}

TEST(CompileOpenCl, LanguageVersionMacros) {
  EXPECT_TRUE(preprocessorSays("__OPENCL_C_VERSION__ == 120", ""));
  EXPECT_TRUE(preprocessorSays("__OPENCL_C_VERSION__ == 110", "-cl-std=CL1.1"));
  EXPECT_TRUE(preprocessorSays("__OPENCL_C_VERSION__ == 200", "-cl-std=CL2.0"));
  EXPECT_TRUE(preprocessorSays("__OPENCL_C_VERSION__ == 300", "-cl-std=CL3.0"));
  // "__OPENCL_VERSION__: Substitutes an integer reflecting the version number of the OpenCL supported by the OpenCL
  // device."
  EXPECT_TRUE(preprocessorSays("__OPENCL_VERSION__ == 310", ""));
  LanguageFacts older = tests::ampleFacts();
  older.openclVersion = 300;
  EXPECT_TRUE(preprocessorSays("__OPENCL_VERSION__ == 300", "", older));
  EXPECT_TRUE(
      preprocessorSays("CL_VERSION_1_0 == 100 && CL_VERSION_2_0 == 200 && CL_VERSION_3_0 == 300", "-cl-std=CL3.0"));
  EXPECT_TRUE(preprocessorSays("__ENDIAN_LITTLE__ == 1", ""));
}

TEST(CompileOpenCl, OpenClC31) {
  EXPECT_TRUE(preprocessorSays("__OPENCL_C_VERSION__ == 310 && CL_VERSION_3_1 == 310 && CL_VERSION_3_0 == 300 && "
                               "__opencl_c_int64 && __opencl_c_generic_address_space",
                               "-cl-std=CL3.1"));
  // "CL_VERSION_3_1: ... Requires support for OpenCL C 3.1 or newer."
  EXPECT_TRUE(preprocessorSays("!defined(CL_VERSION_3_1)", "-cl-std=CL3.0"));
  // "Calls to clBuildProgram or clCompileProgram with the -cl-std=CL3.1 option will fail to compile the program for any
  // devices when CL_DEVICE_OPENCL_C_ALL_VERSIONS does not include OpenCL C 3.1."
  LanguageFacts older = tests::ampleFacts();
  older.openclVersion = 300;
  const Logged<KernelModule> refused = compileSource("kernel void k() {}", "-cl-std=CL3.1", older);
  EXPECT_EQ(refused.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(refused.log, HasSubstr("CL3.1"));
  EXPECT_TRUE(compileSource("kernel void k() {}", "-cl-std=CL3.0", older));
}

TEST(CompileOpenCl, ExactlyTheOfferedMacros) {
  const LanguageFacts none = {.extensions = {}, .features = {}, .hasFma = false};
  for (const char *options : {"", "-cl-std=CL3.0"}) {
    for (const char *macro : {"cl_khr_fp64",
                              "cl_khr_fp16",
                              "cl_khr_subgroups",
                              "cl_khr_3d_image_writes",
                              "cl_khr_int64_base_atomics",
                              "cl_khr_subgroup_ballot",
                              "cl_khr_integer_dot_product",
                              "cl_khr_kernel_clock",
                              "cl_intel_subgroups",
                              "cl_amd_media_ops",
                              "__IMAGE_SUPPORT__",
                              "__opencl_c_images",
                              "__opencl_c_pipes",
                              "__opencl_c_device_enqueue",
                              "__opencl_c_fp64",
                              "__opencl_c_generic_address_space",
                              "__opencl_c_subgroups",
                              "FP_FAST_FMAF",
                              "__SPIR__",
                              "__SPIRV__",
                              "__SPIR64__"})
      EXPECT_TRUE(preprocessorSays("!defined(" + std::string(macro) + ")", options, none)) << macro << options;
  }
  const LanguageFacts some = {.extensions = {"cl_khr_fp64", "cl_khr_subgroup_ballot"},
                              .features = {"__opencl_c_fp64", "__opencl_c_int64"},
                              .hasFma = true};
  EXPECT_TRUE(preprocessorSays("defined(cl_khr_fp64) && defined(cl_khr_subgroup_ballot)", "", some));
  EXPECT_TRUE(
      preprocessorSays("defined(FP_FAST_FMAF) && defined(FP_FAST_FMA) && !defined(FP_FAST_FMA_HALF)", "", some));
  const LanguageFacts images = {
      .extensions = {"cl_khr_3d_image_writes", "cl_khr_depth_images"},
      .features = {"__opencl_c_images", "__opencl_c_3d_image_writes", "__opencl_c_read_write_images"}};
  EXPECT_TRUE(preprocessorSays("__IMAGE_SUPPORT__ == 1 && defined(cl_khr_3d_image_writes)", "", images));
  EXPECT_TRUE(preprocessorSays("__opencl_c_images && __opencl_c_read_write_images", "-cl-std=CL3.0", images));
  // Feature macros belong to OpenCL C 3.0, but for those of extensions to any OpenCL C.
  const LanguageFacts dot = {.extensions = {"cl_khr_integer_dot_product"},
                             .features = {"__opencl_c_integer_dot_product_input_4x8bit"}};
  for (const char *options : {"", "-cl-std=CL1.1", "-cl-std=CL2.0", "-cl-std=CL3.1"})
    EXPECT_TRUE(compileSource("uint f(uchar4 a) { return dot(a, a); }", options, dot)) << options;
  EXPECT_TRUE(preprocessorSays("!defined(__opencl_c_int64)", "", some));
  EXPECT_TRUE(preprocessorSays("__opencl_c_int64 && __opencl_c_fp64", "-cl-std=CL3.0", some));
}

TEST(CompileOpenCl, OptionsThatDefineMacros) {
  EXPECT_TRUE(preprocessorSays("N == 4 && defined(FLAG) && TWO == 2", "-DN=4 -D FLAG -D TWO=2"));
  EXPECT_TRUE(preprocessorSays("defined(__FAST_RELAXED_MATH__)", "-cl-fast-relaxed-math"));
  EXPECT_TRUE(preprocessorSays("!defined(__FAST_RELAXED_MATH__)", ""));
  EXPECT_TRUE(compileSource("constant char text[] = TEXT;", R"(-DTEXT=\"a\ b\")"));
}

TEST(CompileOpenCl, SinglePrecisionConstants) {
  const char *source = "kernel void k(global float* p) { p[0] = sizeof(1.0); }";
  EXPECT_THAT(irOf(compileSource(source)), HasSubstr("8.0"));
  EXPECT_THAT(irOf(compileSource(source, "-cl-single-precision-constant")), HasSubstr("4.0"));
}

TEST(CompileOpenCl, ContractionUnlessForbidden) {
  const std::string source = "kernel void k(global float* p) { p[0] = p[1] * p[2] + p[3]; }";
  EXPECT_THAT(irOf(compileSource(source)), HasSubstr("fmuladd"));
  EXPECT_THAT(irOf(compileSource(source, "-cl-opt-disable")), Not(HasSubstr("fmuladd")));
  EXPECT_THAT(irOf(compileSource(source, "-cl-opt-disable -cl-mad-enable")), HasSubstr("fmuladd"));
  const std::string off = "#pragma OPENCL FP_CONTRACT OFF\n", on = "#pragma OPENCL FP_CONTRACT ON\n";
  EXPECT_THAT(irOf(compileSource(off + source)), Not(HasSubstr("fmuladd")));
  EXPECT_THAT(irOf(compileSource(off + source, "-cl-mad-enable")), Not(HasSubstr("fmuladd")));
  EXPECT_THAT(irOf(compileSource(on + source, "-cl-opt-disable")), HasSubstr("fmuladd"));
  // Across statements nothing is contracted.
  EXPECT_THAT(irOf(compileSource("kernel void k(global float* p) { float x = p[1] * p[2]; p[0] = x + p[3]; }")),
              Not(HasSubstr("fmuladd")));
}

TEST(CompileOpenCl, LineInformationIsAlwaysThere) {
  EXPECT_THAT(irOf(compileSource("\n\nkernel void k(global int* p) { *p = 1; }")), HasSubstr("!DILocation(line: 3"));
  EXPECT_THAT(irOf(compileSource("kernel void k(int variable) {}")), Not(HasSubstr("DILocalVariable")));
  EXPECT_THAT(irOf(compileSource("kernel void k(int variable) {}", "-g")),
              HasSubstr("DILocalVariable(name: \"variable\""));
}

TEST(CompileOpenCl, UniformWorkGroups) {
  auto uniform = [](const char *options) {
    const Logged<KernelModule> result = compileSource("kernel void k() {}", options);
    return result->module->getFunction("k")->getFnAttribute("uniform-work-group-size").getValueAsBool();
  };
  EXPECT_TRUE(uniform(""));
  EXPECT_TRUE(uniform("-cl-std=CL1.1"));
  EXPECT_FALSE(uniform("-cl-std=CL2.0"));
  EXPECT_FALSE(uniform("-cl-std=CL3.0"));
  EXPECT_TRUE(uniform("-cl-std=CL3.0 -cl-uniform-work-group-size"));
}

TEST(CompileOpenCl, HeadersFromMemory) {
  const std::vector<NamedText> headers = {
      {"sizes.h", "#define N 3\n"}, {"deep/outer.h", "#include \"inner.h\"\n"}, {"deep/inner.h", "#define M 4\n"}};
  const Logged<KernelModule> result =
      compileRequest({.source = "#include \"sizes.h\"\n#include <deep/outer.h>\nconstant int n = N + M;\n",
                      .options = "",
                      .headers = headers,
                      .link = false});
  EXPECT_TRUE(result) << result.log;
  EXPECT_TRUE(result->includedFiles.empty());
  // The lines are those of their files.
  EXPECT_THAT(result->expandedSource, HasSubstr("/sizes.h\"\n#define N 3\n#line 2 \"<source>\"\n#line 1 \""));
  EXPECT_THAT(result->expandedSource, HasSubstr("/deep/inner.h\"\n#define M 4\n#line 2 \""));
  EXPECT_THAT(result->expandedSource, EndsWith("#line 3 \"<source>\"\nconstant int n = N + M;\n"));
}

TEST(CompileOpenCl, AHeaderWithGuardsIsExpandedOnce) {
  const std::vector<NamedText> headers = {{"once.h", "#ifndef ONCE\n#define ONCE\nconstant int x = 1;\n#endif\n"}};
  const Logged<KernelModule> result = compileRequest(
      {.source = "#include \"once.h\"\n#include \"once.h\"\nconstant int y = 2;", .options = "", .headers = headers});
  EXPECT_TRUE(result) << result.log;
  // What was expanded builds by itself, to the same.
  const Logged<KernelModule> again = compileSource(result->expandedSource);
  EXPECT_TRUE(again) << again.log;
  EXPECT_NE(again->module->getNamedGlobal("y"), nullptr);
}

TEST(CompileOpenCl, AMissingHeaderIsAnError) {
  const Logged<KernelModule> result = compileSource("#include \"nowhere.h\"\n");
  EXPECT_FALSE(result);
  EXPECT_THAT(result.log, HasSubstr("<source>:1:10: fatal error: 'nowhere.h' file not found"));
}

TEST(CompileOpenCl, IncludePathsReadTheDiskAndAreRecorded) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("us headers " + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string text = "#define VALUE 7\n";
  std::ofstream(folder / "value.h") << text;
  const Logged<KernelModule> result =
      compileSource("#include \"value.h\"\n#if VALUE != 7\n#error\n#endif\n", "-I \"" + folder.string() + "\"");
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(result) << result.log;
  ASSERT_EQ(result->includedFiles.size(), 1u);
  EXPECT_EQ(result->includedFiles[0].first, (folder / "value.h").string());
  EXPECT_EQ(result->includedFiles[0].second, XXH64(text.data(), text.size(), 0));
  EXPECT_THAT(result->expandedSource, HasSubstr("#define VALUE 7\n"));
}

TEST(CompileOpenCl, MemoryComesBeforeTheDisk) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("us_shadow_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "which.h") << "#define WHICH 2\n";
  const std::vector<NamedText> headers = {{"which.h", "#define WHICH 1\n"}};
  const Logged<KernelModule> result =
      compileRequest({.source = "#include \"which.h\"\n#if WHICH != 1\n#error\n#endif\n",
                      .options = "-I " + folder.string(),
                      .headers = headers});
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(result) << result.log;
}

TEST(CompileOpenCl, BuiltinsOfEveryVersion) {
  EXPECT_TRUE(compileSource("kernel void k(global int* p) { p[get_global_id(0)] = atomic_inc(p); }", "-cl-std=CL1.1"));
  EXPECT_TRUE(
      compileSource("kernel void k(global atomic_int* p) { atomic_fetch_add_explicit(p, 1, memory_order_relaxed, "
                    "memory_scope_work_group); }",
                    "-cl-std=CL3.0"));
  EXPECT_TRUE(
      compileSource("kernel void k(global int* p) { int* q = p; *q = work_group_reduce_add(*q); }", "-cl-std=CL3.0"));
  EXPECT_TRUE(compileSource("kernel void k(global double* p) { *p = sqrt(*p); }"));
}

TEST(CompileOpenCl, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 5; ++j)
        good +=
            compileSource("kernel void k(global int* p) { *p = N; }", "-DN=" + std::to_string(i * 100 + j)).has_value();
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(good, 20);
}

} // namespace
} // namespace us::frontend
