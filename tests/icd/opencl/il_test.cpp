// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs from SPIR-V: the modules of il/*.spvasm, assembled while building.
#include "tests/icd/opencl/opencl_test.h"

#include <algorithm>
#include <fstream>

namespace us::test {
namespace {

class IlTest : public OpenCl {
protected:
  static std::string moduleNamed(const std::string &name) {
    std::ifstream file(US_IL_DIRECTORY "/" + name + ".spv", std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    EXPECT_FALSE(bytes.empty()) << name;
    return bytes;
  }
  cl_program makeIl(const std::string &bytes) {
    cl_int error = 0;
    cl_program made = clCreateProgramWithIL(context, bytes.data(), bytes.size(), &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseProgram);
  }
  cl_int build(cl_program program) { return clBuildProgram(program, 0, nullptr, "", nullptr, nullptr); }
  cl_int compile(cl_program program) {
    return clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
  }
  /// Runs a kernel whose one argument are these numbers.
  std::vector<cl_uint> run(cl_program program, const char *name, std::vector<cl_uint> data) {
    cl_kernel kernel = makeKernel(program, name);
    cl_mem buffer = makeBuffer(data.size() * 4, CL_MEM_COPY_HOST_PTR, data.data());
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    const size_t size = data.size();
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS,
              clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, data.size() * 4, data.data(), 0, nullptr, nullptr));
    return data;
  }
};

using Numbers = std::vector<cl_uint>;

TEST_F(IlTest, clCreateProgramWithIL) {
  cl_program program = makeIl(moduleNamed("scale"));
  ASSERT_CL(build(program));
  EXPECT_EQ((Numbers{2, 4, 6}), run(program, "scale", {1, 2, 3}));
  EXPECT_EQ("scale", askText(clGetProgramInfo, CL_PROGRAM_KERNEL_NAMES, program));
}

TEST_F(IlTest, whatIsNoModule) {
  const std::string good = moduleNamed("scale");
  const auto errorOf = [&](const void *il, size_t length) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, clCreateProgramWithIL(context, il, length, &error));
    return error;
  };
  // "CL_INVALID_VALUE if il is NULL or if length is zero."
  EXPECT_CL(CL_INVALID_VALUE, errorOf(nullptr, 4));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(good.data(), 0));
  // "... does not contain well-formed intermediate language input".
  EXPECT_CL(CL_INVALID_VALUE, errorOf("1234", 4));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(good.data(), good.size() - 1));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(good.data(), good.size() - 12)); // in the middle of an instruction
  std::string noMagic = good;
  noMagic[0] ^= 1;
  EXPECT_CL(CL_INVALID_VALUE, errorOf(noMagic.data(), noMagic.size()));
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateProgramWithIL(reinterpret_cast<cl_context>(queue), good.data(), good.size(), &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
}

TEST_F(IlTest, theOtherByteOrder) {
  std::string swapped = moduleNamed("scale");
  for (size_t i = 0; i + 4 <= swapped.size(); i += 4) std::reverse(swapped.begin() + i, swapped.begin() + i + 4);
  cl_program program = makeIl(swapped);
  ASSERT_CL(build(program));
  EXPECT_EQ((Numbers{2, 4, 6}), run(program, "scale", {1, 2, 3}));
}

TEST_F(IlTest, clCreateProgramWithILKHR) {
  auto create = extensionFunction<clCreateProgramWithILKHR_fn>("clCreateProgramWithILKHR");
  ASSERT_NE(nullptr, create);
  const std::string bytes = moduleNamed("scale");
  cl_int error = 0;
  cl_program program = keep(create(context, bytes.data(), bytes.size(), &error), clReleaseProgram);
  ASSERT_CL(error);
  ASSERT_CL(build(program));
  EXPECT_NE(std::string::npos, askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device).find("cl_khr_il_program"));
}

TEST_F(IlTest, versionsOfTheDevice) {
  EXPECT_EQ("SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4 SPIR-V_1.5 SPIR-V_1.6",
            askText(clGetDeviceInfo, CL_DEVICE_IL_VERSION, device));
  const auto versions = askList<cl_name_version>(clGetDeviceInfo, CL_DEVICE_ILS_WITH_VERSION, device);
  ASSERT_EQ(7u, versions.size());
  EXPECT_STREQ("SPIR-V", versions[6].name);
  EXPECT_EQ(CL_MAKE_VERSION(1, 6, 0), versions[6].version);
}

TEST_F(IlTest, theModuleComesBack) {
  const std::string bytes = moduleNamed("scale");
  const auto il = askList<char>(clGetProgramInfo, CL_PROGRAM_IL, makeIl(bytes));
  EXPECT_EQ(bytes, std::string(il.begin(), il.end()));
  // "If program is created with clCreateProgramWithSource ... the memory pointed to by param_value will be unchanged
  // and param_value_size_ret will be set to zero."
  size_t size = 99;
  char untouched[2] = "x";
  EXPECT_CL(CL_SUCCESS, clGetProgramInfo(makeProgram("kernel void a() {}"), CL_PROGRAM_IL, 2, untouched, &size));
  EXPECT_EQ(0u, size);
  EXPECT_STREQ("x", untouched);
}

TEST_F(IlTest, clSetProgramSpecializationConstant) {
  cl_program program = makeIl(moduleNamed("scale"));
  const cl_uint factor = 10;
  const cl_uchar twice = 1;
  const cl_ulong offset = 5;
  EXPECT_CL(CL_SUCCESS, clSetProgramSpecializationConstant(program, 1, 4, &factor));
  EXPECT_CL(CL_SUCCESS, clSetProgramSpecializationConstant(program, 2, 1, &twice));
  EXPECT_CL(CL_SUCCESS, clSetProgramSpecializationConstant(program, 3, 8, &offset));
  ASSERT_CL(build(program));
  EXPECT_EQ((Numbers{15, 26, 37}), run(program, "scale", {1, 2, 3}));

  // "CL_INVALID_SPEC_ID if spec_id is not a valid specialization constant ID."
  EXPECT_CL(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(program, 4, 4, &factor));
  // "CL_INVALID_VALUE if spec_size does not match the size of the specialization constant in the SPIR-V module, or if
  // spec_value is NULL."
  EXPECT_CL(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 1, 8, &offset));
  EXPECT_CL(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 2, 4, &factor));
  EXPECT_CL(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 1, 4, nullptr));
  // "CL_INVALID_PROGRAM if program is not a valid program object created from an intermediate language".
  EXPECT_CL(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(makeProgram("kernel void a() {}"), 0, 4, &factor));
  EXPECT_CL(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(reinterpret_cast<cl_program>(queue), 0, 4, &factor));
}

TEST_F(IlTest, aLaterBuildTakesTheLatestValue) {
  cl_program program = makeIl(moduleNamed("scale"));
  for (const cl_uint factor : {3u, 4u}) {
    EXPECT_CL(CL_SUCCESS, clSetProgramSpecializationConstant(program, 1, 4, &factor));
    ASSERT_CL(build(program));
    cl_int error = 0;
    cl_kernel kernel = clCreateKernel(program, "scale", &error);
    ASSERT_CL(error);
    cl_uint value = 5;
    cl_mem buffer = makeBuffer(4, CL_MEM_COPY_HOST_PTR, &value);
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    const size_t one = 1;
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
    EXPECT_EQ(5 * factor, value);
    EXPECT_CL(CL_SUCCESS, clReleaseKernel(kernel));
  }
}

TEST_F(IlTest, linkedWithSource) {
  cl_program il = makeIl(moduleNamed("calls_source"));
  cl_program source = makeProgram("uint from_il(uint x);\n"
                                  "uint from_source(uint x) { return from_il(x) * 2; }\n"
                                  "kernel void source_kernel(global uint *out) { out[0] = from_il(out[0]); }\n");
  ASSERT_CL(compile(il)) << logOf(il);
  ASSERT_CL(compile(source)) << logOf(source);
  const cl_program inputs[] = {il, source};
  cl_int error = 0;
  cl_program linked =
      keep(clLinkProgram(context, 0, nullptr, "", 2, inputs, nullptr, nullptr, &error), clReleaseProgram);
  ASSERT_CL(error) << logOf(linked);
  EXPECT_EQ(Numbers{206}, run(linked, "il_kernel", {3}));
  EXPECT_EQ(Numbers{103}, run(linked, "source_kernel", {3}));
}

TEST_F(IlTest, ofFunctionsThatModulesRepeatOneIsTaken) {
  cl_program one = makeIl(moduleNamed("repeated_one")), two = makeIl(moduleNamed("repeated_two"));
  cl_program source = makeProgram("uint twice(uint x);\n"
                                  "kernel void three(global uint *out) { out[0] = twice(out[0]) + 3; }\n");
  for (cl_program program : {one, two, source}) ASSERT_CL(compile(program)) << logOf(program);
  const cl_program inputs[] = {one, two, source};
  cl_int error = 0;
  cl_program linked =
      keep(clLinkProgram(context, 0, nullptr, "", 3, inputs, nullptr, nullptr, &error), clReleaseProgram);
  ASSERT_CL(error) << logOf(linked);
  EXPECT_EQ(Numbers{21}, run(linked, "one", {10}));
  EXPECT_EQ(Numbers{22}, run(linked, "two", {10}));
  EXPECT_EQ(Numbers{23}, run(linked, "three", {10}));
}

TEST_F(IlTest, everyVersionOfSpirvIsTaken) {
  for (char minor = 0; minor <= 7; ++minor) {
    std::string module = moduleNamed("scale");
    module[5] = minor; // of word 1: 0 | major | minor | 0
    module[6] = 1;
    cl_program program = makeIl(module);
    EXPECT_CL(minor <= 6 ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE, build(program)) << int(minor);
    if (minor <= 6) EXPECT_EQ(Numbers{8}, run(program, "scale", {4}));
  }
}

TEST_F(IlTest, somethingIsNotDefined) {
  cl_program il = makeIl(moduleNamed("calls_source"));
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, build(il));
  EXPECT_NE(std::string::npos, logOf(il).find("undefined function 'from_source'")) << logOf(il);
}

TEST_F(IlTest, theLogSaysWhatIsWrong) {
  cl_program program = makeIl(moduleNamed("wrong_type"));
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, build(program));
  EXPECT_NE(std::string::npos, logOf(program).find("OpIAdd has operand 1 of type float")) << logOf(program);
  EXPECT_NE(std::string::npos, logOf(program).find("SPIR-V validator:")) << logOf(program);
}

} // namespace
} // namespace us::test
