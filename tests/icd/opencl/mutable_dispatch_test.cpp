// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer_mutable_dispatch: what a recorded kernel can be changed to, what it cannot, and its queries.
#include "icd/opencl/newer_cl.h"
#include "tests/icd/opencl/opencl_test.h"

#include <numeric>

namespace us::test {
namespace {

using opencl::cl_command_properties_khr;
using opencl::cl_mutable_dispatch_arg_khr;
using opencl::cl_mutable_dispatch_config_khr;
using opencl::cl_mutable_dispatch_exec_info_khr;

class MutableDispatch : public OpenCl {
protected:
  void SetUp() override {
    OpenCl::SetUp();
    if (HasFatalFailure()) return;
    create = extensionFunction<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
    finalize = extensionFunction<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
    release = extensionFunction<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR");
    enqueue = extensionFunction<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
    info = extensionFunction<clGetCommandBufferInfoKHR_fn>("clGetCommandBufferInfoKHR");
    range = extensionFunction<opencl::clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
    change = extensionFunction<opencl::clUpdateMutableCommandsKHR_fn>("clUpdateMutableCommandsKHR");
    ask_ = extensionFunction<clGetMutableCommandInfoKHR_fn>("clGetMutableCommandInfoKHR");
    kernel = makeKernel(buildProgram(R"(
      kernel void add(global int *out, int by) { out[get_global_id(0)] += by + 100 * (int)get_local_size(0); })"),
                        "add");
    a_ = zeros(), b_ = zeros();
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof a_, &a_));
    setBy(1);
  }

  cl_mem zeros() {
    std::vector<int> none(64);
    return makeBuffer(256, CL_MEM_COPY_HOST_PTR, none.data());
  }
  void setBy(int by) { ASSERT_CL(clSetKernelArg(kernel, 1, sizeof by, &by)); }
  cl_command_buffer_khr make(cl_command_buffer_flags_khr flags = CL_COMMAND_BUFFER_MUTABLE_KHR) {
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int error = 0;
    cl_command_buffer_khr made = create(1, &queue, list, &error);
    EXPECT_CL(CL_SUCCESS, error);
    cleanup([=, this] { EXPECT_CL(CL_SUCCESS, release(made)); });
    return made;
  }
  /// `add` over 8 work-items in work-groups of 4.
  cl_mutable_command_khr record(cl_command_buffer_khr into, const cl_command_properties_khr *properties = nullptr) {
    cl_mutable_command_khr handle = nullptr;
    EXPECT_CL(CL_SUCCESS,
              range(into, nullptr, properties, kernel, 1, nullptr, &kEight, &kFour, 0, nullptr, nullptr, &handle));
    EXPECT_NE(nullptr, handle);
    return handle;
  }
  cl_int update(cl_command_buffer_khr buffer, std::vector<cl_mutable_dispatch_config_khr> changes) {
    const std::vector<cl_uint> types(changes.size(), CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR);
    std::vector<const void *> pointers;
    for (const auto &one : changes) pointers.push_back(&one);
    return change(buffer, static_cast<cl_uint>(changes.size()), types.data(), pointers.data());
  }
  cl_int submit(cl_command_buffer_khr buffer, std::vector<cl_event> waits = {}) {
    return enqueue(0, nullptr, buffer, static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                   nullptr);
  }
  std::vector<int> read(cl_mem buffer, size_t count = 16) {
    std::vector<int> values(count);
    EXPECT_CL(CL_SUCCESS,
              clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * 4, values.data(), 0, nullptr, nullptr));
    return values;
  }
  /// `count` elements of `value` from `first` on, zeros elsewhere.
  static std::vector<int> some(size_t first, size_t count, int value) {
    std::vector<int> values(16);
    for (size_t i = first; i < first + count; ++i) values[i] = value;
    return values;
  }
  cl_command_buffer_state_khr state(cl_command_buffer_khr of) {
    return ask<cl_command_buffer_state_khr>(info, CL_COMMAND_BUFFER_STATE_KHR, of);
  }

  static constexpr size_t kTwo = 2, kThree = 3, kFour = 4, kEight = 8;
  clCreateCommandBufferKHR_fn create = nullptr;
  clFinalizeCommandBufferKHR_fn finalize = nullptr;
  clReleaseCommandBufferKHR_fn release = nullptr;
  clEnqueueCommandBufferKHR_fn enqueue = nullptr;
  clGetCommandBufferInfoKHR_fn info = nullptr;
  opencl::clCommandNDRangeKernelKHR_fn range = nullptr;
  opencl::clUpdateMutableCommandsKHR_fn change = nullptr;
  clGetMutableCommandInfoKHR_fn ask_ = nullptr;
  cl_kernel kernel = nullptr;
  cl_mem a_ = nullptr, b_ = nullptr;
};

TEST_F(MutableDispatch, DeviceQueries) {
  EXPECT_EQ(cl_mutable_dispatch_fields_khr(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
                                           CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
                                           CL_MUTABLE_DISPATCH_EXEC_INFO_KHR),
            ask<cl_mutable_dispatch_fields_khr>(clGetDeviceInfo, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, device));
  EXPECT_NE(std::string::npos,
            askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device).find("cl_khr_command_buffer_mutable_dispatch"));
}

TEST_F(MutableDispatch, ArgumentsAndSizes) {
  cl_command_buffer_khr buffer = make();
  cl_mutable_command_khr command = record(buffer);
  ASSERT_CL(finalize(buffer));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(some(0, 8, 401), read(a_));
  const int seven = 7;
  const cl_mutable_dispatch_arg_khr arguments[] = {{0, sizeof b_, &b_}, {1, sizeof seven, &seven}};
  ASSERT_CL(update(buffer, {{.command = command, .num_args = 2, .arg_list = arguments}}));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(some(0, 8, 401), read(a_));
  EXPECT_EQ(some(0, 8, 407), read(b_));
  // "have no affect on the original kernel object"
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kEight, &kFour, 0, nullptr, nullptr));
  EXPECT_EQ(some(0, 8, 802), read(a_));
  EXPECT_EQ(some(0, 8, 407), read(b_));
  // One field after the other: what is NULL stays.
  b_ = zeros();
  ASSERT_CL(update(buffer, {{.command = command, .num_args = 1, .arg_list = arguments}}));
  ASSERT_CL(update(buffer, {{.command = command, .global_work_offset = &kThree}}));
  ASSERT_CL(update(buffer, {{.command = command, .work_dim = 1, .global_work_size = &kFour}}));
  ASSERT_CL(update(buffer, {{.command = command, .local_work_size = &kTwo}}));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(some(3, 4, 207), read(b_));
}

// "none of the updates to mutable-command objects are preserved" if one of them fails.
TEST_F(MutableDispatch, AllOrNothing) {
  cl_command_buffer_khr buffer = make();
  cl_mutable_command_khr first = record(buffer), second = record(buffer);
  ASSERT_CL(finalize(buffer));
  const int two = 2, three[] = {3, 0};
  const cl_mutable_dispatch_arg_khr isTwo{1, 4, &two}, isThree{1, 4, three}, wrong{1, 8, three};
  EXPECT_CL(CL_INVALID_ARG_SIZE, update(buffer, {{.command = first, .num_args = 1, .arg_list = &isTwo},
                                                 {.command = second, .num_args = 1, .arg_list = &wrong}}));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(some(0, 8, 802), read(a_));
  // Several of one command: the later one counts where both say something.
  ASSERT_CL(update(buffer, {{.command = first, .num_args = 1, .arg_list = &isTwo},
                            {.command = first, .num_args = 1, .arg_list = &isThree},
                            {.command = first, .global_work_size = &kFour}}));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(802 + 403 + 401, read(a_)[3]);
  EXPECT_EQ(802 + 401, read(a_)[4]);
}

// CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR: what is on its way runs with what it was submitted with.
TEST_F(MutableDispatch, SubmissionsThatAreNotComplete) {
  cl_command_buffer_khr buffer = make(CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  cl_mutable_command_khr command = record(buffer);
  ASSERT_CL(finalize(buffer));
  cl_event gate = makeUserEvent();
  ASSERT_CL(submit(buffer, {gate}));
  const int ten = 10;
  const cl_mutable_dispatch_arg_khr arguments[] = {{0, sizeof b_, &b_}, {1, 4, &ten}};
  ASSERT_CL(update(buffer, {{.command = command, .num_args = 2, .arg_list = arguments}}));
  ASSERT_CL(submit(buffer));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(some(0, 8, 401), read(a_));
  EXPECT_EQ(some(0, 8, 410), read(b_));
}

// "When recording an ND-range kernel command, the kernel's arguments do not have to be set"
TEST_F(MutableDispatch, ArgumentsThatFollow) {
  kernel =
      makeKernel(buildProgram("kernel void put(global int *out, int what) { out[get_global_id(0)] = what; }"), "put");
  cl_command_buffer_khr buffer = make();
  EXPECT_CL(CL_INVALID_KERNEL_ARGS,
            range(buffer, nullptr, nullptr, kernel, 1, nullptr, &kEight, nullptr, 0, nullptr, nullptr, nullptr));
  const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR,
                                            0};
  cl_mutable_command_khr command = record(buffer, list);
  EXPECT_EQ(CL_COMMAND_BUFFER_STATE_RECORDING_KHR, state(buffer));
  ASSERT_CL(finalize(buffer));
  EXPECT_EQ(cl_uint(CL_COMMAND_BUFFER_STATE_FINALIZED_KHR), state(buffer));
  EXPECT_CL(CL_INVALID_OPERATION, submit(buffer));
  const int five = 5;
  const cl_mutable_dispatch_arg_khr out{0, sizeof a_, &a_}, what{1, sizeof five, &five};
  ASSERT_CL(update(buffer, {{.command = command, .num_args = 1, .arg_list = &what}}));
  EXPECT_EQ(cl_uint(CL_COMMAND_BUFFER_STATE_FINALIZED_KHR), state(buffer));
  ASSERT_CL(update(buffer, {{.command = command, .num_args = 1, .arg_list = &out}}));
  EXPECT_EQ(cl_uint(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR), state(buffer));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(some(0, 8, 5), read(a_));
}

TEST_F(MutableDispatch, SharedMemory) {
  kernel = makeKernel(buildProgram("kernel void f(global int *out, int by) { out[get_global_id(0)] += by; }"), "f");
  auto *const shared = static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
  ASSERT_NE(nullptr, shared);
  std::iota(shared, shared + 16, 0);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof a_, &a_));
  setBy(100);
  cl_command_buffer_khr buffer = make();
  cl_mutable_command_khr command = record(buffer);
  ASSERT_CL(finalize(buffer));
  const cl_mutable_dispatch_arg_khr argument{0, 0, shared + 2};
  const void *const pointers[] = {shared};
  const cl_mutable_dispatch_exec_info_khr reached{CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers};
  ASSERT_CL(update(buffer, {{.command = command,
                             .num_svm_args = 1,
                             .num_exec_infos = 1,
                             .arg_svm_list = &argument,
                             .exec_info_list = &reached}}));
  ASSERT_CL(submit(buffer));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(shared[1], 1);
  EXPECT_EQ(shared[2], 102);
  EXPECT_EQ(shared[9], 109);
  EXPECT_EQ(shared[10], 10);
  clSVMFree(context, shared);
}

TEST_F(MutableDispatch, clCommandNDRangeKernelKHR) {
  cl_command_buffer_khr buffer = make();
  cl_mutable_command_khr handle = nullptr;
  const auto fails = [&](cl_int code, std::vector<cl_command_properties_khr> list, const size_t *local = &kFour) {
    EXPECT_CL(code,
              range(buffer, nullptr, list.data(), kernel, 1, nullptr, &kEight, local, 0, nullptr, nullptr, &handle));
    EXPECT_EQ(nullptr, handle);
  };
  fails(CL_INVALID_VALUE, {0x1234, 0, 0});
  fails(CL_INVALID_VALUE,
        {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0});
  fails(CL_INVALID_VALUE, {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0x100, 0});
  fails(CL_INVALID_VALUE, {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0});
  const std::vector<cl_command_properties_khr> noMore = {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                                                         CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
  fails(CL_INVALID_VALUE, noMore, nullptr);
  const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
                                                   CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
  cl_int error = 0;
  cl_command_buffer_khr asserts = create(1, &queue, list, &error);
  ASSERT_CL(error);
  EXPECT_CL(CL_INVALID_VALUE,
            range(asserts, nullptr, nullptr, kernel, 1, nullptr, &kEight, nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS,
            range(asserts, nullptr, nullptr, kernel, 1, nullptr, &kEight, &kFour, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, release(asserts));
}

TEST_F(MutableDispatch, clUpdateMutableCommandsKHR) {
  cl_command_buffer_khr buffer = make(), other = make(), fixed = make(0);
  cl_mutable_command_khr command = record(buffer), foreign = record(other), unchanging = record(fixed);
  const cl_command_properties_khr none[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
  cl_mutable_command_khr rigid = record(buffer, none);
  const int one = 1;
  const cl_mutable_dispatch_arg_khr argument{1, 4, &one}, unknown{9, 4, &one};
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = command}})); // not finalised
  for (cl_command_buffer_khr each : {buffer, other, fixed}) ASSERT_CL(finalize(each));
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR,
            update(reinterpret_cast<cl_command_buffer_khr>(queue), {{.command = command}}));
  EXPECT_CL(CL_INVALID_OPERATION, update(fixed, {{.command = unchanging}}));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, update(buffer, {{.command = foreign}}));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, update(buffer, {{.command = nullptr}}));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR,
            update(buffer, {{.command = reinterpret_cast<cl_mutable_command_khr>(kernel)}}));
  const cl_mutable_dispatch_config_khr nothing{.command = command};
  const void *updates[] = {&nothing, nullptr};
  const cl_uint types[] = {CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, 77};
  EXPECT_CL(CL_SUCCESS, change(buffer, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, change(buffer, 1, types, updates));
  EXPECT_CL(CL_INVALID_VALUE, change(buffer, 1, nullptr, updates));
  EXPECT_CL(CL_INVALID_VALUE, change(buffer, 0, types, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, change(buffer, 1, types, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, change(buffer, 0, nullptr, updates));
  EXPECT_CL(CL_INVALID_VALUE, change(buffer, 1, types + 1, updates));
  EXPECT_CL(CL_INVALID_VALUE, change(buffer, 1, types, updates + 1));
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = command, .work_dim = 2}}));
  // Work-groups that all had one size must go on having one.
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = command, .global_work_size = &kThree}}));
  // What the command was recorded without the right to.
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = rigid, .global_work_offset = &kTwo}}));
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = rigid, .global_work_size = &kFour}}));
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = rigid, .local_work_size = &kTwo}}));
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = rigid, .num_args = 1, .arg_list = &argument}}));
  EXPECT_CL(CL_INVALID_OPERATION, update(buffer, {{.command = rigid, .num_svm_args = 1, .arg_svm_list = &argument}}));
  const cl_mutable_dispatch_exec_info_khr badInfo{0x1, 8, &one};
  EXPECT_CL(CL_INVALID_OPERATION,
            update(buffer, {{.command = rigid, .num_exec_infos = 1, .exec_info_list = &badInfo}}));
  // Lists and their lengths, and what the calls on kernels check.
  EXPECT_CL(CL_INVALID_VALUE, update(buffer, {{.command = command, .num_args = 1}}));
  EXPECT_CL(CL_INVALID_VALUE, update(buffer, {{.command = command, .arg_list = &argument}}));
  EXPECT_CL(CL_INVALID_VALUE, update(buffer, {{.command = command, .num_svm_args = 1}}));
  EXPECT_CL(CL_INVALID_VALUE, update(buffer, {{.command = command, .arg_svm_list = &argument}}));
  EXPECT_CL(CL_INVALID_VALUE, update(buffer, {{.command = command, .num_exec_infos = 1}}));
  EXPECT_CL(CL_INVALID_VALUE, update(buffer, {{.command = command, .exec_info_list = &badInfo}}));
  EXPECT_CL(CL_INVALID_VALUE, update(buffer, {{.command = command, .num_exec_infos = 1, .exec_info_list = &badInfo}}));
  EXPECT_CL(CL_INVALID_ARG_INDEX, update(buffer, {{.command = command, .num_args = 1, .arg_list = &unknown}}));
}

TEST_F(MutableDispatch, clGetMutableCommandInfoKHR) {
  cl_command_buffer_khr buffer = make();
  const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                            CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, 0};
  cl_mutable_command_khr command = record(buffer, list), plain = record(buffer);
  ASSERT_CL(finalize(buffer));
  EXPECT_EQ(queue, ask<cl_command_queue>(ask_, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, command));
  EXPECT_EQ(buffer, ask<cl_command_buffer_khr>(ask_, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, command));
  EXPECT_EQ(cl_command_type(CL_COMMAND_NDRANGE_KERNEL),
            ask<cl_command_type>(ask_, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, command));
  EXPECT_EQ((std::vector<cl_command_properties_khr>(std::begin(list), std::end(list))),
            askList<cl_command_properties_khr>(ask_, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, command));
  EXPECT_TRUE(askList<cl_command_properties_khr>(ask_, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, plain).empty());
  EXPECT_EQ(kernel, ask<cl_kernel>(ask_, CL_MUTABLE_DISPATCH_KERNEL_KHR, command));
  EXPECT_EQ(1u, ask<cl_uint>(ask_, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, command));
  ASSERT_CL(update(buffer, {{.command = command, .global_work_offset = &kThree}}));
  using Sizes = std::vector<size_t>;
  EXPECT_EQ(Sizes{3}, askList<size_t>(ask_, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, command));
  EXPECT_EQ(Sizes{0}, askList<size_t>(ask_, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, plain));
  EXPECT_EQ(Sizes{8}, askList<size_t>(ask_, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, command));
  EXPECT_EQ(Sizes{4}, askList<size_t>(ask_, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, command));
  EXPECT_CL(CL_INVALID_VALUE, ask_(command, 0x1, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, ask_(nullptr, CL_MUTABLE_DISPATCH_KERNEL_KHR, 0, nullptr, nullptr));
}

} // namespace
} // namespace us::test
