// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory of another driver's device, seen through us, alone and beside an emulated device.
#include "tests/icd/opencl/forwarded_test.h"

#include <atomic>
#include <numeric>

namespace us::test {
namespace {

constexpr const char *kSource = R"(
kernel void add(global int *x, int more) { x[get_global_id(0)] += more; }
typedef struct { global int *numbers; } Holder;
kernel void addThrough(global Holder *holder, int more) { holder->numbers[get_global_id(0)] += more; }
)";

class ForwardedSvm : public Forwarded {
protected:
  void SetUp() override {
    Forwarded::SetUp();
    if (!IsSkipped() && !(capabilities() & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
      GTEST_SKIP() << "the driver has no shared virtual memory";
  }
  cl_device_svm_capabilities capabilities() {
    return ask<cl_device_svm_capabilities>(clGetDeviceInfo, CL_DEVICE_SVM_CAPABILITIES, device);
  }
  int *allocate(size_t count) {
    auto *const made = static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE, count * sizeof(int), 0));
    EXPECT_NE(nullptr, made);
    cleanup([=, this] { clSVMFree(context, made); });
    return made;
  }
  template <class Use> void whenMapped(cl_command_queue on, int *memory, size_t count, const Use &use) {
    ASSERT_CL(clEnqueueSVMMap(on, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, count * 4, 0, nullptr, nullptr));
    use();
    ASSERT_CL(clEnqueueSVMUnmap(on, memory, 0, nullptr, nullptr));
  }
  void add(cl_command_queue on, cl_kernel kernel, int *to, int more, size_t count) {
    ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, to));
    ASSERT_CL(clSetKernelArg(kernel, 1, sizeof more, &more));
    launch(on, kernel, count);
  }
};
using MixedSvm = ForwardedSvm;

TEST_F(ForwardedSvm, KernelsFollowItsPointers) {
  int *const numbers = allocate(256);
  int **const holder = reinterpret_cast<int **>(allocate(2));
  whenMapped(queue, numbers, 256, [&] { std::iota(numbers, numbers + 256, 0); });
  whenMapped(queue, reinterpret_cast<int *>(holder), 2, [&] { *holder = numbers + 128; });
  cl_program program = buildEverywhere(kSource);
  add(queue, makeKernel(program, "add"), numbers + 64, 1000, 64);
  cl_kernel through = makeKernel(program, "addThrough");
  const void *const reached[] = {numbers};
  ASSERT_CL(clSetKernelExecInfo(through, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached, reached));
  add(queue, through, reinterpret_cast<int *>(holder), 2000, 64);
  whenMapped(queue, numbers, 256, [&] {
    for (int i = 0; i < 256; ++i) ASSERT_EQ(i + (i < 64 ? 0 : i < 128 ? 1000 : i < 192 ? 2000 : 0), numbers[i]) << i;
  });
  ASSERT_CL(clFinish(queue));
}

// A buffer that is made on it is the same memory, not a copy of it.
TEST_F(ForwardedSvm, ABufferOnItIsTheSameMemory) {
  if (devices.size() > 1) GTEST_SKIP() << "beside an emulated device it is a copy";
  constexpr size_t kCount = 3000;
  int *const numbers = allocate(kCount);
  const int zero = 0, factor = 17;
  ASSERT_CL(clEnqueueSVMMemFill(queue, numbers, &zero, 4, kCount * 4, 0, nullptr, nullptr));
  whenMapped(queue, numbers, kCount, [&] { std::fill_n(numbers, kCount, factor); });
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  add(queue, kernel, numbers, 100, kCount);
  cl_int error = 0;
  cl_mem buffer = keep(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, kCount * 4, numbers, &error),
                       clReleaseMemObject);
  ASSERT_CL(error);
  // Alternately by the pointer and by the buffer, with and without an event.
  for (int round = 0; round < 2; ++round) {
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
    add(queue, kernel, numbers, 100, kCount);
  }
  whenMapped(queue, numbers, kCount,
             [&] { EXPECT_EQ(std::vector<int>(kCount, 517), std::vector(numbers, numbers + kCount)); });
  EXPECT_EQ(std::vector<int>(kCount, 517), read(queue, buffer, kCount));
  // What the host writes into a map of the buffer, or a command into the buffer, kernels find by the pointer.
  auto *const mapped = static_cast<int *>(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 400, 4, 0, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(numbers + 100, mapped);
  EXPECT_EQ(517, *mapped);
  *mapped = 1;
  ASSERT_CL(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  const int two = 2;
  ASSERT_CL(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 404, 4, &two, 0, nullptr, nullptr));
  add(queue, kernel, numbers, 100, kCount);
  whenMapped(queue, numbers, kCount, [&] {
    EXPECT_EQ(101, numbers[100]);
    EXPECT_EQ(102, numbers[101]);
    EXPECT_EQ(617, numbers[102]);
  });
  ASSERT_CL(clFinish(queue));
}

TEST_F(ForwardedSvm, CommandsFillAndCopyIt) {
  int *const a = allocate(64), *const b = allocate(64);
  const int nine = 9;
  ASSERT_CL(clEnqueueSVMMemFill(queue, a, &nine, 4, 256, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, 256, 0, nullptr, nullptr));
  std::vector<int> host(64);
  ASSERT_CL(clEnqueueSVMMemcpy(queue, CL_TRUE, host.data(), b, 256, 0, nullptr, nullptr));
  EXPECT_EQ(std::vector<int>(64, 9), host);
  const void *const moved[] = {a};
  EXPECT_CL(CL_SUCCESS,
            clEnqueueSVMMigrateMem(queue, 1, const_cast<const void **>(moved), nullptr, 0, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
}

TEST_F(ForwardedSvm, ACommandFreesIt) {
  int *freed[] = {static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0))};
  static std::atomic<void *> told{nullptr};
  const auto free = [](cl_command_queue, cl_uint, void *pointers[], void *in) {
    told = pointers[0];
    clSVMFree(static_cast<cl_context>(in), pointers[0]);
  };
  ASSERT_CL(clEnqueueSVMFree(queue, 1, reinterpret_cast<void **>(freed), free, context, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(freed[0], told.load());
  freed[0] = static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
  ASSERT_CL(clEnqueueSVMFree(queue, 1, reinterpret_cast<void **>(freed), nullptr, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  const int zero = 0;
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, freed[0], &zero, 4, 64, 0, nullptr, nullptr));
}

TEST_F(ForwardedSvm, FineGrainIsForOneDevice) {
  if (!(capabilities() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) GTEST_SKIP() << "the driver has none";
  void *const made = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 256, 0);
  if (devices.size() > 1) {
    EXPECT_EQ(nullptr, made);
    return;
  }
  ASSERT_NE(nullptr, made);
  auto *const numbers = static_cast<int *>(made);
  std::iota(numbers, numbers + 64, 0);
  add(queue, makeKernel(buildEverywhere(kSource), "add"), numbers, 5, 64);
  ASSERT_CL(clFinish(queue));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(i + 5, numbers[i]);
  clSVMFree(context, made);
}

TEST_F(MixedSvm, ItGoesWhereItsCommandsRun) {
  if (devices.size() < 2) GTEST_SKIP() << "there is no second device";
  int *const numbers = allocate(256);
  whenMapped(queues[1], numbers, 256, [&] { std::iota(numbers, numbers + 256, 0); });
  ASSERT_CL(clFinish(queues[1]));
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  for (int round = 0; round < 10; ++round) {
    add(queues[round % 2], kernel, numbers, 10, 256);
    ASSERT_CL(clFinish(queues[round % 2]));
  }
  for (const cl_command_queue one : queues)
    whenMapped(one, numbers, 256, [&] {
      for (int i = 0; i < 256; ++i) ASSERT_EQ(i + 100, numbers[i]) << i;
    });
  for (const cl_command_queue one : queues) ASSERT_CL(clFinish(one));
}

} // namespace
} // namespace us::test
