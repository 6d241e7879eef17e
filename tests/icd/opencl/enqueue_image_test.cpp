// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands on images: transfers of every kind of image, copies in all directions, fills, maps; and their errors.
#include "tests/icd/opencl/image_test.h"

#include <functional>
#include <numeric>

namespace us::test {
namespace {

constexpr cl_image_format kRgba8 = {CL_RGBA, CL_UNORM_INT8};
constexpr cl_image_format kRedInts = {CL_R, CL_UNSIGNED_INT32}; // a pixel is a number that says where it is

/// An image of each kind, with a region inside it, as the calls count dimensions.
struct Kind {
  cl_image_desc description;
  Three extent, origin, region;
};

class ImageCommands : public Images {
protected:
  std::vector<Kind> kinds() {
    cl_image_desc line = imageOf(CL_MEM_OBJECT_IMAGE1D_BUFFER, 20);
    line.mem_object = makeBuffer(80);
    return {
        {imageOf(CL_MEM_OBJECT_IMAGE1D, 20), {20, 1, 1}, {3, 0, 0}, {9, 1, 1}},
        {line, {20, 1, 1}, {4, 0, 0}, {16, 1, 1}},
        {imageOf(CL_MEM_OBJECT_IMAGE1D_ARRAY, 12, 0, 6), {12, 6, 1}, {2, 1, 0}, {7, 4, 1}},
        {imageOf(CL_MEM_OBJECT_IMAGE2D, 12, 7), {12, 7, 1}, {2, 3, 0}, {5, 4, 1}},
        {imageOf(CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 5, 4), {6, 5, 4}, {1, 2, 1}, {4, 3, 2}},
        {imageOf(CL_MEM_OBJECT_IMAGE3D, 6, 5, 4), {6, 5, 4}, {1, 1, 2}, {5, 3, 2}},
    };
  }
  static size_t count(const Three &size) { return size[0] * size[1] * size[2]; }
  static const Three &zero() {
    static const Three none = {0, 0, 0};
    return none;
  }
  /// Every pixel its own number.
  cl_mem numbered(const Kind &kind) {
    cl_mem image = makeImage(kind.description, kRedInts);
    std::vector<cl_uint> pixels(count(kind.extent));
    std::iota(pixels.begin(), pixels.end(), 1000u);
    EXPECT_CL(CL_SUCCESS, clEnqueueWriteImage(queue, image, CL_TRUE, zero().data(), kind.extent.data(), 0, 0,
                                              pixels.data(), 0, nullptr, nullptr));
    return image;
  }
  std::vector<cl_uint> pixelsOf(cl_mem image, const Kind &kind) {
    std::vector<cl_uint> pixels(count(kind.extent));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, zero().data(), kind.extent.data(), 0, 0,
                                             pixels.data(), 0, nullptr, nullptr));
    return pixels;
  }
  /// Calls function(x, y, z, index in the image, index in the region) for each pixel of the region.
  static void forRegion(const Kind &kind, const std::function<void(size_t, size_t)> &function) {
    size_t at = 0;
    for (size_t z = 0; z < kind.region[2]; ++z)
      for (size_t y = 0; y < kind.region[1]; ++y)
        for (size_t x = 0; x < kind.region[0]; ++x, ++at)
          function(((z + kind.origin[2]) * kind.extent[1] + y + kind.origin[1]) * kind.extent[0] + x + kind.origin[0],
                   at);
  }
  /// Origins and regions that leave an image of this kind.
  static std::vector<std::pair<Three, Three>> outside(const Kind &kind) {
    std::vector<std::pair<Three, Three>> wrong;
    for (int d = 0; d < 3; ++d) {
      Three origin = {0, 0, 0}, region = kind.extent;
      origin[d] = 1; // one too many; in a dimension the kind has not: "must be 0"
      wrong.push_back({origin, region});
      origin[d] = kind.extent[d];
      region[d] = 1;
      wrong.push_back({origin, region});
      origin[d] = 0;
      region[d] = 0;
      wrong.push_back({origin, region});
      region[d] = kind.extent[d] + 1;
      wrong.push_back({origin, region});
      region[d] = ~size_t(0);
      origin[d] = 1;
      wrong.push_back({origin, region});
    }
    return wrong;
  }
};

TEST_F(ImageCommands, clEnqueueReadImage) {
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.description.image_type);
    cl_mem image = numbered(kind);
    std::vector<cl_uint> got(count(kind.region));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, kind.origin.data(), kind.region.data(), 0, 0,
                                             got.data(), 0, nullptr, nullptr));
    forRegion(kind, [&](size_t in, size_t at) { ASSERT_EQ(1000 + in, got[at]); });
    for (const auto &[origin, region] : outside(kind))
      EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                                     got.data(), 0, nullptr, nullptr));
    const Three &o = kind.origin, &r = kind.region;
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueReadImage(queue, image, CL_TRUE, nullptr, r.data(), 0, 0, got.data(), 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueReadImage(queue, image, CL_TRUE, o.data(), nullptr, 0, 0, got.data(), 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueReadImage(queue, image, CL_TRUE, o.data(), r.data(), 0, 0, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, CL_TRUE, o.data(), r.data(), r[0] * 4 - 1, 0,
                                                   got.data(), 0, nullptr, nullptr));
    // Pitches with which the last row would begin beyond any address.
    if (r[1] > 1 || r[2] > 1) {
      const size_t wide = (size_t{1} << 63) + 64;
      const bool oneSlice = r[2] == 1;
      EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, CL_TRUE, o.data(), r.data(), oneSlice ? wide : 0,
                                                     oneSlice ? 0 : wide, got.data(), 0, nullptr, nullptr));
      EXPECT_CL(CL_INVALID_VALUE, clEnqueueWriteImage(queue, image, CL_TRUE, o.data(), r.data(), oneSlice ? wide : 0,
                                                      oneSlice ? 0 : wide, got.data(), 0, nullptr, nullptr));
    }
    // A slice pitch: not for 1D and 2D images, large enough for the rest.
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueReadImage(queue, image, CL_TRUE, o.data(), r.data(), 0, 1, got.data(), 0, nullptr, nullptr));
  }
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clEnqueueReadImage(reinterpret_cast<cl_command_queue>(context), nullptr, CL_TRUE, zero().data(),
                               zero().data(), 0, 0, nullptr, 0, nullptr, nullptr));
}

TEST_F(ImageCommands, readsAndWritesWithTheHostsPitches) {
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.description.image_type);
    cl_mem image = numbered(kind);
    const Three &r = kind.region;
    const bool layersAreRows = kind.description.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const bool slices = layersAreRows || r[2] > 1;
    const size_t row = (r[0] + 3) * 4, slice = slices ? (layersAreRows ? row + 8 : row * (r[1] + 2)) : 0;
    const size_t rowStep = layersAreRows ? slice : row;
    std::vector<char> host((r[2] ? r[2] : 1) * (slice + row) * (r[1] + 2), 0x55);
    const auto at = [&](size_t index) {
      const size_t x = index % r[0], y = index / r[0] % r[1], z = index / r[0] / r[1];
      return host.data() + x * 4 + y * rowStep + z * slice;
    };
    EXPECT_CL(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, kind.origin.data(), r.data(), row, slice,
                                             host.data(), 0, nullptr, nullptr));
    forRegion(kind, [&](size_t in, size_t index) {
      cl_uint value;
      std::memcpy(&value, at(index), 4);
      ASSERT_EQ(1000 + in, value);
      value += 7;
      std::memcpy(at(index), &value, 4);
    });
    EXPECT_EQ(0x55, host[r[0] * 4]); // between rows nothing was touched
    EXPECT_CL(CL_SUCCESS, clEnqueueWriteImage(queue, image, CL_FALSE, kind.origin.data(), r.data(), row, slice,
                                              host.data(), 0, nullptr, nullptr));
    std::vector<cl_uint> all = pixelsOf(image, kind), expected(all.size());
    std::iota(expected.begin(), expected.end(), 1000u);
    forRegion(kind, [&](size_t in, size_t) { expected[in] += 7; });
    EXPECT_EQ(expected, all);
  }
}

TEST_F(ImageCommands, clEnqueueWriteImage) {
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.description.image_type);
    cl_mem image = numbered(kind);
    std::vector<cl_uint> part(count(kind.region), 5u);
    cl_event event = nullptr;
    EXPECT_CL(CL_SUCCESS, clEnqueueWriteImage(queue, image, CL_TRUE, kind.origin.data(), kind.region.data(), 0, 0,
                                              part.data(), 0, nullptr, &event));
    EXPECT_EQ(cl_command_type(CL_COMMAND_WRITE_IMAGE),
              ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, event));
    EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
    std::vector<cl_uint> all = pixelsOf(image, kind), expected(all.size());
    std::iota(expected.begin(), expected.end(), 1000u);
    forRegion(kind, [&](size_t in, size_t) { expected[in] = 5; });
    EXPECT_EQ(expected, all);
    for (const auto &[origin, region] : outside(kind))
      EXPECT_CL(CL_INVALID_VALUE, clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                                      part.data(), 0, nullptr, nullptr));
  }
  // The host's access is what the image was created with; copies and fills do not ask.
  const Three one = {1, 1, 1};
  cl_uint pixel = 0;
  const cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  cl_mem hidden = makeImage(flat, kRedInts, CL_MEM_HOST_NO_ACCESS),
         readable = makeImage(flat, kRedInts, CL_MEM_HOST_READ_ONLY),
         writable = makeImage(flat, kRedInts, CL_MEM_HOST_WRITE_ONLY);
  const auto write = [&](cl_mem image) {
    return clEnqueueWriteImage(queue, image, CL_TRUE, zero().data(), one.data(), 0, 0, &pixel, 0, nullptr, nullptr);
  };
  const auto read = [&](cl_mem image) {
    return clEnqueueReadImage(queue, image, CL_TRUE, zero().data(), one.data(), 0, 0, &pixel, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_OPERATION, write(hidden));
  EXPECT_CL(CL_INVALID_OPERATION, write(readable));
  EXPECT_CL(CL_SUCCESS, write(writable));
  EXPECT_CL(CL_INVALID_OPERATION, read(hidden));
  EXPECT_CL(CL_SUCCESS, read(readable));
  EXPECT_CL(CL_INVALID_OPERATION, read(writable));
  EXPECT_CL(CL_SUCCESS,
            clEnqueueCopyImage(queue, hidden, readable, zero().data(), zero().data(), one.data(), 0, nullptr, nullptr));
}

TEST_F(ImageCommands, clEnqueueCopyImage) {
  std::vector<Kind> all = kinds();
  // Between all kinds, a region that each has.
  for (const Kind &from : all)
    for (const Kind &to : all) {
      SCOPED_TRACE(std::to_string(from.description.image_type) + " to " + std::to_string(to.description.image_type));
      Kind source = from, target = to;
      for (int d = 0; d < 3; ++d) source.region[d] = target.region[d] = std::min(from.region[d], to.region[d]);
      cl_mem a = numbered(source);
      target.description.mem_object = nullptr;
      if (target.description.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) target.description.mem_object = makeBuffer(80);
      cl_mem b = makeImage(target.description, kRedInts);
      const cl_uint none[4] = {};
      EXPECT_CL(CL_SUCCESS,
                clEnqueueFillImage(queue, b, none, zero().data(), target.extent.data(), 0, nullptr, nullptr));
      EXPECT_CL(CL_SUCCESS, clEnqueueCopyImage(queue, a, b, source.origin.data(), target.origin.data(),
                                               source.region.data(), 0, nullptr, nullptr));
      std::vector<cl_uint> numbers(count(source.region)), expected(count(target.extent));
      forRegion(source, [&](size_t in, size_t at) { numbers[at] = static_cast<cl_uint>(1000 + in); });
      forRegion(target, [&](size_t in, size_t at) { expected[in] = numbers[at]; });
      EXPECT_EQ(expected, pixelsOf(b, target));
    }
  const Kind &flat = all[3];
  cl_mem image = numbered(flat), other = makeImage(flat.description, kRgba8), buffer = makeBuffer(64);
  const Three one = {1, 1, 1}, right = {4, 0, 0}, half = {6, 7, 1}, part = {4, 7, 1};
  const auto copy = [&](cl_mem from, cl_mem to, const size_t *a, const size_t *b, const size_t *region) {
    return clEnqueueCopyImage(queue, from, to, a, b, region, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_IMAGE_FORMAT_MISMATCH, copy(image, other, zero().data(), zero().data(), one.data()));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(image, buffer, zero().data(), zero().data(), one.data()));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(buffer, image, zero().data(), zero().data(), one.data()));
  EXPECT_CL(CL_INVALID_VALUE, copy(image, image, nullptr, zero().data(), one.data()));
  EXPECT_CL(CL_INVALID_VALUE, copy(image, image, zero().data(), nullptr, one.data()));
  EXPECT_CL(CL_INVALID_VALUE, copy(image, image, zero().data(), right.data(), nullptr));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(image, image, zero().data(), right.data(), half.data()));
  EXPECT_CL(CL_SUCCESS, copy(image, image, zero().data(), right.data(), part.data())); // the same rows, other columns
  for (const auto &[origin, region] : outside(flat)) {
    EXPECT_CL(CL_INVALID_VALUE, copy(image, numbered(flat), origin.data(), zero().data(), region.data()));
    EXPECT_CL(CL_INVALID_VALUE, copy(image, numbered(flat), zero().data(), origin.data(), region.data()));
  }
}

TEST_F(ImageCommands, clEnqueueCopyImageToBuffer) {
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.description.image_type);
    cl_mem image = numbered(kind), buffer = makeBuffer(count(kind.region) * 4 + 8);
    EXPECT_CL(CL_SUCCESS, clEnqueueCopyImageToBuffer(queue, image, buffer, kind.origin.data(), kind.region.data(), 8, 0,
                                                     nullptr, nullptr));
    std::vector<cl_uint> got(count(kind.region));
    EXPECT_CL(CL_SUCCESS,
              clEnqueueReadBuffer(queue, buffer, CL_TRUE, 8, got.size() * 4, got.data(), 0, nullptr, nullptr));
    forRegion(kind, [&](size_t in, size_t at) { ASSERT_EQ(1000 + in, got[at]); });
    EXPECT_CL(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(queue, image, buffer, kind.origin.data(), kind.region.data(),
                                                           9, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer(queue, buffer, buffer, kind.origin.data(),
                                                                kind.region.data(), 0, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer(queue, image, image, kind.origin.data(),
                                                                kind.region.data(), 0, 0, nullptr, nullptr));
    for (const auto &[origin, region] : outside(kind))
      EXPECT_CL(CL_INVALID_VALUE,
                clEnqueueCopyImageToBuffer(queue, image, buffer, origin.data(), region.data(), 0, 0, nullptr, nullptr));
    if (cl_mem own = kind.description.mem_object)
      EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer(queue, image, own, kind.origin.data(),
                                                                  kind.region.data(), 0, 0, nullptr, nullptr));
  }
}

TEST_F(ImageCommands, clEnqueueCopyBufferToImage) {
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.description.image_type);
    std::vector<cl_uint> numbers(count(kind.region) + 1);
    std::iota(numbers.begin(), numbers.end(), 5u);
    cl_mem image = numbered(kind), buffer = makeBuffer(numbers.size() * 4, CL_MEM_COPY_HOST_PTR, numbers.data());
    EXPECT_CL(CL_SUCCESS, clEnqueueCopyBufferToImage(queue, buffer, image, 4, kind.origin.data(), kind.region.data(), 0,
                                                     nullptr, nullptr));
    std::vector<cl_uint> all = pixelsOf(image, kind), expected(all.size());
    std::iota(expected.begin(), expected.end(), 1000u);
    forRegion(kind, [&](size_t in, size_t at) { expected[in] = static_cast<cl_uint>(6 + at); });
    EXPECT_EQ(expected, all);
    EXPECT_CL(CL_INVALID_VALUE, clEnqueueCopyBufferToImage(queue, buffer, image, 5, kind.origin.data(),
                                                           kind.region.data(), 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(queue, image, image, 0, kind.origin.data(),
                                                                kind.region.data(), 0, nullptr, nullptr));
    for (const auto &[origin, region] : outside(kind))
      EXPECT_CL(CL_INVALID_VALUE,
                clEnqueueCopyBufferToImage(queue, buffer, image, 0, origin.data(), region.data(), 0, nullptr, nullptr));
  }
  // A 2D image in a buffer shares its memory: an overlap, not a crash.
  cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  cl_mem buffer = flat.mem_object = makeBuffer(256);
  cl_mem image = makeImage(flat, kRedInts, 0);
  const Three all = {4, 4, 1};
  const auto copy = [&](size_t offset) {
    return clEnqueueCopyBufferToImage(queue, buffer, image, offset, zero().data(), all.data(), 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(32));
  EXPECT_CL(CL_SUCCESS, copy(64));
}

TEST_F(ImageCommands, clEnqueueFillImage) {
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.description.image_type);
    cl_mem image = numbered(kind);
    cl_uint colour[4] = {77, 1, 2, 3};
    // The colour is taken before the call returns.
    EXPECT_CL(CL_SUCCESS,
              clEnqueueFillImage(queue, image, colour, kind.origin.data(), kind.region.data(), 0, nullptr, nullptr));
    colour[0] = 99;
    std::vector<cl_uint> all = pixelsOf(image, kind), expected(all.size());
    std::iota(expected.begin(), expected.end(), 1000u);
    forRegion(kind, [&](size_t in, size_t) { expected[in] = 77; });
    EXPECT_EQ(expected, all);
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueFillImage(queue, image, nullptr, kind.origin.data(), kind.region.data(), 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueFillImage(queue, image, colour, nullptr, kind.region.data(), 0, nullptr, nullptr));
    for (const auto &[origin, region] : outside(kind))
      EXPECT_CL(CL_INVALID_VALUE,
                clEnqueueFillImage(queue, image, colour, origin.data(), region.data(), 0, nullptr, nullptr));
  }
  EXPECT_CL(CL_INVALID_MEM_OBJECT,
            clEnqueueFillImage(queue, makeBuffer(4), &kRgba8, zero().data(), zero().data(), 0, nullptr, nullptr));

  // The three forms of a colour.
  const Three one = {1, 1, 1};
  const auto filled = [&](cl_image_format format, const void *colour) {
    cl_mem image = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 2, 2), format, CL_MEM_READ_ONLY);
    EXPECT_CL(CL_SUCCESS, clEnqueueFillImage(queue, image, colour, zero().data(), one.data(), 0, nullptr, nullptr));
    std::array<unsigned char, 16> pixel{};
    EXPECT_CL(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, zero().data(), one.data(), 0, 0, pixel.data(), 0,
                                             nullptr, nullptr));
    return pixel;
  };
  const cl_float floats[4] = {1, 0.5f, 0, 2};
  const cl_int ints[4] = {-1, 200, -200, 5};
  const cl_uint uints[4] = {300, 255, 1, 0};
  using Bytes = std::array<unsigned char, 16>;
  EXPECT_EQ((Bytes{255, 128, 0, 255}), filled({CL_RGBA, CL_UNORM_INT8}, floats));
  EXPECT_EQ((Bytes{0, 128, 255, 255}), filled({CL_BGRA, CL_UNORM_INT8}, floats));
  EXPECT_EQ((Bytes{255, 188, 0, 255}), filled({CL_sRGBA, CL_UNORM_INT8}, floats));
  EXPECT_EQ((Bytes{0xff, 127, 0x80, 5}), filled({CL_RGBA, CL_SIGNED_INT8}, ints));
  EXPECT_EQ((Bytes{255, 255, 1, 0}), filled({CL_RGBA, CL_UNSIGNED_INT8}, uints));
  EXPECT_EQ((Bytes{0x00, 0x3c, 0x00, 0x38}), filled({CL_RG, CL_HALF_FLOAT}, floats));
  EXPECT_EQ((Bytes{0x00, 0xfc}), filled({CL_RGB, CL_UNORM_SHORT_565}, floats)); // red 31, green 31.5: 32
  EXPECT_EQ((Bytes{0, 0, 0x80, 0x3f}), filled({CL_DEPTH, CL_FLOAT}, floats));
}

TEST_F(ImageCommands, clEnqueueMapImage) {
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.description.image_type);
    cl_mem image = numbered(kind);
    cl_int error = 0;
    size_t row = 0, slice = 99;
    const bool layersAreRows = kind.description.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const bool slices = layersAreRows || kind.extent[2] > 1;
    auto *mapped =
        static_cast<char *>(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, kind.origin.data(),
                                              kind.region.data(), &row, &slice, 0, nullptr, nullptr, &error));
    ASSERT_CL(error);
    EXPECT_EQ(infoOf<size_t>(image, CL_IMAGE_ROW_PITCH), row);
    EXPECT_EQ(infoOf<size_t>(image, CL_IMAGE_SLICE_PITCH), slice);
    EXPECT_EQ(1u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_MAP_COUNT, image));
    const Three &r = kind.region;
    forRegion(kind, [&](size_t in, size_t at) {
      const size_t x = at % r[0], y = at / r[0] % r[1], z = at / r[0] / r[1];
      auto *pixel = reinterpret_cast<cl_uint *>(mapped + x * 4 + y * (layersAreRows ? slice : row) + z * slice);
      ASSERT_EQ(1000 + in, *pixel);
      *pixel = static_cast<cl_uint>(at);
    });
    EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
    std::vector<cl_uint> all = pixelsOf(image, kind);
    forRegion(kind, [&](size_t in, size_t at) { ASSERT_EQ(at, all[in]); });

    const auto fails = [&](cl_int code, cl_map_flags flags, const size_t *origin, const size_t *region, size_t *rows,
                           size_t *other) {
      EXPECT_EQ(nullptr, clEnqueueMapImage(queue, image, CL_TRUE, flags, origin, region, rows, other, 0, nullptr,
                                           nullptr, &error));
      EXPECT_CL(code, error);
    };
    const size_t *o = kind.origin.data(), *size = kind.region.data();
    fails(CL_INVALID_VALUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, o, size, &row, &slice);
    fails(CL_INVALID_VALUE, 1 << 10, o, size, &row, &slice);
    fails(CL_INVALID_VALUE, CL_MAP_READ, nullptr, size, &row, &slice);
    fails(CL_INVALID_VALUE, CL_MAP_READ, o, nullptr, &row, &slice);
    fails(CL_INVALID_VALUE, CL_MAP_READ, o, size, nullptr, &slice);
    if (slices) fails(CL_INVALID_VALUE, CL_MAP_READ, o, size, &row, nullptr);
    for (const auto &[origin, region] : outside(kind))
      fails(CL_INVALID_VALUE, CL_MAP_READ, origin.data(), region.data(), &row, &slice);
  }
  cl_int error = 0;
  size_t row = 0;
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue, makeBuffer(4), CL_TRUE, CL_MAP_READ, zero().data(), zero().data(), &row,
                                       nullptr, 0, nullptr, nullptr, &error));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, error);
}

TEST_F(ImageCommands, mapsOfTheHostsOwnMemoryAndOverlaps) {
  std::vector<cl_uint> host(16 * 8);
  std::iota(host.begin(), host.end(), 0u);
  cl_image_desc flat = imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  flat.image_row_pitch = 64;
  cl_mem image = makeImage(flat, kRedInts, CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY, host.data());
  const Three left = {0, 0, 0}, right = {4, 0, 0}, half = {4, 8, 1}, one = {1, 1, 1}, inside = {3, 7, 0};
  cl_int error = 0;
  size_t row = 0;
  const auto map = [&](cl_mem of, cl_map_flags flags, const Three &origin, const Three &region) {
    return clEnqueueMapImage(queue, of, CL_TRUE, flags, origin.data(), region.data(), &row, nullptr, 0, nullptr,
                             nullptr, &error);
  };
  void *mapped = map(image, CL_MAP_READ, inside, one);
  EXPECT_EQ(host.data() + 7 * 16 + 3, mapped);
  EXPECT_EQ(64u, row);
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
  EXPECT_EQ(nullptr, map(image, CL_MAP_WRITE, inside, one));
  EXPECT_CL(CL_INVALID_OPERATION, error);

  cl_mem own = makeImage(imageOf(CL_MEM_OBJECT_IMAGE2D, 8, 8), kRedInts);
  void *a = map(own, CL_MAP_WRITE, left, half), *b = map(own, CL_MAP_WRITE, right, half);
  EXPECT_NE(nullptr, a);
  EXPECT_NE(nullptr, b);
  EXPECT_EQ(nullptr, map(own, CL_MAP_READ, inside, one));
  EXPECT_CL(CL_INVALID_OPERATION, error);
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, own, a, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, own, b, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

// A large image moves in pieces, on several threads.
TEST_F(ImageCommands, largeImages) {
  const Kind kind = {imageOf(CL_MEM_OBJECT_IMAGE3D, 512, 512, 9), {512, 512, 9}, {1, 2, 3}, {500, 509, 6}};
  cl_mem image = numbered(kind);
  std::vector<cl_uint> all = pixelsOf(image, kind);
  for (size_t i = 0; i < all.size(); ++i) ASSERT_EQ(1000 + i, all[i]);
  const cl_uint colour[4] = {3, 0, 0, 0};
  EXPECT_CL(CL_SUCCESS,
            clEnqueueFillImage(queue, image, colour, kind.origin.data(), kind.region.data(), 0, nullptr, nullptr));
  std::vector<cl_uint> expected = all;
  forRegion(kind, [&](size_t in, size_t) { expected[in] = 3; });
  EXPECT_TRUE(expected == pixelsOf(image, kind));
}

} // namespace
} // namespace us::test
