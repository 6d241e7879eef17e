// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds through the compiler library's table functions: objects, libraries, executables and what can go wrong.
#include "tests/emulator/compiler/build_source.h"

#include <gmock/gmock.h>

namespace us::compiler {
namespace {

using namespace tests;
using testing::HasSubstr;

ProgramKind kindOf(const abi::ModuleOutput &output) { return ProgramKind(output.module.kind); }

TEST(Build, SourceToExecutable) {
  const abi::ModuleOutput output = build("kernel void a() {}\nkernel void b() {}\n", "-w");
  ASSERT_TRUE(output.ok) << output.log;
  EXPECT_EQ(kindOf(output), ProgramKind::Executable);
  EXPECT_FALSE(output.module.ir.empty());
  EXPECT_EQ(output.module.options, "-w");
  EXPECT_EQ(output.module.expandedSource, "kernel void a() {}\nkernel void b() {}\n");
  ASSERT_EQ(output.module.kernels.size(), 2u);
  EXPECT_EQ(output.module.kernels[0].name, "a");
  EXPECT_EQ(output.module.kernels[1].name, "b");
}

TEST(Build, AnEmptyProgramIsFine) {
  const abi::ModuleOutput output = build("");
  EXPECT_TRUE(output.ok) << output.log;
  EXPECT_TRUE(output.module.kernels.empty());
}

TEST(Build, ErrorsHaveACodeAndALog) {
  const abi::ModuleOutput output = build("kernel int k() {}");
  EXPECT_FALSE(output.ok);
  EXPECT_EQ(output.error.code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(output.log, HasSubstr("<source>:1:12: error: kernel must have void return type"));
}

TEST(Build, AnUndefinedFunctionIsNamedInTheLog) {
  const abi::ModuleOutput output = build("int somewhere(int);\nkernel void k(global int* p) { *p = somewhere(1); }");
  EXPECT_FALSE(output.ok);
  EXPECT_EQ(output.error.code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(output.log, HasSubstr("error: undefined function 'somewhere'"));
}

TEST(Build, TooMuchLocalMemoryIsAnError) {
  EXPECT_TRUE(build("kernel void k() { local volatile char t[32768]; t[0] = 1; }").ok);
  const abi::ModuleOutput output = build("kernel void k() { local volatile char t[32769]; t[0] = 1; }");
  EXPECT_FALSE(output.ok);
  EXPECT_EQ(output.error.code, ErrorCode::BuildProgramFailure);
  EXPECT_THAT(output.log, HasSubstr("kernel 'k' needs 32769 bytes of local memory; the device has 32768"));
}

TEST(Build, UserFunctionsMayHaveNamesOfTheLibraryC) {
  EXPECT_TRUE(build("int memcpy(int x) { return x; } int strlen(int x) { return memcpy(x); }\n"
                    "kernel void k(global int* p) { *p = strlen(*p); }")
                  .ok);
}

TEST(Build, ProgramVariables) {
  const abi::ModuleOutput output = build("global int counter = 5;\nglobal int* where = &counter;\n"
                                         "kernel void k(global int* p) { *p = *where + counter; }",
                                         "-cl-std=CL3.0");
  ASSERT_TRUE(output.ok) << output.log;
  EXPECT_GE(output.module.variables.size, 16u);
  EXPECT_EQ(output.module.variables.relocations.size(), 1u);
}

TEST(Link, ObjectsMakeAnExecutable) {
  const abi::ModuleOutput caller = compileObject("int twice(int);\nkernel void k(global int* p) { *p = twice(*p); }");
  const abi::ModuleOutput callee = compileObject("int twice(int x) { return 2 * x; }\nkernel void other() {}");
  ASSERT_TRUE(caller.ok && callee.ok);
  EXPECT_EQ(kindOf(caller), ProgramKind::CompiledObject);
  EXPECT_EQ(caller.error.message, "");
  const abi::ModuleOutput program = linkAll({&caller.module, &callee.module});
  ASSERT_TRUE(program.ok) << program.log;
  EXPECT_EQ(kindOf(program), ProgramKind::Executable);
  ASSERT_EQ(program.module.kernels.size(), 2u);
  EXPECT_THAT(program.module.expandedSource, HasSubstr("2 * x"));
}

TEST(Link, OneObjectAlone) {
  const abi::ModuleOutput object = compileObject("kernel void k(global int* p) { p[get_global_id(0)] = 1; }");
  const abi::ModuleOutput program = linkAll({&object.module});
  ASSERT_TRUE(program.ok) << program.log;
  EXPECT_EQ(program.module.kernels.at(0).name, "k");
}

TEST(Link, LibrariesAreLinkedLater) {
  const abi::ModuleOutput callee = compileObject("int missing(int); int twice(int x) { return missing(x) * 2; }");
  const abi::ModuleOutput library = linkAll({&callee.module}, "-create-library");
  ASSERT_TRUE(library.ok) << library.log;
  EXPECT_EQ(kindOf(library), ProgramKind::Library);
  EXPECT_TRUE(library.module.kernels.empty());
  const abi::ModuleOutput caller = compileObject(
      "int twice(int); int missing(int x) { return x; } kernel void k(global int* p) { *p = twice(*p); }");
  const abi::ModuleOutput program = linkAll({&caller.module, &library.module});
  EXPECT_TRUE(program.ok) << program.log;
}

TEST(Link, WhatIsMissingIsNamed) {
  const abi::ModuleOutput object =
      compileObject("float away(float4); kernel void k(global float* p) { *p = away(1.0f); }");
  const abi::ModuleOutput program = linkAll({&object.module});
  EXPECT_FALSE(program.ok);
  EXPECT_EQ(program.error.code, ErrorCode::LinkProgramFailure);
  EXPECT_THAT(program.log, HasSubstr("undefined function 'away'"));
}

TEST(Link, WhatIsDefinedTwiceIsNamed) {
  const abi::ModuleOutput a = compileObject("int f(int x) { return x; }");
  const abi::ModuleOutput b = compileObject("int f(int x) { return x + 1; }");
  const abi::ModuleOutput program = linkAll({&a.module, &b.module});
  EXPECT_FALSE(program.ok);
  EXPECT_EQ(program.error.code, ErrorCode::LinkProgramFailure);
  EXPECT_THAT(program.log, HasSubstr("'f'"));
}

TEST(Link, InvalidOptions) {
  const abi::ModuleOutput object = compileObject("kernel void k() {}");
  const abi::ModuleOutput program = linkAll({&object.module}, "-g");
  EXPECT_FALSE(program.ok);
  EXPECT_EQ(program.error.code, ErrorCode::InvalidLinkerOptions);
}

TEST(Link, WhatIsNoObjectIsRefused) {
  abi::ModuleData nonsense;
  nonsense.ir = {'n', 'o', 'n', 's', 'e', 'n', 's', 'e'};
  const abi::ModuleOutput program = linkAll({&nonsense});
  EXPECT_FALSE(program.ok);
  EXPECT_EQ(program.error.code, ErrorCode::InvalidProgram);
}

TEST(Link, InlineFunctionsNeedNoOtherDefinition) {
  const abi::ModuleOutput a =
      compileObject("inline int f(int x) { return x; } kernel void a(global int* p) { *p = f(*p); }");
  const abi::ModuleOutput b =
      compileObject("inline int f(int x) { return x; } kernel void b(global int* p) { *p = f(*p); }");
  const abi::ModuleOutput program = linkAll({&a.module, &b.module});
  EXPECT_TRUE(program.ok) << program.log;
}

TEST(Link, StaticFunctionsOfTheSameNameStayApart) {
  const abi::ModuleOutput a =
      compileObject("static int f(int x) { return x; } kernel void a(global int* p) { *p = f(*p); }");
  const abi::ModuleOutput b =
      compileObject("static int f(int x) { return -x; } kernel void b(global int* p) { *p = f(*p); }");
  EXPECT_TRUE(linkAll({&a.module, &b.module}).ok);
}

} // namespace
} // namespace us::compiler
