// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_ext_immutable_memory_objects: memory that no command changes.
#include "tests/icd/opencl/image_test.h"

namespace us::test {
namespace {

constexpr cl_mem_flags kImmutable = 1 << 6; // CL_MEM_IMMUTABLE_EXT

class Immutable : public Images {
protected:
  void SetUp() override {
    Images::SetUp();
    buffer = makeBuffer(sizeof host, kImmutable | CL_MEM_COPY_HOST_PTR, host);
    target = makeBuffer(sizeof host);
    image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4), {CL_RGBA, CL_UNORM_INT8}, kImmutable | CL_MEM_COPY_HOST_PTR,
                      host);
    picture = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4));
  }
  void failsToMake(cl_mem_flags flags, void *pointer) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, clCreateBuffer(context, flags, sizeof host, pointer, &error));
    EXPECT_CL(CL_INVALID_VALUE, error) << std::hex << flags;
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc description = imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4);
    EXPECT_EQ(nullptr, clCreateImage(context, flags, &format, &description, pointer, &error));
    EXPECT_CL(CL_INVALID_VALUE, error) << std::hex << flags;
  }

  const Three origin{0, 0, 0}, region{4, 4, 1};
  char host[64] = {1, 2, 3, 4, 5, 6, 7, 8};
  cl_mem buffer = nullptr, target = nullptr, image = nullptr, picture = nullptr;
};

TEST_F(Immutable, Creation) {
  for (cl_mem_flags flag : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    failsToMake(kImmutable | flag | CL_MEM_COPY_HOST_PTR, host);
  failsToMake(kImmutable, nullptr); // without contents
  failsToMake(kImmutable | CL_MEM_ALLOC_HOST_PTR, nullptr);
  EXPECT_EQ(kImmutable | CL_MEM_COPY_HOST_PTR, ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, buffer));
  makeBuffer(sizeof host, kImmutable | CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, host);
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreatePipe(context, kImmutable, 4, 4, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clSVMAlloc(context, kImmutable, 64, 0));
  cl_uint formats = 0;
  EXPECT_CL(CL_SUCCESS, clGetSupportedImageFormats(context, kImmutable, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &formats));
  EXPECT_NE(0u, formats);
}

TEST_F(Immutable, PartsAndImagesOfIt) {
  cl_int error = 0;
  const cl_buffer_region all{0, 64};
  for (cl_mem_flags flag : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY}) {
    EXPECT_EQ(nullptr, clCreateSubBuffer(buffer, flag, CL_BUFFER_CREATE_TYPE_REGION, &all, &error));
    EXPECT_CL(CL_INVALID_VALUE, error);
  }
  cl_mem part = keep(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &error), clReleaseMemObject);
  EXPECT_EQ(kImmutable | CL_MEM_COPY_HOST_PTR, ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, part));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, 64, host, 0, nullptr, nullptr));
  // "if CL_MEM_IMMUTABLE_EXT is not set in flags and mem_object was created with CL_MEM_IMMUTABLE_EXT"
  cl_image_desc line = imageOf(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
  line.mem_object = buffer;
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  EXPECT_EQ(nullptr, clCreateImage(context, CL_MEM_READ_ONLY, &format, &line, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  makeImage(line, format, kImmutable);
}

TEST_F(Immutable, NoCommandWritesABuffer) {
  const size_t whole[3] = {8, 8, 1}, zero[3] = {};
  const int zeros = 0;
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 64, host, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, zero, zero, whole, 0, 0, 0, 0, host, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueCopyBuffer(queue, target, buffer, 0, 0, 64, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueCopyBufferRect(queue, target, buffer, zero, zero, whole, 0, 0, 0, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueFillBuffer(queue, buffer, &zeros, 4, 0, 64, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueCopyImageToBuffer(queue, picture, buffer, origin.data(), region.data(), 0, 0, nullptr, nullptr));
  cl_int error = 0;
  for (cl_map_flags flag : {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    EXPECT_EQ(nullptr, clEnqueueMapBuffer(queue, buffer, CL_TRUE, flag, 0, 64, 0, nullptr, nullptr, &error));
    EXPECT_CL(CL_INVALID_OPERATION, error);
  }
  // What reads it does.
  EXPECT_CL(CL_SUCCESS, clEnqueueCopyBuffer(queue, buffer, target, 0, 0, 64, 0, nullptr, nullptr));
  void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, &error);
  ASSERT_CL(error);
  EXPECT_EQ(0, std::memcmp(host, mapped, sizeof host));
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  char back[64] = {};
  EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, target, CL_TRUE, 0, 64, back, 0, nullptr, nullptr));
  EXPECT_EQ(0, std::memcmp(host, back, sizeof host));
}

TEST_F(Immutable, NoCommandWritesAnImage) {
  const float colour[4] = {};
  const auto at = origin.data(), size = region.data();
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueWriteImage(queue, image, CL_TRUE, at, size, 0, 0, host, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueCopyImage(queue, picture, image, at, at, size, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueCopyBufferToImage(queue, target, image, 0, at, size, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueFillImage(queue, image, colour, at, size, 0, nullptr, nullptr));
  cl_int error = 0;
  size_t pitch = 0;
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, at, size, &pitch, nullptr, 0, nullptr,
                                       nullptr, &error));
  EXPECT_CL(CL_INVALID_OPERATION, error);
  // Whatever else is wrong with the call.
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, at, size, nullptr,
                                       nullptr, 0, nullptr, nullptr, &error));
  EXPECT_CL(CL_INVALID_OPERATION, error);
  EXPECT_CL(CL_SUCCESS, clEnqueueCopyImageToBuffer(queue, image, target, at, size, 0, 0, nullptr, nullptr));
  char back[64] = {};
  EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, target, CL_TRUE, 0, 64, back, 0, nullptr, nullptr));
  EXPECT_EQ(0, std::memcmp(host, back, sizeof host));
}

// As Khronos's tests want it: a kernel may be given the buffer wherever it only reads.
TEST_F(Immutable, KernelsReadBuffersOnly) {
  cl_program program =
      buildProgram("kernel void writes(global int *x) { x[0] = 1; }"
                   "kernel void reads(const global int *x, constant int *y, global int *z) { z[0] = x[0] + y[0]; }");
  cl_kernel reads = makeKernel(program, "reads");
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(makeKernel(program, "writes"), 0, sizeof buffer, &buffer));
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(reads, 0, sizeof buffer, &buffer));
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(reads, 1, sizeof buffer, &buffer));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(reads, 2, sizeof buffer, &buffer));
}

TEST_F(Immutable, KernelsReadImagesOnly) {
  cl_program program = buildProgram("kernel void writes(write_only image2d_t i) { write_imagef(i, (int2)0, 0.0f); }"
                                    "kernel void changes(read_write image2d_t i) { write_imagef(i, (int2)0, 0.0f); }"
                                    "kernel void reads(read_only image2d_t i) {}",
                                    "-cl-std=CL3.0");
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(makeKernel(program, "writes"), 0, sizeof image, &image));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(makeKernel(program, "changes"), 0, sizeof image, &image));
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(makeKernel(program, "reads"), 0, sizeof image, &image));
}

} // namespace
} // namespace us::test
