// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program binary says of itself, behind a right checksum: it is refused, or its kernels can be asked, given
// arguments and enqueued. There is no compiler here, so a launch fails when all else is done.
#include "emulator/device/compiler_library.h"
#include "emulator/device/serialize.h"
#include "tests/fuzz/targets/opencl_device.h"

#include <algorithm>

namespace us::fuzz {
namespace {

using emulator::Bytes;
using emulator::StoredProgram;

KernelInfo kernel(const char *name, std::vector<ArgumentInfo> arguments, uint32_t blockSize) {
  KernelInfo result;
  result.name = name;
  result.arguments = std::move(arguments);
  result.argumentBlockSize = blockSize;
  return result;
}

StoredProgram sample() {
  StoredProgram program;
  program.module.kind = uint8_t(ProgramKind::Executable);
  program.module.ir = {'B', 'C', char(0xc0), char(0xde), 0, 1, 2};
  using enum ArgumentKind;
  KernelInfo all =
      kernel("all",
             {{GlobalPointer, AccessQualifier::None, kTypeConst, 8, 8, 0, 4, true, false, "float*", "float", "x"},
              {Value, AccessQualifier::None, 0, 4, 4, 8, 1, true, true, "float", "", "a"},
              {LocalPointer, AccessQualifier::None, 0, 8, 8, 16, 4, true, true, "int*", "int", "l"},
              {ConstantPointer, AccessQualifier::None, 0, 8, 8, 24, 4, true, false, "int*", "int", "c"},
              {Image, AccessQualifier::ReadOnly, 0, 8, 8, 32, 1, true, true, "image2d_t", "", "i"},
              {Sampler, AccessQualifier::None, 0, 8, 8, 40, 1, true, true, "sampler_t", "", "s"},
              {Value, AccessQualifier::None, 0, 128, 128, 128, 1, true, true, "double16", "", "d"}},
             256);
  all.hasArgumentNames = true;
  all.requiredWorkGroupSize = {8, 2, 1};
  all.attributes = "reqd_work_group_size(8,2,1)";
  all.localMemory = 512;
  all.usesBarrier = true;
  KernelInfo fibers = kernel("fibers", {{Value, AccessQualifier::None, 0, 8, 8, 0, 1, true, true, "long", "", ""}}, 8);
  fibers.tierObstacles = {{"loop", "a sub-group operation waits"}};
  fibers.usesExchange = fibers.usesSubGroupSync = fibers.usesDeviceQueue = fibers.hasLoops = true;
  program.module.kernels = {all, fibers, kernel("none", {}, 0)};
  program.module.variables = {16, 8, {1, 2, 3}, {{8, 0}}, {{"v", 0, 8}}};
  program.module.options = "-DN=4";
  program.module.expandedSource = "kernel void saxpy() {}";
  program.log = "warning";
  return program;
}

struct Objects {
  cl_mem buffer = nullptr, image = nullptr;
  cl_sampler sampler = nullptr;
  Objects() {
    const OpenClDevice &our = OpenClDevice::instance();
    cl_int code = 0;
    buffer = cl().clCreateBuffer(our.context, 0, 4096, nullptr, &code);
    must(code, "clCreateBuffer");
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 8;
    image = cl().clCreateImage(our.context, 0, &format, &description, nullptr, &code);
    must(code, "clCreateImage");
    sampler = cl().clCreateSampler(our.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code);
    must(code, "clCreateSampler");
  }
};

/// Asks for everything that has a number near those of a family of queries, into memory that is exactly large enough.
template <class Ask> void askAll(cl_uint first, cl_uint last, Ask ask) {
  for (cl_uint name = first; name <= last; ++name) {
    size_t size = 0;
    if (ask(name, 0, nullptr, &size) != CL_SUCCESS) continue;
    std::vector<char> value(size);
    (void)ask(name, size, value.data(), nullptr);
  }
}

void useKernel(cl_kernel kernel, const KernelInfo &info) {
  const OpenClDevice &our = OpenClDevice::instance();
  static const Objects &objects = *new Objects;
  askAll(CL_KERNEL_FUNCTION_NAME, CL_KERNEL_FUNCTION_NAME + 8,
         [&](auto... rest) { return cl().clGetKernelInfo(kernel, rest...); });
  askAll(CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_WORK_GROUP_SIZE + 8,
         [&](auto... rest) { return cl().clGetKernelWorkGroupInfo(kernel, our.device, rest...); });
  for (cl_uint i = 0; i < std::min<size_t>(info.arguments.size(), 64); ++i) {
    askAll(CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_NAME,
           [&](auto... rest) { return cl().clGetKernelArgInfo(kernel, i, rest...); });
    const ArgumentInfo &argument = info.arguments[i];
    // A program gives a value as many bytes as its source says, and all others a handle.
    std::vector<char> value(std::min<uint32_t>(argument.size, 1 << 16));
    const void *const handles[] = {&objects.buffer, &objects.image, &objects.sampler};
    if (argument.kind == ArgumentKind::Value) (void)cl().clSetKernelArg(kernel, i, value.size(), value.data());
    for (const void *handle : handles) (void)cl().clSetKernelArg(kernel, i, sizeof(void *), handle);
    if (argument.kind == ArgumentKind::LocalPointer) (void)cl().clSetKernelArg(kernel, i, 64, nullptr);
  }
  const size_t global[] = {16, 2, 1}, local[] = {8, 2, 1};
  size_t suggested[3];
  for (const size_t *groups : {local, static_cast<const size_t *>(nullptr)}) {
    (void)cl().clEnqueueNDRangeKernel(our.queue, kernel, 3, nullptr, global, groups, 0, nullptr, nullptr);
    (void)cl().clFinish(our.queue);
  }
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      opencl::functionByName("clGetKernelSuggestedLocalWorkSizeKHR"));
  (void)suggest(our.queue, kernel, 3, nullptr, global, suggested);
}

void useProgram(cl_program program, const StoredProgram &stored) {
  const OpenClDevice &our = OpenClDevice::instance();
  (void)cl().clBuildProgram(program, 1, &our.device, "", nullptr, nullptr);
  askAll(CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_SOURCE,
         [&](auto... rest) { return cl().clGetProgramInfo(program, rest...); });
  askAll(CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_NUM_KERNELS + 1,
         [&](auto... rest) { return cl().clGetProgramInfo(program, rest...); });
  askAll(CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_BUILD_STATUS + 4,
         [&](auto... rest) { return cl().clGetProgramBuildInfo(program, our.device, rest...); });
  for (const KernelInfo &info : stored.module.kernels) {
    cl_int code = 0;
    const cl_kernel kernel = cl().clCreateKernel(program, info.name.c_str(), &code);
    if (!kernel) continue;
    // Names may come twice: the first counts.
    const auto first = std::ranges::find(stored.module.kernels, std::string(info.name.c_str()), &KernelInfo::name);
    if (first != stored.module.kernels.end()) useKernel(kernel, *first);
    (void)cl().clReleaseKernel(kernel);
  }
}

} // namespace

std::vector<std::string> seeds() {
  const Bytes bytes = emulator::serialize(sample());
  return {{reinterpret_cast<const char *>(bytes.data()), bytes.size()}};
}

void run(std::string_view input) {
  const std::vector<char> bytes(input.begin(), input.end());
  const auto view = std::as_bytes(std::span(bytes));
  const std::optional<StoredProgram> stored = emulator::readProgram(view);
  if (!stored) return;
  const Bytes again = emulator::serialize(*stored);
  if (!std::ranges::equal(again, view)) found("a program that is written otherwise than it was read");
  const OpenClDevice &our = OpenClDevice::instance();
  const Bytes packed = emulator::pack(emulator::ContentKind::Program, emulator::codeIdentity(), view);
  const size_t size = packed.size();
  const auto *begin = reinterpret_cast<const unsigned char *>(packed.data());
  cl_int status = 0, code = 0;
  const cl_program program = cl().clCreateProgramWithBinary(our.context, 1, &our.device, &size, &begin, &status, &code);
  if (!program) return; // more than this device passes to a kernel, for one
  useProgram(program, *stored);
  (void)cl().clReleaseProgram(program);
}

bool damage(std::string &, Random &) { return false; }

} // namespace us::fuzz
