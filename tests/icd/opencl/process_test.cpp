// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a process: calls while it exits, in a forked child, and what tracing writes. Each test's process is its
// own.
#include "tests/icd/opencl/opencl_test.h"

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace us::test {
namespace {

class Process : public OpenCl {
protected:
  /// Runs in a child of its own that has not touched the platform; returns its exit code, or -signal.
  static int inChild(const std::function<int()> &body) {
    std::fflush(nullptr);
    pid_t child = fork();
    if (child == 0) _exit(body());
    return waitFor(child);
  }
  static int waitFor(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

TEST_F(Process, aForkedChildGetsErrors) {
  cl_mem buffer = makeBuffer(64);
  cl_program program = buildProgram("kernel void k() {}");
  cl_kernel kernel = makeKernel(program, "k");
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(0, inChild([&] {
              char byte = 0;
              cl_int error = 0;
              alarm(20); // a child that hangs is a failure
              int answered = 0;
              answered += clFinish(queue) == CL_SUCCESS;
              answered += clEnqueueTask(queue, kernel, 0, nullptr, nullptr) == CL_SUCCESS;
              answered += clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr) == CL_SUCCESS;
              answered += clCreateBuffer(context, 0, 4, nullptr, &error) != nullptr;
              answered += clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS;
              answered += clReleaseMemObject(buffer) == CL_SUCCESS;
              answered += clReleaseContext(context) == CL_SUCCESS;
              cl_uint count = 0;
              answered += clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) == CL_SUCCESS;
              return answered;
            }));
  // The parent is as it was.
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

/// Runs this program again with one test selected by the environment, which ends by exit().
int runAgain(const char *mode, const char *variables, std::string *errors = nullptr) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return -1;
  self[length] = 0;
  // Checks would keep kernels from failing, and tell what they find: what the tests ask for is without.
  std::string command =
      "UNDERSTUDY_CHECK= " + std::string(variables) + " US_TEST_MODE=" + mode + " " + self + " 2>&1 >/dev/null";
  std::FILE *pipe = popen(command.c_str(), "r");
  std::string text;
  char buffer[512];
  while (size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  int status = pclose(pipe);
  if (errors) *errors = text;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(Process, callsDuringExitReturn) { EXPECT_EQ(0, runAgain("exit-with-work", "")); }

TEST_F(Process, buildsMayGoOnDuringExit) {
  // The C library overwrites what is freed, so that using it shows.
  for (int i = 0; i < 3; ++i) EXPECT_EQ(0, runAgain("exit-with-builds", "MALLOC_PERTURB_=165"));
}

// mlock(2): "MCL_FUTURE Lock all pages which will become mapped into the address space of the process in the future."
TEST_F(Process, reservesNoMemoryThatCanBeLocked) {
  const int code = runAgain("locked", "");
  if (code == 77) GTEST_SKIP() << "this user may not lock memory";
  EXPECT_EQ(0, code);
}

TEST_F(Process, tracingWritesEachCall) {
  std::string text;
  EXPECT_EQ(0, runAgain("trace", "UNDERSTUDY_TRACE=1", &text));
  EXPECT_NE(std::string::npos, text.find("clCreateBuffer(")) << text;
  EXPECT_NE(std::string::npos, text.find("CL_INVALID_BUFFER_SIZE")) << text;
}

/// How often `part` is in `text`.
int countOf(const std::string &part, const std::string &text) {
  int count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The program sees a number, and hears the sentence only if it gave its context a callback.
TEST_F(Process, tellsOnceWhyAKernelFailed) {
  std::string text;
  EXPECT_EQ(0, runAgain("fail-unheard", "UNDERSTUDY_LOG=", &text));
  EXPECT_EQ(1, countOf("kernel 'wild' wrote to 0x40", text)) << text;
  EXPECT_EQ(1, countOf("kernel 'stray' wrote to 0x40", text)) << text;
  EXPECT_EQ(0, runAgain("fail-heard", "UNDERSTUDY_LOG=", &text));
  EXPECT_EQ(0, countOf("kernel '", text)) << text;
  EXPECT_EQ(0, runAgain("fail-unheard", "UNDERSTUDY_LOG=none", &text));
  EXPECT_EQ(0, countOf("kernel '", text)) << text;
  for (const char *mode : {"fail-unheard", "fail-heard"}) {
    EXPECT_EQ(0, runAgain(mode, "UNDERSTUDY_LOG=error", &text));
    EXPECT_EQ(2, countOf("kernel 'wild' wrote to 0x40", text)) << text;
  }
}

} // namespace
} // namespace us::test
