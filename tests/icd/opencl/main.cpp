// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tests' main: says which device they run on, since a test that ran on another platform would prove nothing. With
// US_TEST_MODE it is instead the small program that process_test.cpp runs.
#include "tests/icd/opencl/opencl_test.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace {

/// Objects that a program with static destructors releases when everything else is gone.
struct Late {
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  cl_event open = nullptr;
  ~Late() {
    if (!context) return;
    clFlush(queue);
    // Work is refused; a release has nothing left to do, and C++ wrappers throw if it fails.
    if (clFinish(queue) == CL_SUCCESS) _exit(9);
    if (clReleaseEvent(open) || clReleaseMemObject(buffer) || clReleaseCommandQueue(queue) || clReleaseContext(context))
      _exit(10);
  }
} late;

int trace() {
  cl_device_id device = us::test::ourDevices().at(0);
  cl_int error = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  clCreateBuffer(context, 0, 0, nullptr, &error);
  return error == CL_INVALID_BUFFER_SIZE ? 0 : 1;
}

int exitWithWork() {
  cl_device_id device = us::test::ourDevices().at(0);
  cl_int error = 0;
  late.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  late.queue = clCreateCommandQueue(late.context, device, 0, &error);
  late.buffer = clCreateBuffer(late.context, 0, 1 << 20, nullptr, &error);
  late.open = clCreateUserEvent(late.context, &error);
  // A kernel that runs, a build that goes on, and a command that will never run.
  const char *source = "kernel void spin(global int *x) { for (int i = 0; i < 100000; ++i) x[i & 1023] += i; }";
  cl_program program = clCreateProgramWithSource(late.context, 1, &source, nullptr, &error);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return 2;
  cl_kernel kernel = clCreateKernel(program, "spin", &error);
  clSetKernelArg(kernel, 0, sizeof late.buffer, &late.buffer);
  size_t global = 4096;
  clEnqueueNDRangeKernel(late.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  clFlush(late.queue);
  const char *more = "kernel void other(global float *x) { x[0] = sin(x[1]) + pow(x[2], x[3]); }";
  cl_program building = clCreateProgramWithSource(late.context, 1, &more, nullptr, &error);
  clBuildProgram(building, 0, nullptr, "", [](cl_program, void *) {}, nullptr);
  cl_int zero = 0;
  clEnqueueFillBuffer(late.queue, late.buffer, &zero, 4, 0, 4, 1, &late.open, nullptr);
  clFlush(late.queue);
  std::exit(0);
}

/// Kernels that fail, twice each, in a context with or without a callback.
int failingKernels(bool hears) {
  cl_device_id device = us::test::ourDevices().at(0);
  cl_int error = 0;
  using Notify = void(CL_CALLBACK *)(const char *, const void *, size_t, void *);
  const Notify notify = hears ? [](const char *, const void *, size_t, void *) {} : Notify{};
  cl_context context = clCreateContext(nullptr, 1, &device, notify, nullptr, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  const char *source = "kernel void wild(ulong address) { *(global int *)address = 1; }\n"
                       "kernel void stray(ulong address) { *(global int *)address = 1; }\n";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return 2;
  for (const char *name : {"wild", "wild", "stray", "stray"}) {
    cl_kernel kernel = clCreateKernel(program, name, &error);
    cl_ulong address = 64;
    clSetKernelArg(kernel, 0, sizeof address, &address);
    cl_event done = nullptr;
    clEnqueueTask(queue, kernel, 0, nullptr, &done);
    if (clWaitForEvents(1, &done) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) return 3;
  }
  return 0;
}
int failUnheard() { return failingKernels(false); }
int failHeard() { return failingKernels(true); }

/// Kernels whose machine code no cache has are generated while the process exits.
int exitWithBuilds() {
  cl_device_id device = us::test::ourDevices().at(0);
  cl_int error = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_mem buffer = clCreateBuffer(context, 0, 4096, nullptr, &error);
  const auto unique = std::chrono::steady_clock::now().time_since_epoch().count();
  constexpr int kKernels = 40;
  std::string text = "constant long unique = " + std::to_string(unique) + ";\n";
  for (int i = 0; i < kKernels; ++i)
    text += "kernel void k" + std::to_string(i) + "(global double4 *x) { x[unique & 7] = pow(x[1], sin(x[" +
            std::to_string(i) + "])); }\n";
  const char *source = text.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return 2;
  for (int i = 0; i < kKernels; ++i) {
    cl_kernel kernel = clCreateKernel(program, ("k" + std::to_string(i)).c_str(), &error);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    size_t global = 1;
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
    if (i == 0 && clFinish(queue) != CL_SUCCESS) return 3;
  }
  clFlush(queue);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  // As Python's fault handler does when it ends: then a fault of the compiler is no longer ours to survive.
  std::signal(SIGSEGV, SIG_DFL);
  std::exit(0);
}

/// A program that wants all that it asks the system for to be in memory at once.
int locked() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if ((limit.rlim_cur != RLIM_INFINITY && geteuid() != 0) || mlockall(MCL_FUTURE) != 0) return 77;
  cl_device_id device = us::test::ourDevices().at(0);
  cl_int error = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_mem buffer = clCreateBuffer(context, 0, 1 << 20, nullptr, &error);
  if (!buffer) return 2;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (uint64_t kilobytes = 0; word == "VmRSS:" && status >> kilobytes) return kilobytes < 1 << 20 ? 0 : 3;
  return 4;
}

} // namespace

int main(int argumentCount, char **arguments) {
  const std::pair<std::string_view, int (*)()> modes[] = {{"trace", trace},
                                                          {"exit-with-work", exitWithWork},
                                                          {"exit-with-builds", exitWithBuilds},
                                                          {"fail-unheard", failUnheard},
                                                          {"fail-heard", failHeard},
                                                          {"locked", locked}};
  if (const char *wanted = std::getenv("US_TEST_MODE"))
    for (const auto &[name, mode] : modes)
      if (name == wanted) return mode();
  ::testing::InitGoogleTest(&argumentCount, arguments);
  for (cl_device_id device : us::test::ourDevices()) {
    char name[128] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    std::printf("device: %s\n", name);
  }
  return RUN_ALL_TESTS();
}
