// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <atomic>
#include <condition_variable>

namespace us::test {
namespace {

constexpr const char *kGood = "kernel __attribute__((vec_type_hint(int))) void a(global int *x) { x[0] = 1; }\nkernel "
                              "void b(global int *x) { x[0] = 2; }\n";
constexpr const char *kBad = "kernel void a(global int *x) {\n  x[0] = nonsense;\n}\n";

class ProgramTest : public OpenCl {
protected:
  cl_build_status status(cl_program program) {
    return ask<cl_build_status>(clGetProgramBuildInfo, CL_PROGRAM_BUILD_STATUS, program, device);
  }
  cl_program_binary_type type(cl_program program) {
    return ask<cl_program_binary_type>(clGetProgramBuildInfo, CL_PROGRAM_BINARY_TYPE, program, device);
  }
  cl_int build(cl_program program, const char *options = nullptr) {
    return clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
  }
  cl_int compile(cl_program program, const char *options = nullptr) {
    return clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr);
  }
  std::vector<unsigned char> binaryOf(cl_program program) {
    auto sizes = askList<size_t>(clGetProgramInfo, CL_PROGRAM_BINARY_SIZES, program);
    std::vector<std::vector<unsigned char>> all;
    std::vector<unsigned char *> places;
    for (size_t size : sizes) all.emplace_back(size);
    for (auto &one : all) places.push_back(one.data());
    EXPECT_CL(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, places.size() * sizeof(unsigned char *),
                                           places.data(), nullptr));
    return all.at(0);
  }
  cl_int run(cl_program program, const char *name) {
    cl_kernel kernel = makeKernel(program, name);
    cl_mem out = makeBuffer(4);
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
    EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
    cl_int value = -1;
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
    return value;
  }
};

TEST_F(ProgramTest, clCreateProgramWithSource) {
  cl_int error = 0;
  const char *parts[] = {"kernel void k(global int *x) {", "x[0] = 7; }garbage"};
  const size_t lengths[] = {0, 11};
  cl_program program = keep(clCreateProgramWithSource(context, 2, parts, lengths, &error), clReleaseProgram);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ("kernel void k(global int *x) {x[0] = 7; }", askText(clGetProgramInfo, CL_PROGRAM_SOURCE, program));
  EXPECT_EQ(nullptr, clCreateProgramWithSource(context, 0, parts, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithSource(context, 1, nullptr, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  parts[1] = nullptr;
  EXPECT_EQ(nullptr, clCreateProgramWithSource(context, 2, parts, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithSource(reinterpret_cast<cl_context>(queue), 1, parts, nullptr, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
}

TEST_F(ProgramTest, beforeAnyBuild) {
  cl_program program = makeProgram(kGood);
  EXPECT_EQ(CL_BUILD_NONE, status(program));
  EXPECT_EQ("", logOf(program));
  EXPECT_EQ("", askText(clGetProgramBuildInfo, CL_PROGRAM_BUILD_OPTIONS, program, device));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_NONE), type(program));
  EXPECT_EQ(std::vector<size_t>{0}, askList<size_t>(clGetProgramInfo, CL_PROGRAM_BINARY_SIZES, program));
}

TEST_F(ProgramTest, clBuildProgram) {
  cl_program program = makeProgram(kGood);
  EXPECT_CL(CL_INVALID_VALUE, clBuildProgram(program, 1, nullptr, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clBuildProgram(program, 0, nullptr, "", nullptr, &device));
  cl_device_id wrong = reinterpret_cast<cl_device_id>(queue);
  EXPECT_CL(CL_INVALID_DEVICE, clBuildProgram(program, 1, &wrong, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_BUILD_OPTIONS, build(program, "-no-such-option"));
  EXPECT_CL(CL_INVALID_PROGRAM, build(reinterpret_cast<cl_program>(queue)));
  EXPECT_CL(CL_SUCCESS, build(program, "-cl-fast-relaxed-math -DX=1 -g -cl-strict-aliasing"));
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), type(program));
  EXPECT_EQ(2, run(program, "b"));
  // "CL_INVALID_OPERATION if there are kernel objects attached to program."
  EXPECT_CL(CL_INVALID_OPERATION, build(program));

  cl_program broken = makeProgram(kBad);
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, build(broken));
  EXPECT_EQ(CL_BUILD_ERROR, status(broken));
  std::string log = logOf(broken);
  EXPECT_NE(std::string::npos, log.find("nonsense")) << log;
  EXPECT_NE(std::string::npos, log.find(":2:")) << log; // the source line
}

struct Building {
  std::atomic<int> calls{0};
  std::atomic<cl_program> program{nullptr};
};
void CL_CALLBACK built(cl_program program, void *data) {
  auto *building = static_cast<Building *>(data);
  building->program = program;
  ++building->calls;
}

TEST_F(ProgramTest, aCallbackIsCalledInEitherOutcome) {
  Building good, bad;
  cl_program fine = makeProgram(kGood), broken = makeProgram(kBad);
  EXPECT_CL(CL_SUCCESS, clBuildProgram(fine, 1, &device, "", built, &good));
  EXPECT_CL(CL_SUCCESS, clBuildProgram(broken, 1, &device, "", built, &bad));
  EXPECT_TRUE(eventually([&] { return good.calls == 1 && bad.calls == 1; }));
  EXPECT_EQ(fine, good.program);
  EXPECT_EQ(CL_BUILD_SUCCESS, status(fine));
  EXPECT_EQ(CL_BUILD_ERROR, status(broken));
}

TEST_F(ProgramTest, subDevicesUseWhatWasBuiltForTheirParent) {
  const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  if (clCreateSubDevices(device, one, 0, nullptr, &count) != CL_SUCCESS) GTEST_SKIP() << "cannot be divided";
  std::vector<cl_device_id> devices(count);
  ASSERT_CL(clCreateSubDevices(device, one, count, devices.data(), nullptr));
  devices.push_back(device);
  cl_int error = 0;
  cl_context divided = clCreateContext(nullptr, count + 1, devices.data(), nullptr, nullptr, &error);
  ASSERT_CL(error);
  const char *source = kGood;
  cl_program program = clCreateProgramWithSource(divided, 1, &source, nullptr, &error);
  ASSERT_CL(error);
  auto statusOn = [&](cl_device_id on) {
    return ask<cl_build_status>(clGetProgramBuildInfo, CL_PROGRAM_BUILD_STATUS, program, on);
  };
  // Built for one part: neither its parent nor its sibling has anything of that.
  ASSERT_CL(clBuildProgram(program, 1, &devices[0], "", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, statusOn(devices[0]));
  EXPECT_EQ(CL_BUILD_NONE, statusOn(device));
  if (count > 1) EXPECT_EQ(CL_BUILD_NONE, statusOn(devices[1]));
  EXPECT_CL(CL_SUCCESS, clReleaseProgram(program));

  // "If a program binary has not been built for a sub-device, the program binary associated with the parent device will
  // be used."
  program = clCreateProgramWithSource(divided, 1, &source, nullptr, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel kernel = clCreateKernel(program, "b", &error);
  ASSERT_CL(error);
  for (cl_device_id on : devices) {
    EXPECT_EQ(CL_BUILD_SUCCESS, statusOn(on));
    EXPECT_LT(0u, askList<size_t>(clGetProgramInfo, CL_PROGRAM_BINARY_SIZES, program).at(0));
    EXPECT_LT(0u, ask<size_t>(clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE, kernel, on));
    cl_command_queue onPart = clCreateCommandQueueWithProperties(divided, on, nullptr, &error);
    ASSERT_CL(error);
    cl_int value = 0;
    cl_mem out = clCreateBuffer(divided, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error);
    ASSERT_CL(error);
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
    EXPECT_CL(CL_SUCCESS, clEnqueueTask(onPart, kernel, 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(onPart, out, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
    EXPECT_EQ(2, value);
    EXPECT_CL(CL_SUCCESS, clReleaseMemObject(out));
    EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(onPart));
  }
  // Built for one device, so none need be named.
  EXPECT_LT(0u, ask<size_t>(clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE, kernel, cl_device_id(nullptr)));
  EXPECT_CL(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT_CL(CL_SUCCESS, clReleaseProgram(program));
  EXPECT_CL(CL_SUCCESS, clReleaseContext(divided));
  for (cl_uint i = 0; i < count; ++i) EXPECT_CL(CL_SUCCESS, clReleaseDevice(devices[i]));
}

TEST_F(ProgramTest, aBuildWithACallbackIsSeenInProgress) {
  std::string source;
  for (int i = 0; i < 60; ++i) {
    std::string n = std::to_string(i);
    source += "kernel void k" + n + "(global float *x) { float v = x[0]; for (int i = 0; i < " + n +
              "; ++i) v = sin(v) + pow(v, x[i]); x[get_global_id(0)] = v; }\n";
  }
  Building building;
  // Never built before: a binary from the disk cache would be there at once.
  source += "// " + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
  cl_program program = makeProgram(source.c_str());
  EXPECT_EQ(CL_BUILD_NONE, status(program));
  ASSERT_CL(clBuildProgram(program, 1, &device, "", built, &building));
  EXPECT_EQ(CL_BUILD_IN_PROGRESS, status(program));
  EXPECT_EQ(0, building.calls);
  // "CL_INVALID_OPERATION if the build of a program executable for any of the devices listed in device_list by a
  // previous call to clBuildProgram for program has not completed."
  EXPECT_CL(CL_INVALID_OPERATION, build(program));
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateKernel(program, "k1", &error));
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, error);
  EXPECT_TRUE(eventually([&] { return building.calls == 1; }, 120));
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program)) << logOf(program);
}

TEST_F(ProgramTest, clCompileProgram) {
  cl_program program = makeProgram("#include \"inc/value.h\"\nkernel void k(global int *x) { x[0] = VALUE; }");
  cl_program header = makeProgram("#define VALUE 23\n");
  const char *name = "inc/value.h";
  auto compileWith = [&](cl_uint count, const cl_program *headers, const char **names) {
    return clCompileProgram(program, 0, nullptr, "", count, headers, names, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_VALUE, compileWith(1, nullptr, &name));
  EXPECT_CL(CL_INVALID_VALUE, compileWith(0, &header, &name));
  cl_program wrong = reinterpret_cast<cl_program>(queue);
  EXPECT_CL(CL_INVALID_PROGRAM, compileWith(1, &wrong, &name));
  EXPECT_CL(CL_COMPILE_PROGRAM_FAILURE, compileWith(0, nullptr, nullptr)); // the header is not given
  EXPECT_CL(CL_SUCCESS, compileWith(1, &header, &name)) << logOf(program);
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT), type(program));
  EXPECT_CL(CL_INVALID_COMPILER_OPTIONS, compile(program, "-no-such-option"));
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateKernel(program, "k", &error));
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

TEST_F(ProgramTest, clLinkProgram) {
  cl_program part = makeProgram("int help(int); kernel void k(global int *x) { x[0] = help(4); }");
  cl_program other = makeProgram("int help(int x) { return x * 10; }");
  EXPECT_CL(CL_SUCCESS, compile(part));
  EXPECT_CL(CL_SUCCESS, compile(other));
  cl_program both[] = {part, other};
  cl_int error = 0;
  auto link = [&](cl_uint count, const cl_program *programs, const char *options = "") {
    return clLinkProgram(context, 0, nullptr, options, count, programs, nullptr, nullptr, &error);
  };
  cl_program linked = keep(link(2, both), clReleaseProgram);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(CL_BUILD_SUCCESS, status(linked));
  EXPECT_EQ(40, run(linked, "k"));
  EXPECT_CL(CL_INVALID_OPERATION, build(linked));
  // A library, then an executable of it.
  cl_program library = keep(link(1, &other, "-create-library"), clReleaseProgram);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_LIBRARY), type(library));
  both[1] = library;
  EXPECT_EQ(40, run(keep(link(2, both), clReleaseProgram), "k"));
  // A kernel may call a kernel of another program.
  cl_program caller = makeProgram("extern kernel void other(global int *x);"
                                  "kernel void k(global int *x) { other(x); x[0] += 2; }");
  cl_program called = makeProgram("kernel void other(global int *x) { x[0] = 7; }");
  EXPECT_CL(CL_SUCCESS, compile(caller)) << logOf(caller);
  EXPECT_CL(CL_SUCCESS, compile(called));
  cl_program kernels[] = {caller, called};
  cl_program linkedKernels = keep(link(2, kernels), clReleaseProgram);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(9, run(linkedKernels, "k"));
  EXPECT_EQ(7, run(linkedKernels, "other"));
  kernels[1] = keep(link(1, &called, "-create-library"), clReleaseProgram);
  EXPECT_EQ(9, run(keep(link(2, kernels), clReleaseProgram), "k"));
  // A failure comes with the program that holds its log.
  cl_program failed = keep(link(1, &part), clReleaseProgram);
  EXPECT_CL(CL_LINK_PROGRAM_FAILURE, error);
  EXPECT_EQ(CL_BUILD_ERROR, status(failed));
  EXPECT_NE(std::string::npos, logOf(failed).find("help"));
  auto fails = [&](cl_int code, cl_uint count, const cl_program *programs, const char *options = "") {
    error = 0;
    EXPECT_EQ(nullptr, link(count, programs, options));
    EXPECT_CL(code, error);
  };
  both[1] = other;
  fails(CL_INVALID_VALUE, 0, nullptr);
  fails(CL_INVALID_VALUE, 0, both);
  fails(CL_INVALID_VALUE, 1, nullptr);
  fails(CL_INVALID_LINKER_OPTIONS, 2, both, "-no-such-option");
  cl_program wrong = reinterpret_cast<cl_program>(queue);
  fails(CL_INVALID_PROGRAM, 1, &wrong);
  cl_program uncompiled = makeProgram(kGood);
  fails(CL_INVALID_OPERATION, 1, &uncompiled);
}

TEST_F(ProgramTest, clCreateProgramWithBinary) {
  cl_program program = buildProgram(kGood);
  std::vector<unsigned char> binary = binaryOf(program);
  ASSERT_FALSE(binary.empty());
  const unsigned char *bytes = binary.data();
  size_t size = binary.size();
  cl_int error = 0, one = 99;
  cl_program loaded =
      keep(clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &one, &error), clReleaseProgram);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_CL(CL_SUCCESS, one);
  EXPECT_EQ("", askText(clGetProgramInfo, CL_PROGRAM_SOURCE, loaded));
  // An executable has its kernels before it is built once more.
  EXPECT_EQ(CL_BUILD_NONE, status(loaded));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), type(loaded));
  cl_kernel early = clCreateKernel(loaded, "a", &error);
  EXPECT_CL(CL_SUCCESS, error);
  // "For kernels not created from OpenCL C source and the clCreateProgramWithSource API call the string returned from
  // this query will be empty."
  EXPECT_EQ("vec_type_hint(int)", askText(clGetKernelInfo, CL_KERNEL_ATTRIBUTES, makeKernel(program, "a")));
  EXPECT_EQ("", askText(clGetKernelInfo, CL_KERNEL_ATTRIBUTES, early));
  EXPECT_CL(CL_SUCCESS, clReleaseKernel(early));
  EXPECT_CL(CL_SUCCESS, build(loaded));
  EXPECT_EQ(1, run(loaded, "a"));
  EXPECT_EQ(binary, binaryOf(loaded));
  auto fails = [&](cl_int code, cl_int expected, const size_t *sizes, const unsigned char **list) {
    error = 0;
    one = 99;
    EXPECT_EQ(nullptr, clCreateProgramWithBinary(context, 1, &device, sizes, list, &one, &error));
    EXPECT_CL(code, error);
    EXPECT_EQ(expected, one);
  };
  fails(CL_INVALID_VALUE, 99, nullptr, &bytes);
  fails(CL_INVALID_VALUE, 99, &size, nullptr);
  size_t nothing = 0, less = size - 1;
  fails(CL_INVALID_VALUE, CL_INVALID_VALUE, &nothing, &bytes);
  const unsigned char *none = nullptr;
  fails(CL_INVALID_VALUE, CL_INVALID_VALUE, &size, &none);
  fails(CL_INVALID_BINARY, CL_INVALID_BINARY, &less, &bytes);
  binary[size / 2] ^= 1; // a damaged byte
  fails(CL_INVALID_BINARY, CL_INVALID_BINARY, &size, &bytes);
  EXPECT_EQ(nullptr, clCreateProgramWithBinary(context, 0, &device, &size, &bytes, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
}

TEST_F(ProgramTest, clGetProgramInfo) {
  cl_program program = makeProgram(kGood);
  EXPECT_EQ(1u, ask<cl_uint>(clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT, program));
  EXPECT_EQ(context, ask<cl_context>(clGetProgramInfo, CL_PROGRAM_CONTEXT, program));
  EXPECT_EQ(1u, ask<cl_uint>(clGetProgramInfo, CL_PROGRAM_NUM_DEVICES, program));
  EXPECT_EQ(device, ask<cl_device_id>(clGetProgramInfo, CL_PROGRAM_DEVICES, program));
  EXPECT_EQ(kGood, askText(clGetProgramInfo, CL_PROGRAM_SOURCE, program));
  EXPECT_TRUE(askList<char>(clGetProgramInfo, CL_PROGRAM_IL, program).empty());
  size_t count = 0;
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE,
            clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr));
  EXPECT_CL(CL_SUCCESS, build(program));
  EXPECT_EQ(2u, ask<size_t>(clGetProgramInfo, CL_PROGRAM_NUM_KERNELS, program));
  EXPECT_EQ("a;b", askText(clGetProgramInfo, CL_PROGRAM_KERNEL_NAMES, program));
  EXPECT_EQ(cl_bool(CL_FALSE), ask<cl_bool>(clGetProgramInfo, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, program));
  EXPECT_EQ(cl_bool(CL_FALSE), ask<cl_bool>(clGetProgramInfo, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, program));
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramInfo(program, 0x6666, 0, nullptr, nullptr));
  unsigned char *small = nullptr;
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_BINARIES, 1, &small, nullptr));
}

TEST_F(ProgramTest, clGetProgramBuildInfo) {
  cl_program program =
      buildProgram("global int counters[256]; kernel void k() { counters[0]++; }", "-cl-std=CL3.0 -DN=3");
  EXPECT_EQ("-cl-std=CL3.0 -DN=3", askText(clGetProgramBuildInfo, CL_PROGRAM_BUILD_OPTIONS, program, device));
  EXPECT_GE(ask<size_t>(clGetProgramBuildInfo, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, program, device), 1024u);
  EXPECT_CL(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, reinterpret_cast<cl_device_id>(queue),
                                                     CL_PROGRAM_BUILD_STATUS, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, 0x6666, 0, nullptr, nullptr));
}

TEST_F(ProgramTest, clRetainProgram) {
  cl_program program = makeProgram(kGood);
  EXPECT_CL(CL_SUCCESS, clRetainProgram(program));
  EXPECT_EQ(2u, ask<cl_uint>(clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT, program));
  EXPECT_CL(CL_SUCCESS, clReleaseProgram(program));
}

TEST_F(ProgramTest, clReleaseProgram) {
  cl_int error = 0;
  const char *source = kGood;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  EXPECT_CL(CL_SUCCESS, build(program));
  cl_kernel kernel = clCreateKernel(program, "a", &error);
  // "The program object is deleted after all kernel objects associated with program have been deleted and the program
  // reference count becomes zero."
  EXPECT_CL(CL_SUCCESS, clReleaseProgram(program));
  EXPECT_EQ(program, ask<cl_program>(clGetKernelInfo, CL_KERNEL_PROGRAM, kernel));
  EXPECT_CL(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT_CL(CL_INVALID_PROGRAM, clReleaseProgram(program));
}

void CL_CALLBACK ignore(cl_program, void *) {}

TEST_F(ProgramTest, clSetProgramReleaseCallback) {
  cl_program program = makeProgram(kGood);
  EXPECT_CL(CL_INVALID_OPERATION, clSetProgramReleaseCallback(program, ignore, nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(reinterpret_cast<cl_program>(queue), ignore, nullptr));
}

// Who writes past program variables is told their names: here on the first page behind theirs.
TEST_F(ProgramTest, VariablesAreNamedInFaults) {
  cl_int zero = 0;
  cl_mem in = makeBuffer(4, CL_MEM_COPY_HOST_PTR, &zero);
  cl_program program = makeProgram("global int table[1024];\nglobal int other;\n"
                                   "kernel void a(global int *x) { table[x[0] + 2048] = 1; other = 2; }\n");
  EXPECT_CL(CL_SUCCESS, build(program, "-cl-std=CL2.0"));
  cl_kernel kernel = makeKernel(program, "a");
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof in, &in));
  cl_event event = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, kernel, 0, nullptr, &event));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
  EXPECT_TRUE(eventually(
      [&] { return hasHeard("4092 bytes past the end of a 4100-byte block of program variables 'table, other'"); }));
}

TEST_F(ProgramTest, clCreateProgramWithBuiltInKernels) {
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(context, 1, &device, "anything", &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(context, 1, &device, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(context, 0, nullptr, "anything", &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
}

} // namespace
} // namespace us::test
