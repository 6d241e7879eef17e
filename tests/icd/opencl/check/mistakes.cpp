// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes in the use of OpenCL that `understudy check` has to name, one a function, each with its corrected twin:
//   mistakes NAME          makes it
//   mistakes NAME fixed    does the same as it should be
// A comment `//~ KIND` is the line that a finding of that kind names, `//~ made` one that its details do. Nothing else
// may be found.
#include <CL/cl.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace {

bool isFixed = false;

constexpr const char *kSource = R"(
kernel void add_one(global int *x) { x[get_global_id(0)] += 1; }
kernel void copy(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void count(global int *x) { atomic_inc(x); }
kernel void beyond(global int *x) { x[get_global_id(0) + 1] = 1; }
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void paint(write_only image2d_t image) {
  write_imagef(image, (int2)(get_global_id(0) % 32, get_global_id(0) / 32), (float4)(1));
}
kernel void look(read_only image2d_t image, global float *to) {
  to[get_global_id(0)] = read_imagef(image, nearest, (float2)(0.75f, get_global_id(0) / 32 + 0.5f)).x;
}
kernel void look_between(read_only image2d_t image, global float *to) {
  to[get_global_id(0)] = read_imagef(image, linear, (float2)(0.75f, get_global_id(0) / 32 + 0.75f)).x;
}
kernel void look_at_numbers(read_only image1d_buffer_t numbers, global int *to) {
  to[get_global_id(0)] = read_imagei(numbers, (int)get_global_id(0)).x;
}
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

const size_t *at(const size_t &number) { return &number; }
/// In the line where it stands, which findings name.
#define LAUNCH(queue, kernel, from, items)                                                                             \
  MUST(clEnqueueNDRangeKernel(queue, kernel, 1, at(from), at(items), nullptr, 0, nullptr, nullptr))

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

/// A kernel keeps no argument alive.
void argumentReleased() {
  Session all;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
  MUST(code);
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  if (!isFixed) MUST(clReleaseMemObject(buffer));
  const size_t items = kItems;
  clEnqueueNDRangeKernel(all.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr); //~ use after release
  if (isFixed) MUST(clReleaseMemObject(buffer));
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

void writtenThroughAReadMap() {
  Session all;
  cl_mem buffer = all.buffer();
  cl_int code;
  void *const pointer =
      clEnqueueMapBuffer(all.queue, buffer, CL_TRUE, isFixed ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ, 64, 256, 0,
                         nullptr, nullptr, &code); //~ write through a read map
  MUST(code);
  static_cast<cl_int *>(pointer)[5] = 7;
  MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr)); //~ changed before
}

void writtenThroughAReadMapOfAnImage() {
  Session all;
  cl_int code;
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 16;
  cl_mem image = clCreateImage(all.context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &code);
  MUST(code);
  all.buffers.push_back(image);
  const size_t origin[3] = {2, 2, 0}, region[3] = {4, 4, 1};
  size_t pitch;
  void *const pointer = clEnqueueMapImage(all.queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, nullptr, 0,
                                          nullptr, nullptr, &code); //~ write through a read map
  MUST(code);
  // What lies between the rows of the region is not mapped by this; another map may write it.
  size_t outside[3] = {8, 3, 0};
  void *const other = clEnqueueMapImage(all.queue, image, CL_TRUE, CL_MAP_WRITE, outside, region, &pitch, nullptr, 0,
                                        nullptr, nullptr, &code);
  MUST(code);
  static_cast<char *>(isFixed ? other : pointer)[3 * pitch + 1] = 7;
  MUST(clEnqueueUnmapMemObject(all.queue, image, other, 0, nullptr, nullptr));
  MUST(clEnqueueUnmapMemObject(all.queue, image, pointer, 0, nullptr, nullptr));
}

void kernelOnMemoryMappedForWriting() {
  Session all;
  cl_mem buffer = all.buffer();
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  void *const pointer = all.map(buffer, CL_MAP_WRITE);
  if (isFixed) MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr));
  LAUNCH(all.queue, kernel, 0, kItems); //~ use of mapped memory
  if (!isFixed) MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr));
  MUST(clFinish(all.queue));
}

void kernelWritesMemoryMappedForReading() {
  Session all;
  cl_mem buffer = all.buffer(), other = all.buffer();
  cl_kernel kernel = all.kernel("add_one"), reader = all.kernel("copy");
  set(kernel, 0, isFixed ? other : buffer);
  set(reader, 0, buffer);
  set(reader, 1, other);
  void *const pointer = all.map(buffer, CL_MAP_READ);
  LAUNCH(all.queue, reader, 0, kItems);
  LAUNCH(all.queue, kernel, 0, kItems); //~ use of mapped memory
  MUST(clFinish(all.queue));
  MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr));
}

void copyOfMemoryMappedForWriting() {
  Session all;
  cl_mem buffer = all.buffer(), other = all.buffer();
  void *const pointer = all.map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, 512);
  const size_t from = isFixed ? 512 : 256;
  MUST(clEnqueueCopyBuffer(all.queue, buffer, other, from, 0, 512, 0, nullptr, nullptr)); //~ use of mapped memory
  MUST(clFinish(all.queue));
  MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, nullptr));
}

// --- The program's own memory ---

void changedUnderAWrite() {
  Session all;
  cl_mem buffer = all.buffer();
  std::vector<cl_int> numbers(kItems, 1);
  MUST(clEnqueueWriteBuffer(all.queue, buffer, CL_FALSE, 0, kBytes, numbers.data(), 0, nullptr,
                            nullptr)); //~ host memory changed
  if (isFixed) MUST(clFinish(all.queue));
  numbers[100] = 2;
  MUST(clFinish(all.queue));
}

/// Commands in their order may write what a later one reads; so may the program what the transfer leaves out.
void changedBesideAWrite() {
  Session all;
  cl_mem buffer = all.buffer(), other = all.buffer();
  std::vector<cl_int> numbers(kItems, 1);
  const size_t zero[3] = {}, region[3] = {16, 4, 1};
  MUST(clEnqueueReadBuffer(all.queue, buffer, CL_FALSE, 0, kBytes, numbers.data(), 0, nullptr, nullptr));
  MUST(clEnqueueWriteBuffer(all.queue, other, CL_FALSE, 0, kBytes, numbers.data(), 0, nullptr, nullptr));
  MUST(clFinish(all.queue));
  MUST(clEnqueueWriteBufferRect(all.queue, other, CL_FALSE, zero, zero, region, 0, 0, 64, 0, numbers.data(), 0, nullptr,
                                nullptr)); //~ host memory changed
  numbers[isFixed ? 10 : 18] = 5;
  MUST(clFinish(all.queue));
}

void goneUnderAWrite() {
  Session all;
  cl_mem buffer = all.buffer();
  void *const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MUST(clEnqueueWriteBuffer(all.queue, buffer, CL_FALSE, 0, kBytes, memory, 0, nullptr, nullptr)); //~ host memory gone
  if (isFixed) MUST(clFinish(all.queue));
  munmap(memory, kBytes);
  MUST(clFinish(all.queue));
}

void goneUnderARead() {
  Session all;
  cl_mem buffer = all.buffer();
  void *const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MUST(clEnqueueReadBuffer(all.queue, buffer, CL_FALSE, 0, kBytes, memory, 0, nullptr, nullptr)); //~ host memory gone
  if (isFixed) MUST(clFinish(all.queue));
  munmap(memory, kBytes);
  MUST(clFinish(all.queue));
}

// --- Waiting ---

std::vector<cl_int> results(kItems);

/// A queue of its own, so that nothing waits for it but what the case does.
struct OtherQueue {
  explicit OtherQueue(Session &all, cl_command_queue_properties properties = 0) {
    cl_int code;
    queue = clCreateCommandQueue(all.context, all.device, properties, &code);
    MUST(code);
  }
  ~OtherQueue() { MUST(clReleaseCommandQueue(queue)); }
  cl_command_queue queue;
};

void finish(Session &all, OtherQueue &other) {
  MUST(clFinish(all.queue));
  MUST(clFinish(other.queue));
}

void resultNeverWaitedFor() {
  Session all;
  cl_mem buffer = all.buffer();
  OtherQueue other(all);
  MUST(clEnqueueReadBuffer(other.queue, buffer, CL_FALSE, 0, kBytes, results.data(), 0, nullptr,
                           nullptr)); //~ result never waited for
  if (isFixed) MUST(clFinish(other.queue));
}

/// The end of a later command of the queue is the end of the read, where the queue is in order.
void resultWaitedForByOrder() {
  Session all;
  cl_mem buffer = all.buffer(), another = all.buffer();
  OtherQueue other(all, isFixed ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event end;
  MUST(clEnqueueReadBuffer(other.queue, buffer, CL_FALSE, 0, kBytes, results.data(), 0, nullptr,
                           nullptr)); //~ result never waited for
  MUST(clEnqueueCopyBuffer(other.queue, another, another, 0, 512, 512, 0, nullptr, &end));
  MUST(clWaitForEvents(1, &end));
  MUST(clReleaseEvent(end));
}

/// By what another queue waits for; by a query; by a callback.
void resultWaitedForOtherwise() {
  Session all;
  cl_mem buffer = all.buffer();
  OtherQueue other(all, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event events[4];
  for (size_t i = 0; i < std::size(events); ++i) {
    void *const to = results.data() + 4 * i;
    MUST(clEnqueueReadBuffer(other.queue, buffer, CL_FALSE, 0, 16, to, 0, nullptr,
                             &events[i])); //~ result never waited for
  }
  MUST(clFlush(other.queue));
  MUST(clEnqueueMarkerWithWaitList(all.queue, 1, &events[0], nullptr));
  MUST(clFinish(all.queue));
  cl_int status = CL_QUEUED;
  while (status != CL_COMPLETE)
    MUST(clGetEventInfo(events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  std::atomic<bool> called{false};
  const auto tell = [](cl_event, cl_int, void *data) { *static_cast<std::atomic<bool> *>(data) = true; };
  MUST(clSetEventCallback(events[2], CL_COMPLETE, tell, &called));
  while (!called) std::this_thread::yield();
  if (isFixed) MUST(clWaitForEvents(1, &events[3]));
  for (cl_event event : events) MUST(clReleaseEvent(event));
}

/// Static objects may wait for results behind all of our exit handlers.
struct LateWait {
  cl_command_queue queue = nullptr;
  ~LateWait() {
    if (queue) clFinish(queue);
  }
} lateWait;

void resultWaitedForLate() {
  Session all;
  cl_mem buffer = all.buffer();
  OtherQueue other(all);
  MUST(clEnqueueReadBuffer(other.queue, buffer, CL_FALSE, 0, kBytes, results.data(), 0, nullptr,
                           nullptr)); //~ result never waited for
  if (isFixed) lateWait.queue = other.queue;
}

void queueNotFlushed() {
  Session all;
  OtherQueue other(all);
  cl_event event;
  MUST(clEnqueueMarkerWithWaitList(other.queue, 0, nullptr, &event)); //~ enqueued
  MUST(clEnqueueMarkerWithWaitList(all.queue, 1, &event, nullptr));
  MUST(clReleaseEvent(event));
  if (isFixed) MUST(clFlush(other.queue));
  MUST(clFinish(all.queue)); //~ wait for a queue that is not flushed
}

// --- Races between commands ---

void launch(cl_command_queue queue, cl_kernel kernel, size_t from = 0, size_t items = kItems, cl_uint count = 0,
            const cl_event *list = nullptr, cl_event *event = nullptr) {
  MUST(clEnqueueNDRangeKernel(queue, kernel, 1, &from, &items, nullptr, count, list, event));
}

/// A barrier, or nothing, between two kernels of which the second reads what the first writes.
void outOfOrder() {
  Session all;
  OtherQueue other(all, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem one = all.buffer(), two = all.buffer();
  cl_kernel first = all.kernel("add_one"), second = all.kernel("copy");
  set(first, 0, one);
  set(second, 0, one);
  set(second, 1, two);
  launch(other.queue, first);
  if (isFixed) MUST(clEnqueueBarrierWithWaitList(other.queue, 0, nullptr, nullptr));
  LAUNCH(other.queue, second, 0, kItems); //~ race between commands
  MUST(clFinish(other.queue));
}

/// Each queue is in order, and the program waits for both, but too late.
void twoQueues() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer();
  std::vector<cl_int> numbers(kItems, 1);
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  MUST(clEnqueueWriteBuffer(all.queue, buffer, CL_FALSE, 0, kBytes, numbers.data(), 0, nullptr,
                            nullptr)); //~ other side
  if (isFixed) MUST(clFinish(all.queue));
  LAUNCH(other.queue, kernel, 0, kItems); //~ race between commands
  finish(all, other);
}

/// By events, through a third queue.
void orderedByEvents() {
  Session all;
  OtherQueue second(all), third(all);
  cl_mem buffer = all.buffer();
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  cl_event first, between;
  launch(all.queue, kernel, 0, kItems, 0, nullptr, &first);
  MUST(clFlush(all.queue));
  MUST(clEnqueueMarkerWithWaitList(second.queue, isFixed ? 1 : 0, isFixed ? &first : nullptr, &between));
  MUST(clFlush(second.queue));
  const size_t items = kItems;
  MUST(clEnqueueNDRangeKernel(third.queue, kernel, 1, nullptr, &items, nullptr, 1, &between,
                              nullptr)); //~ race between commands
  MUST(clFinish(third.queue));
  MUST(clFinish(all.queue));
  MUST(clReleaseEvent(first));
  MUST(clReleaseEvent(between));
}

/// Two kernels that use different halves of a buffer may run at the same time.
void halves() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer();
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  const size_t half = kItems / 2, from = isFixed ? half : half - 1;
  launch(all.queue, kernel, 0, half);
  LAUNCH(other.queue, kernel, from, half); //~ race between commands
  finish(all, other);
}

/// Atomic operations are in some order, and all count.
void counters() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer();
  cl_kernel first = all.kernel("count"), second = all.kernel(isFixed ? "count" : "add_one");
  set(first, 0, buffer);
  set(second, 0, buffer);
  launch(all.queue, first, 0, 16);
  LAUNCH(other.queue, second, 0, 16); //~ race between commands
  finish(all, other);
}

/// Memory that a buffer had may be another's, which has nothing to do with what was before.
void fills() {
  Session all;
  OtherQueue other(all);
  const cl_int one = 1;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
  MUST(code);
  MUST(clEnqueueFillBuffer(all.queue, buffer, &one, sizeof one, 0, kBytes, 0, nullptr, nullptr)); //~ other side
  MUST(clFlush(all.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // it has ended, but nobody has told so
  if (isFixed) {
    MUST(clReleaseMemObject(buffer));
    buffer = clCreateBuffer(all.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
    MUST(code);
  }
  MUST(clEnqueueFillBuffer(other.queue, buffer, &one, sizeof one, 0, kBytes, 0, nullptr,
                           nullptr)); //~ race between commands
  MUST(clFinish(other.queue));
  MUST(clReleaseMemObject(buffer));
}

/// What two commands read into is the program's own memory.
void readIntoTheSame() {
  Session all;
  OtherQueue other(all);
  cl_mem one = all.buffer(), two = all.buffer();
  MUST(clEnqueueReadBuffer(all.queue, one, CL_FALSE, 0, 256, results.data(), 0, nullptr, nullptr));
  void *const to = results.data() + (isFixed ? 64 : 63);
  MUST(clEnqueueReadBuffer(other.queue, two, CL_FALSE, 0, 256, to, 0, nullptr, nullptr)); //~ race between commands
  finish(all, other);
}

/// The first command of the other queue comes when the kernel has run: nobody was told so.
void secondQueueLater() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer(), result = all.buffer();
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  launch(all.queue, kernel);
  MUST(clFlush(all.queue));
  if (isFixed) MUST(clFinish(all.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  MUST(clEnqueueCopyBuffer(other.queue, buffer, result, 64, 0, 64, 0, nullptr, nullptr)); //~ race between commands
  MUST(clFinish(other.queue));
}

// --- Images ---

/// 32 pixels in a row, and so many rows as work-items make of 32 each.
cl_mem imageOf(Session &all) {
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc form{};
  form.image_type = CL_MEM_OBJECT_IMAGE2D;
  form.image_width = form.image_height = 32;
  cl_int code;
  all.buffers.push_back(clCreateImage(all.context, CL_MEM_READ_WRITE, &format, &form, nullptr, &code));
  MUST(code);
  const float color[4] = {};
  const size_t origin[3] = {}, region[3] = {32, 32, 1};
  MUST(clEnqueueFillImage(all.queue, all.buffers.back(), color, origin, region, 0, nullptr, nullptr));
  MUST(clFinish(all.queue));
  return all.buffers.back();
}

void imageReadBesideAKernel() {
  Session all;
  OtherQueue other(all);
  cl_mem image = imageOf(all);
  cl_kernel kernel = all.kernel("paint");
  set(kernel, 0, image);
  launch(all.queue, kernel, 0, 512);
  const size_t origin[3] = {0, isFixed ? 16u : 15u, 0}, region[3] = {32, 2, 1};
  std::vector<float> pixels(32 * 2 * 4);
  MUST(clEnqueueReadImage(other.queue, image, CL_TRUE, origin, region, 0, 0, pixels.data(), 0, nullptr,
                          nullptr)); //~ race between commands
  MUST(clFinish(all.queue));
}

/// A pixel of one kernel is beside that of another.
void halvesOfAnImage() {
  Session all;
  OtherQueue other(all);
  cl_mem image = imageOf(all);
  cl_kernel kernel = all.kernel("paint");
  set(kernel, 0, image);
  launch(all.queue, kernel, 0, 500);
  const size_t from = isFixed ? 500 : 499, items = 100;
  LAUNCH(other.queue, kernel, from, items); //~ race between commands
  finish(all, other);
}

/// A linear filter reads the row behind, too.
void imageFiltered() {
  Session all;
  OtherQueue other(all);
  cl_mem image = imageOf(all), to = all.buffer();
  cl_kernel first = all.kernel("paint"), second = all.kernel(isFixed ? "look" : "look_between");
  set(first, 0, image);
  set(second, 0, image);
  set(second, 1, to);
  launch(all.queue, first, 512, 64);
  LAUNCH(other.queue, second, 0, 512); //~ race between commands
  finish(all, other);
}

void imageOverABuffer() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer(), to = all.buffer();
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc form{};
  form.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  form.image_width = kItems;
  form.buffer = buffer;
  cl_int code;
  cl_mem image = clCreateImage(all.context, CL_MEM_READ_ONLY, &format, &form, nullptr, &code);
  MUST(code);
  all.buffers.push_back(image);
  cl_kernel first = all.kernel("add_one"), second = all.kernel("look_at_numbers");
  set(first, 0, buffer);
  set(second, 0, image);
  set(second, 1, to);
  launch(all.queue, first, 0, 64);
  const size_t from = isFixed ? 64 : 63, items = 64;
  LAUNCH(other.queue, second, from, items); //~ race between commands
  finish(all, other);
}

/// A map of an image stands for the host's use of it.
void imageMappedBesideAKernel() {
  Session all;
  OtherQueue other(all);
  cl_mem image = imageOf(all);
  cl_kernel kernel = all.kernel("paint");
  set(kernel, 0, image);
  launch(all.queue, kernel, 0, 64);
  MUST(clFlush(all.queue));
  const size_t origin[3] = {4, isFixed ? 2u : 1u, 0}, region[3] = {8, 2, 1};
  size_t pitch;
  cl_int code;
  void *const pointer = clEnqueueMapImage(other.queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, nullptr, 0,
                                          nullptr, nullptr, &code); //~ race between commands
  MUST(code);
  MUST(clFinish(all.queue));
  MUST(clEnqueueUnmapMemObject(other.queue, image, pointer, 0, nullptr, nullptr));
  MUST(clFinish(other.queue));
}

// --- Races with what is mapped ---

/// What is mapped for reading is read by the host from then on.
void mappedWhileItIsWritten() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer();
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  cl_event event;
  cl_int code;
  launch(all.queue, kernel, 0, kItems, 0, nullptr, &event);
  MUST(clFlush(all.queue));
  void *const pointer = clEnqueueMapBuffer(other.queue, buffer, CL_TRUE, CL_MAP_READ, 0, kBytes, isFixed ? 1 : 0,
                                           isFixed ? &event : nullptr, nullptr, &code); //~ race between commands
  MUST(code);
  MUST(clFinish(all.queue));
  MUST(clEnqueueUnmapMemObject(other.queue, buffer, pointer, 0, nullptr, nullptr));
  MUST(clFinish(other.queue));
  MUST(clReleaseEvent(event));
}

/// Until the unmap has ended the host has the memory; another queue does not wait for that by itself.
void usedBesideItsUnmap() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer();
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  const size_t items = kItems;
  cl_event event;
  void *const pointer = all.map(buffer, CL_MAP_WRITE);
  MUST(clEnqueueUnmapMemObject(all.queue, buffer, pointer, 0, nullptr, &event)); //~ other side
  MUST(clFlush(all.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // it has ended, but nobody has told so
  MUST(clEnqueueNDRangeKernel(other.queue, kernel, 1, nullptr, &items, nullptr, isFixed ? 1 : 0,
                              isFixed ? &event : nullptr, nullptr)); //~ race between commands
  finish(all, other);
  MUST(clReleaseEvent(event));
}

/// A command may use what is not mapped.
void mappedPart() {
  Session all;
  OtherQueue other(all);
  cl_mem buffer = all.buffer();
  const cl_int one = 1;
  cl_int code;
  MUST(clEnqueueFillBuffer(all.queue, buffer, &one, sizeof one, 0, kBytes / 2, 0, nullptr, nullptr)); //~ other side
  MUST(clFlush(all.queue));
  const size_t offset = isFixed ? kBytes / 2 : kBytes / 4;
  void *const pointer = clEnqueueMapBuffer(other.queue, buffer, CL_TRUE, CL_MAP_WRITE, offset, 64, 0, nullptr, nullptr,
                                           &code); //~ race between commands
  MUST(code);
  MUST(clFinish(all.queue));
  MUST(clEnqueueUnmapMemObject(other.queue, buffer, pointer, 0, nullptr, nullptr));
  MUST(clFinish(other.queue));
}

// --- Shared virtual memory ---

struct Shared {
  Session &all;
  int *memory;
  explicit Shared(Session &session)
      : all(session), memory(static_cast<int *>(clSVMAlloc(all.context, CL_MEM_READ_WRITE, kBytes, 0))) {
    const cl_int zero = 0;
    MUST(clEnqueueSVMMemFill(all.queue, memory, &zero, sizeof zero, kBytes, 0, nullptr, nullptr));
    MUST(clFinish(all.queue));
  }
  ~Shared() {
    clFinish(all.queue);
    clSVMFree(all.context, memory);
  }
};

void sharedByTwoKernels() {
  Session all;
  OtherQueue other(all);
  Shared shared(all);
  cl_kernel kernel = all.kernel("add_one");
  MUST(clSetKernelArgSVMPointer(kernel, 0, shared.memory));
  launch(all.queue, kernel);
  if (isFixed) MUST(clFinish(all.queue));
  LAUNCH(other.queue, kernel, 0, kItems); //~ race between commands
  finish(all, other);
}

void sharedMemoryCopied() {
  Session all;
  OtherQueue other(all);
  Shared shared(all);
  cl_kernel kernel = all.kernel("add_one");
  MUST(clSetKernelArgSVMPointer(kernel, 0, shared.memory + 64));
  launch(all.queue, kernel, 0, 64);
  std::vector<cl_int> numbers(kItems, 1);
  int *const to = shared.memory + (isFixed ? 128 : 127);
  MUST(clEnqueueSVMMemcpy(other.queue, CL_TRUE, to, numbers.data(), 256, 0, nullptr,
                          nullptr)); //~ race between commands
  MUST(clFinish(all.queue));
}

void sharedMemoryFilled() {
  Session all(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Shared shared(all);
  const cl_int one = 1;
  cl_event event;
  MUST(clEnqueueSVMMemFill(all.queue, shared.memory, &one, sizeof one, kBytes, 0, nullptr, &event)); //~ other side
  MUST(clEnqueueSVMMemFill(all.queue, shared.memory, &one, sizeof one, 64, isFixed ? 1 : 0, isFixed ? &event : nullptr,
                           nullptr)); //~ race between commands
  MUST(clFinish(all.queue));
  MUST(clReleaseEvent(event));
}

/// Between the map and the unmap the memory is the host's.
void sharedMemoryMapped() {
  Session all;
  Shared shared(all);
  cl_kernel kernel = all.kernel("add_one");
  MUST(clSetKernelArgSVMPointer(kernel, 0, shared.memory));
  MUST(clEnqueueSVMMap(all.queue, CL_TRUE, CL_MAP_READ, shared.memory, 64, 0, nullptr, nullptr)); //~ mapped
  if (isFixed) MUST(clEnqueueSVMUnmap(all.queue, shared.memory, 0, nullptr, nullptr));
  LAUNCH(all.queue, kernel, 0, kItems); //~ use of mapped memory
  MUST(clFinish(all.queue));
  if (!isFixed) MUST(clEnqueueSVMUnmap(all.queue, shared.memory, 0, nullptr, nullptr));
}

/// Each queue waits for its own unmap only.
void sharedMemoryUnmappedBeside() {
  Session all;
  OtherQueue other(all);
  Shared shared(all);
  cl_kernel kernel = all.kernel("add_one");
  MUST(clSetKernelArgSVMPointer(kernel, 0, shared.memory));
  MUST(clEnqueueSVMMap(all.queue, CL_TRUE, CL_MAP_WRITE, shared.memory, kBytes, 0, nullptr, nullptr));
  MUST(clEnqueueSVMUnmap(all.queue, shared.memory, 0, nullptr, nullptr)); //~ other side
  if (isFixed) MUST(clFinish(all.queue));
  LAUNCH(other.queue, kernel, 0, kItems); //~ race between commands
  finish(all, other);
}

// --- What the program does itself ---

alignas(4096) cl_int ownMemory[kItems];

/// The program's own memory is a buffer's, and has to be mapped.
void ownMemoryWritten() {
  Session all;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_USE_HOST_PTR, kBytes, ownMemory, &code); //~ made
  MUST(code);
  all.buffers.push_back(buffer);
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  LAUNCH(all.queue, kernel, 0, 64); //~ race with the host
  if (isFixed) MUST(clFinish(all.queue));
  ownMemory[63] = 5;
  MUST(clFinish(all.queue));
}

/// What the kernel does not use may be written.
void ownMemoryWrittenBeside() {
  Session all;
  cl_int code;
  cl_mem buffer = clCreateBuffer(all.context, CL_MEM_USE_HOST_PTR, kBytes, ownMemory, &code); //~ made
  MUST(code);
  all.buffers.push_back(buffer);
  cl_kernel kernel = all.kernel("add_one");
  set(kernel, 0, buffer);
  LAUNCH(all.queue, kernel, 0, 64); //~ race with the host
  for (size_t i = isFixed ? 64 : 63; i < kItems; ++i) ownMemory[i] = 5;
  MUST(clFinish(all.queue));
}

void sharedMemoryWritten() {
  Session all;
  Shared shared(all);
  cl_kernel kernel = all.kernel("add_one");
  MUST(clSetKernelArgSVMPointer(kernel, 0, shared.memory));
  if (isFixed) shared.memory[5] = 1;
  LAUNCH(all.queue, kernel, 0, kItems); //~ race with the host
  if (!isFixed) shared.memory[5] = 1;
  MUST(clFinish(all.queue));
}

/// A kernel that waits for a user event waits for what the program writes before it completes that.
void writtenBeforeAUserEvent() {
  Session all;
  Shared shared(all);
  cl_kernel kernel = all.kernel("add_one");
  MUST(clSetKernelArgSVMPointer(kernel, 0, shared.memory));
  const size_t items = kItems;
  cl_int code;
  cl_event gate = clCreateUserEvent(all.context, &code);
  MUST(code);
  if (!isFixed) MUST(clSetUserEventStatus(gate, CL_COMPLETE));
  MUST(clEnqueueNDRangeKernel(all.queue, kernel, 1, nullptr, &items, nullptr, 1, &gate,
                              nullptr)); //~ race with the host
  shared.memory[5] = 1;
  if (isFixed) MUST(clSetUserEventStatus(gate, CL_COMPLETE));
  MUST(clFinish(all.queue));
  MUST(clReleaseEvent(gate));
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

void leakedQueueOfTheDevice() {
  Session all;
  cl_int code;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(all.context, all.device, properties, &code); //~ never released
  MUST(code);
  if (isFixed) MUST(clReleaseCommandQueue(queue));
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
  LAUNCH(all.queue, kernel, 0, kItems); //~ enqueued
}

struct Case {
  std::string_view name;
  void (*run)();
} const kCases[] = {
#define CASE(name) {#name, name}
    CASE(argumentReleased),
    CASE(outOfOrder),
    CASE(twoQueues),
    CASE(orderedByEvents),
    CASE(halves),
    CASE(counters),
    CASE(fills),
    CASE(readIntoTheSame),
    CASE(secondQueueLater),
    CASE(imageReadBesideAKernel),
    CASE(halvesOfAnImage),
    CASE(imageFiltered),
    CASE(imageOverABuffer),
    CASE(imageMappedBesideAKernel),
    CASE(mappedWhileItIsWritten),
    CASE(usedBesideItsUnmap),
    CASE(mappedPart),
    CASE(sharedByTwoKernels),
    CASE(sharedMemoryCopied),
    CASE(sharedMemoryFilled),
    CASE(sharedMemoryMapped),
    CASE(sharedMemoryUnmappedBeside),
    CASE(ownMemoryWritten),
    CASE(ownMemoryWrittenBeside),
    CASE(sharedMemoryWritten),
    CASE(writtenBeforeAUserEvent),
    CASE(writtenThroughAReadMap),
    CASE(writtenThroughAReadMapOfAnImage),
    CASE(kernelOnMemoryMappedForWriting),
    CASE(kernelWritesMemoryMappedForReading),
    CASE(copyOfMemoryMappedForWriting),
    CASE(changedUnderAWrite),
    CASE(changedBesideAWrite),
    CASE(goneUnderAWrite),
    CASE(goneUnderARead),
    CASE(resultNeverWaitedFor),
    CASE(resultWaitedForByOrder),
    CASE(resultWaitedForOtherwise),
    CASE(resultWaitedForLate),
    CASE(queueNotFlushed),
    CASE(releasedTwice),
    CASE(usedAfterRelease),
    CASE(ofAnotherKind),
    CASE(wasNever),
    CASE(unmappedTwice),
    CASE(unmappedAnother),
    CASE(releasedBeforeItsEnd),
    CASE(neverCompleted),
    CASE(leaked),
    CASE(leakedQueueOfTheDevice),
    CASE(releasedLate),
    CASE(outOfBounds),
};

} // namespace

int main(int count, char **words) {
  isFixed = count > 2;
  for (const Case &one : kCases)
    if (count > 1 && one.name == words[1]) return one.run(), 0;
  for (const Case &one : kCases) std::printf("%s\n", std::string(one.name).c_str());
  return count > 1;
}
