// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork, then exit(): children that are made while other threads launch, build and print must end, whatever those
// threads were doing at the fork. Forks for the seconds given (15 if none); a child that hangs is ended by its alarm.
#include "tests/icd/opencl/opencl_test.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using us::test::ourDevices;

constexpr unsigned kHangsAfter = 60; ///< seconds: a child needs a millisecond

std::atomic<bool> over{false};
std::atomic<uint64_t> launches{0}, builds{0};

cl_program build(cl_context context, const std::string &text) {
  const char *source = text.c_str();
  cl_int error = 0;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) std::abort();
  return program;
}

/// Launches that are large enough for others to be invited, and short enough for that to happen all the time.
void launchOn(cl_context context, cl_device_id device) {
  cl_int error = 0;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_mem buffer = clCreateBuffer(context, 0, 1 << 20, nullptr, &error);
  cl_program program = build(context, "kernel void k(global int *x) { x[get_global_id(0)] += get_local_id(0); }");
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  const size_t global = 1 << 17, local = 64;
  while (!over) {
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    if (clFinish(queue) != CL_SUCCESS) std::abort();
    ++launches;
  }
}

void buildIn(cl_context context) {
  while (!over) {
    const std::string number = std::to_string(builds++);
    clReleaseProgram(build(context, "kernel void k(global int *x) { x[0] = " + number + "; }"));
  }
}

/// How the child ended: a status of waitpid.
int forkAndExit(cl_command_queue queue, bool calls) {
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    alarm(kHangsAfter);
    // As a language's runtime does when it ends: it releases what it holds.
    if (calls) (void)clFinish(queue), (void)clReleaseCommandQueue(queue);
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

} // namespace

int main(int count, char **arguments) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(count > 1 ? std::atoi(arguments[1]) : 15);
  cl_device_id device = ourDevices().at(0);
  cl_int error = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  std::thread threads[] = {std::thread(launchOn, context, device), std::thread(launchOn, context, device),
                           std::thread(buildIn, context)};
  uint64_t children = 0;
  int status = 0;
  for (; status == 0 && std::chrono::steady_clock::now() < end; ++children)
    status = forkAndExit(queue, children % 2 == 1);
  over = true;
  for (std::thread &thread : threads) thread.join();
  std::printf("%llu children, %llu launches, %llu builds\n", static_cast<unsigned long long>(children),
              static_cast<unsigned long long>(launches), static_cast<unsigned long long>(builds));
  if (status == 0) return 0;
  std::printf("the last child %s\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "hung" : "failed");
  return 1;
}
