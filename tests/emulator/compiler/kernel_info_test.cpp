// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// KernelInfo of kernels built from source: arguments, attributes, memory, what they use, what they read and write.
#include "tests/emulator/compiler/build_source.h"

#include <gmock/gmock.h>

namespace us::compiler {
namespace {

using namespace tests;

struct ExpectedArgument {
  const char *declaration;
  const char *typeName;
  ArgumentKind kind;
  uint32_t size, alignment;
  uint8_t qualifiers = 0;
};

// Sizes and alignments: OpenCL C 3.0, "Built-in Vector Data Types" and "Alignment of Types": a type is aligned to its
// size, and a 3-component vector has the size of 4.
const ExpectedArgument kArguments[] = {
    {"char x", "char", ArgumentKind::Value, 1, 1},
    {"unsigned char x", "uchar", ArgumentKind::Value, 1, 1},
    {"short3 x", "short3", ArgumentKind::Value, 8, 8},
    {"int x", "int", ArgumentKind::Value, 4, 4},
    {"unsigned x", "uint", ArgumentKind::Value, 4, 4},
    {"const int x", "int", ArgumentKind::Value, 4, 4},
    {"long x", "long", ArgumentKind::Value, 8, 8},
    {"unsigned long x", "ulong", ArgumentKind::Value, 8, 8},
    {"float x", "float", ArgumentKind::Value, 4, 4},
    {"double x", "double", ArgumentKind::Value, 8, 8},
    {"half x", "half", ArgumentKind::Value, 2, 2},
    {"char3 x", "char3", ArgumentKind::Value, 4, 4},
    {"float2 x", "float2", ArgumentKind::Value, 8, 8},
    {"float3 x", "float3", ArgumentKind::Value, 16, 16},
    {"float4 x", "float4", ArgumentKind::Value, 16, 16},
    {"double3 x", "double3", ArgumentKind::Value, 32, 32},
    {"int16 x", "int16", ArgumentKind::Value, 64, 64},
    {"ulong16 x", "ulong16", ArgumentKind::Value, 128, 128},
    {"S x", "S", ArgumentKind::Value, 48, 16},
    {"struct P x", "struct P", ArgumentKind::Value, 5, 1},
    {"global int* x", "int*", ArgumentKind::GlobalPointer, 8, 8},
    {"global const float4* restrict x", "float4*", ArgumentKind::GlobalPointer, 8, 8, kTypeConst | kTypeRestrict},
    {"volatile global unsigned* x", "uint*", ArgumentKind::GlobalPointer, 8, 8, kTypeVolatile},
    {"constant S* x", "S*", ArgumentKind::ConstantPointer, 8, 8, kTypeConst},
    {"local double* x", "double*", ArgumentKind::LocalPointer, 8, 8},
    {"global void* x", "void*", ArgumentKind::GlobalPointer, 8, 8},
};

constexpr std::string_view kTypes = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                    "typedef struct { int a; float4 v; char c; } S;\n"
                                    "struct __attribute__((packed)) P { char c; int i; };\n";

class Arguments : public testing::TestWithParam<ExpectedArgument> {};

TEST_P(Arguments, AreDescribed) {
  const ExpectedArgument &expected = GetParam();
  const KernelInfo kernel = kernelOf(std::string(kTypes) + "kernel void k(char first, " + expected.declaration + ") {}",
                                     "-cl-std=CL3.0 -cl-kernel-arg-info");
  ASSERT_EQ(kernel.arguments.size(), 2u);
  const ArgumentInfo &argument = kernel.arguments[1];
  EXPECT_EQ(argument.name, "x");
  EXPECT_EQ(argument.typeName, expected.typeName);
  EXPECT_EQ(argument.kind, expected.kind);
  EXPECT_EQ(argument.size, expected.size);
  EXPECT_EQ(argument.alignment, expected.alignment);
  EXPECT_EQ(argument.offset, expected.alignment); // behind one byte
  EXPECT_EQ(argument.typeQualifiers, expected.qualifiers);
  EXPECT_EQ(argument.access, AccessQualifier::None);
  EXPECT_GE(kernel.argumentBlockSize, argument.offset + argument.size);
  EXPECT_TRUE(kernel.hasArgumentNames);
}

INSTANTIATE_TEST_SUITE_P(KernelInfo, Arguments, testing::ValuesIn(kArguments));

// Whatever the source calls it.
TEST(KernelInfo, TellsWhatPointersPointTo) {
  const KernelInfo kernel = kernelOf(
      "typedef float Real; typedef Real Pair __attribute__((ext_vector_type(2)));"
      "struct P { char c; };"
      "kernel void k(global Real *a, constant Pair *b, local uchar3 *c, global struct P *d, global void *e, int f)"
      " {}");
  const char *const names[] = {"float", "float2", "uchar3", "struct P", "void", ""};
  ASSERT_EQ(kernel.arguments.size(), std::size(names));
  for (size_t i = 0; i < std::size(names); ++i) EXPECT_EQ(kernel.arguments[i].elementName, names[i]) << i;
}

TEST(KernelInfo, ImagesAndSamplers) {
  struct Expected {
    const char *declaration, *typeName;
    ArgumentKind kind;
    AccessQualifier access;
    bool read, written;
  };
  const Expected expected[] = {
      {"image2d_t x", "image2d_t", ArgumentKind::Image, AccessQualifier::ReadOnly, true, false},
      {"read_only image1d_t x", "image1d_t", ArgumentKind::Image, AccessQualifier::ReadOnly, true, false},
      {"write_only image1d_array_t x", "image1d_array_t", ArgumentKind::Image, AccessQualifier::WriteOnly, false, true},
      {"read_write image1d_buffer_t x", "image1d_buffer_t", ArgumentKind::Image, AccessQualifier::ReadWrite, true,
       true},
      {"write_only image3d_t x", "image3d_t", ArgumentKind::Image, AccessQualifier::WriteOnly, false, true},
      {"read_only image2d_array_t x", "image2d_array_t", ArgumentKind::Image, AccessQualifier::ReadOnly, true, false},
      {"read_only image2d_depth_t x", "image2d_depth_t", ArgumentKind::Image, AccessQualifier::ReadOnly, true, false},
      {"read_write image2d_array_depth_t x", "image2d_array_depth_t", ArgumentKind::Image, AccessQualifier::ReadWrite,
       true, true},
      {"sampler_t x", "sampler_t", ArgumentKind::Sampler, AccessQualifier::None, false, false},
  };
  for (const Expected &one : expected) {
    const KernelInfo kernel =
        kernelOf(std::string("kernel void k(char first, ") + one.declaration + ") {}", "-cl-std=CL3.0");
    ASSERT_EQ(kernel.arguments.size(), 2u);
    const ArgumentInfo &argument = kernel.arguments[1];
    EXPECT_EQ(argument.typeName, one.typeName);
    EXPECT_EQ(argument.kind, one.kind) << one.declaration;
    EXPECT_EQ(argument.access, one.access) << one.declaration;
    EXPECT_EQ(argument.read, one.read) << one.declaration;
    EXPECT_EQ(argument.written, one.written) << one.declaration;
    EXPECT_EQ(argument.offset, 8u);
    EXPECT_EQ(argument.size, 8u);
  }
}

TEST(KernelInfo, NamesOfArgumentsOnlyIfAskedFor) {
  const KernelInfo kernel = kernelOf("kernel void k(global const float *restrict x) {}");
  EXPECT_FALSE(kernel.hasArgumentNames);
  EXPECT_EQ(kernel.arguments[0].name, "");
  EXPECT_EQ(kernel.arguments[0].typeName, "float*");
  EXPECT_EQ(kernel.arguments[0].typeQualifiers, kTypeConst | kTypeRestrict);
}

TEST(KernelInfo, PointeeAlignment) {
  auto alignment = [](const char *type) {
    return kernelOf(std::string(kTypes) + "kernel void k(global " + type + "* x) {}").arguments[0].pointeeAlignment;
  };
  EXPECT_EQ(alignment("char"), 1u);
  EXPECT_EQ(alignment("int"), 4u);
  EXPECT_EQ(alignment("float3"), 16u);
  EXPECT_EQ(alignment("double16"), 128u);
  EXPECT_EQ(alignment("void"), 1u);
}

TEST(KernelInfo, Attributes) {
  const KernelInfo kernel =
      kernelOf("__attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(4,4,1)))\n"
               "__attribute__((reqd_work_group_size(8, 4,\n2))) kernel void k() {}");
  EXPECT_EQ(kernel.requiredWorkGroupSize, (Size3{8, 4, 2}));
  EXPECT_EQ(kernel.workGroupSizeHint, (Size3{4, 4, 1}));
  // "Attributes are returned as they were declared ... with any surrounding whitespace and embedded newlines removed."
  EXPECT_EQ(kernel.attributes, "vec_type_hint(float4) work_group_size_hint(4,4,1) reqd_work_group_size(8, 4,2)");
}

TEST(KernelInfo, AttributesInTheSourcesOrder) {
  auto attributes = [](const char *source) { return kernelOf(source).attributes; };
  EXPECT_EQ(attributes("__attribute__((reqd_work_group_size(1,1,1), vec_type_hint(int))) kernel void k() {}"),
            "reqd_work_group_size(1,1,1) vec_type_hint(int)");
  EXPECT_EQ(
      attributes("kernel __attribute__((vec_type_hint(int))) __attribute__((reqd_work_group_size(1,1,1))) void k() {}"),
      "vec_type_hint(int) reqd_work_group_size(1,1,1)");
  // What code generation does not know is there, too; what a macro stands for is what the program asked for.
  EXPECT_EQ(attributes("kernel __attribute__((used)) void k() {}"), "used");
  EXPECT_EQ(attributes("#define N 16\nkernel __attribute__((reqd_work_group_size(N, 1, 1))) void k() {}"),
            "reqd_work_group_size(16,1,1)");
  EXPECT_EQ(attributes("#define A __attribute__((work_group_size_hint(2, 2, 1)))\nA kernel void k() {}"),
            "work_group_size_hint(2,2,1)");
  EXPECT_EQ(attributes("__attribute__((reqd_work_group_size(4,1,1))) kernel void k();\nkernel void k() {}"),
            "reqd_work_group_size(4,1,1)");
}

TEST(KernelInfo, VectorTypeHints) {
  for (const char *type : {"float", "uint4", "char16", "ulong", "double2", "int"})
    EXPECT_EQ(kernelOf(std::string("__attribute__((vec_type_hint(") + type + "))) kernel void k() {}").attributes,
              std::string("vec_type_hint(") + type + ")");
}

TEST(KernelInfo, NoAttributes) {
  const KernelInfo kernel = kernelOf("kernel void k() {}");
  EXPECT_EQ(kernel.attributes, "");
  EXPECT_EQ(kernel.requiredWorkGroupSize, (Size3{0, 0, 0}));
  EXPECT_EQ(kernel.argumentBlockSize, 0u);
  EXPECT_EQ(kernel.localMemory, 0u);
  EXPECT_FALSE(kernel.usesLocalMemory);
  EXPECT_TRUE(kernel.tierObstacles.empty());
}

TEST(KernelInfo, LocalMemoryIsOfWhatTheKernelReaches) {
  const Logged<abi::ModuleData> output =
      build("kernel void a(global int* p) { local int t[10]; t[*p] = 1; *p = t[0]; }\n"
            "kernel void b(global int* p) { *p = 1; }\n"
            "kernel void c(local int* p) { *p = 1; }\n");
  ASSERT_TRUE(output) << output.log;
  EXPECT_EQ(output->kernels[0].localMemory, 40u);
  EXPECT_TRUE(output->kernels[0].usesLocalMemory);
  EXPECT_EQ(output->kernels[1].localMemory, 0u);
  EXPECT_FALSE(output->kernels[1].usesLocalMemory);
  EXPECT_EQ(output->kernels[2].localMemory, 0u);
  EXPECT_TRUE(output->kernels[2].usesLocalMemory);
}

TEST(KernelInfo, PrivateMemory) {
  EXPECT_GE(
      kernelOf(
          "kernel void k(global int* p) { int t[100]; for (int i = 0; i < 100; ++i) t[i] = p[i]; p[0] = t[p[1]]; }")
          .privateMemory,
      400u);
}

TEST(KernelInfo, UniformWorkGroups) {
  EXPECT_TRUE(kernelOf("kernel void k() {}", "").uniformWorkGroups);
  EXPECT_FALSE(kernelOf("kernel void k() {}", "-cl-std=CL2.0").uniformWorkGroups);
  EXPECT_TRUE(kernelOf("kernel void k() {}", "-cl-std=CL3.0 -cl-uniform-work-group-size").uniformWorkGroups);
}

TEST(KernelInfo, BarriersInCalledFunctions) {
  const KernelInfo kernel = kernelOf("void wait() { barrier(CLK_LOCAL_MEM_FENCE); } kernel void k() { wait(); }");
  EXPECT_TRUE(kernel.usesBarrier);
  EXPECT_FALSE(kernel.usesSubGroupSync);
  EXPECT_TRUE(kernel.tierObstacles.empty());
}

TEST(KernelInfo, Collectives) {
  const KernelInfo kernel = kernelOf("kernel void k(global int* p) { *p = work_group_reduce_add(*p); }");
  EXPECT_TRUE(kernel.usesBarrier);
  EXPECT_TRUE(kernel.usesExchange);
}

TEST(KernelInfo, SubGroupOperations) {
  EXPECT_TRUE(kernelOf("kernel void k(global int* p) { *p = sub_group_reduce_add(*p); }").usesSubGroupSync);
  EXPECT_FALSE(kernelOf("kernel void k(global int* p) { *p = get_sub_group_id(); }").usesSubGroupSync);
}

TEST(KernelInfo, WorkGroupShape) {
  EXPECT_TRUE(kernelOf("kernel void k(global int* p) { *p = get_local_id(0); }").usesWorkGroupShape);
  EXPECT_TRUE(kernelOf("kernel void k(global int* p) { *p = get_num_groups(1); }").usesWorkGroupShape);
  EXPECT_FALSE(
      kernelOf("kernel void k(global int* p) { *p = get_global_id(0) + get_global_size(1); }").usesWorkGroupShape);
}

TEST(KernelInfo, AtomicsAndPrintf) {
  EXPECT_TRUE(kernelOf("kernel void k(global int* p) { atomic_inc(p); }").usesAtomics);
  EXPECT_FALSE(kernelOf("kernel void k(global int* p) { (*p)++; }").usesAtomics);
  EXPECT_TRUE(kernelOf("kernel void k(int i) { printf(\"%d\\n\", i); }").usesPrintf);
  EXPECT_FALSE(kernelOf("kernel void k(int i) { }").usesPrintf);
}

TEST(KernelInfo, WatchesWhatOtherGroupsChange) {
  EXPECT_TRUE(kernelOf("kernel void k(global volatile int* p) { while (*p == 0); }").watchesMemory);
  EXPECT_TRUE(kernelOf("kernel void k(global int* p) { while (atomic_or(p, 0) == 0); }").watchesMemory);
  EXPECT_FALSE(kernelOf("kernel void k(global int* p) { *p = 1; }").watchesMemory);
  // Other groups cannot change local memory.
  EXPECT_FALSE(kernelOf("kernel void k(local int* l, global int* p) { *p = atomic_inc(l); }").watchesMemory);
}

TEST(KernelInfo, Loops) {
  EXPECT_TRUE(kernelOf("kernel void k(global int* p, int n) { for (int i = 0; i < n; ++i) p[i] = i; }").hasLoops);
  EXPECT_FALSE(kernelOf("kernel void k(global int* p, int n) { if (n) *p = n; }").hasLoops);
}

TEST(KernelInfo, Recursion) {
  EXPECT_TRUE(
      kernelOf("int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } kernel void k(global int* p) { *p = f(*p); }")
          .tierObstacles.empty());
  EXPECT_FALSE(kernelOf("int f(int n) { return n < 2 ? get_global_id(0) : f(n - 1) + f(n - 2); } "
                        "kernel void k(global int* p) { *p = f(*p); }")
                   .tierObstacles.empty());
}

struct ExpectedAccess {
  const char *body; ///< of a kernel with `global int* p, global int* q`
  bool read, written;
};

const ExpectedAccess kAccesses[] = {
    {"", false, false},
    {"q[0] = p[1];", true, false},
    {"p[0] = 1;", false, true},
    {"p[0] += 1;", true, true},
    {"if (p == 0) q[0] = 1;", false, false},
    {"global int* r = p; r[3] = 1;", false, true},
    {"global int* r = q; if (q[0]) r = p; r[3] = 1;", false, true},
    {"global int* r[2]; r[0] = q; r[1] = p; r[q[0]][1] = 7;", false, true},
    {"atomic_add(p, 1);", true, true},
    {"*q = load(p);", true, false},
    {"*pass(p) = 3;", false, true},
    {"vstore4((int4)(1), 0, p);", false, true},
    {"*(global int4*)q = vload4(0, p);", true, false},
    {"readGeneric(p);", true, false},
    {"struct Both both = {p, q}; both.a[0] = 1;", false, true},
    {"for (global int* r = p; r < p + 10; ++r) *q += *r;", true, false},
    {"*q = (int)(ulong)p;", true, true}, // as a number it can be anything
};

class Access : public testing::TestWithParam<ExpectedAccess> {};

TEST_P(Access, OfTheFirstArgument) {
  const ExpectedAccess &expected = GetParam();
  const KernelInfo kernel = kernelOf(std::string("struct Both { global int* a; global int* b; };\n"
                                                 "int load(global const int* x) { return x[5]; }\n"
                                                 "global int* pass(global int* x) { return x + 1; }\n"
                                                 "int readGeneric(int* x) { return x[5]; }\n"
                                                 "kernel void k(global int* p, global int* q) { ") +
                                     expected.body + " }");
  ASSERT_EQ(kernel.arguments.size(), 2u);
  EXPECT_EQ(kernel.arguments[0].read, expected.read) << expected.body;
  EXPECT_EQ(kernel.arguments[0].written, expected.written) << expected.body;
}

INSTANTIATE_TEST_SUITE_P(KernelInfo, Access, testing::ValuesIn(kAccesses));

} // namespace
} // namespace us::compiler
