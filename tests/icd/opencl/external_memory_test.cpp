// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_external_memory_opaque_fd: buffers and images on memory that others have a descriptor of.
#include "tests/icd/opencl/image_test.h"

#include <sys/mman.h>
#include <unistd.h>

namespace us::test {
namespace {

// Older headers lack some of these.
constexpr cl_mem_properties kFd = 0x2060;      // CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
constexpr cl_mem_properties kDevices = 0x2051; // CL_MEM_DEVICE_HANDLE_LIST_KHR

class ExternalMemory : public Images {
protected:
  using Handover = cl_int(CL_API_CALL *)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *,
                                         cl_event *);
  void SetUp() override {
    Images::SetUp();
    acquire = extensionFunction<Handover>("clEnqueueAcquireExternalMemObjectsKHR");
    release = extensionFunction<Handover>("clEnqueueReleaseExternalMemObjectsKHR");
    descriptor = memfd_create("external", MFD_CLOEXEC);
    ASSERT_GE(descriptor, 0);
    ASSERT_EQ(0, ftruncate(descriptor, kBytes));
    void *mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ASSERT_NE(MAP_FAILED, mapped);
    outside = static_cast<unsigned char *>(mapped);
    for (size_t i = 0; i < kBytes; ++i) outside[i] = static_cast<unsigned char>(i);
  }
  void TearDown() override {
    Images::TearDown();
    munmap(outside, kBytes);
    close(descriptor);
  }
  /// "Importing ... transfers ownership of the file descriptor": a copy of ours.
  cl_mem_properties copy() { return static_cast<cl_mem_properties>(dup(descriptor)); }
  cl_mem buffer(std::vector<cl_mem_properties> list, cl_int expected = CL_SUCCESS, cl_mem_flags flags = 0,
                size_t size = kBytes, void *pointer = nullptr) {
    list.push_back(0);
    cl_int error = 0;
    cl_mem made = clCreateBufferWithProperties(context, list.data(), flags, size, pointer, &error);
    EXPECT_CL(expected, error);
    EXPECT_EQ(expected == CL_SUCCESS, made != nullptr);
    return made ? keep(made, clReleaseMemObject) : nullptr;
  }
  cl_mem_properties asProperty(cl_device_id one) { return reinterpret_cast<cl_mem_properties>(one); }

  static constexpr size_t kBytes = 4096;
  Handover acquire = nullptr, release = nullptr;
  int descriptor = -1;
  unsigned char *outside = nullptr;
};

TEST_F(ExternalMemory, KernelsAndOthersSeeTheSameMemory) {
  cl_mem memory = buffer({kFd, copy(), kDevices, asProperty(device), 0});
  cl_kernel k = makeKernel(buildProgram("kernel void k(global uchar *x) { x[get_global_id(0)] += 3; }"), "k");
  ASSERT_CL(clSetKernelArg(k, 0, sizeof memory, &memory));
  cl_event first = nullptr, last = nullptr;
  const size_t items = kBytes;
  ASSERT_CL(acquire(queue, 1, &memory, 0, nullptr, &first));
  ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(release(queue, 1, &memory, 1, &first, &last));
  ASSERT_CL(clWaitForEvents(1, &last));
  EXPECT_EQ(cl_command_type(CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, first));
  EXPECT_EQ(cl_command_type(CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, last));
  for (cl_event event : {first, last}) EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
  for (size_t i = 0; i < kBytes; ++i) ASSERT_EQ(static_cast<unsigned char>(i + 3), outside[i]) << i;
  outside[7] = 200;
  unsigned char back = 0;
  ASSERT_CL(clEnqueueReadBuffer(queue, memory, CL_TRUE, 7, 1, &back, 0, nullptr, nullptr));
  EXPECT_EQ(200, back);
  EXPECT_EQ(nullptr, ask<void *>(clGetMemObjectInfo, CL_MEM_HOST_PTR, memory));
  EXPECT_CL(CL_SUCCESS, acquire(queue, 0, nullptr, 0, nullptr, nullptr));
  buffer({kFd, copy()}, CL_SUCCESS, 1 << 6); // CL_MEM_IMMUTABLE_EXT needs no host pointer here
}

TEST_F(ExternalMemory, ImagesWithPitches) {
  cl_image_desc description = imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  description.image_row_pitch = 64;
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  const cl_mem_properties list[] = {kFd, copy(), 0};
  cl_int error = 0;
  cl_mem image =
      keep(clCreateImageWithProperties(context, list, CL_MEM_READ_WRITE, &format, &description, nullptr, &error),
           clReleaseMemObject);
  ASSERT_CL(error);
  EXPECT_EQ(64u, infoOf<size_t>(image, CL_IMAGE_ROW_PITCH));
  ASSERT_CL(acquire(queue, 1, &image, 0, nullptr, nullptr));
  const Three at{2, 3, 0}, one{1, 1, 1};
  unsigned char pixel[4] = {};
  ASSERT_CL(clEnqueueReadImage(queue, image, CL_TRUE, at.data(), one.data(), 0, 0, pixel, 0, nullptr, nullptr));
  EXPECT_EQ(0, std::memcmp(pixel, outside + 3 * 64 + 2 * 4, sizeof pixel));
}

TEST_F(ExternalMemory, Errors) {
  buffer({kDevices, asProperty(device), 0}, CL_INVALID_PROPERTY); // and no handle
  const int wrong = dup(descriptor);
  const cl_mem_properties same = static_cast<cl_mem_properties>(wrong);
  buffer({kFd, same, kFd, same}, CL_INVALID_PROPERTY);
  buffer({kFd, same, kDevices, asProperty(device), 0, kDevices, asProperty(device), 0}, CL_INVALID_PROPERTY);
  buffer({kFd, cl_mem_properties(-1)}, CL_INVALID_PROPERTY);
  buffer({kFd, 1 << 20}, CL_INVALID_PROPERTY); // is not open
  int ends[2] = {};
  ASSERT_EQ(0, pipe(ends));
  buffer({kFd, cl_mem_properties(ends[0])}, CL_INVALID_PROPERTY); // no memory
  for (int end : ends) close(end);
  buffer({kFd, same, kDevices, reinterpret_cast<cl_mem_properties>(queue), 0}, CL_INVALID_DEVICE);
  char host[64] = {};
  buffer({kFd, same}, CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR, 64, host);
  buffer({kFd, same}, CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, 64);
  buffer({kFd, same}, CL_INVALID_BUFFER_SIZE, 0, kBytes + 1); // of a file that ends before
  buffer({kFd, same}, CL_INVALID_BUFFER_SIZE, 0, 0);
  EXPECT_EQ(0, close(wrong)); // what failed took nothing over
  cl_mem plain = makeBuffer(64);
  for (Handover call : {acquire, release}) {
    EXPECT_CL(CL_INVALID_MEM_OBJECT, call(queue, 1, &plain, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, call(queue, 1, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, call(queue, 0, &plain, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, call(nullptr, 0, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, call(queue, 0, nullptr, 1, nullptr, nullptr));
  }
  for (cl_device_info name : {0x204F, 0x2052}) // ..._IMPORT_HANDLE_TYPES_KHR, ..._ASSUME_LINEAR_IMAGES_...
    EXPECT_EQ(std::vector<cl_uint>{cl_uint(kFd)}, askList<cl_uint>(clGetDeviceInfo, name, device));
}

} // namespace
} // namespace us::test
