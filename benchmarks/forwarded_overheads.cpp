// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a real device costs through us: the same calls on a vendor's own platform and on ours, which forwards to it, in
// one process, in turns. The loader must show both; Understudy's name tells which is ours, and of several others a part
// of its name the other. Prints a JSON object: {figure: [direct, through us]}, the best of the rounds.
//
//   forwarded_overheads [rounds] [part of the name of the vendor's platform]
#include "benchmarks/timing.h"

#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace us::benchmarks;

std::string nameOf(cl_platform_id platform) {
  char name[256] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
  return name;
}

constexpr const char *kSource = R"(
kernel void none(global int *p) {}
kernel void three(global int *p, global int *q, int n) { if (n == 1 && get_global_id(0) == 0) p[0] = q[0]; }
)";

/// One side, with all that the calls need.
struct Side {
  explicit Side(cl_platform_id platform) {
    cl_int status;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) return;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    const char *text = kSource;
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    none = clCreateKernel(program, "none", &status);
    check(status, "clCreateKernel");
    three = clCreateKernel(program, "three", &status);
    check(status, "clCreateKernel");
    a = clCreateBuffer(context, CL_MEM_READ_WRITE, kLarge, nullptr, &status);
    b = clCreateBuffer(context, CL_MEM_READ_WRITE, kLarge, nullptr, &status);
    check(status, "clCreateBuffer");
    const cl_int n = 0;
    clSetKernelArg(none, 0, sizeof a, &a);
    clSetKernelArg(three, 0, sizeof a, &a);
    clSetKernelArg(three, 1, sizeof b, &b);
    clSetKernelArg(three, 2, sizeof n, &n);
    const cl_int zero = 0;
    clEnqueueFillBuffer(queue, a, &zero, 4, 0, kLarge, 0, nullptr, nullptr);
    clEnqueueFillBuffer(queue, b, &zero, 4, 0, kLarge, 0, nullptr, nullptr);
    launch(none);
    launch(three);
    check(clFinish(queue), "clFinish");
  }
  void launch(cl_kernel kernel, cl_event *event = nullptr, cl_event after = nullptr) const {
    const size_t items = 64;
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, after ? 1 : 0, after ? &after : nullptr, event);
  }

  static constexpr size_t kLarge = size_t(256) << 20;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_kernel none = nullptr, three = nullptr;
  cl_mem a = nullptr, b = nullptr;
};

constexpr double kMilliseconds = 1e3;

struct Figure {
  const char *name; ///< ends with the unit
  int calls;        ///< in a round
  double scale;     ///< of seconds for one call
  std::function<void(Side &)> call;
};

std::vector<Figure> figures() {
  static std::vector<char> host(Side::kLarge, 1);
  static cl_int word = 0;
  const double ns = 1e9, us = 1e6, ms = kMilliseconds;
  return {
      {"clGetDeviceInfo of a number, ns", 20000, ns,
       [](Side &on) {
         cl_uint units;
         clGetDeviceInfo(on.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
       }},
      {"clSetKernelArg, a number, ns", 20000, ns, [](Side &on) { clSetKernelArg(on.three, 2, sizeof word, &word); }},
      {"clSetKernelArg, a buffer, ns", 20000, ns, [](Side &on) { clSetKernelArg(on.three, 0, sizeof on.a, &on.a); }},
      {"clRetainMemObject and release, ns", 20000, ns,
       [](Side &on) {
         clRetainMemObject(on.a);
         clReleaseMemObject(on.a);
       }},
      {"launch and finish, us", 200, us,
       [](Side &on) {
         on.launch(on.none);
         clFinish(on.queue);
       }},
      {"launch with an event, wait for it, us", 200, us,
       [](Side &on) {
         cl_event event;
         on.launch(on.none, &event);
         clWaitForEvents(1, &event);
         clReleaseEvent(event);
       }},
      {"one of 1,000 launches and a finish, us", 1, us / 1000,
       [](Side &on) {
         for (int i = 0; i < 1000; ++i) on.launch(on.none);
         clFinish(on.queue);
       }},
      {"one of 1,000 launches of three arguments, us", 1, us / 1000,
       [](Side &on) {
         for (int i = 0; i < 1000; ++i) on.launch(on.three);
         clFinish(on.queue);
       }},
      {"one of 1,000 launches with another argument each, us", 1, us / 1000,
       [](Side &on) {
         for (cl_int i = 0; i < 1000; ++i) {
           clSetKernelArg(on.three, 0, sizeof on.a, i % 2 ? &on.a : &on.b);
           on.launch(on.three);
         }
         clFinish(on.queue);
       }},
      {"one of 1,000 launches with an event that is released, us", 1, us / 1000,
       [](Side &on) {
         for (int i = 0; i < 1000; ++i) {
           cl_event event;
           on.launch(on.none, &event);
           clReleaseEvent(event);
         }
         clFinish(on.queue);
       }},
      {"eight launches chained by events, us", 50, us,
       [](Side &on) {
         cl_event events[8];
         for (int i = 0; i < 8; ++i) on.launch(on.none, &events[i], i ? events[i - 1] : nullptr);
         clWaitForEvents(1, &events[7]);
         for (cl_event event : events) clReleaseEvent(event);
       }},
      {"finish of an idle queue, us", 200, us, [](Side &on) { clFinish(on.queue); }},
      {"blocking write of 64 bytes, us", 200, us,
       [](Side &on) { clEnqueueWriteBuffer(on.queue, on.a, CL_TRUE, 0, 64, host.data(), 0, nullptr, nullptr); }},
      {"blocking read of 64 bytes, us", 200, us,
       [](Side &on) { clEnqueueReadBuffer(on.queue, on.a, CL_TRUE, 0, 64, host.data(), 0, nullptr, nullptr); }},
      {"launch and blocking read of 64 bytes, us", 200, us,
       [](Side &on) {
         on.launch(on.none);
         clEnqueueReadBuffer(on.queue, on.a, CL_TRUE, 0, 64, host.data(), 0, nullptr, nullptr);
       }},
      {"buffer of 4 KiB made and released, us", 200, us,
       [](Side &on) { clReleaseMemObject(clCreateBuffer(on.context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr)); }},
      {"map and unmap of 1 MB, us", 20, us,
       [](Side &on) {
         void *const at = clEnqueueMapBuffer(on.queue, on.b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 1 << 20, 0,
                                             nullptr, nullptr, nullptr);
         clEnqueueUnmapMemObject(on.queue, on.b, at, 0, nullptr, nullptr);
         clFinish(on.queue);
       }},
      {"256 MB written, ms", 1, ms,
       [](Side &on) {
         clEnqueueWriteBuffer(on.queue, on.a, CL_TRUE, 0, Side::kLarge, host.data(), 0, nullptr, nullptr);
       }},
      {"256 MB read, ms", 1, ms,
       [](Side &on) {
         clEnqueueReadBuffer(on.queue, on.a, CL_TRUE, 0, Side::kLarge, host.data(), 0, nullptr, nullptr);
       }},
      {"256 MB copied on the device, ms", 1, ms,
       [](Side &on) {
         clEnqueueCopyBuffer(on.queue, on.a, on.b, 0, 0, Side::kLarge, 0, nullptr, nullptr);
         clFinish(on.queue);
       }},
  };
}

double time(const Figure &figure, Side &side) {
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < figure.calls; ++i) figure.call(side);
  return microseconds(begin) / 1e6 * figure.scale / figure.calls;
}

} // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 21;
  const std::string wanted = argc > 2 ? argv[2] : "";
  cl_platform_id platforms[16];
  cl_uint count = 0;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  const auto isOurs = [](cl_platform_id platform) { return nameOf(platform).find("Understudy") != std::string::npos; };
  const auto ours = std::find_if(platforms, platforms + count, isOurs);
  const auto direct = std::find_if(platforms, platforms + count, [&](cl_platform_id platform) {
    return !isOurs(platform) && nameOf(platform).find(wanted) != std::string::npos;
  });
  if (ours == platforms + count || direct == platforms + count) {
    std::fprintf(stderr, "the loader shows %u platforms, and not both ours and another\n", count);
    return 1;
  }
  Side sides[] = {Side(*direct), Side(*ours)};
  for (const Side &side : sides)
    if (!side.device) {
      std::fprintf(stderr, "a platform has no device\n");
      return 1;
    }
  std::printf("{\"direct\": \"%s\"", nameOf(*direct).c_str());
  for (const Figure &figure : figures()) {
    double best[2] = {1e30, 1e30};
    for (Side &side : sides) time(figure, side);
    const bool isLong = figure.scale == kMilliseconds;
    for (int round = 0; round < (isLong ? std::min(rounds, 7) : rounds); ++round)
      for (int side = 0; side < 2; ++side) best[side] = std::min(best[side], time(figure, sides[side]));
    std::printf(",\n \"%s\": [%.4g, %.4g]", figure.name, best[0], best[1]);
    std::fflush(stdout);
  }
  std::printf("}\n");
}
