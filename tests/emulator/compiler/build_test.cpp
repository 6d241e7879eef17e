// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds through the compiler library's table functions: objects, libraries, executables and what can go wrong.
#include "tests/emulator/compiler/build_source.h"

#include <gmock/gmock.h>

namespace us::compiler {
namespace {

using namespace tests;
using testing::HasSubstr;

ProgramKind kindOf(const Logged<abi::ModuleData> &output) { return ProgramKind(output->kind); }

TEST(Build, SourceToExecutable) {
  const Logged<abi::ModuleData> output = build("kernel void a() {}\nkernel void b() {}\n", "-w");
  ASSERT_TRUE(output) << output.log;
  EXPECT_EQ(kindOf(output), ProgramKind::Executable);
  EXPECT_FALSE(output->ir.empty());
  EXPECT_EQ(output->options, "-w");
  EXPECT_EQ(output->expandedSource, "kernel void a() {}\nkernel void b() {}\n");
  ASSERT_EQ(output->kernels.size(), 2u);
  EXPECT_EQ(output->kernels[0].name, "a");
  EXPECT_EQ(output->kernels[1].name, "b");
}

TEST(Build, AnEmptyProgramIsFine) {
  const Logged<abi::ModuleData> output = build("");
  EXPECT_TRUE(output) << output.log;
  EXPECT_TRUE(output->kernels.empty());
}

TEST(Build, ErrorsHaveACodeAndALog) {
  const Logged<abi::ModuleData> output = build("kernel int k() {}");
  EXPECT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(output.log, HasSubstr("<source>:1:12: error: kernel must have void return type"));
}

TEST(Build, AnUndefinedFunctionIsNamedInTheLog) {
  const Logged<abi::ModuleData> output =
      build("int somewhere(int);\nkernel void k(global int* p) { *p = somewhere(1); }");
  EXPECT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(output.log, HasSubstr("error: undefined function 'somewhere'"));
}

TEST(Build, TooMuchLocalMemoryIsAnError) {
  EXPECT_TRUE(build("kernel void k() { local volatile char t[32768]; t[0] = 1; }"));
  const Logged<abi::ModuleData> output = build("kernel void k() { local volatile char t[32769]; t[0] = 1; }");
  EXPECT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(output.log, HasSubstr("kernel 'k' needs 32769 bytes of local memory; the device has 32768"));
}

TEST(Build, UserFunctionsMayHaveNamesOfTheLibraryC) {
  EXPECT_TRUE(build("int memcpy(int x) { return x; } int strlen(int x) { return memcpy(x); }\n"
                    "kernel void k(global int* p) { *p = strlen(*p); }"));
}

TEST(Build, ProgramVariables) {
  const Logged<abi::ModuleData> output = build("global int counter = 5;\nglobal int* where = &counter;\n"
                                               "kernel void k(global int* p) { *p = *where + counter; }",
                                               "-cl-std=CL3.0");
  ASSERT_TRUE(output) << output.log;
  EXPECT_GE(output->variables.size, 16u);
  EXPECT_EQ(output->variables.relocations.size(), 1u);
}

TEST(Link, ObjectsMakeAnExecutable) {
  const Logged<abi::ModuleData> caller =
      compileObject("int twice(int);\nkernel void k(global int* p) { *p = twice(*p); }");
  const Logged<abi::ModuleData> callee = compileObject("int twice(int x) { return 2 * x; }\nkernel void other() {}");
  ASSERT_TRUE(caller && callee);
  EXPECT_EQ(kindOf(caller), ProgramKind::CompiledObject);
  const Logged<abi::ModuleData> program = linkAll({&*caller, &*callee});
  ASSERT_TRUE(program) << program.log;
  EXPECT_EQ(kindOf(program), ProgramKind::Executable);
  ASSERT_EQ(program->kernels.size(), 2u);
  EXPECT_THAT(program->expandedSource, HasSubstr("2 * x"));
}

TEST(Link, OneObjectAlone) {
  const Logged<abi::ModuleData> object = compileObject("kernel void k(global int* p) { p[get_global_id(0)] = 1; }");
  const Logged<abi::ModuleData> program = linkAll({&*object});
  ASSERT_TRUE(program) << program.log;
  EXPECT_EQ(program->kernels.at(0).name, "k");
}

TEST(Link, LibrariesAreLinkedLater) {
  const Logged<abi::ModuleData> callee = compileObject("int missing(int); int twice(int x) { return missing(x) * 2; }");
  const Logged<abi::ModuleData> library = linkAll({&*callee}, "-create-library");
  ASSERT_TRUE(library) << library.log;
  EXPECT_EQ(kindOf(library), ProgramKind::Library);
  EXPECT_TRUE(library->kernels.empty());
  const Logged<abi::ModuleData> caller = compileObject(
      "int twice(int); int missing(int x) { return x; } kernel void k(global int* p) { *p = twice(*p); }");
  const Logged<abi::ModuleData> program = linkAll({&*caller, &*library});
  EXPECT_TRUE(program) << program.log;
}

TEST(Link, WhatIsMissingIsNamed) {
  const Logged<abi::ModuleData> object =
      compileObject("float away(float4); kernel void k(global float* p) { *p = away(1.0f); }");
  const Logged<abi::ModuleData> program = linkAll({&*object});
  EXPECT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::LinkProgramFailure);
  EXPECT_THAT(program.log, HasSubstr("undefined function 'away'"));
}

TEST(Link, WhatIsDefinedTwiceIsNamed) {
  const Logged<abi::ModuleData> a = compileObject("int f(int x) { return x; }");
  const Logged<abi::ModuleData> b = compileObject("int f(int x) { return x + 1; }");
  const Logged<abi::ModuleData> program = linkAll({&*a, &*b});
  EXPECT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::LinkProgramFailure);
  EXPECT_THAT(program.log, HasSubstr("'f'"));
}

TEST(Link, InvalidOptions) {
  const Logged<abi::ModuleData> object = compileObject("kernel void k() {}");
  const Logged<abi::ModuleData> program = linkAll({&*object}, "-g");
  EXPECT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::InvalidLinkerOptions);
}

TEST(Link, WhatIsNoObjectIsRefused) {
  abi::ModuleData nonsense;
  nonsense.ir = {'n', 'o', 'n', 's', 'e', 'n', 's', 'e'};
  const Logged<abi::ModuleData> program = linkAll({&nonsense});
  EXPECT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::InvalidProgram);
}

TEST(Link, InlineFunctionsNeedNoOtherDefinition) {
  const Logged<abi::ModuleData> a =
      compileObject("inline int f(int x) { return x; } kernel void a(global int* p) { *p = f(*p); }");
  const Logged<abi::ModuleData> b =
      compileObject("inline int f(int x) { return x; } kernel void b(global int* p) { *p = f(*p); }");
  const Logged<abi::ModuleData> program = linkAll({&*a, &*b});
  EXPECT_TRUE(program) << program.log;
}

TEST(Link, StaticFunctionsOfTheSameNameStayApart) {
  const Logged<abi::ModuleData> a =
      compileObject("static int f(int x) { return x; } kernel void a(global int* p) { *p = f(*p); }");
  const Logged<abi::ModuleData> b =
      compileObject("static int f(int x) { return -x; } kernel void b(global int* p) { *p = f(*p); }");
  EXPECT_TRUE(linkAll({&*a, &*b}));
}

} // namespace
} // namespace us::compiler
