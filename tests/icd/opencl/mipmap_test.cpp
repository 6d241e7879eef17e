// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_mipmap_image and cl_khr_mipmap_image_writes: images of several levels, for the host and for kernels.
#include "icd/opencl/newer_cl.h"
#include "tests/icd/opencl/image_test.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>

namespace us::test {
namespace {

constexpr cl_image_format kBytes = {CL_RGBA, CL_UNSIGNED_INT8}, kFloats = {CL_RGBA, CL_FLOAT};
using Pixels = std::vector<cl_uint>; ///< of kBytes

struct KindRow {
  const char *type; ///< OpenCL C's
  cl_image_desc description;
  size_t levelPlace; ///< which number of an origin is the level
};
const KindRow kKinds[] = {
    {"image1d_t", imageOf(CL_MEM_OBJECT_IMAGE1D, 13), 1},
    {"image1d_array_t", imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 13, 0, 3), 2},
    {"image2d_t", imageOf(CL_MEM_OBJECT_IMAGE2D, 13, 6), 2},
    {"image2d_array_t", imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, 13, 6, 3), 3},
    {"image3d_t", imageOf(CL_MEM_OBJECT_IMAGE3D, 13, 6, 5), 3},
};
constexpr size_t kLevels = 4; // 13, 6, 3, 1

class Mipmaps : public Images {
protected:
  cl_mem makeMipmap(cl_image_desc description, const cl_image_format &format = kBytes, cl_mem_flags flags = 0) {
    description.num_mip_levels = kLevels;
    return makeImage(description, format, flags);
  }
  /// What a region of a level has at most.
  static Three sizeOf(const KindRow &kind, size_t level) {
    const auto half = [&](size_t size) { return std::max<size_t>(size >> level, 1); };
    const cl_image_desc &all = kind.description;
    if (all.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY) return {half(all.image_width), all.image_array_size, 1};
    return {half(all.image_width), half(all.image_height),
            all.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? all.image_array_size : half(all.image_depth)};
  }
  /// Only as many numbers as the call may look at, on the heap, where a checker notices more.
  static std::unique_ptr<size_t[]> originOf(const KindRow &kind, size_t level, Three at = {0, 0, 0}) {
    auto origin = std::make_unique<size_t[]>(std::max<size_t>(kind.levelPlace + 1, 3));
    std::ranges::copy(at, origin.get());
    origin[kind.levelPlace] = level;
    return origin;
  }
  static size_t count(const Three &size) { return size[0] * size[1] * size[2]; }
  static Pixels numbered(size_t level, size_t size) {
    Pixels pixels(size);
    for (size_t i = 0; i < size; ++i) pixels[i] = cl_uint((level + 1) * 0x10000 + i);
    return pixels;
  }
  void write(cl_mem image, const KindRow &kind, size_t level, const void *pixels) {
    EXPECT_CL(CL_SUCCESS, clEnqueueWriteImage(queue, image, CL_TRUE, originOf(kind, level).get(),
                                              sizeOf(kind, level).data(), 0, 0, pixels, 0, nullptr, nullptr));
  }
  Pixels read(cl_mem image, const KindRow &kind, size_t level) {
    Pixels pixels(count(sizeOf(kind, level)));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, originOf(kind, level).get(),
                                             sizeOf(kind, level).data(), 0, 0, pixels.data(), 0, nullptr, nullptr));
    return pixels;
  }
  void number(cl_mem image, const KindRow &kind) {
    for (size_t level = 0; level < kLevels; ++level)
      write(image, kind, level, numbered(level, count(sizeOf(kind, level))).data());
  }
  void fails(cl_int code, const cl_image_desc &description, const cl_image_format &format = kBytes,
             cl_mem_flags flags = 0, void *pointer = nullptr) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, clCreateImage(context, flags, &format, &description, pointer, &error));
    EXPECT_CL(code, error);
  }
  static cl_image_desc withLevels(cl_image_desc description, cl_uint levels) {
    description.num_mip_levels = levels;
    return description;
  }
  cl_sampler makeSampler(cl_filter_mode filter, cl_filter_mode mip, float least = 0,
                         float most = std::numeric_limits<float>::max()) {
    const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_TRUE,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          CL_ADDRESS_CLAMP_TO_EDGE,
                                          CL_SAMPLER_FILTER_MODE,
                                          filter,
                                          CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                          mip,
                                          CL_SAMPLER_LOD_MIN_KHR,
                                          std::bit_cast<cl_uint>(least),
                                          CL_SAMPLER_LOD_MAX_KHR,
                                          std::bit_cast<cl_uint>(most),
                                          0};
    cl_int error = 0;
    cl_sampler made = clCreateSamplerWithProperties(context, list, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseSampler);
  }
};

TEST_F(Mipmaps, clCreateImage) {
  char host[4096] = {};
  for (const KindRow &kind : kKinds) {
    for (cl_uint levels : {0u, 1u, 2u, 4u})
      EXPECT_EQ(levels,
                infoOf<cl_uint>(makeImage(withLevels(kind.description, levels), kBytes), CL_IMAGE_NUM_MIP_LEVELS));
    size_t bytes = 0;
    for (size_t level = 0; level < kLevels; ++level) bytes += count(sizeOf(kind, level)) * 4;
    cl_mem image = makeMipmap(kind.description);
    EXPECT_EQ(bytes, ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, image));
    EXPECT_EQ(kind.description.image_width, infoOf<size_t>(image, CL_IMAGE_WIDTH));
    EXPECT_EQ(13u * 4, infoOf<size_t>(image, CL_IMAGE_ROW_PITCH));
    // 13 pixels can be halved three times: what comes then has one pixel, too. Beyond 32 levels no image has more.
    cl_mem many = makeImage(withLevels(kind.description, 32), kBytes);
    const cl_uint pixel = 77;
    write(many, kind, 31, Pixels(count(sizeOf(kind, 31)), pixel).data());
    EXPECT_EQ(Pixels(count(sizeOf(kind, 31)), pixel), read(many, kind, 31));
    fails(CL_INVALID_IMAGE_DESCRIPTOR, withLevels(kind.description, 33));
    // "CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR cannot be specified if a mipmapped image is created. The host_ptr
    // argument ... must be a NULL value."
    for (cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR})
      fails(CL_INVALID_VALUE, withLevels(kind.description, 2), kBytes, flag, host);
    fails(CL_INVALID_HOST_PTR, withLevels(kind.description, 2), kBytes, 0, host);
    cl_image_desc inBuffer = withLevels(kind.description, 2);
    inBuffer.mem_object = makeBuffer(8192);
    fails(CL_INVALID_IMAGE_DESCRIPTOR, inBuffer);
  }
  // "Mip-mapped images cannot be created for CL_MEM_OBJECT_IMAGE1D_BUFFER images"
  cl_image_desc line = withLevels(imageOf(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16), 2);
  line.mem_object = makeBuffer(64);
  fails(CL_INVALID_IMAGE_DESCRIPTOR, line);
  makeImage(withLevels(imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 8), 2), {CL_DEPTH, CL_FLOAT});
  // Another image of the same pixels has the same levels.
  const KindRow &flat = kKinds[2];
  cl_image_desc view = withLevels(flat.description, kLevels);
  view.mem_object = makeMipmap(flat.description, {CL_RGBA, CL_UNORM_INT8});
  number(view.mem_object, flat);
  cl_mem other = makeImage(view, {CL_sRGBA, CL_UNORM_INT8}, 0);
  EXPECT_EQ(read(view.mem_object, flat, 2), read(other, flat, 2));
  fails(CL_INVALID_IMAGE_DESCRIPTOR, withLevels(view, 2), {CL_sRGBA, CL_UNORM_INT8});
}

TEST_F(Mipmaps, requirements) {
  const auto get = extensionFunction<opencl::clGetImageRequirementsInfoEXT_fn>("clGetImageRequirementsInfoEXT");
  for (const KindRow &kind : kKinds) {
    const cl_image_desc description = withLevels(kind.description, kLevels);
    size_t bytes = 0;
    EXPECT_CL(CL_SUCCESS, get(context, nullptr, 0, &kBytes, &description, CL_IMAGE_REQUIREMENTS_SIZE_EXT, sizeof bytes,
                              &bytes, nullptr));
    EXPECT_EQ(bytes, ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, makeMipmap(kind.description)));
  }
}

// Each command goes to the level that its origin names, and to no other.
TEST_F(Mipmaps, commandsOfTheHost) {
  for (const KindRow &kind : kKinds) {
    SCOPED_TRACE(kind.type);
    cl_mem image = makeMipmap(kind.description), other = makeMipmap(kind.description), buffer = makeBuffer(4096);
    number(image, kind);
    for (size_t level = 0; level < kLevels; ++level) {
      const Three all = sizeOf(kind, level), one = {1, 1, 1};
      const Pixels pixels = numbered(level, count(all));
      const size_t bytes = pixels.size() * 4;
      const auto origin = originOf(kind, level);
      EXPECT_EQ(pixels, read(image, kind, level));

      Pixels copied(pixels.size());
      ASSERT_CL(clEnqueueCopyImageToBuffer(queue, image, buffer, origin.get(), all.data(), 0, 0, nullptr, nullptr));
      ASSERT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, copied.data(), 0, nullptr, nullptr));
      EXPECT_EQ(pixels, copied);
      ASSERT_CL(clEnqueueCopyBufferToImage(queue, buffer, other, 0, origin.get(), all.data(), 0, nullptr, nullptr));
      EXPECT_EQ(pixels, read(other, kind, level));

      // From level to level, of one image too.
      if (level > 1) {
        ASSERT_CL(clEnqueueCopyImage(queue, image, other, origin.get(), originOf(kind, level - 1).get(), all.data(), 0,
                                     nullptr, nullptr));
        ASSERT_CL(clEnqueueCopyImage(queue, other, other, originOf(kind, level - 1).get(), originOf(kind, 0).get(),
                                     one.data(), 0, nullptr, nullptr));
        EXPECT_EQ(pixels[0], read(other, kind, level - 1)[0]);
        EXPECT_EQ(pixels[0], read(other, kind, 0)[0]);
      }

      // A map has the level's pitches.
      size_t row = 0, slice = 0;
      cl_int error = 0;
      auto *const mapped =
          static_cast<char *>(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE | CL_MAP_READ, origin.get(),
                                                all.data(), &row, &slice, 0, nullptr, nullptr, &error));
      ASSERT_CL(error);
      EXPECT_EQ(all[0] * 4, row);
      const bool isArrayOfLines = kind.description.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      if (kind.levelPlace == 3) EXPECT_EQ(all[0] * all[1] * 4, slice);
      if (isArrayOfLines) EXPECT_EQ(all[0] * 4, slice);
      EXPECT_EQ(0, std::memcmp(mapped, pixels.data(), bytes));
      // The other levels may be mapped at the same time; this one may not.
      const size_t next = (level + 1) % kLevels;
      size_t ignored = 0;
      void *const beside =
          clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, originOf(kind, next).get(), sizeOf(kind, next).data(),
                            &ignored, &ignored, 0, nullptr, nullptr, &error);
      EXPECT_CL(CL_SUCCESS, error);
      EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, origin.get(), one.data(), &ignored,
                                           &ignored, 0, nullptr, nullptr, &error));
      EXPECT_CL(CL_INVALID_OPERATION, error);
      ASSERT_CL(clEnqueueUnmapMemObject(queue, image, beside, 0, nullptr, nullptr));
      ASSERT_CL(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));

      const cl_uint colour[4] = {1, 2, 3, 4};
      ASSERT_CL(clEnqueueFillImage(queue, image, colour, origin.get(), all.data(), 0, nullptr, nullptr));
      EXPECT_EQ(Pixels(pixels.size(), 0x04030201), read(image, kind, level));
      for (size_t later = level + 1; later < kLevels; ++later)
        EXPECT_EQ(numbered(later, count(sizeOf(kind, later))), read(image, kind, later));
    }
  }
}

// Two boxes of one level, which begins behind the others.
TEST_F(Mipmaps, mapsOfTwoColumns) {
  const KindRow &kind = kKinds[2];
  cl_mem image = makeMipmap(kind.description);
  for (size_t level = 0; level < 3; ++level) {
    const Three all = sizeOf(kind, level), column = {1, all[1], 1};
    size_t row = 0;
    std::vector<void *> mapped;
    for (size_t x = 0; x < all[0]; ++x) {
      cl_int error = 0;
      mapped.push_back(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, originOf(kind, level, {x, 0, 0}).get(),
                                         column.data(), &row, nullptr, 0, nullptr, nullptr, &error));
      ASSERT_CL(error);
    }
    for (void *one : mapped) ASSERT_CL(clEnqueueUnmapMemObject(queue, image, one, 0, nullptr, nullptr));
  }
}

TEST_F(Mipmaps, originsThatAreWrong) {
  for (const KindRow &kind : kKinds) {
    SCOPED_TRACE(kind.type);
    cl_mem image = makeMipmap(kind.description), buffer = makeBuffer(4096);
    std::vector<char> host(4096);
    const auto fails = [&](cl_int code, const size_t *origin, const Three &region) {
      const cl_uint colour[4] = {};
      size_t row = 0, slice = 0;
      cl_int error = 0;
      const size_t *const size = region.data();
      EXPECT_CL(code, clEnqueueReadImage(queue, image, CL_TRUE, origin, size, 0, 0, host.data(), 0, nullptr, nullptr));
      EXPECT_CL(code, clEnqueueWriteImage(queue, image, CL_TRUE, origin, size, 0, 0, host.data(), 0, nullptr, nullptr));
      EXPECT_CL(code, clEnqueueFillImage(queue, image, colour, origin, size, 0, nullptr, nullptr));
      EXPECT_CL(code, clEnqueueCopyImageToBuffer(queue, image, buffer, origin, size, 0, 0, nullptr, nullptr));
      EXPECT_CL(code, clEnqueueCopyBufferToImage(queue, buffer, image, 0, origin, size, 0, nullptr, nullptr));
      const auto first = originOf(kind, 0);
      EXPECT_CL(code, clEnqueueCopyImage(queue, image, image, origin, first.get(), size, 0, nullptr, nullptr));
      EXPECT_CL(code, clEnqueueCopyImage(queue, image, image, first.get(), origin, size, 0, nullptr, nullptr));
      EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, size, &row, &slice, 0, nullptr,
                                           nullptr, &error));
      EXPECT_CL(code, error);
    };
    // "CL_INVALID_MIP_LEVEL if ... the mip level specified in origin is not a valid level for image"
    fails(CL_INVALID_MIP_LEVEL, originOf(kind, kLevels).get(), {1, 1, 1});
    fails(CL_INVALID_MIP_LEVEL, originOf(kind, ~size_t(0)).get(), {1, 1, 1});
    // The bounds are the level's.
    fails(CL_INVALID_VALUE, originOf(kind, 1).get(), {7, 1, 1});
    fails(CL_INVALID_VALUE, originOf(kind, 1, {6, 0, 0}).get(), {1, 1, 1});
    // Of an image with one level the number must be 0 where there is one.
    cl_mem single = makeImage(withLevels(kind.description, 1), kBytes);
    if (kind.levelPlace == 3) continue;
    const Three one = {1, 1, 1};
    EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadImage(queue, single, CL_TRUE, originOf(kind, 1).get(), one.data(), 0, 0,
                                                   host.data(), 0, nullptr, nullptr));
  }
}

// A command buffer keeps the fourth number of an origin.
TEST_F(Mipmaps, recordedCommands) {
  const auto create = extensionFunction<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
  const auto finalize = extensionFunction<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
  const auto release = extensionFunction<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR");
  const auto enqueue = extensionFunction<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
  const auto fill = extensionFunction<opencl::clCommandFillImageKHR_fn>("clCommandFillImageKHR");
  const auto copy = extensionFunction<opencl::clCommandCopyImageKHR_fn>("clCommandCopyImageKHR");
  for (const KindRow &kind : kKinds) {
    SCOPED_TRACE(kind.type);
    cl_mem image = makeMipmap(kind.description);
    number(image, kind);
    cl_int error = 0;
    cl_command_buffer_khr buffer = create(1, &queue, nullptr, &error);
    ASSERT_CL(error);
    const Three third = sizeOf(kind, 2), one = {1, 1, 1};
    const cl_uint colour[4] = {1, 2, 3, 4};
    {
      const auto origin = originOf(kind, 2), to = originOf(kind, 1);
      ASSERT_CL(
          fill(buffer, nullptr, nullptr, image, colour, origin.get(), third.data(), 0, nullptr, nullptr, nullptr));
      ASSERT_CL(copy(buffer, nullptr, nullptr, image, image, origin.get(), to.get(), one.data(), 0, nullptr, nullptr,
                     nullptr));
      origin[kind.levelPlace] = to[kind.levelPlace] = 0;
    }
    ASSERT_CL(finalize(buffer));
    ASSERT_CL(enqueue(0, nullptr, buffer, 0, nullptr, nullptr));
    EXPECT_EQ(numbered(0, count(sizeOf(kind, 0))), read(image, kind, 0));
    EXPECT_EQ(0x04030201u, read(image, kind, 1)[0]);
    EXPECT_EQ(Pixels(count(third), 0x04030201), read(image, kind, 2));
    EXPECT_CL(CL_SUCCESS, release(buffer));
  }
}

TEST_F(Mipmaps, samplers) {
  cl_sampler sampler = makeSampler(CL_FILTER_NEAREST, CL_FILTER_LINEAR, 0.5f, 2.25f);
  EXPECT_EQ(cl_filter_mode(CL_FILTER_LINEAR),
            ask<cl_filter_mode>(clGetSamplerInfo, CL_SAMPLER_MIP_FILTER_MODE_KHR, sampler));
  EXPECT_EQ(0.5f, ask<cl_float>(clGetSamplerInfo, CL_SAMPLER_LOD_MIN_KHR, sampler));
  EXPECT_EQ(2.25f, ask<cl_float>(clGetSamplerInfo, CL_SAMPLER_LOD_MAX_KHR, sampler));
  cl_int error = 0;
  sampler = keep(clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &error), clReleaseSampler);
  EXPECT_EQ(cl_filter_mode(CL_FILTER_NEAREST),
            ask<cl_filter_mode>(clGetSamplerInfo, CL_SAMPLER_MIP_FILTER_MODE_KHR, sampler));
  EXPECT_EQ(0.0f, ask<cl_float>(clGetSamplerInfo, CL_SAMPLER_LOD_MIN_KHR, sampler));
  EXPECT_EQ(std::numeric_limits<float>::max(), ask<cl_float>(clGetSamplerInfo, CL_SAMPLER_LOD_MAX_KHR, sampler));
  for (const auto &[name, value] : {std::pair(CL_SAMPLER_MIP_FILTER_MODE_KHR, cl_uint(CL_ADDRESS_CLAMP)),
                                    std::pair(CL_SAMPLER_LOD_MIN_KHR, cl_uint(0x7fc00000)),
                                    std::pair(CL_SAMPLER_LOD_MAX_KHR, cl_uint(0x7fc00000))}) {
    const cl_sampler_properties list[] = {cl_sampler_properties(name), value, 0};
    EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context, list, &error));
    EXPECT_CL(CL_INVALID_VALUE, error);
  }
}

// The levels of a small image hold 0, 10, 20 and 30, by which a read tells what it has seen.
TEST_F(Mipmaps, kernelsRead) {
  cl_program program = buildProgram(R"(
    #define AT_image1d_t(v) v.x
    #define AT_image1d_array_t(v) v.xy
    #define AT_image2d_t(v) v.xy
    #define AT_image2d_array_t(v) v
    #define AT_image3d_t(v) v
    #define GRADIENT_image1d_t(v) v.x
    #define GRADIENT_image1d_array_t(v) v.x
    #define GRADIENT_image2d_t(v) v.xy
    #define GRADIENT_image2d_array_t(v) v.xy
    #define GRADIENT_image3d_t(v) v
    #define K(T)                                                                                     \
      kernel void read_##T(read_only T image, sampler_t s, global const float *details, float step,  \
                           global float *out) {                                                      \
        int i = get_global_id(0);                                                                    \
        const sampler_t literal = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR; \
        float4 at = (float4)(0.4f, 0.6f, 0.5f, 0), y = 0, x = (float4)(0, 0, 0, step);               \
        x.x = exp2(details[i]) / get_image_width(image);                                             \
        out += 5 * i;                                                                                \
        out[0] = read_imagef(image, s, AT_##T(at), details[i]).x;                                    \
        out[1] = read_imagef(image, s, AT_##T(at), GRADIENT_##T(x), GRADIENT_##T(y)).x;              \
        out[2] = read_imagef(image, literal, AT_##T(at), details[i]).y;                              \
        out[3] = read_imagef(image, s, AT_##T(at)).z;                                                \
        out[4] = get_image_num_mip_levels(image);                                                    \
      }
    K(image1d_t) K(image1d_array_t) K(image2d_t) K(image2d_array_t) K(image3d_t))",
                                    "-cl-std=CL3.0");
  const std::vector<float> details = {-2, 0, 0.25f, 0.75f, 1, 1.5f, 2, 2.9f, 3, 9};
  cl_mem given = makeBuffer(details.size() * 4, CL_MEM_COPY_HOST_PTR, const_cast<float *>(details.data()));
  for (const KindRow &kind : kKinds) {
    SCOPED_TRACE(kind.type);
    cl_mem image = makeMipmap(kind.description, kFloats);
    for (size_t level = 0; level < kLevels; ++level) {
      const std::vector<float> pixels(count(sizeOf(kind, level)) * 4, 10.0f * float(level));
      write(image, kind, level, pixels.data());
    }
    cl_kernel k = makeKernel(program, ("read_" + std::string(kind.type)).c_str());
    const float step = 7; // what is in the fourth place of a gradient is not looked at
    std::vector<float> out(details.size() * 5);
    cl_mem results = makeBuffer(out.size() * 4);
    ASSERT_CL(clSetKernelArg(k, 0, sizeof image, &image));
    ASSERT_CL(clSetKernelArg(k, 2, sizeof given, &given));
    ASSERT_CL(clSetKernelArg(k, 3, sizeof step, &step));
    ASSERT_CL(clSetKernelArg(k, 4, sizeof results, &results));
    for (cl_filter_mode mip : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
      for (const auto &[least, most] : {std::pair(0.0f, std::numeric_limits<float>::max()), std::pair(0.5f, 2.0f)}) {
        cl_sampler sampler = makeSampler(CL_FILTER_LINEAR, mip, least, most);
        ASSERT_CL(clSetKernelArg(k, 1, sizeof sampler, &sampler));
        const size_t items = details.size();
        ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
        ASSERT_CL(clEnqueueReadBuffer(queue, results, CL_TRUE, 0, out.size() * 4, out.data(), 0, nullptr, nullptr));
        for (size_t i = 0; i < items; ++i) {
          const float detail = std::clamp(std::clamp(details[i], least, most), 0.0f, 3.0f);
          const float seen = mip == CL_FILTER_LINEAR ? 10 * detail : 10 * std::floor(detail + 0.5f);
          EXPECT_NEAR(seen, out[5 * i], 1e-4) << details[i];
          // Half a level away the last bit of a logarithm decides.
          if (mip == CL_FILTER_LINEAR || details[i] != 1.5f) EXPECT_NEAR(seen, out[5 * i + 1], 1e-4) << details[i];
          EXPECT_NEAR(10 * std::floor(std::clamp(details[i], 0.0f, 3.0f) + 0.5f), out[5 * i + 2], 1e-4) << details[i];
          EXPECT_EQ(0, out[5 * i + 3]);
          EXPECT_EQ(4, out[5 * i + 4]);
        }
      }
  }
}

TEST_F(Mipmaps, kernelsWrite) {
  cl_program program = buildProgram(R"(
    #define AT_image1d_t(v) v.x
    #define AT_image1d_array_t(v) v.xy
    #define AT_image2d_t(v) v.xy
    #define AT_image2d_array_t(v) v
    #define AT_image3d_t(v) v
    #define K(T)                                                                                     \
      kernel void write_##T(write_only T image, int lod) {                                           \
        int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);                   \
        uint n = at.x + get_global_size(0) * (at.y + get_global_size(1) * at.z);                     \
        write_imageui(image, AT_##T(at), lod, (uint4)(n & 255, n >> 8, lod + 1, 0));                 \
      }
    K(image1d_t) K(image1d_array_t) K(image2d_t) K(image2d_array_t) K(image3d_t))",
                                    "-cl-std=CL3.0");
  for (const KindRow &kind : kKinds) {
    SCOPED_TRACE(kind.type);
    cl_mem image = makeMipmap(kind.description);
    cl_kernel k = makeKernel(program, ("write_" + std::string(kind.type)).c_str());
    ASSERT_CL(clSetKernelArg(k, 0, sizeof image, &image));
    for (int level = 0; level < int(kLevels); ++level) {
      const Three size = sizeOf(kind, size_t(level));
      ASSERT_CL(clSetKernelArg(k, 1, sizeof level, &level));
      ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 3, nullptr, size.data(), nullptr, 0, nullptr, nullptr));
    }
    for (size_t level = 0; level < kLevels; ++level)
      EXPECT_EQ(numbered(level, count(sizeOf(kind, level))), read(image, kind, level));
  }
}

// "the environment must accept non-zero optional Lod Image Operands for ... OpImageRead, OpImageQuerySizeLod ...
// OpImageWrite"
TEST_F(Mipmaps, intermediateLanguage) {
  std::ifstream file(US_IL_DIRECTORY "/levels.spv", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  cl_int error = 0;
  cl_program program = keep(clCreateProgramWithIL(context, bytes.data(), bytes.size(), &error), clReleaseProgram);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel k = makeKernel(program, "levels");
  const KindRow &kind = kKinds[2];
  cl_mem from = makeMipmap(kind.description), to = makeMipmap(kind.description), out = makeBuffer(16);
  number(from, kind);
  number(to, kind);
  for (cl_uint level = 0; level < 3; ++level) {
    const cl_uint number = 1234;
    ASSERT_CL(clEnqueueWriteImage(queue, from, CL_TRUE, originOf(kind, level, {1, 0, 0}).get(), Three{1, 1, 1}.data(),
                                  0, 0, &number, 0, nullptr, nullptr));
    const cl_mem objects[] = {from, to, out};
    for (cl_uint i = 0; i < 3; ++i) ASSERT_CL(clSetKernelArg(k, i, sizeof(cl_mem), &objects[i]));
    ASSERT_CL(clSetKernelArg(k, 3, sizeof level, &level));
    ASSERT_CL(clEnqueueTask(queue, k, 0, nullptr, nullptr));
    cl_uint seen[4] = {};
    ASSERT_CL(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 16, seen, 0, nullptr, nullptr));
    const Three size = sizeOf(kind, level);
    EXPECT_EQ(number & 255, seen[0]);
    EXPECT_TRUE(seen[1] == size[0] && seen[2] == size[1] && seen[3] == kLevels) << seen[1] << " x " << seen[2];
    EXPECT_EQ(number, read(to, kind, level)[1]);
  }
}

} // namespace
} // namespace us::test
