// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes in the use of OpenCL that `understudy check` has to name, one a function, each with its corrected twin:
//   mistakes NAME          makes it
//   mistakes NAME fixed    does the same as it should be
// A comment `//~ KIND` is the line that a finding of that kind names, `//~ made` one that its details do. Nothing else
// may be found.
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

bool isFixed = false;

constexpr const char *kSource = R"(
kernel void add_one(global int *x) { x[get_global_id(0)] += 1; }
kernel void copy(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void beyond(global int *x) { x[get_global_id(0) + 1] = 1; }
)";
constexpr size_t kItems = 1024, kBytes = kItems * sizeof(cl_int);

void must(cl_int code, int line) {
  if (code == CL_SUCCESS) return;
  std::printf("line %d: error %d\n", line, code);
  std::exit(1);
}
#define MUST(call) must(call, __LINE__)

/// What a program has, released at its end.
struct Session {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  std::vector<cl_mem> buffers;
  std::vector<cl_kernel> kernels;

  explicit Session(cl_command_queue_properties properties = 0) {
    MUST(clGetPlatformIDs(1, &platform, nullptr));
    MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
    cl_int code;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    MUST(code);
    queue = clCreateCommandQueue(context, device, properties, &code);
    MUST(code);
  }
  ~Session() {
    clFinish(queue);
    for (cl_kernel kernel : kernels) clReleaseKernel(kernel);
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  cl_mem buffer(cl_mem_flags flags = CL_MEM_READ_WRITE) {
    cl_int code;
    buffers.push_back(clCreateBuffer(context, flags, kBytes, nullptr, &code));
    MUST(code);
    const cl_int zero = 0;
    MUST(clEnqueueFillBuffer(queue, buffers.back(), &zero, sizeof zero, 0, kBytes, 0, nullptr, nullptr));
    MUST(clFinish(queue));
    return buffers.back();
  }
  cl_kernel kernel(const char *name) {
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, const_cast<const char **>(&kSource), nullptr, &code);
    MUST(code);
    MUST(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    kernels.push_back(clCreateKernel(program, name, &code));
    MUST(code);
    MUST(clReleaseProgram(program));
    return kernels.back();
  }
  void *map(cl_mem buffer, cl_map_flags flags, size_t offset = 0, size_t size = kBytes) {
    cl_int code;
    void *const pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &code);
    MUST(code);
    return pointer;
  }
};

void set(cl_kernel kernel, cl_uint index, cl_mem buffer) {
  MUST(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

// --- Handles ---

void releasedTwice() {
  Session all;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code); //~ made
  if (isFixed) MUST(clRetainMemObject(buffer));
  clReleaseMemObject(buffer); //~ released
  clReleaseMemObject(buffer); //~ released twice
}

void usedAfterRelease() {
  Session all;
  cl_event event;
  cl_mem buffer = all.buffer();
  const cl_int one = 1;
  MUST(clEnqueueFillBuffer(all.queue, buffer, &one, sizeof one, 0, kBytes, 0, nullptr, &event)); //~ made
  if (!isFixed) MUST(clReleaseEvent(event));
  clWaitForEvents(1, &event); //~ use after release
  if (isFixed) MUST(clReleaseEvent(event));
}

void ofAnotherKind() {
  Session all;
  cl_mem buffer = all.buffer();
  void *const given = isFixed ? static_cast<void *>(all.queue) : buffer;
  clFinish(static_cast<cl_command_queue>(given)); //~ handle of another kind
}

void wasNever() {
  Session all;
  static int something;
  cl_event wanted[1] = {reinterpret_cast<cl_event>(&something)};
  if (isFixed) MUST(clEnqueueMarkerWithWaitList(all.queue, 0, nullptr, wanted));
  clEnqueueBarrierWithWaitList(all.queue, 1, wanted, nullptr); //~ invalid handle
  if (isFixed) MUST(clReleaseEvent(wanted[0]));
}

// --- Maps ---

void unmappedTwice() {
  Session all;
  cl_mem buffer = all.buffer();
  void *const pointer = all.map(buffer, CL_MAP_READ);
  if (isFixed) (void)all.map(buffer, CL_MAP_READ);
  MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr)); //~ unmapped
  clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr);       //~ unmapped twice
}

void unmappedAnother() {
  Session all;
  cl_mem buffer = all.buffer(), other = all.buffer();
  void *const pointer = all.map(buffer, CL_MAP_WRITE);
  cl_mem given = isFixed ? buffer : other;
  clEnqueueUnmapMemObject(all.queue, given, pointer, 0, nullptr, nullptr); //~ unmapped what is not mapped
  if (!isFixed) MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr));
}

// --- Events ---

void releasedBeforeItsEnd() {
  Session all;
  cl_int code;
  cl_event gate = clCreateUserEvent(all.context, &code); //~ made
  MUST(code);
  cl_command_queue other = clCreateCommandQueue(all.context, all.device, 0, &code);
  MUST(code);
  MUST(clEnqueueMarkerWithWaitList(other, 1, &gate, nullptr));
  if (isFixed) MUST(clSetUserEventStatus(gate, CL_COMPLETE));
  MUST(clReleaseEvent(gate)); //~ event never completed
  MUST(clReleaseCommandQueue(other));
}

void neverCompleted() {
  Session all;
  cl_int code;
  cl_event gate = clCreateUserEvent(all.context, &code); //~ event never completed, never released
  MUST(code);
  cl_command_queue other = clCreateCommandQueue(all.context, all.device, 0, &code);
  MUST(code);
  MUST(clEnqueueMarkerWithWaitList(other, 1, &gate, nullptr));
  if (isFixed) MUST(clSetUserEventStatus(gate, CL_COMPLETE));
  if (isFixed) MUST(clReleaseEvent(gate));
  MUST(clReleaseCommandQueue(other));
}

// --- What stays ---

void leaked() {
  Session all;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code); //~ never released
  MUST(code);
  if (isFixed) MUST(clReleaseMemObject(buffer));
}

/// Released behind all that the runtime can do.
struct Late {
  cl_mem buffer = nullptr;
  ~Late() {
    if (buffer) clReleaseMemObject(buffer);
  }
} late;

void releasedLate() {
  Session all;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code); //~ never released
  MUST(code);
  if (isFixed) late.buffer = buffer;
}

// --- Where kernels' findings come from ---

void outOfBounds() {
  Session all;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code); //~ made
  MUST(code);
  all.buffers.push_back(buffer);
  cl_kernel kernel = all.kernel(isFixed ? "add_one" : "beyond");
  set(kernel, 0, buffer);
  const size_t items = kItems;
  MUST(clEnqueueNDRangeKernel(all.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr)); //~ enqueued
}

struct Case {
  std::string_view name;
  void (*run)();
} const kCases[] = {
#define CASE(name) {#name, name}
    CASE(releasedTwice), CASE(usedAfterRelease), CASE(ofAnotherKind),        CASE(wasNever),
    CASE(unmappedTwice), CASE(unmappedAnother),  CASE(releasedBeforeItsEnd), CASE(neverCompleted),
    CASE(leaked),        CASE(releasedLate),     CASE(outOfBounds),
};

} // namespace

int main(int count, char **words) {
  isFixed = count > 2;
  for (const Case &one : kCases)
    if (count > 1 && one.name == words[1]) return one.run(), 0;
  for (const Case &one : kCases) std::printf("%s\n", std::string(one.name).c_str());
  return count > 1;
}
