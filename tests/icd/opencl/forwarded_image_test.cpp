// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers of another driver's device, seen through us, and images that go from one device to another.
#include "tests/icd/opencl/forwarded_test.h"
#include "tests/icd/opencl/image_test.h"

#include <algorithm>
#include <numeric>

namespace us::test {
namespace {

constexpr const char *kSource = R"(
constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void invert(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, at, 255 - read_imageui(from, plain, at));
}
kernel void sample(read_only image2d_t from, sampler_t how, float2 at, global float4 *to) {
  *to = read_imagef(from, how, at);
}
kernel void increment(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, at, read_imageui(from, plain, at) + 1);
}
kernel void sums(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_array_t c,
                 read_only image3d_t d, global uint *to) {
  int i = get_global_id(0);
  to[4 * i + 0] = read_imageui(a, plain, i).x;
  to[4 * i + 1] = read_imageui(b, plain, (int2)(i, 2)).x;
  to[4 * i + 2] = read_imageui(c, plain, (int4)(i, 1, 2, 0)).x;
  to[4 * i + 3] = read_imageui(d, plain, (int4)(i, 1, 2, 0)).x;
}
kernel void copyOut(read_only image1d_buffer_t from, global uint *to) {
  int i = get_global_id(0);
  to[i] = read_imageui(from, i).x;
}
)";

class ForwardedImages : public Forwarded {
protected:
  cl_mem makeImage(cl_image_desc description, cl_image_format format, cl_mem_flags flags = CL_MEM_READ_WRITE,
                   void *pointer = nullptr) {
    cl_int error = 0;
    cl_mem made = clCreateImage(context, flags, &format, &description, pointer, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseMemObject);
  }
  void launchOver(cl_command_queue on, cl_kernel kernel, size_t width, size_t height) {
    const size_t global[2] = {width, height};
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(on, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr));
  }
  std::vector<cl_uchar4> pixels(cl_command_queue from, cl_mem image, size_t width, size_t height) {
    std::vector<cl_uchar4> into(width * height);
    const Three origin{0, 0, 0}, region{width, height, 1};
    EXPECT_CL(CL_SUCCESS, clEnqueueReadImage(from, image, CL_TRUE, origin.data(), region.data(), 0, 0, into.data(), 0,
                                             nullptr, nullptr));
    return into;
  }
};
using MixedImages = ForwardedImages;

constexpr cl_image_format kBytes = {CL_RGBA, CL_UNSIGNED_INT8}, kNumbers = {CL_R, CL_UNSIGNED_INT32};

TEST_F(ForwardedImages, FactsAreTheDrivers) {
  EXPECT_EQ(cl_bool(CL_TRUE), ask<cl_bool>(clGetDeviceInfo, CL_DEVICE_IMAGE_SUPPORT, device));
  EXPECT_GE(ask<size_t>(clGetDeviceInfo, CL_DEVICE_IMAGE2D_MAX_WIDTH, device), 8192u);
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_SAMPLERS, device), 16u);
  cl_uint count = 0;
  ASSERT_CL(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  std::vector<cl_image_format> formats(count);
  ASSERT_CL(
      clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, count, formats.data(), nullptr));
  EXPECT_TRUE(std::ranges::any_of(formats, [](const cl_image_format &format) {
    return format.image_channel_order == CL_RGBA && format.image_channel_data_type == CL_FLOAT;
  }));
  const std::string extensions = askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device);
  EXPECT_NE(std::string::npos, extensions.find("cl_khr_3d_image_writes"));
}

TEST_F(ForwardedImages, KernelsReadAndWriteThem) {
  std::vector<cl_uchar4> numbers(64 * 16);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = {{cl_uchar(i), cl_uchar(i / 64), 3, 4}};
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 64, 16);
  cl_mem from = makeImage(flat, kBytes, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, numbers.data());
  cl_mem to = makeImage(flat, kBytes, CL_MEM_WRITE_ONLY);
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "invert");
  setArguments(kernel, from, to);
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof to, &to)) << "it is write-only";
  launchOver(queue, kernel, 64, 16);
  const std::vector<cl_uchar4> result = pixels(queue, to, 64, 16);
  for (size_t i = 0; i < numbers.size(); ++i)
    for (int c = 0; c < 4; ++c) ASSERT_EQ(255 - numbers[i].s[c], result[i].s[c]) << i;
}

TEST_F(ForwardedImages, SamplersArriveAsTheyAre) {
  const std::vector<cl_float4> two = {{{0, 0, 0, 0}}, {{1, 2, 4, 8}}};
  cl_mem image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 2, 1), {CL_RGBA, CL_FLOAT},
                           CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, const_cast<cl_float4 *>(two.data()));
  cl_mem out = makeBuffer(16);
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "sample");
  const auto sampled = [&](cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter, float x) {
    cl_int error = 0;
    cl_sampler sampler = keep(clCreateSampler(context, normalized, addressing, filter, &error), clReleaseSampler);
    const cl_float2 at{{x, 0.5f}};
    setArguments(kernel, image, sampler, at, out);
    launch(queue, kernel, 1);
    cl_float4 result{};
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 16, &result, 0, nullptr, nullptr));
    return result.s[2];
  };
  EXPECT_EQ(4.f, sampled(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 1.5f));
  EXPECT_EQ(4.f, sampled(CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 0.75f));
  EXPECT_EQ(2.f, sampled(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 1.f));
  EXPECT_EQ(4.f, sampled(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 9.f));
  EXPECT_EQ(0.f, sampled(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, 9.f));
  EXPECT_EQ(4.f, sampled(CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, 1.75f));
  EXPECT_EQ(0.f, sampled(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, 1.75f));
}

TEST_F(ForwardedImages, EveryKindIsRead) {
  std::vector<cl_uint> numbers(8 * 4 * 4);
  std::iota(numbers.begin(), numbers.end(), 0u);
  const auto make = [&](cl_mem_object_type type, size_t height, size_t depth) {
    return makeImage(imageOf(type, 8, height, depth), kNumbers, CL_MEM_COPY_HOST_PTR, numbers.data());
  };
  cl_mem line = make(CL_MEM_OBJECT_IMAGE1D, 0, 0), lines = make(CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 4),
         planes = make(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4), space = make(CL_MEM_OBJECT_IMAGE3D, 4, 4);
  cl_mem out = makeBuffer(4 * 8 * 4);
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "sums");
  setArguments(kernel, line, lines, planes, space, out);
  launch(queue, kernel, 8);
  const std::vector<cl_int> result = read(queue, out, 32);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(i, result[4 * i]);
    EXPECT_EQ(2 * 8 + i, result[4 * i + 1]);
    EXPECT_EQ(2 * 32 + 8 + i, result[4 * i + 2]);
    EXPECT_EQ(2 * 32 + 8 + i, result[4 * i + 3]);
  }
}

TEST_F(ForwardedImages, ABufferIsAnImage) {
  std::vector<cl_uint> numbers(256);
  std::iota(numbers.begin(), numbers.end(), 100u);
  cl_mem buffer = makeBuffer(1024, CL_MEM_COPY_HOST_PTR, numbers.data()), out = makeBuffer(1024);
  cl_image_desc description = imageOf(CL_MEM_OBJECT_IMAGE1D_BUFFER, 256);
  description.mem_object = buffer;
  cl_mem image = makeImage(description, kNumbers);
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "copyOut");
  setArguments(kernel, image, out);
  launch(queue, kernel, 256);
  std::vector<cl_int> result = read(queue, out, 256);
  for (int i = 0; i < 256; ++i) ASSERT_EQ(100 + i, result[i]);
  // What is written to the one is read from the other.
  const cl_uint seven = 7;
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &seven, 4, 0, 512, 0, nullptr, nullptr));
  launch(queue, kernel, 256);
  result = read(queue, out, 256);
  EXPECT_EQ(7, result[127]);
  EXPECT_EQ(228, result[128]);
}

TEST_F(ForwardedImages, TheyAreCopiedFilledAndMapped) {
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 32, 8);
  cl_mem a = makeImage(flat, kBytes), b = makeImage(flat, kBytes);
  const cl_uint4 color{{1, 2, 3, 4}}, other{{9, 9, 9, 9}};
  const Three zero{0, 0, 0}, whole{32, 8, 1}, at{4, 2, 0}, part{8, 3, 1};
  ASSERT_CL(clEnqueueFillImage(queue, a, &color, zero.data(), whole.data(), 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueFillImage(queue, b, &other, zero.data(), whole.data(), 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueCopyImage(queue, a, b, zero.data(), at.data(), part.data(), 0, nullptr, nullptr));
  size_t rowPitch = 0;
  cl_int error = 0;
  auto *mapped =
      static_cast<cl_uchar *>(clEnqueueMapImage(queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, zero.data(),
                                                whole.data(), &rowPitch, nullptr, 0, nullptr, nullptr, &error));
  ASSERT_CL(error);
  for (size_t y = 0; y < 8; ++y)
    for (size_t x = 0; x < 32; ++x) {
      const bool isInside = x >= 4 && x < 12 && y >= 2 && y < 5;
      ASSERT_EQ(isInside ? 3 : 9, mapped[y * rowPitch + x * 4 + 2]) << x << ", " << y;
    }
  mapped[7 * rowPitch] = 77;
  ASSERT_CL(clEnqueueUnmapMemObject(queue, b, mapped, 0, nullptr, nullptr));
  cl_mem buffer = makeBuffer(32 * 4 * 8);
  ASSERT_CL(clEnqueueCopyImageToBuffer(queue, b, buffer, zero.data(), whole.data(), 0, 0, nullptr, nullptr));
  const std::vector<cl_int> numbers = read(queue, buffer, 256);
  EXPECT_EQ(77 | 9 << 8 | 9 << 16 | 9 << 24, numbers[7 * 32]);
  EXPECT_EQ(1 | 2 << 8 | 3 << 16 | 4 << 24, numbers[2 * 32 + 4]);
  ASSERT_CL(clEnqueueCopyBufferToImage(queue, buffer, a, 0, zero.data(), whole.data(), 0, nullptr, nullptr));
  EXPECT_EQ(77, pixels(queue, a, 32, 8)[7 * 32].s[0]);
}

TEST_F(ForwardedImages, TheHostsMemoryIsWhereMapsAre) {
  // Rows of 10 pixels, 12 apart.
  std::vector<cl_uchar4> mine(12 * 5, cl_uchar4{{1, 1, 1, 1}});
  cl_image_desc description = imageOf(CL_MEM_OBJECT_IMAGE2D, 10, 5);
  description.image_row_pitch = 48;
  cl_mem image = makeImage(description, kBytes, CL_MEM_USE_HOST_PTR, mine.data()),
         other = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 10, 5), kBytes);
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "increment");
  setArguments(kernel, image, other);
  launchOver(queue, kernel, 10, 5);
  setArguments(kernel, other, image);
  launchOver(queue, kernel, 10, 5);
  const Three zero{0, 0, 0}, whole{10, 5, 1};
  size_t rowPitch = 0;
  cl_int error = 0;
  void *mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero.data(), whole.data(), &rowPitch, nullptr, 0,
                                   nullptr, nullptr, &error);
  ASSERT_CL(error);
  EXPECT_EQ(mine.data(), mapped);
  EXPECT_EQ(48u, rowPitch);
  for (size_t i = 0; i < mine.size(); ++i) ASSERT_EQ(i % 12 < 10 ? 3 : 1, mine[i].s[1]) << i;
  ASSERT_CL(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
}

TEST_F(ForwardedImages, ProgramsFromBinariesTakeThem) {
  cl_program built = buildEverywhere(kSource);
  const std::vector<size_t> sizes = askList<size_t>(clGetProgramInfo, CL_PROGRAM_BINARY_SIZES, built);
  std::vector<std::vector<unsigned char>> binaries;
  std::vector<unsigned char *> into;
  for (const size_t size : sizes) into.push_back(binaries.emplace_back(size).data());
  ASSERT_CL(clGetProgramInfo(built, CL_PROGRAM_BINARIES, into.size() * sizeof(void *), into.data(), nullptr));
  const unsigned char *bytes = binaries[0].data();
  cl_int status = 0, error = 0;
  cl_program loaded =
      keep(clCreateProgramWithBinary(context, 1, &device, sizes.data(), &bytes, &status, &error), clReleaseProgram);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr));
  const std::vector<cl_float4> two = {{{0, 0, 0, 0}}, {{1, 2, 4, 8}}};
  cl_mem image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 2, 1), {CL_RGBA, CL_FLOAT},
                           CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, const_cast<cl_float4 *>(two.data()));
  cl_mem out = makeBuffer(16);
  cl_sampler sampler =
      keep(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &error), clReleaseSampler);
  cl_kernel kernel = makeKernel(loaded, "sample");
  setArguments(kernel, image, sampler, cl_float2{{1.f, 0.5f}}, out);
  launch(queue, kernel, 1);
  cl_float4 result{};
  ASSERT_CL(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 16, &result, 0, nullptr, nullptr));
  EXPECT_EQ(2.f, result.s[2]);
}

TEST_F(ForwardedImages, ObjectsAreNoValuesOfABinaryThatNobodyKnows) {
  cl_program built = makeProgram(kSource);
  ASSERT_CL(clBuildProgram(built, 1, &device, "", nullptr, nullptr));
  std::vector<size_t> sizes = askList<size_t>(clGetProgramInfo, CL_PROGRAM_BINARY_SIZES, built);
  std::vector<unsigned char> binary(sizes[0]);
  std::vector<unsigned char *> into(devices.size());
  into[0] = binary.data();
  ASSERT_CL(clGetProgramInfo(built, CL_PROGRAM_BINARIES, into.size() * sizeof(void *), into.data(), nullptr));
  binary.push_back(0); // PoCL's is as good with it, and another one to us
  const unsigned char *bytes = binary.data();
  const size_t size = binary.size();
  cl_int status = 0, error = 0;
  cl_program loaded =
      keep(clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &error), clReleaseProgram);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr));
  cl_kernel kernel = makeKernel(loaded, "sample");
  cl_mem image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 2, 1), kBytes);
  cl_sampler sampler =
      keep(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error), clReleaseSampler);
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof image, &image));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
  const cl_float2 at{{1.f, 0.5f}};
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof at, &at));
}

TEST_F(ForwardedImages, AFormatThatTheDriverLacksIsRefused) {
  if (devices.size() > 1) GTEST_SKIP() << "the other device has it";
  const cl_image_format luminance = {CL_LUMINANCE, CL_FLOAT};
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateImage(context, CL_MEM_READ_WRITE, &luminance, &flat, nullptr, &error));
  EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, error);
}

TEST_F(MixedImages, ImagesGoWhereTheirCommandsRun) {
  if (devices.size() < 2) GTEST_SKIP() << "there is no second device";
  std::vector<cl_uchar4> numbers(16 * 8);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = {{cl_uchar(i), 0, 0, 0}};
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 16, 8);
  cl_mem images[2] = {makeImage(flat, kBytes, CL_MEM_COPY_HOST_PTR, numbers.data()), makeImage(flat, kBytes)};
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "increment");
  for (int round = 0; round < 10; ++round) {
    setArguments(kernel, images[round % 2], images[1 - round % 2]);
    launchOver(queues[round % 2], kernel, 16, 8);
    ASSERT_CL(clFinish(queues[round % 2]));
  }
  for (const cl_command_queue one : queues) {
    const std::vector<cl_uchar4> result = pixels(one, images[0], 16, 8);
    for (size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(i + 10, result[i].s[0]) << i;
  }
}

} // namespace
} // namespace us::test
