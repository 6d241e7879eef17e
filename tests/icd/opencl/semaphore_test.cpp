// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_semaphore: order between queues, states, queries, and every error of its calls.
#include "icd/opencl/newer_cl.h"
#include "tests/icd/opencl/opencl_test.h"

#include <sys/wait.h>
#include <unistd.h>

namespace us::test {
namespace {

class Semaphore : public OpenCl {
protected:
  void SetUp() override {
    OpenCl::SetUp();
    if (HasFatalFailure()) return;
    create = extensionFunction<clCreateSemaphoreWithPropertiesKHR_fn>("clCreateSemaphoreWithPropertiesKHR");
    wait = extensionFunction<clEnqueueWaitSemaphoresKHR_fn>("clEnqueueWaitSemaphoresKHR");
    signal = extensionFunction<clEnqueueSignalSemaphoresKHR_fn>("clEnqueueSignalSemaphoresKHR");
    info = extensionFunction<clGetSemaphoreInfoKHR_fn>("clGetSemaphoreInfoKHR");
    retain = extensionFunction<clRetainSemaphoreKHR_fn>("clRetainSemaphoreKHR");
    release = extensionFunction<clReleaseSemaphoreKHR_fn>("clReleaseSemaphoreKHR");
    other = makeQueue();
  }
  cl_semaphore_khr make() {
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_int error = 0;
    cl_semaphore_khr made = create(context, list, &error);
    EXPECT_CL(CL_SUCCESS, error);
    cleanup([=, this] { EXPECT_CL(CL_SUCCESS, release(made)); });
    return made;
  }
  cl_semaphore_payload_khr payload(cl_semaphore_khr of) {
    return ask<cl_semaphore_payload_khr>(info, CL_SEMAPHORE_PAYLOAD_KHR, of);
  }
  cl_int waits(cl_command_queue on, cl_semaphore_khr one, cl_event *event = nullptr) {
    return wait(on, 1, &one, nullptr, 0, nullptr, event);
  }
  cl_int signals(cl_command_queue on, cl_semaphore_khr one, std::vector<cl_event> after = {}) {
    return signal(on, 1, &one, nullptr, static_cast<cl_uint>(after.size()), after.empty() ? nullptr : after.data(),
                  nullptr);
  }
  cl_semaphore_khr wrong() { return reinterpret_cast<cl_semaphore_khr>(queue); }

  clCreateSemaphoreWithPropertiesKHR_fn create = nullptr;
  clEnqueueWaitSemaphoresKHR_fn wait = nullptr;
  clEnqueueSignalSemaphoresKHR_fn signal = nullptr;
  clGetSemaphoreInfoKHR_fn info = nullptr;
  clRetainSemaphoreKHR_fn retain = nullptr;
  clReleaseSemaphoreKHR_fn release = nullptr;
  cl_command_queue other = nullptr;
};

TEST_F(Semaphore, WhatIsBehindAWaitRunsAfterTheSignal) {
  const cl_semaphore_khr semaphore = make();
  const cl_event gate = makeUserEvent();
  ASSERT_CL(signals(queue, semaphore, {gate}));
  cl_event waited = nullptr;
  ASSERT_CL(waits(other, semaphore, &waited));
  ASSERT_CL(clFlush(other));
  EXPECT_EQ(cl_command_type(CL_COMMAND_SEMAPHORE_WAIT_KHR),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, waited));
  EXPECT_GT(statusOf(waited), CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &waited));
  EXPECT_EQ(0u, payload(semaphore)); // the wait has taken it
  clReleaseEvent(waited);
}

// cl_khr_external_semaphore_opaque_fd.
class ExternalSemaphore : public Semaphore {
protected:
  void SetUp() override {
    Semaphore::SetUp();
    exports = extensionFunction<clGetSemaphoreHandleForTypeKHR_fn>("clGetSemaphoreHandleForTypeKHR");
  }
  cl_semaphore_khr makeWith(std::vector<cl_semaphore_properties_khr> more, cl_int expected = CL_SUCCESS) {
    std::vector<cl_semaphore_properties_khr> list{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
    list.insert(list.end(), more.begin(), more.end());
    list.push_back(0);
    cl_int error = 0;
    cl_semaphore_khr made = create(context, list.data(), &error);
    EXPECT_CL(expected, error);
    EXPECT_EQ(expected == CL_SUCCESS, made != nullptr);
    if (made) cleanup([=, this] { EXPECT_CL(CL_SUCCESS, release(made)); });
    return made;
  }
  int descriptorOf(cl_semaphore_khr semaphore) {
    int descriptor = -1;
    size_t size = 0;
    EXPECT_CL(CL_SUCCESS,
              exports(semaphore, device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof descriptor, &descriptor, &size));
    EXPECT_EQ(sizeof descriptor, size);
    EXPECT_GE(descriptor, 0);
    return descriptor;
  }
  clGetSemaphoreHandleForTypeKHR_fn exports = nullptr;
  const std::vector<cl_semaphore_properties_khr> exportable{CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                            CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0};
};

// "Semaphore signaling and waiting operations performed on any semaphore in the set must behave as if the set were a
// single semaphore."
TEST_F(ExternalSemaphore, TwoOfOnePayload) {
  const cl_semaphore_khr first = makeWith(exportable);
  const cl_semaphore_properties_khr descriptor = descriptorOf(first);
  const cl_semaphore_khr second = makeWith({CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, descriptor});
  EXPECT_EQ(cl_bool(CL_TRUE), ask<cl_bool>(info, CL_SEMAPHORE_EXPORTABLE_KHR, first));
  EXPECT_EQ(cl_bool(CL_FALSE), ask<cl_bool>(info, CL_SEMAPHORE_EXPORTABLE_KHR, second));
  EXPECT_EQ(0u, payload(first));
  ASSERT_CL(signals(queue, first));
  EXPECT_TRUE(eventually([&] { return payload(second) == 1; })); // nobody flushes the queue
  ASSERT_CL(waits(other, second));
  ASSERT_CL(clFinish(other));
  EXPECT_EQ(0u, payload(first));
  // A wait that comes first, and what is behind it.
  cl_event waited = nullptr;
  ASSERT_CL(waits(other, first, &waited));
  ASSERT_CL(clFlush(other));
  EXPECT_GT(statusOf(waited), CL_COMPLETE);
  ASSERT_CL(signals(queue, second));
  ASSERT_CL(clWaitForEvents(1, &waited));
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(waited));
}

TEST_F(ExternalSemaphore, BetweenProcesses) {
  const cl_semaphore_khr semaphore = makeWith(exportable);
  const int descriptor = descriptorOf(semaphore);
  cl_event waited = nullptr;
  ASSERT_CL(waits(queue, semaphore, &waited));
  ASSERT_CL(clFlush(queue));
  // Another process, in which the runtime does not work, signals as ours do.
  const pid_t child = fork();
  if (child == 0) {
    const uint64_t one = 1;
    _exit(write(descriptor, &one, sizeof one) == sizeof one ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &waited));
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(waited));
  close(descriptor);
}

TEST_F(ExternalSemaphore, Errors) {
  const cl_semaphore_khr semaphore = makeWith(exportable), plain = make();
  constexpr cl_semaphore_properties_khr kFd = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
  constexpr cl_semaphore_properties_khr kTypes = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR;
  makeWith({kTypes, kFd, kFd, 0}, CL_INVALID_VALUE);
  makeWith({kTypes, 0x4711, 0}, CL_INVALID_PROPERTY);
  makeWith({kTypes, kFd, 0, kTypes, kFd, 0}, CL_INVALID_PROPERTY);
  const int descriptor = descriptorOf(semaphore);
  makeWith({kFd, cl_semaphore_properties_khr(descriptor), kTypes, kFd, 0}, CL_INVALID_OPERATION);
  makeWith({kFd, cl_semaphore_properties_khr(descriptor), kFd, cl_semaphore_properties_khr(descriptor)},
           CL_INVALID_PROPERTY);
  makeWith({kFd, cl_semaphore_properties_khr(-1)}, CL_INVALID_PROPERTY);
  makeWith({kFd, 2}, CL_INVALID_PROPERTY); // standard error
  close(descriptor);
  int found = -1;
  EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, exports(wrong(), device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 4, &found, nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, exports(semaphore, nullptr, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 4, &found, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, exports(semaphore, device, 0x2058, 4, &found, nullptr)); // a sync file
  EXPECT_CL(CL_INVALID_VALUE, exports(semaphore, device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 3, &found, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, exports(plain, device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 4, &found, nullptr));
  EXPECT_TRUE(
      askList<cl_external_semaphore_handle_type_khr>(info, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, plain).empty());
  for (cl_device_info name : {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR})
    EXPECT_EQ(std::vector<cl_external_semaphore_handle_type_khr>{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR},
              askList<cl_external_semaphore_handle_type_khr>(clGetDeviceInfo, name, device));
}

// Nothing says that the signal must be enqueued first.
TEST_F(Semaphore, AWaitThatComesBeforeItsSignal) {
  const cl_semaphore_khr semaphore = make();
  cl_event first = nullptr, second = nullptr;
  ASSERT_CL(waits(other, semaphore, &first));
  ASSERT_CL(waits(other, semaphore, &second));
  ASSERT_CL(clFlush(other));
  EXPECT_GT(statusOf(first), CL_COMPLETE);
  ASSERT_CL(signals(queue, semaphore));
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clWaitForEvents(1, &first));
  EXPECT_GT(statusOf(second), CL_COMPLETE);
  ASSERT_CL(signals(queue, semaphore));
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(clWaitForEvents(1, &second));
  clReleaseEvent(first);
  clReleaseEvent(second);
}

TEST_F(Semaphore, StatesOfOneThatIsUsedAgain) {
  const cl_semaphore_khr semaphore = make();
  EXPECT_EQ(0u, payload(semaphore)); // "a valid semaphore object in an un-signaled state"
  for (int round = 0; round < 3; ++round) {
    ASSERT_CL(signals(queue, semaphore));
    ASSERT_CL(clFinish(queue));
    EXPECT_EQ(1u, payload(semaphore));
    ASSERT_CL(waits(other, semaphore));
    ASSERT_CL(clFinish(other));
    EXPECT_EQ(0u, payload(semaphore));
  }
}

TEST_F(Semaphore, SeveralInOneCommand) {
  const cl_semaphore_khr two[] = {make(), make()};
  ASSERT_CL(signal(queue, 2, two, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(1u, payload(two[1]));
  ASSERT_CL(waits(other, two[0]));
  ASSERT_CL(clFinish(other));
  EXPECT_EQ(0u, payload(two[0]));
  EXPECT_EQ(1u, payload(two[1]));
  ASSERT_CL(signals(queue, two[0]));
  ASSERT_CL(wait(other, 2, two, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(clFinish(other));
  EXPECT_EQ(0u, payload(two[0]));
  EXPECT_EQ(0u, payload(two[1]));
}

TEST_F(Semaphore, AFailedSignalFailsItsWait) {
  const cl_semaphore_khr semaphore = make();
  const cl_event gate = makeUserEvent();
  cl_event waited = nullptr;
  ASSERT_CL(signals(queue, semaphore, {gate}));
  ASSERT_CL(waits(other, semaphore, &waited));
  ASSERT_CL(clSetUserEventStatus(gate, -5));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
  EXPECT_EQ(0u, payload(semaphore));
  clReleaseEvent(waited);
}

TEST_F(Semaphore, clCreateSemaphoreWithPropertiesKHR) {
  cl_int error = 0;
  const auto fails = [&](cl_int code, std::vector<cl_semaphore_properties_khr> list) {
    EXPECT_EQ(nullptr, create(context, list.data(), &error));
    EXPECT_CL(code, error);
  };
  EXPECT_EQ(nullptr, create(context, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  fails(CL_INVALID_VALUE, {0});
  fails(CL_INVALID_PROPERTY, {0x1234, 1, 0});
  fails(CL_INVALID_PROPERTY, {CL_SEMAPHORE_TYPE_KHR, 7, 0});
  fails(CL_INVALID_PROPERTY, {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_TYPE_KHR, 1, 0});
  fails(CL_INVALID_DEVICE, {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, 0, 0});
  const auto asProperty = [](auto *handle) { return reinterpret_cast<cl_semaphore_properties_khr>(handle); };
  fails(CL_INVALID_DEVICE, {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, asProperty(queue), 0, 0});
  fails(CL_INVALID_DEVICE,
        {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, asProperty(device), asProperty(device), 0, 0});
  const cl_semaphore_properties_khr plain[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  EXPECT_EQ(nullptr, create(reinterpret_cast<cl_context>(queue), plain, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
}

TEST_F(Semaphore, clEnqueueWaitAndSignalSemaphoresKHR) {
  const cl_semaphore_khr semaphore = make(), bad = wrong();
  cl_int error = 0;
  cl_context foreign = keep(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), clReleaseContext);
  cl_command_queue stranger = keep(clCreateCommandQueue(foreign, device, 0, &error), clReleaseCommandQueue);
  const cl_event failed = makeUserEvent();
  ASSERT_CL(clSetUserEventStatus(failed, -1));
  for (clEnqueueSignalSemaphoresKHR_fn call : {signal, clEnqueueSignalSemaphoresKHR_fn(wait)}) {
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
              call(reinterpret_cast<cl_command_queue>(context), 1, &semaphore, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, call(queue, 0, &semaphore, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, call(queue, 1, &bad, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_CONTEXT, call(stranger, 1, &semaphore, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, call(queue, 1, &semaphore, nullptr, 1, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, call(queue, 1, &semaphore, nullptr, 0, &failed, nullptr));
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, call(queue, 1, &semaphore, nullptr, 1, &failed, nullptr));
  }
  EXPECT_EQ(0u, payload(semaphore));
}

// What was not made to be exported is not.
TEST_F(Semaphore, clGetSemaphoreHandleForTypeKHR) {
  const auto handleFor = extensionFunction<clGetSemaphoreHandleForTypeKHR_fn>("clGetSemaphoreHandleForTypeKHR");
  const cl_semaphore_khr semaphore = make();
  int descriptor = -1;
  const auto asked = [&](cl_semaphore_khr of, cl_device_id on) {
    return handleFor(of, on, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof descriptor, &descriptor, nullptr);
  };
  EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, asked(wrong(), device));
  EXPECT_CL(CL_INVALID_DEVICE, asked(semaphore, reinterpret_cast<cl_device_id>(queue)));
  EXPECT_CL(CL_INVALID_VALUE, asked(semaphore, device));
  EXPECT_EQ(-1, descriptor);
}

TEST_F(Semaphore, clGetSemaphoreInfoKHR) {
  const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR,
                                              CL_SEMAPHORE_TYPE_BINARY_KHR,
                                              CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                              reinterpret_cast<cl_semaphore_properties_khr>(device),
                                              CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
                                              0};
  cl_int error = 0;
  cl_semaphore_khr semaphore = create(context, list, &error);
  ASSERT_CL(error);
  EXPECT_EQ(context, ask<cl_context>(info, CL_SEMAPHORE_CONTEXT_KHR, semaphore));
  EXPECT_EQ(1u, ask<cl_uint>(info, CL_SEMAPHORE_REFERENCE_COUNT_KHR, semaphore));
  EXPECT_EQ((std::vector<cl_semaphore_properties_khr>(std::begin(list), std::end(list))),
            askList<cl_semaphore_properties_khr>(info, CL_SEMAPHORE_PROPERTIES_KHR, semaphore));
  EXPECT_EQ(cl_semaphore_type_khr(CL_SEMAPHORE_TYPE_BINARY_KHR),
            ask<cl_semaphore_type_khr>(info, CL_SEMAPHORE_TYPE_KHR, semaphore));
  EXPECT_EQ(device, ask<cl_device_id>(info, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, semaphore));
  EXPECT_EQ(cl_semaphore_type_khr(CL_SEMAPHORE_TYPE_BINARY_KHR),
            ask<cl_semaphore_type_khr>(clGetDeviceInfo, CL_DEVICE_SEMAPHORE_TYPES_KHR, device));
  EXPECT_EQ(cl_semaphore_type_khr(CL_SEMAPHORE_TYPE_BINARY_KHR),
            ask<cl_semaphore_type_khr>(clGetPlatformInfo, CL_PLATFORM_SEMAPHORE_TYPES_KHR, platform));
  EXPECT_CL(CL_INVALID_VALUE, info(semaphore, 0x1, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, info(wrong(), CL_SEMAPHORE_TYPE_KHR, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, retain(semaphore));
  EXPECT_EQ(2u, ask<cl_uint>(info, CL_SEMAPHORE_REFERENCE_COUNT_KHR, semaphore));
  EXPECT_CL(CL_SUCCESS, release(semaphore));
  EXPECT_CL(CL_SUCCESS, release(semaphore));
  EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, release(semaphore));
  EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, retain(wrong()));
}

} // namespace
} // namespace us::test
