// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: formats, creation with every error, queries, images made from other memory objects, kernel arguments.
#include "tests/icd/opencl/image_test.h"
#include "icd/opencl/newer_cl.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace us::test {
namespace {

constexpr cl_image_format kRgba8 = {CL_RGBA, CL_UNORM_INT8};

constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                         CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                         CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};

class ImageObjects : public Images {
protected:
  std::vector<cl_image_format> formats(cl_mem_flags flags, cl_mem_object_type type) {
    cl_uint count = 0;
    EXPECT_CL(CL_SUCCESS, clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count));
    std::vector<cl_image_format> list(count);
    if (count) EXPECT_CL(CL_SUCCESS, clGetSupportedImageFormats(context, flags, type, count, list.data(), nullptr));
    return list;
  }
  static bool has(const std::vector<cl_image_format> &list, cl_channel_order order, cl_channel_type type) {
    return std::any_of(list.begin(), list.end(), [&](const cl_image_format &format) {
      return format.image_channel_order == order && format.image_channel_data_type == type;
    });
  }
  void fails(cl_int code, const cl_image_format *format, const cl_image_desc *description, cl_mem_flags flags = 0,
             void *pointer = nullptr) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, clCreateImage(context, flags, format, description, pointer, &error));
    EXPECT_CL(code, error);
  }
};

TEST_F(ImageObjects, clGetSupportedImageFormats) {
  cl_uint count = 0;
  cl_image_format one{};
  EXPECT_CL(CL_INVALID_CONTEXT, clGetSupportedImageFormats(reinterpret_cast<cl_context>(queue), 0,
                                                           CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &one, &count));
  EXPECT_CL(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                                         CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_CL(CL_SUCCESS, clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 1, &one, &count));
  // A client takes element 0.
  EXPECT_EQ(cl_channel_order(CL_RGBA), one.image_channel_order);
  EXPECT_EQ(cl_channel_type(CL_UNORM_INT8), one.image_channel_data_type);
  EXPECT_GT(count, 30u);

  const cl_channel_type plain[] = {CL_FLOAT,        CL_HALF_FLOAT,    CL_SIGNED_INT8,    CL_SIGNED_INT16,
                                   CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32,
                                   CL_SNORM_INT8,   CL_SNORM_INT16,   CL_UNORM_INT8,     CL_UNORM_INT16};
  for (cl_mem_object_type type : kTypes)
    for (cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE}) {
      const std::vector<cl_image_format> list = formats(flags, type);
      for (cl_channel_order order : {CL_R, CL_RG, CL_RGBA})
        for (cl_channel_type each : plain) EXPECT_TRUE(has(list, order, each)) << std::hex << order << " " << each;
      EXPECT_TRUE(has(list, CL_BGRA, CL_UNORM_INT8));
      std::set<std::pair<cl_uint, cl_uint>> seen;
      for (const cl_image_format &format : list)
        EXPECT_TRUE(seen.insert({format.image_channel_order, format.image_channel_data_type}).second);
      // Depth images are 2D; sRGB is read or written, not both by one kernel.
      const bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      EXPECT_EQ(flat, has(list, CL_DEPTH, CL_FLOAT));
      EXPECT_EQ(flags != CL_MEM_KERNEL_READ_AND_WRITE, has(list, CL_sRGBA, CL_UNORM_INT8));
      // An order of another kind than the request: the list is the same every time.
      const std::vector<cl_image_format> again = formats(flags, type);
      EXPECT_EQ(0, std::memcmp(list.data(), again.data(), list.size() * sizeof(cl_image_format)));
    }
}

// Every pair of OpenCL 1.x: works, or is refused with the code that says why.
TEST_F(ImageObjects, everyPairOfOrderAndType) {
  const std::vector<cl_image_format> list = formats(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D);
  for (cl_channel_order order = CL_R; order <= CL_RGBx; ++order)
    for (cl_channel_type type = CL_SNORM_INT8; type <= CL_FLOAT; ++type) {
      const bool packed = type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
      const bool bytes =
          type == CL_SNORM_INT8 || type == CL_UNORM_INT8 || type == CL_SIGNED_INT8 || type == CL_UNSIGNED_INT8;
      const bool scalar = type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || type == CL_UNORM_INT8 ||
                          type == CL_UNORM_INT16 || type == CL_HALF_FLOAT || type == CL_FLOAT;
      const bool legal = order == CL_RGB || order == CL_RGBx              ? packed
                         : order == CL_BGRA || order == CL_ARGB           ? bytes
                         : order == CL_INTENSITY || order == CL_LUMINANCE ? scalar
                                                                          : !packed;
      // A channel that is ignored: whether it is stored, and what a border has there, is not agreed upon.
      const bool refused = order == CL_Rx || order == CL_RGx || order == CL_RGBx;
      cl_image_format format = {order, type};
      cl_image_desc description = imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4);
      cl_int error = 0;
      cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error);
      const cl_int expected = !legal    ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
                              : refused ? CL_IMAGE_FORMAT_NOT_SUPPORTED
                                        : CL_SUCCESS;
      EXPECT_CL(expected, error) << std::hex << order << " " << type;
      EXPECT_EQ(expected == CL_SUCCESS, image != nullptr);
      EXPECT_EQ(expected == CL_SUCCESS, has(list, order, type)) << std::hex << order << " " << type;
      if (image) EXPECT_CL(CL_SUCCESS, clReleaseMemObject(image));
    }
}

TEST_F(ImageObjects, clCreateImage) {
  cl_int error = 0;
  char host[4096] = {};
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 16, 16);
  cl_image_desc wrong{};
  const cl_image_format unknown = {0x1234, CL_FLOAT}, unknownType = {CL_RGBA, 0x1234}, plainRgb = {CL_RGB, CL_FLOAT};

  EXPECT_EQ(nullptr, clCreateImage(reinterpret_cast<cl_context>(queue), 0, &kRgba8, &flat, nullptr, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
  fails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, nullptr, &flat);
  for (const cl_image_format *format : {&unknown, &unknownType, &plainRgb})
    fails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, format, &flat);
  fails(CL_INVALID_IMAGE_DESCRIPTOR, &kRgba8, nullptr);
  const auto failsWith = [&](cl_int code, auto change, cl_mem_flags flags = 0, void *pointer = nullptr) {
    wrong = flat;
    change(wrong);
    fails(code, &kRgba8, &wrong, flags, pointer);
  };
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [](auto &d) { d.image_type = CL_MEM_OBJECT_BUFFER; });
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [](auto &d) { d.num_mip_levels = 33; });
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [](auto &d) { d.num_samples = 1; });
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [](auto &d) { d.image_row_pitch = 64; }); // no host pointer
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [](auto &d) { d.image_slice_pitch = 1024; });
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [](auto &d) { d.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER; }); // no buffer
  // Pitches that are too small, or no multiples.
  for (size_t pitch : {60, 66})
    failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [&](auto &d) { d.image_row_pitch = pitch; }, CL_MEM_COPY_HOST_PTR, host);
  for (size_t pitch : {960, 1030})
    failsWith(
        CL_INVALID_IMAGE_DESCRIPTOR,
        [&](auto &d) {
          d = imageOf(CL_MEM_OBJECT_IMAGE3D, 16, 16, 2);
          d.image_slice_pitch = pitch;
        },
        CL_MEM_COPY_HOST_PTR, host);
  failsWith(
      CL_INVALID_IMAGE_DESCRIPTOR,
      [](auto &d) {
        d.image_row_pitch = size_t(1) << 62;
        d.image_height = 16;
      },
      CL_MEM_USE_HOST_PTR, host);

  // Sizes: zero, and beyond the device.
  const size_t most = ask<size_t>(clGetDeviceInfo, CL_DEVICE_IMAGE2D_MAX_WIDTH, device);
  const size_t layers = ask<size_t>(clGetDeviceInfo, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, device);
  const size_t deep = ask<size_t>(clGetDeviceInfo, CL_DEVICE_IMAGE3D_MAX_DEPTH, device);
  for (const cl_image_desc &each :
       {imageOf(CL_MEM_OBJECT_IMAGE2D, 0, 4), imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 0), imageOf(CL_MEM_OBJECT_IMAGE1D, 0),
        imageOf(CL_MEM_OBJECT_IMAGE3D, 4, 4, 0), imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0),
        imageOf(CL_MEM_OBJECT_IMAGE2D, most + 1, 1), imageOf(CL_MEM_OBJECT_IMAGE2D, 1, most + 1),
        imageOf(CL_MEM_OBJECT_IMAGE1D, most + 1), imageOf(CL_MEM_OBJECT_IMAGE3D, 1, 1, deep + 1),
        imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, layers + 1)})
    fails(CL_INVALID_IMAGE_SIZE, &kRgba8, &each);

  // Flags and host pointers.
  fails(CL_INVALID_VALUE, &kRgba8, &flat, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
  fails(CL_INVALID_VALUE, &kRgba8, &flat, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
  fails(CL_INVALID_VALUE, &kRgba8, &flat, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, host);
  fails(CL_INVALID_VALUE, &kRgba8, &flat, 1 << 20);
  fails(CL_INVALID_HOST_PTR, &kRgba8, &flat, CL_MEM_USE_HOST_PTR);
  fails(CL_INVALID_HOST_PTR, &kRgba8, &flat, CL_MEM_COPY_HOST_PTR);
  fails(CL_INVALID_HOST_PTR, &kRgba8, &flat, 0, host);

  // Formats that exist but not for this use.
  const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8}, depth = {CL_DEPTH, CL_FLOAT};
  const cl_image_desc solid = imageOf(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4);
  makeImage(flat, srgb, CL_MEM_WRITE_ONLY);
  fails(CL_IMAGE_FORMAT_NOT_SUPPORTED, &depth, &solid);
  makeImage(flat, srgb, CL_MEM_READ_ONLY);
  makeImage(flat, depth);

  // An image larger than any allocation is a failure to allocate, whenever it is noticed.
  if (most >= 16384) {
    const cl_image_format wide = {CL_RGBA, CL_FLOAT};
    const cl_image_desc large = imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, most, most, 16);
    fails(CL_MEM_OBJECT_ALLOCATION_FAILURE, &wide, &large);
  }
}

TEST_F(ImageObjects, clCreateImageWithProperties) {
  cl_int error = 0;
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  const cl_mem_properties none[] = {0}, unknown[] = {0x1234, 1, 0};
  EXPECT_EQ(nullptr, clCreateImageWithProperties(context, unknown, 0, &kRgba8, &flat, nullptr, &error));
  EXPECT_CL(CL_INVALID_PROPERTY, error);
  cl_mem image =
      keep(clCreateImageWithProperties(context, none, 0, &kRgba8, &flat, nullptr, &error), clReleaseMemObject);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(std::vector<cl_mem_properties>{0},
            askList<cl_mem_properties>(clGetMemObjectInfo, CL_MEM_PROPERTIES, image));
  EXPECT_TRUE(askList<cl_mem_properties>(clGetMemObjectInfo, CL_MEM_PROPERTIES, makeImage(flat)).empty());
}

TEST_F(ImageObjects, clCreateImage2D) {
  cl_int error = 0;
  char host[1024] = {};
  auto fails = [&](cl_int code, size_t width, size_t height, size_t pitch, cl_mem_flags flags, void *pointer) {
    EXPECT_EQ(nullptr, clCreateImage2D(context, flags, &kRgba8, width, height, pitch, pointer, &error));
    EXPECT_CL(code, error);
  };
  fails(CL_INVALID_IMAGE_SIZE, 0, 4, 0, 0, nullptr);
  fails(CL_INVALID_IMAGE_SIZE, 4, 4, 32, 0, nullptr);
  fails(CL_INVALID_IMAGE_SIZE, 4, 4, 12, CL_MEM_COPY_HOST_PTR, host);
  fails(CL_INVALID_HOST_PTR, 4, 4, 0, CL_MEM_COPY_HOST_PTR, nullptr);
  EXPECT_EQ(nullptr, clCreateImage2D(context, 0, nullptr, 4, 4, 0, nullptr, &error));
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, error);
  cl_mem image =
      keep(clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &kRgba8, 4, 5, 32, host, &error), clReleaseMemObject);
  EXPECT_EQ(32u, infoOf<size_t>(image, CL_IMAGE_ROW_PITCH));
  EXPECT_EQ(5u, infoOf<size_t>(image, CL_IMAGE_HEIGHT));
}

TEST_F(ImageObjects, clCreateImage3D) {
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateImage3D(context, 0, &kRgba8, 4, 4, 1, 0, 0, nullptr, &error));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, error);
  EXPECT_EQ(nullptr, clCreateImage3D(reinterpret_cast<cl_context>(queue), 0, &kRgba8, 4, 4, 2, 0, 0, nullptr, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
  cl_mem image = keep(clCreateImage3D(context, 0, &kRgba8, 4, 5, 6, 0, 0, nullptr, &error), clReleaseMemObject);
  EXPECT_EQ(6u, infoOf<size_t>(image, CL_IMAGE_DEPTH));
}

TEST_F(ImageObjects, clGetImageInfo) {
  char host[8192] = {};
  cl_image_desc array = imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8, 0, 5);
  array.image_row_pitch = 48;
  array.image_slice_pitch = 96;
  cl_image_desc solid = imageOf(CL_MEM_OBJECT_IMAGE3D, 8, 4, 3);
  solid.image_row_pitch = 40;
  solid.image_slice_pitch = 240;
  cl_image_desc line = imageOf(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
  line.mem_object = makeBuffer(64);
  const struct {
    cl_image_desc description;
    bool host;
    size_t row, slice, height, depth, layers, bytes;
  } rows[] = {
      {imageOf(CL_MEM_OBJECT_IMAGE1D, 8), false, 32, 0, 0, 0, 0, 32},
      {line, false, 64, 0, 0, 0, 0, 64},
      {imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8, 0, 5), false, 32, 32, 0, 0, 5, 160},
      {array, true, 48, 96, 0, 0, 5, 480},
      {imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 4), false, 32, 0, 4, 0, 0, 128},
      {imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, 8, 4, 3), false, 32, 128, 4, 0, 3, 384},
      {imageOf(CL_MEM_OBJECT_IMAGE3D, 8, 4, 3), false, 32, 128, 4, 3, 0, 384},
      {solid, true, 40, 240, 4, 3, 0, 720},
  };
  for (const auto &row : rows) {
    cl_mem image = makeImage(row.description, kRgba8, row.host ? CL_MEM_USE_HOST_PTR : 0, row.host ? host : nullptr);
    const auto format = infoOf<cl_image_format>(image, CL_IMAGE_FORMAT);
    EXPECT_TRUE(format.image_channel_order == CL_RGBA && format.image_channel_data_type == CL_UNORM_INT8);
    EXPECT_EQ(4u, infoOf<size_t>(image, CL_IMAGE_ELEMENT_SIZE));
    EXPECT_EQ(row.row, infoOf<size_t>(image, CL_IMAGE_ROW_PITCH));
    EXPECT_EQ(row.slice, infoOf<size_t>(image, CL_IMAGE_SLICE_PITCH));
    EXPECT_EQ(row.description.image_width, infoOf<size_t>(image, CL_IMAGE_WIDTH));
    EXPECT_EQ(row.height, infoOf<size_t>(image, CL_IMAGE_HEIGHT));
    EXPECT_EQ(row.depth, infoOf<size_t>(image, CL_IMAGE_DEPTH));
    EXPECT_EQ(row.layers, infoOf<size_t>(image, CL_IMAGE_ARRAY_SIZE));
    EXPECT_EQ(row.description.mem_object, infoOf<cl_mem>(image, CL_IMAGE_BUFFER));
    EXPECT_EQ(0u, infoOf<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS));
    EXPECT_EQ(0u, infoOf<cl_uint>(image, CL_IMAGE_NUM_SAMPLES));
    EXPECT_EQ(row.bytes, ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, image));
    EXPECT_EQ(row.description.image_type, ask<cl_mem_object_type>(clGetMemObjectInfo, CL_MEM_TYPE, image));
    EXPECT_EQ(row.host ? host : nullptr, ask<char *>(clGetMemObjectInfo, CL_MEM_HOST_PTR, image));
    EXPECT_EQ(row.description.mem_object, ask<cl_mem>(clGetMemObjectInfo, CL_MEM_ASSOCIATED_MEMOBJECT, image));
    EXPECT_EQ(0u, ask<size_t>(clGetMemObjectInfo, CL_MEM_OFFSET, image));
    EXPECT_EQ(1u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, image));
    EXPECT_CL(CL_INVALID_VALUE, clGetImageInfo(image, 0x4444, 0, nullptr, nullptr));
  }
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetImageInfo(makeBuffer(4), CL_IMAGE_FORMAT, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT,
            clGetImageInfo(reinterpret_cast<cl_mem>(queue), CL_IMAGE_FORMAT, 0, nullptr, nullptr));
}

TEST_F(ImageObjects, madeFromBuffers) {
  alignas(16) unsigned char host[1024];
  for (int i = 0; i < 1024; ++i) host[i] = static_cast<unsigned char>(i);
  cl_mem buffer = makeBuffer(1024, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY, host);
  cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  flat.image_row_pitch = 64;
  flat.mem_object = buffer;
  cl_mem image = makeImage(flat, kRgba8, 0);
  EXPECT_EQ(64u, infoOf<size_t>(image, CL_IMAGE_ROW_PITCH));
  EXPECT_EQ(buffer, infoOf<cl_mem>(image, CL_IMAGE_BUFFER));
  EXPECT_EQ(cl_mem_flags(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY),
            ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, image));
  EXPECT_EQ(host, ask<unsigned char *>(clGetMemObjectInfo, CL_MEM_HOST_PTR, image));
  EXPECT_EQ(2u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, buffer));
  const Three origin = {1, 2, 0}, one = {1, 1, 1};
  unsigned char pixel[4] = {};
  EXPECT_CL(CL_SUCCESS,
            clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), one.data(), 0, 0, pixel, 0, nullptr, nullptr));
  EXPECT_EQ(0, std::memcmp(pixel, host + 2 * 64 + 4, 4));

  // A sub-buffer's image begins where the sub-buffer does.
  cl_int error = 0;
  cl_buffer_region region{512, 128};
  cl_mem part = keep(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), clReleaseMemObject);
  cl_image_desc line = imageOf(CL_MEM_OBJECT_IMAGE1D_BUFFER, 32);
  line.mem_object = part;
  image = makeImage(line, kRgba8, 0);
  const Three zero = {0, 0, 0};
  EXPECT_CL(CL_SUCCESS,
            clEnqueueReadImage(queue, image, CL_TRUE, zero.data(), one.data(), 0, 0, pixel, 0, nullptr, nullptr));
  EXPECT_EQ(0, std::memcmp(pixel, host + 512, 4));
  EXPECT_EQ(0u, ask<size_t>(clGetMemObjectInfo, CL_MEM_OFFSET, image));
  // A pitch of the one row is taken, though "image_row_pitch must be zero if host_ptr is NULL ... and the image is not
  // a 2D image created from a buffer": Khronos's tests give one. "It must be greater than or equal to the image_width
  // times the size of an image element in bytes, and must be a multiple of the size of an image element in bytes."
  for (size_t pitch : {128, 132, 256}) {
    line.image_row_pitch = pitch;
    EXPECT_EQ(pitch, infoOf<size_t>(makeImage(line, kRgba8, 0), CL_IMAGE_ROW_PITCH));
  }
  for (size_t pitch : {64, 130}) {
    line.image_row_pitch = pitch;
    fails(CL_INVALID_IMAGE_DESCRIPTOR, &kRgba8, &line);
  }
  line.image_row_pitch = 0;
  line.image_width = 33;
  fails(CL_INVALID_IMAGE_SIZE, &kRgba8, &line);
  line.image_width = 0;
  fails(CL_INVALID_IMAGE_SIZE, &kRgba8, &line);

  const auto failsWith = [&](cl_int code, auto change, cl_mem_flags flags = 0) {
    cl_image_desc wrong = flat;
    change(wrong);
    fails(code, &kRgba8, &wrong, flags);
  };
  failsWith(CL_INVALID_VALUE, [](auto &) {}, CL_MEM_READ_WRITE);
  failsWith(CL_INVALID_VALUE, [](auto &) {}, CL_MEM_HOST_WRITE_ONLY);
  failsWith(CL_INVALID_VALUE, [](auto &) {}, CL_MEM_ALLOC_HOST_PTR);
  failsWith(CL_INVALID_IMAGE_SIZE, [](auto &d) { d.image_height = 17; });
  failsWith(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, [](auto &d) { d.image_row_pitch = 66; });
  failsWith(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, [](auto &d) { d.image_row_pitch = 28; });
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, [](auto &d) { d.image_slice_pitch = 512; });
}

// cl_ext_image_from_buffer
TEST_F(ImageObjects, everyKindLiesInABuffer) {
  constexpr size_t kSize = 4096;
  alignas(16) unsigned char host[kSize];
  for (size_t i = 0; i < kSize; ++i) host[i] = static_cast<unsigned char>(i * 7 + (i >> 8));
  // A sub-buffer: images begin in the middle of memory, too.
  cl_int error = 0;
  cl_buffer_region region{1024, 3072};
  cl_mem whole = makeBuffer(kSize, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, host);
  cl_mem buffer = keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), clReleaseMemObject);
  constexpr cl_image_format kBytes = {CL_RGBA, CL_UNSIGNED_INT8};
  // What each pixel is, by coordinates of the kind, is written to a buffer.
  cl_program program = buildProgram(R"(
    #define AT1(i) i.x
    #define AT2(i) i.xy
    #define AT3(i) i
    #define K(NAME, TYPE, AT)                                                                       \
      kernel void NAME(read_only TYPE image, global uchar4 *out) {                                  \
        int4 i = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);                   \
        size_t n = i.x + get_global_size(0) * (i.y + get_global_size(1) * i.z);                     \
        out[n] = convert_uchar4(read_imageui(image, AT(i)));                                        \
      }                                                                                             \
      kernel void NAME##_write(write_only TYPE image) {                                             \
        int4 i = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);                   \
        write_imageui(image, AT(i), (uint4)(i.x, i.y, i.z, 99));                                    \
      }
    K(line, image1d_t, AT1)
    K(lineInBuffer, image1d_buffer_t, AT1)
    K(lines, image1d_array_t, AT2)
    K(flat, image2d_t, AT2)
    K(flats, image2d_array_t, AT3)
    K(solid, image3d_t, AT3))",
                                    "-cl-std=CL3.0");
  const struct {
    const char *kernel;
    cl_image_desc description;
    size_t row, slice; // as given
    Three region;
    size_t y, z;                          // bytes from a row to the next, from a slice to the next
    size_t rowAnswer, sliceAnswer, bytes; // CL_IMAGE_ROW_PITCH and so on
  } rows[] = {
      {"line", imageOf(CL_MEM_OBJECT_IMAGE1D, 5), 0, 0, {5, 1, 1}, 0, 0, 20, 0, 20},
      {"line", imageOf(CL_MEM_OBJECT_IMAGE1D, 5), 64, 0, {5, 1, 1}, 0, 0, 64, 0, 20},
      {"lineInBuffer", imageOf(CL_MEM_OBJECT_IMAGE1D_BUFFER, 5), 0, 0, {5, 1, 1}, 0, 0, 20, 0, 20},
      {"lines", imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 0, 4), 0, 0, {5, 4, 1}, 20, 0, 20, 20, 80},
      {"lines", imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 0, 4), 24, 0, {5, 4, 1}, 24, 0, 24, 24, 96},
      {"lines", imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 0, 4), 24, 72, {5, 4, 1}, 72, 0, 24, 72, 288},
      {"flat", imageOf(CL_MEM_OBJECT_IMAGE2D, 5, 3), 28, 0, {5, 3, 1}, 28, 0, 28, 0, 84},
      {"flats", imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 3, 4), 0, 0, {5, 3, 4}, 20, 60, 20, 60, 240},
      {"flats", imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 3, 4), 24, 120, {5, 3, 4}, 24, 120, 24, 120, 480},
      {"solid", imageOf(CL_MEM_OBJECT_IMAGE3D, 5, 3, 4), 28, 0, {5, 3, 4}, 28, 84, 28, 84, 336},
      {"solid", imageOf(CL_MEM_OBJECT_IMAGE3D, 5, 3, 4), 28, 140, {5, 3, 4}, 28, 140, 28, 140, 560},
  };
  for (const auto &row : rows) {
    SCOPED_TRACE(testing::Message() << row.kernel << ", pitches " << row.row << " and " << row.slice);
    cl_image_desc description = row.description;
    description.image_row_pitch = row.row;
    description.image_slice_pitch = row.slice;
    description.mem_object = buffer;
    cl_mem image = makeImage(description, kBytes, 0);
    EXPECT_EQ(row.rowAnswer, infoOf<size_t>(image, CL_IMAGE_ROW_PITCH));
    EXPECT_EQ(row.sliceAnswer, infoOf<size_t>(image, CL_IMAGE_SLICE_PITCH));
    EXPECT_EQ(row.bytes, ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, image));
    EXPECT_EQ(buffer, ask<cl_mem>(clGetMemObjectInfo, CL_MEM_ASSOCIATED_MEMOBJECT, image));

    // Kernels and the host see the buffer's bytes.
    const size_t pixels = row.region[0] * row.region[1] * row.region[2];
    std::vector<unsigned char> byKernel(pixels * 4), byHost(pixels * 4), expected;
    for (size_t z = 0; z < row.region[2]; ++z)
      for (size_t y = 0; y < row.region[1]; ++y) {
        const unsigned char *const first = host + region.origin + z * row.z + y * row.y;
        expected.insert(expected.end(), first, first + row.region[0] * 4);
      }
    const Three zero = {0, 0, 0};
    cl_mem out = makeBuffer(pixels * 4);
    cl_kernel k = makeKernel(program, row.kernel);
    ASSERT_CL(clSetKernelArg(k, 0, sizeof image, &image));
    ASSERT_CL(clSetKernelArg(k, 1, sizeof out, &out));
    ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 3, nullptr, row.region.data(), nullptr, 0, nullptr, nullptr));
    ASSERT_CL(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, pixels * 4, byKernel.data(), 0, nullptr, nullptr));
    ASSERT_CL(clEnqueueReadImage(queue, image, CL_TRUE, zero.data(), row.region.data(), 0, 0, byHost.data(), 0, nullptr,
                                 nullptr));
    EXPECT_EQ(expected, byKernel);
    EXPECT_EQ(expected, byHost);

    // What a kernel writes arrives there, and between the rows nothing is written.
    k = makeKernel(program, (std::string(row.kernel) + "_write").c_str());
    ASSERT_CL(clSetKernelArg(k, 0, sizeof image, &image));
    ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 3, nullptr, row.region.data(), nullptr, 0, nullptr, nullptr));
    std::vector<unsigned char> after(kSize), wanted(host, host + kSize);
    for (size_t z = 0; z < row.region[2]; ++z)
      for (size_t y = 0; y < row.region[1]; ++y)
        for (size_t x = 0; x < row.region[0]; ++x) {
          unsigned char *const pixel = &wanted[region.origin + z * row.z + y * row.y + x * 4];
          pixel[0] = static_cast<unsigned char>(x);
          pixel[1] = static_cast<unsigned char>(y);
          pixel[2] = static_cast<unsigned char>(z);
          pixel[3] = 99;
        }
    ASSERT_CL(clEnqueueReadBuffer(queue, whole, CL_TRUE, 0, kSize, after.data(), 0, nullptr, nullptr));
    EXPECT_EQ(wanted, after);
    ASSERT_CL(clEnqueueWriteBuffer(queue, whole, CL_TRUE, 0, kSize, host, 0, nullptr, nullptr));

    // It may not end beyond the buffer.
    cl_buffer_region small{1024, row.bytes}, smaller{1024, row.bytes - 1};
    description.mem_object =
        keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &small, &error), clReleaseMemObject);
    makeImage(description, kBytes, 0);
    description.mem_object =
        keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &smaller, &error), clReleaseMemObject);
    fails(CL_INVALID_IMAGE_SIZE, &kBytes, &description);

    // Memory of the host's that begins within a pixel.
    description.mem_object = makeBuffer(kSize - 1, CL_MEM_USE_HOST_PTR, host + 1);
    fails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, &kBytes, &description);
  }

  const auto failsWith = [&](cl_int code, cl_image_desc wrong, size_t row, size_t slice) {
    wrong.mem_object = buffer;
    wrong.image_row_pitch = row;
    wrong.image_slice_pitch = slice;
    fails(code, &kBytes, &wrong);
  };
  for (const cl_image_desc &sliced :
       {imageOf(CL_MEM_OBJECT_IMAGE3D, 5, 3, 4), imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 3, 4)}) {
    failsWith(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, sliced, 25, 0);
    failsWith(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, sliced, 16, 0); // less than a row
    failsWith(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, sliced, 24, 73);
    failsWith(CL_INVALID_IMAGE_DESCRIPTOR, sliced, 24, 48); // less than a slice
    failsWith(CL_INVALID_IMAGE_DESCRIPTOR, sliced, 24, 76); // no multiple of the row pitch
  }
  failsWith(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 0, 4), 25, 0);
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 0, 4), 24, 20);
  failsWith(CL_INVALID_IMAGE_DESCRIPTOR, imageOf(CL_MEM_OBJECT_IMAGE1D, 5), 0, 20);
}

// cl_khr_srgb_image_writes. "If c < 0.0031308: 12.92 * c, else 1.055 * c^(1/2.4) - 0.055 ... convert_uchar_sat_rte(c x
// 255)
// ... The process of converting from linear to sRGB must have an error <= 0.6".
TEST_F(ImageObjects, kernelsWriteSrgb) {
  cl_kernel k = makeKernel(buildProgram("kernel void k(write_only image2d_t out) {"
                                        " int x = get_global_id(0);"
                                        " write_imagef(out, (int2)(x, 0), (float4)(x / 1024.0f)); }"),
                           "k");
  for (cl_channel_order order : {CL_sRGBA, CL_sBGRA}) {
    cl_mem image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 1024, 1), {order, CL_UNORM_INT8}, CL_MEM_WRITE_ONLY);
    ASSERT_CL(clSetKernelArg(k, 0, sizeof image, &image));
    const size_t width = 1024;
    ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &width, nullptr, 0, nullptr, nullptr));
    const Three zero = {0, 0, 0}, all = {1024, 1, 1};
    std::vector<unsigned char> pixels(4096);
    ASSERT_CL(
        clEnqueueReadImage(queue, image, CL_TRUE, zero.data(), all.data(), 0, 0, pixels.data(), 0, nullptr, nullptr));
    for (int x = 0; x < 1024; ++x) {
      const double linear = x / 1024.0;
      const double encoded = linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(encoded * 255, pixels[size_t(4 * x + c)], 0.6) << x;
      EXPECT_NEAR(linear * 255, pixels[size_t(4 * x + 3)], 0.5) << x; // alpha is linear
    }
  }
}

TEST_F(ImageObjects, madeFromImages) {
  const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8}, bgra = {CL_BGRA, CL_UNORM_INT8},
                        otherType = {CL_sRGBA, CL_SNORM_INT8}, red = {CL_R, CL_FLOAT}, depth = {CL_DEPTH, CL_FLOAT};
  cl_mem image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 4), kRgba8, CL_MEM_READ_ONLY);
  cl_image_desc same = imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  same.mem_object = image;
  cl_mem view = makeImage(same, srgb, 0);
  EXPECT_EQ(image, ask<cl_mem>(clGetMemObjectInfo, CL_MEM_ASSOCIATED_MEMOBJECT, view));
  EXPECT_EQ(cl_mem_flags(CL_MEM_READ_ONLY), ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, view));
  const Three zero = {0, 0, 0}, one = {1, 1, 1};
  const unsigned char written[4] = {1, 2, 3, 4};
  unsigned char pixel[4] = {};
  EXPECT_CL(CL_SUCCESS,
            clEnqueueWriteImage(queue, image, CL_TRUE, zero.data(), one.data(), 0, 0, written, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS,
            clEnqueueReadImage(queue, view, CL_TRUE, zero.data(), one.data(), 0, 0, pixel, 0, nullptr, nullptr));
  EXPECT_EQ(0, std::memcmp(written, pixel, 4));

  fails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, &bgra, &same);
  fails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, &kRgba8, &same); // its own order is not in the table
  fails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, &otherType, &same);
  same.image_width = 4;
  fails(CL_INVALID_IMAGE_DESCRIPTOR, &srgb, &same);
  cl_image_desc line = imageOf(CL_MEM_OBJECT_IMAGE1D, 8);
  line.mem_object = image;
  fails(CL_INVALID_IMAGE_DESCRIPTOR, &kRgba8, &line);
  same = imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  same.mem_object = makeImage(same, red);
  makeImage(same, depth);
  same.mem_object = reinterpret_cast<cl_mem>(queue);
  fails(CL_INVALID_MEM_OBJECT, &srgb, &same);
}

TEST_F(ImageObjects, asKernelArguments) {
  cl_program program = buildProgram(R"(
    kernel void k(read_only image2d_t in, write_only image2d_t out, read_only image3d_t solid,
                  read_only image2d_depth_t deep, sampler_t sampler, global float *buffer) {
      write_imagef(out, (int2)(1, 2), read_imagef(in, sampler, (float2)(0.25f, 0.75f)) + buffer[0]);
    })",
                                    "-cl-std=CL3.0");
  cl_kernel kernel = makeKernel(program, "k");
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  cl_int error = 0;
  cl_mem readOnly = makeImage(flat, kRgba8, CL_MEM_READ_ONLY), writeOnly = makeImage(flat, kRgba8, CL_MEM_WRITE_ONLY),
         solid = makeImage(imageOf(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4)), none = nullptr, buffer = makeBuffer(4);
  cl_mem deep = makeImage(flat, {CL_DEPTH, CL_FLOAT});
  cl_sampler sampler =
      keep(clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error), clReleaseSampler);
  const auto set = [&](cl_uint index, const void *value, size_t size = sizeof(cl_mem)) {
    return clSetKernelArg(kernel, index, size, value);
  };
  EXPECT_CL(CL_INVALID_ARG_SIZE, set(0, &readOnly, 4));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(0, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(0, &none));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(0, &buffer));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(0, &sampler));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(0, &writeOnly));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(1, &readOnly));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(0, &solid)); // of another kind
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(2, &readOnly));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(0, &deep));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(3, &readOnly));
  EXPECT_CL(CL_INVALID_SAMPLER, set(4, nullptr));
  EXPECT_CL(CL_INVALID_SAMPLER, set(4, &readOnly));
  EXPECT_CL(CL_INVALID_ARG_SIZE, set(4, &sampler, 4));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(5, &readOnly));
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));

  const unsigned char pixels[4] = {10, 20, 30, 40};
  const float add = 2.0f / 255;
  const Three at = {1, 3, 0}, written = {1, 2, 0}, one = {1, 1, 1};
  unsigned char got[4] = {};
  EXPECT_CL(CL_SUCCESS,
            clEnqueueWriteImage(queue, readOnly, CL_TRUE, at.data(), one.data(), 0, 0, pixels, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &add, 0, nullptr, nullptr));
  for (cl_uint i = 0; i < 4; ++i) EXPECT_CL(CL_SUCCESS, set(i, std::array{&readOnly, &writeOnly, &solid, &deep}[i]));
  EXPECT_CL(CL_SUCCESS, set(4, &sampler));
  EXPECT_CL(CL_SUCCESS, set(5, &buffer));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS,
            clEnqueueReadImage(queue, writeOnly, CL_TRUE, written.data(), one.data(), 0, 0, got, 0, nullptr, nullptr));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(pixels[i] + 2, got[i]);
}

TEST_F(ImageObjects, destructorCallbacksAndReferences) {
  static std::atomic<int> calls;
  calls = 0;
  cl_int error = 0;
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  cl_mem image = clCreateImage(context, 0, &kRgba8, &flat, nullptr, &error);
  ASSERT_CL(error);
  EXPECT_CL(CL_SUCCESS, clSetMemObjectDestructorCallback(image, [](cl_mem, void *) { ++calls; }, nullptr));
  EXPECT_CL(CL_SUCCESS, clRetainMemObject(image));
  EXPECT_EQ(2u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, image));
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(image));
  EXPECT_EQ(0, calls);
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(image));
  EXPECT_TRUE(eventually([] { return calls == 1; }));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetImageInfo(image, CL_IMAGE_WIDTH, 0, nullptr, nullptr));
}

TEST_F(ImageObjects, buffersAndImagesAreToldApart) {
  cl_mem image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 8)), buffer = makeBuffer(64);
  int number = 0;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, image, CL_TRUE, 0, 4, &number, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, image, buffer, 0, 0, 4, 0, nullptr, nullptr));
  cl_int error = 0;
  cl_buffer_region region{0, 64};
  EXPECT_EQ(nullptr, clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, error);
  const Three zero = {0, 0, 0}, one = {1, 1, 1};
  EXPECT_CL(CL_INVALID_MEM_OBJECT,
            clEnqueueReadImage(queue, buffer, CL_TRUE, zero.data(), one.data(), 0, 0, &number, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueMigrateMemObjects(queue, 1, &image, 0, 0, nullptr, nullptr));
}

// cl_ext_image_requirements_info
TEST_F(ImageObjects, clGetImageRequirementsInfoEXT) {
  const auto get = extensionFunction<opencl::clGetImageRequirementsInfoEXT_fn>("clGetImageRequirementsInfoEXT");
  ASSERT_NE(nullptr, get);
  const cl_image_format rgba{CL_RGBA, CL_UNSIGNED_INT16}, bad{CL_INTENSITY, CL_UNORM_SHORT_555};
  const auto described = [](cl_mem_object_type type, size_t width, size_t height = 0, size_t depth = 0,
                            size_t layers = 0) {
    cl_image_desc description{};
    description.image_type = type;
    description.image_width = width;
    description.image_height = height;
    description.image_depth = depth;
    description.image_array_size = layers;
    return description;
  };
  const auto number = [&]<class T>(T value, cl_uint name, const cl_image_format *format, const cl_image_desc *of) {
    size_t size = 0;
    EXPECT_CL(CL_SUCCESS, get(context, nullptr, CL_MEM_READ_WRITE, format, of, name, sizeof value, &value, &size));
    EXPECT_EQ(sizeof value, size);
    EXPECT_CL(CL_INVALID_VALUE,
              get(context, nullptr, CL_MEM_READ_WRITE, format, of, name, sizeof value - 1, &value, nullptr));
    return value;
  };
  const auto bytes = [&](auto... arguments) { return number(size_t(0), arguments...); };
  const auto pixels = [&](auto... arguments) { return size_t(number(cl_uint(0), arguments...)); };
  const auto limit = [&](cl_device_info name) { return ask<size_t>(clGetDeviceInfo, name, device); };

  // The size is that of an image in a buffer, which it suffices for.
  cl_image_desc flat = described(CL_MEM_OBJECT_IMAGE2D, 5, 7);
  EXPECT_EQ(5u * 7 * 8, bytes(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &rgba, &flat));
  flat.image_row_pitch = 64;
  EXPECT_EQ(64u * 7, bytes(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &rgba, &flat));
  cl_int error = 0;
  flat.buffer = makeBuffer(64 * 7);
  cl_mem image = keep(clCreateImage(context, 0, &rgba, &flat, nullptr, &error), clReleaseMemObject);
  EXPECT_EQ(64u * 7, ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, image));
  const cl_image_desc cube = described(CL_MEM_OBJECT_IMAGE3D, 3, 4, 5),
                      rows = described(CL_MEM_OBJECT_IMAGE1D_ARRAY, 3, 0, 0, 6);
  EXPECT_EQ(3u * 4 * 5 * 8, bytes(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &rgba, &cube));
  EXPECT_EQ(3u * 6 * 8, bytes(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &rgba, &rows));

  // Rows and slices begin at any pixel; the largest has 16 bytes.
  for (const cl_uint name :
       {CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT,
        CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT}) {
    EXPECT_EQ(8u, bytes(name, &rgba, &cube));
    EXPECT_EQ(8u, bytes(name, &rgba, nullptr));
    EXPECT_EQ(16u, bytes(name, nullptr, &cube));
  }

  const size_t width2D = limit(CL_DEVICE_IMAGE2D_MAX_WIDTH), width3D = limit(CL_DEVICE_IMAGE3D_MAX_WIDTH),
               height2D = limit(CL_DEVICE_IMAGE2D_MAX_HEIGHT), height3D = limit(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
               depth = limit(CL_DEVICE_IMAGE3D_MAX_DEPTH), layers = limit(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  const cl_image_desc any = described(0, 0), someFlat = described(CL_MEM_OBJECT_IMAGE2D, 0);
  EXPECT_EQ(width2D, pixels(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &rgba, &someFlat));
  EXPECT_EQ(height2D, pixels(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &rgba, &someFlat));
  EXPECT_EQ(width3D, pixels(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &rgba, &cube));
  EXPECT_EQ(depth, pixels(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, nullptr, &cube));
  EXPECT_EQ(layers, pixels(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, &rgba, &rows));
  EXPECT_EQ(limit(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
            pixels(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &rgba,
                   std::make_unique<cl_image_desc>(described(CL_MEM_OBJECT_IMAGE1D_BUFFER, 1)).get()));
  for (const cl_image_desc *const all : {&any, (const cl_image_desc *)nullptr}) {
    EXPECT_EQ(std::min(width2D, width3D), pixels(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, nullptr, all));
    EXPECT_EQ(std::min(height2D, height3D), pixels(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, nullptr, all));
    EXPECT_EQ(depth, pixels(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, nullptr, all));
    EXPECT_EQ(layers, pixels(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, nullptr, all));
  }

  const auto fails = [&](cl_int code, cl_context in, const cl_mem_properties *properties, cl_mem_flags flags,
                         const cl_image_format *format, const cl_image_desc *of, cl_uint name) {
    size_t value = 0;
    EXPECT_CL(code, get(in, properties, flags, format, of, name, sizeof value, &value, nullptr));
  };
  constexpr cl_uint kPitch = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, kSize = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
  const cl_mem_properties none[] = {0}, one[] = {0x1234, 0, 0};
  fails(CL_INVALID_CONTEXT, nullptr, nullptr, 0, &rgba, &cube, kPitch);
  fails(CL_INVALID_PROPERTY, context, one, 0, &rgba, &cube, kPitch);
  fails(CL_SUCCESS, context, none, 0, &rgba, &cube, kPitch);
  fails(CL_SUCCESS, context, nullptr, CL_MEM_KERNEL_READ_AND_WRITE, &rgba, &cube, kPitch);
  fails(CL_INVALID_VALUE, context, nullptr, ~cl_mem_flags(0), &rgba, &cube, kPitch);
  fails(CL_INVALID_VALUE, context, nullptr, 0, &rgba, &cube, 0x1110);
  fails(CL_INVALID_VALUE, context, nullptr, 0, nullptr, &cube, kSize);
  fails(CL_INVALID_VALUE, context, nullptr, 0, &rgba, nullptr, kSize);
  fails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, nullptr, 0, &bad, &cube, kPitch);
  for (const cl_image_desc &wrong :
       {described(CL_MEM_OBJECT_BUFFER, 4), described(CL_MEM_OBJECT_IMAGE1D, 0), described(0, 4),
        described(CL_MEM_OBJECT_IMAGE2D, width2D + 1, 1), described(CL_MEM_OBJECT_IMAGE3D, 1, 1, depth + 1)})
    fails(CL_INVALID_IMAGE_DESCRIPTOR, context, nullptr, 0, &rgba, &wrong, kPitch);
  fails(CL_INVALID_IMAGE_DESCRIPTOR, context, nullptr, 0, &rgba, &rows, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT);
  fails(CL_INVALID_IMAGE_DESCRIPTOR, context, nullptr, 0, &rgba, &flat, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT);
  fails(CL_INVALID_IMAGE_DESCRIPTOR, context, nullptr, 0, &rgba, &cube, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT);
}

} // namespace
} // namespace us::test
