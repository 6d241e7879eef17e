// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the tests of the OpenCL surface: a context and a queue on our first device, reached through the real ICD loader,
// and short ways to ask and to clean up.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <forward_list>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace us::test {

/// "call returns code": both are shown when it does not.
#define EXPECT_CL(code, call) EXPECT_EQ(cl_int(code), (call)) << #call
#define ASSERT_CL(call) ASSERT_EQ(CL_SUCCESS, (call)) << #call

/// What UNDERSTUDY_OPENCL_VERSION asks for.
inline std::string newestVersionText() {
  const char *asked = std::getenv("UNDERSTUDY_OPENCL_VERSION");
  return asked ? asked : "3.1";
}
inline cl_version newestVersion() {
  const std::string text = newestVersionText();
  return CL_MAKE_VERSION(cl_version(text[0] - '0'), cl_version(text[2] - '0'), 0u);
}

inline cl_platform_id ourPlatform() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return nullptr;
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    char name[64] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::strcmp(name, "Understudy") == 0) return platform;
  }
  return nullptr;
}

inline std::vector<cl_device_id> ourDevices() {
  cl_uint count = 0;
  if (clGetDeviceIDs(ourPlatform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> devices(count);
  clGetDeviceIDs(ourPlatform(), CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
  return devices;
}

/// One value of a query whose answer has exactly its size.
template <class T, class Query, class... Subject> T ask(Query query, cl_uint name, Subject... subject) {
  T value{};
  size_t size = 0;
  EXPECT_CL(CL_SUCCESS, query(subject..., name, 0, nullptr, &size));
  EXPECT_EQ(sizeof value, size);
  EXPECT_CL(CL_SUCCESS, query(subject..., name, sizeof value, &value, nullptr));
  // "CL_INVALID_VALUE if ... param_value_size is < size of return type": every query, once.
  if (sizeof value > 1) EXPECT_CL(CL_INVALID_VALUE, query(subject..., name, sizeof value - 1, &value, nullptr));
  return value;
}

template <class T, class Query, class... Subject>
std::vector<T> askList(Query query, cl_uint name, Subject... subject) {
  size_t size = 0;
  EXPECT_CL(CL_SUCCESS, query(subject..., name, 0, nullptr, &size));
  std::vector<T> values(size / sizeof(T));
  EXPECT_CL(CL_SUCCESS, query(subject..., name, size, values.data(), nullptr));
  return values;
}

template <class Query, class... Subject> std::string askText(Query query, cl_uint name, Subject... subject) {
  std::vector<char> text = askList<char>(query, name, subject...);
  EXPECT_TRUE(!text.empty() && text.back() == 0);
  return text.empty() ? "" : std::string(text.data());
}

/// Waits at most `seconds` for something to become true.
inline bool eventually(const std::function<bool()> &condition, double seconds = 10) {
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

class OpenCl : public ::testing::Test {
protected:
  void SetUp() override {
    platform = ourPlatform();
    ASSERT_NE(nullptr, platform) << "the ICD loader does not show our platform";
    device = ourDevices().at(0);
    cl_int error = 0;
    context = clCreateContext(nullptr, 1, &device, hear, &log_, &error);
    ASSERT_CL(error);
    queue = makeQueue();
  }

  void TearDown() override {
    for (auto release = cleanups_.rbegin(); release != cleanups_.rend(); ++release) (*release)();
    if (context) EXPECT_CL(CL_SUCCESS, clReleaseContext(context));
  }

  /// Releases an object at the end of the test.
  template <class Handle> Handle keep(Handle handle, cl_int (*release)(Handle)) {
    EXPECT_NE(nullptr, handle);
    if (handle) cleanups_.push_back([=] { EXPECT_CL(CL_SUCCESS, release(handle)); });
    return handle;
  }

  /// Done at the end of the test, before everything made earlier goes.
  void cleanup(std::function<void()> action) { cleanups_.push_back(std::move(action)); }

  template <class Function> Function extensionFunction(const char *name) {
    auto found = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
    EXPECT_NE(nullptr, found) << name;
    return found;
  }

  cl_command_queue makeQueue(cl_command_queue_properties properties = 0) { return queueOn(device, properties); }
  cl_command_queue queueOn(cl_device_id one, cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = 0;
    cl_command_queue made = clCreateCommandQueueWithProperties(context, one, list, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseCommandQueue);
  }
  cl_mem makeBuffer(size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE, void *pointer = nullptr) {
    cl_int error = 0;
    cl_mem made = clCreateBuffer(context, flags, size, pointer, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseMemObject);
  }
  cl_program makeProgram(const char *source) {
    cl_int error = 0;
    cl_program made = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseProgram);
  }
  cl_program buildProgram(const char *source, const char *options = "") {
    cl_program program = makeProgram(source);
    cl_int error = clBuildProgram(program, 1, &device, options, nullptr, nullptr);
    EXPECT_CL(CL_SUCCESS, error) << logOf(program);
    return program;
  }
  cl_kernel makeKernel(cl_program program, const char *name) {
    cl_int error = 0;
    cl_kernel made = clCreateKernel(program, name, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseKernel);
  }
  cl_event makeUserEvent() {
    cl_int error = 0;
    cl_event made = clCreateUserEvent(context, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseEvent);
  }
  std::string logOf(cl_program program) {
    return askText(clGetProgramBuildInfo, CL_PROGRAM_BUILD_LOG, program, device);
  }
  static cl_int statusOf(cl_event event) {
    cl_int status = 99;
    EXPECT_CL(CL_SUCCESS, clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
    return status;
  }

  /// What the context's error callback has heard.
  std::vector<std::string> heard() {
    std::lock_guard lock(log_.mutex);
    return log_.sentences;
  }
  bool hasHeard(const std::string &words) {
    for (const std::string &sentence : heard())
      if (sentence.find(words) != std::string::npos) return true;
    return false;
  }

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

private:
  struct Log {
    std::mutex mutex; // guards sentences
    std::vector<std::string> sentences;
  };
  static void CL_CALLBACK hear(const char *sentence, const void *, size_t, void *data) {
    auto *log = static_cast<Log *>(data);
    std::lock_guard lock(log->mutex);
    log->sentences.push_back(sentence);
  }

  std::vector<std::function<void()>> cleanups_;
  /// Not freed, for a callback may come after the test; held by something static, so that it is no leak.
  static Log &newLog() {
    static auto &logs = *new std::forward_list<Log>;
    return logs.emplace_front();
  }
  Log &log_ = newLog();
};

} // namespace us::test
