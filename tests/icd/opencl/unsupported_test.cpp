// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device does not offer: images, samplers and pipes return the API's own error. The
// handles given to these calls are checked first.
#include "tests/icd/opencl/opencl_test.h"

namespace us::test {
namespace {

class Unsupported : public OpenCl {
protected:
  cl_context notAContext() { return reinterpret_cast<cl_context>(queue); }
  cl_command_queue notAQueue() { return reinterpret_cast<cl_command_queue>(context); }
  const cl_image_format format_{CL_RGBA, CL_UNORM_INT8};
  const size_t zero_[3] = {0, 0, 0}, one_[3] = {1, 1, 1};
  cl_int error_ = 0;
};

TEST_F(Unsupported, clCreateImage) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 4;
  EXPECT_EQ(nullptr, clCreateImage(context, 0, &format_, &description, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
  EXPECT_EQ(nullptr, clCreateImage(notAContext(), 0, &format_, &description, nullptr, &error_));
  EXPECT_CL(CL_INVALID_CONTEXT, error_);
}
TEST_F(Unsupported, clCreateImageWithProperties) {
  cl_image_desc description{};
  EXPECT_EQ(nullptr, clCreateImageWithProperties(context, nullptr, 0, &format_, &description, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}
TEST_F(Unsupported, clCreateImage2D) {
  EXPECT_EQ(nullptr, clCreateImage2D(context, 0, &format_, 4, 4, 0, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}
TEST_F(Unsupported, clCreateImage3D) {
  EXPECT_EQ(nullptr, clCreateImage3D(context, 0, &format_, 4, 4, 4, 0, 0, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}
TEST_F(Unsupported, clGetSupportedImageFormats) {
  cl_uint count = 99;
  EXPECT_CL(CL_SUCCESS,
            clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_EQ(0u, count);
  EXPECT_CL(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_CONTEXT,
            clGetSupportedImageFormats(notAContext(), 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
}
TEST_F(Unsupported, clGetImageInfo) {
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetImageInfo(makeBuffer(4), CL_IMAGE_FORMAT, 0, nullptr, nullptr));
}
TEST_F(Unsupported, clEnqueueReadImage) {
  cl_mem buffer = makeBuffer(4);
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueReadImage(queue, buffer, CL_TRUE, zero_, one_, 0, 0, &error_, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clEnqueueReadImage(notAQueue(), buffer, CL_TRUE, zero_, one_, 0, 0, &error_, 0, nullptr, nullptr));
}
TEST_F(Unsupported, clEnqueueWriteImage) {
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueWriteImage(queue, makeBuffer(4), CL_TRUE, zero_, one_, 0, 0, &error_, 0, nullptr, nullptr));
}
TEST_F(Unsupported, clEnqueueCopyImage) {
  cl_mem buffer = makeBuffer(4);
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueCopyImage(queue, buffer, buffer, zero_, zero_, one_, 0, nullptr, nullptr));
}
TEST_F(Unsupported, clEnqueueCopyImageToBuffer) {
  cl_mem buffer = makeBuffer(4);
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueCopyImageToBuffer(queue, buffer, buffer, zero_, one_, 0, 0, nullptr, nullptr));
}
TEST_F(Unsupported, clEnqueueCopyBufferToImage) {
  cl_mem buffer = makeBuffer(4);
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueCopyBufferToImage(queue, buffer, buffer, 0, zero_, one_, 0, nullptr, nullptr));
}
TEST_F(Unsupported, clEnqueueFillImage) {
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueFillImage(queue, makeBuffer(4), &format_, zero_, one_, 0, nullptr, nullptr));
}
TEST_F(Unsupported, clEnqueueMapImage) {
  size_t pitch = 0;
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue, makeBuffer(4), CL_TRUE, CL_MAP_READ, zero_, one_, &pitch, nullptr, 0,
                                       nullptr, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}

TEST_F(Unsupported, clCreateSampler) {
  EXPECT_EQ(nullptr, clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}
TEST_F(Unsupported, clCreateSamplerWithProperties) {
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}
TEST_F(Unsupported, clRetainSampler) {
  EXPECT_CL(CL_INVALID_SAMPLER, clRetainSampler(reinterpret_cast<cl_sampler>(queue)));
}
TEST_F(Unsupported, clReleaseSampler) {
  EXPECT_CL(CL_INVALID_SAMPLER, clReleaseSampler(reinterpret_cast<cl_sampler>(queue)));
}
TEST_F(Unsupported, clGetSamplerInfo) {
  EXPECT_CL(CL_INVALID_SAMPLER,
            clGetSamplerInfo(reinterpret_cast<cl_sampler>(queue), CL_SAMPLER_CONTEXT, 0, nullptr, nullptr));
}

TEST_F(Unsupported, clCreatePipe) {
  EXPECT_EQ(nullptr, clCreatePipe(context, 0, 4, 4, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}
TEST_F(Unsupported, clGetPipeInfo) {
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetPipeInfo(makeBuffer(4), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr));
}

} // namespace
} // namespace us::test
