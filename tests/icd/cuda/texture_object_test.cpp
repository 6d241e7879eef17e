// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture objects, read by PTX. What is expected is computed from the formulas of CUDA's documents; how filters round,
// and the codes of wrong calls, are an H200's.
#include "tests/icd/cuda/texture_test.h"

#include <functional>
#include <numeric>

namespace us::cuda_test {
namespace {

constexpr CUaddress_mode kWrap = CU_TR_ADDRESS_MODE_WRAP, kClamp = CU_TR_ADDRESS_MODE_CLAMP,
                         kMirror = CU_TR_ADDRESS_MODE_MIRROR, kBorder = CU_TR_ADDRESS_MODE_BORDER;
constexpr CUfilter_mode kPoint = CU_TR_FILTER_MODE_POINT, kLinear = CU_TR_FILTER_MODE_LINEAR;

/// A plane of 5 x 3 floats: 10 * y + x + 1.
std::vector<float> plane() {
  std::vector<float> values;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) values.push_back(float(10 * y + x + 1));
  return values;
}

TEST_F(CudaTextures, descriptionsComeBack) {
  const CUarray a = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, plane());
  const CUDA_RESOURCE_DESC from = resource(a);
  const CUtexObject object = texture(from, kMirror, kLinear, CU_TRSF_NORMALIZED_COORDINATES, {1, 2, 3, 4});
  EXPECT_NE(object, 0u);
  CUDA_RESOURCE_DESC back = {};
  EXPECT_OK(CU(cuTexObjectGetResourceDesc)(&back, object));
  EXPECT_EQ(back.resType, CU_RESOURCE_TYPE_ARRAY);
  EXPECT_EQ(back.res.array.hArray, a);
  CUDA_TEXTURE_DESC text = {};
  EXPECT_OK(CU(cuTexObjectGetTextureDesc)(&text, object));
  EXPECT_EQ(text.addressMode[2], kMirror);
  EXPECT_EQ(text.filterMode, kLinear);
  EXPECT_EQ(text.borderColor[3], 4);
  CUDA_RESOURCE_VIEW_DESC view = {};
  EXPECT_EQ(CU(cuTexObjectGetResourceViewDesc)(&view, object), CUDA_ERROR_INVALID_VALUE);
  view.format = CU_RES_VIEW_FORMAT_UINT_1X32;
  view.width = 5;
  view.height = 3;
  CUtexObject other = 0;
  EXPECT_OK(CU(cuTexObjectCreate)(&other, &from, &text, &view));
  CUDA_RESOURCE_VIEW_DESC seen = {};
  EXPECT_OK(CU(cuTexObjectGetResourceViewDesc)(&seen, other));
  EXPECT_EQ(seen.format, CU_RES_VIEW_FORMAT_UINT_1X32);
  EXPECT_OK(CU(cuTexObjectDestroy)(object));
  EXPECT_EQ(CU(cuTexObjectDestroy)(object), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuTexObjectGetTextureDesc)(&text, object), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuTexObjectDestroy)(other));
  EXPECT_OK(CU(cuTexObjectDestroy)(0));
}

TEST_F(CudaTextures, wrongObjects) {
  const CUarray a = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, plane());
  const CUdeviceptr memory = allocate(8192);
  CUtexObject object = 0;
  const auto attempt = [&](const std::function<void(CUDA_RESOURCE_DESC &, CUDA_TEXTURE_DESC &)> &change) {
    CUDA_RESOURCE_DESC r = resource(a);
    CUDA_TEXTURE_DESC t = {};
    change(r, t);
    const CUresult result = CU(cuTexObjectCreate)(&object, &r, &t, nullptr);
    if (result == CUDA_SUCCESS) EXPECT_OK(CU(cuTexObjectDestroy)(object));
    return result;
  };
  const auto linear = [&](CUdeviceptr pointer, unsigned channels, size_t bytes) {
    return attempt([&](CUDA_RESOURCE_DESC &r, CUDA_TEXTURE_DESC &) {
      r.resType = CU_RESOURCE_TYPE_LINEAR;
      r.res.linear = {pointer, CU_AD_FORMAT_FLOAT, channels, bytes};
    });
  };
  const auto pitched = [&](CUdeviceptr pointer, size_t width, size_t pitch) {
    return attempt([&](CUDA_RESOURCE_DESC &r, CUDA_TEXTURE_DESC &) {
      r.resType = CU_RESOURCE_TYPE_PITCH2D;
      r.res.pitch2D = {pointer, CU_AD_FORMAT_FLOAT, 1, width, 4, pitch};
    });
  };
  constexpr CUresult kBad = CUDA_ERROR_INVALID_VALUE;
  EXPECT_EQ(attempt([](auto &, auto &) {}), CUDA_SUCCESS);
  EXPECT_EQ(attempt([](auto &r, auto &) { r.resType = CUresourcetype(7); }), kBad);
  EXPECT_EQ(attempt([](auto &r, auto &) { r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY; }), kBad); // not one
  EXPECT_EQ(attempt([](auto &r, auto &) { r.flags = 1; }), kBad);
  EXPECT_EQ(attempt([](auto &r, auto &) { r.res.array.hArray = nullptr; }), kBad);
  EXPECT_EQ(attempt([](auto &, auto &t) { t.flags = 1024; }), kBad);
  EXPECT_EQ(attempt([](auto &, auto &t) { t.addressMode[0] = CUaddress_mode(9); }), kBad);
  EXPECT_EQ(attempt([](auto &, auto &t) { t.filterMode = CUfilter_mode(5); }), kBad);
  EXPECT_EQ(linear(memory, 1, 64), CUDA_SUCCESS);
  EXPECT_EQ(linear(memory + 512, 1, 64), CUDA_SUCCESS);
  EXPECT_EQ(linear(memory + 256, 1, 64), kBad); // TEXTURE_ALIGNMENT
  EXPECT_EQ(linear(memory, 3, 48), kBad);
  EXPECT_EQ(linear(0, 1, 64), kBad);
  EXPECT_EQ(linear(memory, 1, size_t(1) << 36), kBad);
  EXPECT_EQ(pitched(memory, 8, 64), CUDA_SUCCESS);
  EXPECT_EQ(pitched(memory, 8, 32), CUDA_SUCCESS);
  EXPECT_EQ(pitched(memory, 8, 48), kBad); // TEXTURE_PITCH_ALIGNMENT
  EXPECT_EQ(pitched(memory, 9, 32), kBad);
  EXPECT_EQ(pitched(memory + 32, 8, 64), kBad);
  EXPECT_EQ(pitched(memory, 200000, 1 << 20), kBad);
  const CUDA_RESOURCE_DESC r = resource(a);
  const CUDA_TEXTURE_DESC t = {};
  EXPECT_EQ(CU(cuTexObjectCreate)(nullptr, &r, &t, nullptr), kBad);
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, nullptr, &t, nullptr), kBad);
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, &r, nullptr, nullptr), kBad);
  CUDA_RESOURCE_VIEW_DESC view = {};
  view.format = CU_RES_VIEW_FORMAT_FLOAT_2X32;
  view.width = 5;
  view.height = 3;
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, &r, &t, &view), kBad); // texels of another size
  view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
  view.width = 4;
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, &r, &t, &view), kBad);
}

/// All formats and numbers of channels, as integers and as fractions of 1.
TEST_F(CudaTextures, formats) {
  struct Row {
    CUarray_format format;
    unsigned bytes;
    double (*asNumber)(const unsigned char *), scale; ///< scale 0: always an integer or a float
  };
  constexpr Row kRows[] = {
      {CU_AD_FORMAT_UNSIGNED_INT8, 1, [](const unsigned char *p) { return double(*p); }, 255},
      {CU_AD_FORMAT_SIGNED_INT8, 1, [](const unsigned char *p) { return double(int8_t(*p)); }, 127},
      {CU_AD_FORMAT_UNSIGNED_INT16, 2, [](const unsigned char *p) { return double(p[0] | p[1] << 8); }, 65535},
      {CU_AD_FORMAT_SIGNED_INT16, 2, [](const unsigned char *p) { return double(int16_t(p[0] | p[1] << 8)); }, 32767},
      {CU_AD_FORMAT_UNSIGNED_INT32, 4,
       [](const unsigned char *p) { return double(p[0] | p[1] << 8 | p[2] << 16 | uint32_t(p[3]) << 24); }, 0},
      {CU_AD_FORMAT_SIGNED_INT32, 4,
       [](const unsigned char *p) { return double(int32_t(p[0] | p[1] << 8 | p[2] << 16 | uint32_t(p[3]) << 24)); }, 0},
  };
  const CUfunction kernel = read("tex.2d.v4.u32.f32", "{%f0, %f1}");
  for (const Row &row : kRows) {
    for (const unsigned channels : {1u, 2u, 4u}) {
      std::vector<unsigned char> bytes(size_t(row.bytes) * channels * 6);
      for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37 + 200);
      const CUarray a = array(3, 2, 0, row.format, channels, 0, bytes);
      for (const bool asInteger : {true, false}) {
        const CUtexObject t = texture(resource(a), kClamp, kPoint, asInteger ? CU_TRSF_READ_AS_INTEGER : 0);
        const std::vector<Quad> got = run(kernel, t, {Quad::floats(0.5f, 0.5f), Quad::floats(2.9f, 1.1f)});
        for (size_t texel = 0; texel < 2; ++texel) {
          for (unsigned c = 0; c < 4; ++c) {
            const double value =
                c < channels ? row.asNumber(&bytes[((texel == 0 ? 0 : 5) * channels + c) * row.bytes]) : 0;
            if (asInteger || row.scale == 0) {
              EXPECT_EQ(got[texel].words[c], uint32_t(int64_t(value))) << row.format << " x " << channels;
            } else {
              EXPECT_EQ(got[texel].at(c), float(std::max(value / row.scale, -1.0))) << row.format << " x " << channels;
            }
          }
        }
        EXPECT_OK(CU(cuTexObjectDestroy)(t));
      }
      EXPECT_OK(CU(cuArrayDestroy)(a));
    }
  }
}

TEST_F(CudaTextures, halvesAndFloats) {
  const CUfunction kernel = read("tex.2d.v4.f32.f32", "{%f0, %f1}");
  // 1, -2, 0.5, 65504
  const CUarray halves = array(1, 1, 0, CU_AD_FORMAT_HALF, 4, 0, std::vector<uint16_t>{0x3c00, 0xc000, 0x3800, 0x7bff});
  EXPECT_EQ(run(kernel, texture(resource(halves), kClamp, kPoint, 0), {Quad::floats(0, 0)})[0],
            Quad::floats(1, -2, 0.5f, 65504));
  const CUarray floats = array(1, 1, 0, CU_AD_FORMAT_FLOAT, 2, 0, std::vector<float>{-0.1f, 3e30f});
  EXPECT_EQ(run(kernel, texture(resource(floats), kClamp, kPoint, 0), {Quad::floats(0, 0)})[0],
            Quad::floats(-0.1f, 3e30f, 0, 0));
  // A result of halves, two in each register.
  const CUfunction pairs = CudaTextures::kernel("tex.2d.v2.f16x2.f32 {%r10, %r11}, [%rd0, {%f0, %f1}];");
  EXPECT_EQ(run(pairs, texture(resource(halves), kClamp, kPoint, 0), {Quad::floats(0, 0)})[0].words,
            (std::array<uint32_t, 4>{0xc0003c00, 0x7bff3800, 0, 0}));
}

/// "tex(x) = T[i]", i = floor(x), and what stands outside.
TEST_F(CudaTextures, addressing) {
  const std::vector<float> values = plane();
  const CUarray a = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, values);
  const CUfunction kernel = read("tex.2d.v4.f32.f32", "{%f0, %f1}");
  const auto bring = [](int i, int n, CUaddress_mode mode) {
    if (i >= 0 && i < n) return i;
    if (mode == kBorder) return -1;
    if (mode == kWrap) return ((i % n) + n) % n;
    const int period = ((i % (2 * n)) + 2 * n) % (2 * n);
    if (mode == kMirror) return period < n ? period : 2 * n - 1 - period;
    return i < 0 ? 0 : n - 1;
  };
  std::vector<std::pair<int, int>> places;
  for (int y = -4; y < 8; y += 2)
    for (int x = -11; x < 16; x += 3) places.emplace_back(x, y);
  for (const CUaddress_mode mode : {kWrap, kClamp, kMirror, kBorder}) {
    for (const bool isNormalized : {false, true}) {
      const CUtexObject t = texture(resource(a), mode, kPoint, isNormalized ? CU_TRSF_NORMALIZED_COORDINATES : 0, {99});
      std::vector<Quad> in;
      for (const auto &[x, y] : places) {
        const float fx = float(x) + 0.5f, fy = float(y) + 0.5f;
        in.push_back(isNormalized ? Quad::floats(fx / 5, fy / 3) : Quad::floats(fx, fy));
      }
      const std::vector<Quad> got = run(kernel, t, in);
      // "wrap and mirror are only supported for normalized coordinates", else they are clamp.
      const CUaddress_mode real = !isNormalized && mode != kBorder ? kClamp : mode;
      for (size_t i = 0; i < places.size(); ++i) {
        const int x = bring(places[i].first, 5, real), y = bring(places[i].second, 3, real);
        EXPECT_EQ(got[i].at(0), x < 0 || y < 0 ? 99.0f : values[size_t(y * 5 + x)])
            << "mode " << mode << (isNormalized ? " normalized " : " ") << places[i].first << ", " << places[i].second;
      }
    }
  }
}

/// Fractions in 256ths; of the products of two the first is rounded, the others make up the sum.
double bilinear(const std::function<double(int, int)> &texel, float x, float y) {
  const int fixedX = int(std::floor((double(x) - 0.5) * 256 + 0.5)),
            fixedY = int(std::floor((double(y) - 0.5) * 256 + 0.5));
  const int i = fixedX >> 8, j = fixedY >> 8, fx = fixedX & 255, fy = fixedY & 255;
  const int both = (fx * fy + 128) / 256;
  return (texel(i, j) * (256 - fx - fy + both) + texel(i + 1, j) * (fx - both) + texel(i, j + 1) * (fy - both) +
          texel(i + 1, j + 1) * both) /
         256;
}

TEST_F(CudaTextures, linearFilter) {
  const std::vector<float> values = plane();
  const CUarray a = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, values);
  const CUfunction kernel = read("tex.2d.v4.f32.f32", "{%f0, %f1}");
  std::vector<Quad> in;
  for (int i = 0; i < 200; ++i) in.push_back(Quad::floats(float(i) * 0.0371f - 1, 4.5f - float(i) * 0.0293f));
  for (const CUaddress_mode mode : {kClamp, kBorder}) {
    const std::vector<Quad> got = run(kernel, texture(resource(a), mode, kLinear, 0, {-7}), in);
    const auto texel = [&](int x, int y) {
      const bool isInside = x >= 0 && x < 5 && y >= 0 && y < 3;
      if (!isInside && mode == kBorder) return -7.0;
      return double(values[size_t(std::clamp(y, 0, 2) * 5 + std::clamp(x, 0, 4))]);
    };
    for (size_t i = 0; i < in.size(); ++i)
      EXPECT_EQ(got[i].at(0), float(bilinear(texel, in[i].at(0), in[i].at(1)))) << in[i].at(0) << ", " << in[i].at(1);
  }
  // Without mipmaps levels and gradients change nothing.
  const CUtexObject t = texture(resource(a), kClamp, kLinear, 0);
  const std::vector<Quad> plain = run(kernel, t, in);
  EXPECT_EQ(
      run(CudaTextures::kernel("tex.level.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd0, {%f0, %f1}], %f3;"), t, in),
      plain);
  EXPECT_EQ(run(CudaTextures::kernel("tex.grad.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd0, {%f0, %f1}], {%f2, %f3}, "
                                     "{%f3, %f2};"),
                t, in),
            plain);
}

/// Bytes are mixed as 16-bit numbers: 257 * v.
TEST_F(CudaTextures, linearFilterOfBytes) {
  const std::vector<unsigned char> values = {0, 255, 10, 77};
  const CUarray a = array(2, 2, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0, values);
  std::vector<Quad> in;
  for (int i = 0; i < 64; ++i) in.push_back(Quad::floats(0.5f + float(i) / 64, 1.5f - float(i * i) / 4096));
  const std::vector<Quad> got =
      run(read("tex.2d.v4.f32.f32", "{%f0, %f1}"), texture(resource(a), kClamp, kLinear, 0), in);
  const auto texel = [&](int x, int y) {
    return 257.0 * values[size_t(std::clamp(y, 0, 1) * 2 + std::clamp(x, 0, 1))];
  };
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(got[i].at(0), float(std::floor(bilinear(texel, in[i].at(0), in[i].at(1)) + 0.5) / 65535));
}

TEST_F(CudaTextures, otherShapes) {
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 1.0f);
  const CUarray line = array(24, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0, values);
  const CUarray box = array(4, 3, 2, CU_AD_FORMAT_FLOAT, 1, 0, values);
  const CUarray lines = array(8, 0, 3, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED, values);
  const CUarray planes = array(4, 2, 3, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED, values);
  const CUarray cube = array(2, 2, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP, values);
  const auto one = [&](CUarray a, CUfilter_mode filter, CUfunction kernel, Quad at) {
    return run(kernel, texture(resource(a), kClamp, filter, 0), {at})[0].at(0);
  };
  EXPECT_EQ(one(line, kPoint, read("tex.1d.v4.f32.f32", "{%f0}"), Quad::floats(7.9f)), 8);
  EXPECT_EQ(one(line, kLinear, read("tex.1d.v4.f32.f32", "%f0"), Quad::floats(8)), 8.5f);
  const CUfunction volume = read("tex.3d.v4.f32.f32", "{%f0, %f1, %f2, %f2}");
  EXPECT_EQ(one(box, kPoint, volume, Quad::floats(1.5f, 2.5f, 1.5f)), 1 + 1 + 4 * 2 + 12);
  EXPECT_EQ(one(box, kLinear, volume, Quad::floats(1, 1, 1)), 1 + 0.5f + 4 * 0.5f + 12 * 0.5f);
  const CUfunction rows = read("tex.a1d.v4.f32.f32", "{%r1, %f0}");
  for (const auto &[layer, real] : std::vector<std::pair<int, int>>{{0, 0}, {2, 2}, {7, 2}}) {
    Quad at = Quad::floats(3.5f);
    at.words[1] = uint32_t(layer);
    EXPECT_EQ(one(lines, kPoint, rows, at), float(8 * real + 4));
  }
  Quad inLayer = Quad::floats(2, 1);
  inLayer.words[2] = 1;
  EXPECT_EQ(one(planes, kLinear, read("tex.a2d.v4.f32.f32", "{%r2, %f0, %f1, %f1}"), inLayer), 8 + 2.5f + 4 * 0.5f);
  // Faces +x, -x, +y, -y, +z, -z; the table of the document says where on them.
  const CUfunction faces = read("tex.cube.v4.f32.f32", "{%f0, %f1, %f2, %f2}");
  EXPECT_EQ(one(cube, kPoint, faces, Quad::floats(1, 0.5f, 0.5f)), 1);      // s = -z, t = -y
  EXPECT_EQ(one(cube, kPoint, faces, Quad::floats(-1, 0.5f, 0.5f)), 4 + 2); // s = z, t = -y
  EXPECT_EQ(one(cube, kPoint, faces, Quad::floats(0.5f, 1, 0.5f)), 8 + 4);  // s = x, t = z
  EXPECT_EQ(one(cube, kPoint, faces, Quad::floats(0.5f, -1, 0.5f)), 12 + 2);
  EXPECT_EQ(one(cube, kPoint, faces, Quad::floats(0.5f, 0.5f, 1)), 16 + 2);
  EXPECT_EQ(one(cube, kPoint, faces, Quad::floats(0.5f, 0.5f, -1)), 20 + 1);
  EXPECT_EQ(one(cube, kLinear, faces, Quad::floats(0, 0, -1)), 20 + 2.5f);
  std::vector<float> cubes(2 * 24);
  std::iota(cubes.begin(), cubes.end(), 1.0f);
  const CUarray two = array(2, 2, 12, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED, cubes);
  Quad second = Quad::floats(0.5f, 0.5f, 1);
  second.words[3] = 1;
  EXPECT_EQ(one(two, kPoint, read("tex.acube.v4.f32.f32", "{%r3, %f0, %f1, %f2}"), second), 24 + 16 + 2);
}

/// A filter that reaches across the edge of a face finds the next face.
TEST_F(CudaTextures, seamlessCubes) {
  std::vector<float> values(24);
  for (int face = 0; face < 6; ++face)
    for (int i = 0; i < 4; ++i) values[size_t(face * 4 + i)] = float(face);
  const CUarray cube = array(2, 2, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP, values);
  const CUfunction faces = read("tex.cube.v4.f32.f32", "{%f0, %f1, %f2, %f2}");
  const std::vector<Quad> edge = {Quad::floats(1, 0, 0.99999f)}; // between +x, which is 0, and +z, which is 4
  EXPECT_EQ(run(faces, texture(resource(cube), kClamp, kLinear, 0), edge)[0].at(0), 0);
  EXPECT_EQ(run(faces, texture(resource(cube), kClamp, kLinear, CU_TRSF_SEAMLESS_CUBEMAP), edge)[0].at(0), 2);
}

/// "tld4: the four texels of a bilinear footprint", counter-clockwise from the lower left.
TEST_F(CudaTextures, gather) {
  const std::vector<float> values = plane();
  const CUarray a = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_TEXTURE_GATHER, values);
  const CUtexObject t = texture(resource(a), kClamp, kPoint, 0);
  const std::vector<Quad> got =
      run(read("tld4.r.2d.v4.f32.f32", "{%f0, %f1}"), t, {Quad::floats(2, 1), Quad::floats(0.1f, 2.9f)});
  EXPECT_EQ(got[0], Quad::floats(12, 13, 3, 2));
  EXPECT_EQ(got[1], Quad::floats(21, 21, 21, 21));
  const CUarray colors = array(2, 1, 0, CU_AD_FORMAT_FLOAT, 4, 0, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(run(read("tld4.b.2d.v4.f32.f32", "{%f0, %f1}"), texture(resource(colors), kClamp, kPoint, 0),
                {Quad::floats(1, 0.5f)})[0],
            Quad::floats(3, 7, 7, 3));
}

TEST_F(CudaTextures, linearMemory) {
  const std::vector<int16_t> values = {1, -2, 3, -4, 5, -6};
  const CUdeviceptr memory = upload(values);
  CUDA_RESOURCE_DESC r = {};
  r.resType = CU_RESOURCE_TYPE_LINEAR;
  r.res.linear = {memory, CU_AD_FORMAT_SIGNED_INT16, 2, 12};
  const CUfunction fetch = read("tex.1d.v4.s32.s32", "{%r0}");
  const std::vector<Quad> in = {Quad::integers(0), Quad::integers(2), Quad::integers(3), Quad::integers(-1)};
  // "out of range: zero"
  EXPECT_EQ(run(fetch, texture(r, kClamp, kPoint, CU_TRSF_READ_AS_INTEGER), in),
            (std::vector{Quad::integers(1, -2), Quad::integers(5, -6), Quad(), Quad()}));
  EXPECT_EQ(run(fetch, texture(r, kClamp, kPoint, 0), in)[1], Quad::floats(5 / 32767.0f, -6 / 32767.0f));
}

TEST_F(CudaTextures, pitchedMemory) {
  std::vector<float> rows(3 * 16);
  const std::vector<float> values = plane();
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 5; ++x) rows[y * 16 + x] = values[y * 5 + x];
  CUDA_RESOURCE_DESC r = {};
  r.resType = CU_RESOURCE_TYPE_PITCH2D;
  r.res.pitch2D = {upload(rows), CU_AD_FORMAT_FLOAT, 1, 5, 3, 64};
  const std::vector<Quad> got =
      run(read("tex.2d.v4.f32.f32", "{%f0, %f1}"), texture(r, kClamp, kLinear, CU_TRSF_NORMALIZED_COORDINATES),
          {Quad::floats(0.4f, 0.5f), Quad::floats(1, 1)});
  EXPECT_EQ(got[0].at(0), 12.5f);
  EXPECT_EQ(got[1].at(0), 25);
}

TEST_F(CudaTextures, queries) {
  const CUarray a = array(5, 3, 2, CU_AD_FORMAT_UNSIGNED_INT8, 2, 0, std::vector<unsigned char>(60));
  const CUtexObject t = texture(resource(a), kMirror, kLinear, CU_TRSF_NORMALIZED_COORDINATES);
  EXPECT_EQ(run(kernel("txq.width.b32 %r10, [%rd0]; txq.height.b32 %r11, [%rd0]; txq.depth.b32 %r12, [%rd0];"
                       "txq.channel_order.b32 %r13, [%rd0];"),
                t, {Quad()})[0],
            Quad::integers(5, 3, 2, 0x10B2)); // as OpenCL C numbers RG
  EXPECT_EQ(run(kernel("txq.normalized_coords.b32 %r10, [%rd0]; txq.filter_mode.b32 %r11, [%rd0];"
                       "txq.addr_mode_1.b32 %r12, [%rd0]; txq.channel_data_type.b32 %r13, [%rd0];"),
                t, {Quad()})[0],
            Quad::integers(1, 1, 2, 0x10D2)); // and UNORM_INT8
  const CUarray layers = array(5, 0, 3, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED, std::vector<float>(15));
  EXPECT_EQ(run(kernel("txq.array_size.b32 %r10, [%rd0]; txq.level.width.b32 %r11, [%rd0], 0;"
                       "txq.num_mipmap_levels.b32 %r12, [%rd0]; txq.num_samples.b32 %r13, [%rd0];"),
                texture(resource(layers), kClamp, kPoint, 0), {Quad()})[0],
            Quad::integers(3, 5, 1, 1));
}

/// A handle that is none ends the kernel as a wild pointer does.
TEST_F(CudaTextures, nullHandle) {
  run(read("tex.2d.v4.f32.f32", "{%f0, %f1}"), 0, {Quad()}, CUDA_ERROR_ILLEGAL_ADDRESS);
}

/// The array lives while a texture looks into it.
TEST_F(CudaTextures, destroyedArray) {
  const CUarray a = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, plane());
  const CUtexObject t = texture(resource(a), kClamp, kPoint, 0);
  EXPECT_OK(CU(cuArrayDestroy)(a));
  EXPECT_EQ(run(read("tex.2d.v4.f32.f32", "{%f0, %f1}"), t, {Quad::floats(1.5f, 1.5f)})[0].at(0), 12);
  EXPECT_OK(CU(cuTexObjectDestroy)(t));
}

/// A texture of one context into an array of another, which ends first with the array's memory.
TEST_F(CudaTextures, arrayOfAnotherContext) {
  CUcontext other = nullptr;
  ASSERT_OK(CU(cuCtxCreate_v2)(&other, 0, 0));
  const CUarray a = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, plane());
  CUcontext popped = nullptr;
  EXPECT_OK(CU(cuCtxPopCurrent_v2)(&popped));
  const CUtexObject t = texture(resource(a), kClamp, kPoint, 0);
  EXPECT_OK(CU(cuCtxPushCurrent_v2)(other));
  EXPECT_OK(CU(cuArrayDestroy)(a));
  EXPECT_OK(CU(cuCtxDestroy_v2)(other));
  // What gets the memory next keeps it.
  const std::vector<float> values = plane();
  const CUdeviceptr memory = upload(values);
  const CUarray next = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, values);
  EXPECT_OK(CU(cuTexObjectDestroy)(t));
  EXPECT_EQ(download<float>(memory, 15), values);
  EXPECT_EQ(run(read("tex.2d.v4.f32.f32", "{%f0, %f1}"), texture(resource(next), kClamp, kPoint, 0),
                {Quad::floats(1.5f, 1.5f)})[0]
                .at(0),
            12);
}

} // namespace
} // namespace us::cuda_test
