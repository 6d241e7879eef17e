// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surface objects: reads, writes and reductions of PTX, and its three boundary modes.
#include "tests/icd/cuda/texture_test.h"

#include <numeric>

namespace us::cuda_test {
namespace {

/// 8 x 4 words: 100 * y + x.
std::vector<uint32_t> words() {
  std::vector<uint32_t> values;
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 8; ++x) values.push_back(100 * y + x);
  return values;
}

class CudaSurfaces : public CudaTextures {
protected:
  CUarray plane() { return array(8, 4, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST, words()); }
  template <class T> std::vector<T> content(CUarray a, size_t rowBytes, size_t rows) {
    std::vector<T> all(rowBytes / sizeof(T) * rows);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = a;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = all.data();
    copy.dstPitch = rowBytes;
    copy.WidthInBytes = rowBytes;
    copy.Height = rows;
    EXPECT_OK(CU(cuMemcpy2D_v2)(&copy));
    return all;
  }
};

TEST_F(CudaSurfaces, objects) {
  const CUarray a = plane();
  const CUDA_RESOURCE_DESC from = resource(a);
  CUsurfObject object = 0;
  ASSERT_OK(CU(cuSurfObjectCreate)(&object, &from));
  CUDA_RESOURCE_DESC back = {};
  EXPECT_OK(CU(cuSurfObjectGetResourceDesc)(&back, object));
  EXPECT_EQ(back.res.array.hArray, a);
  EXPECT_OK(CU(cuSurfObjectDestroy)(object));
  EXPECT_EQ(CU(cuSurfObjectDestroy)(object), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuSurfObjectDestroy)(0));
  const CUDA_RESOURCE_DESC plain = resource(array(8, 4, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0, words()));
  EXPECT_EQ(CU(cuSurfObjectCreate)(&object, &plain), CUDA_ERROR_INVALID_VALUE);
  CUDA_RESOURCE_DESC memory = {};
  memory.resType = CU_RESOURCE_TYPE_LINEAR;
  memory.res.linear = {allocate(64), CU_AD_FORMAT_FLOAT, 1, 64};
  EXPECT_EQ(CU(cuSurfObjectCreate)(&object, &memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuSurfObjectCreate)(nullptr, &from), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(CudaSurfaces, boundaries) {
  const CUsurfObject s = surface(plane());
  std::vector<Quad> in;
  for (const int x : {-8, -4, 0, 12, 28, 32, 400})
    for (const int y : {-1, 0, 3, 4}) in.push_back(Quad::integers(x, y));
  const std::vector<Quad> clamped = run(kernel("suld.b.2d.b32.clamp {%r10}, [%rd0, {%r0, %r1}];"), s, in);
  const std::vector<Quad> zero = run(kernel("suld.b.2d.b32.zero {%r10}, [%rd0, {%r0, %r1}];"), s, in);
  for (size_t i = 0; i < in.size(); ++i) {
    const int x = int(in[i].words[0]), y = int(in[i].words[1]);
    const bool isInside = x >= 0 && x < 32 && y >= 0 && y < 4;
    EXPECT_EQ(clamped[i].words[0], uint32_t(100 * std::clamp(y, 0, 3) + std::clamp(x, 0, 28) / 4)) << x << ", " << y;
    EXPECT_EQ(zero[i].words[0], isInside ? uint32_t(100 * y + x / 4) : 0) << x << ", " << y;
  }
  const CUfunction trapping = kernel("suld.b.2d.b32.trap {%r10}, [%rd0, {%r0, %r1}];");
  EXPECT_EQ(run(trapping, s, {Quad::integers(12, 2)})[0].words[0], 203u);
  // As an H200 says it; the error stays.
  run(trapping, s, {Quad::integers(32, 2)}, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(CudaSurfaces, trappingStore) {
  run(kernel("sust.b.2d.b32.trap [%rd0, {%r0, %r1}], {%r2};"), surface(plane()), {Quad::integers(0, 4)},
      CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(CudaSurfaces, sizes) {
  std::vector<uint32_t> values(4 * 2 * 4);
  std::iota(values.begin(), values.end(), 0x03020100u);
  const CUarray a = array(4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 4, CUDA_ARRAY3D_SURFACE_LDST, values);
  const CUsurfObject s = surface(a);
  const Quad at = Quad::integers(16, 1); // texel 5
  EXPECT_EQ(run(kernel("suld.b.2d.v4.b32.trap {%r10, %r11, %r12, %r13}, [%rd0, {%r0, %r1}];"), s, {at})[0].words,
            (std::array{values[20], values[21], values[22], values[23]}));
  EXPECT_EQ(run(kernel("suld.b.2d.v2.b32.trap {%r10, %r11}, [%rd0, {%r0, %r1}];"), s, {at})[0].words[1], values[21]);
  EXPECT_EQ(
      run(kernel("suld.b.2d.b64.trap {%rd5}, [%rd0, {%r0, %r1}]; mov.b64 {%r10, %r11}, %rd5;"), s, {at})[0].words[1],
      values[21]);
  EXPECT_EQ(
      run(kernel("suld.b.2d.b8.trap {%h0}, [%rd0, {%r0, %r1}]; cvt.u32.u16 %r10, %h0;"), s, {Quad::integers(18, 1)})[0]
          .words[0],
      values[20] >> 16 & 0xff);
  EXPECT_EQ(
      run(kernel("suld.b.2d.b16.trap {%h0}, [%rd0, {%r0, %r1}]; cvt.u32.u16 %r10, %h0;"), s, {Quad::integers(18, 1)})[0]
          .words[0],
      values[20] >> 16);
  run(kernel("sust.b.2d.v4.b32.trap [%rd0, {%r0, %r1}], {%r1, %r0, %r1, %r0};"), s, {at});
  run(kernel("cvt.u16.u32 %h0, %r2; sust.b.2d.b8.trap [%rd0, {%r0, %r1}], {%h0};"), s, {Quad::integers(33, 0, 0xAB)});
  values[20] = values[22] = 1;
  values[21] = values[23] = 16;
  values[8] = (values[8] & 0xffff00ffu) | 0xAB00;
  EXPECT_EQ(content<uint32_t>(a, 64, 2), values);
}

TEST_F(CudaSurfaces, storesOutside) {
  const CUarray a = plane();
  const CUsurfObject s = surface(a);
  const std::vector<Quad> outside = {Quad::integers(400, 1, 7), Quad::integers(-4, 2, 8)};
  std::vector<uint32_t> values = words();
  run(kernel("sust.b.2d.b32.zero [%rd0, {%r0, %r1}], {%r2};"), s, outside);
  EXPECT_EQ(content<uint32_t>(a, 32, 4), values);
  run(kernel("sust.b.2d.b32.clamp [%rd0, {%r0, %r1}], {%r2};"), s, outside);
  values[8 + 7] = 7;
  values[16] = 8;
  EXPECT_EQ(content<uint32_t>(a, 32, 4), values);
}

TEST_F(CudaSurfaces, shapes) {
  std::vector<uint32_t> values(24);
  std::iota(values.begin(), values.end(), 0u);
  constexpr unsigned kSurface = CUDA_ARRAY3D_SURFACE_LDST, kLayered = CUDA_ARRAY3D_LAYERED;
  const auto one = [&](CUarray a, const char *body, Quad at) {
    return run(kernel(body), surface(a), {at})[0].words[0];
  };
  constexpr CUarray_format kWord = CU_AD_FORMAT_UNSIGNED_INT32;
  EXPECT_EQ(
      one(array(24, 0, 0, kWord, 1, kSurface, values), "suld.b.1d.b32.trap {%r10}, [%rd0, {%r0}];", Quad::integers(20)),
      5u);
  EXPECT_EQ(one(array(4, 3, 2, kWord, 1, kSurface, values), "suld.b.3d.b32.trap {%r10}, [%rd0, {%r0, %r1, %r2, %r2}];",
                Quad::integers(8, 2, 1)),
            2u + 8 + 12);
  EXPECT_EQ(one(array(8, 0, 3, kWord, 1, kSurface | kLayered, values),
                "suld.b.a1d.b32.trap {%r10}, [%rd0, {%r1, %r0}];", Quad::integers(8, 2)),
            2u + 16);
  const CUarray layers = array(4, 2, 3, kWord, 1, kSurface | kLayered, values);
  EXPECT_EQ(one(layers, "suld.b.a2d.b32.trap {%r10}, [%rd0, {%r2, %r0, %r1, %r1}];", Quad::integers(4, 1, 2)),
            1u + 4 + 16);
  EXPECT_EQ(one(layers, "suld.b.a2d.b32.clamp {%r10}, [%rd0, {%r2, %r0, %r1, %r1}];", Quad::integers(4, 1, 9)),
            1u + 4 + 16);
  const Quad got =
      run(kernel("suq.width.b32 %r10, [%rd0]; suq.height.b32 %r11, [%rd0]; suq.array_size.b32 %r12, [%rd0];"
                 "suq.channel_data_type.b32 %r13, [%rd0];"),
          surface(layers), {Quad()})[0];
  EXPECT_EQ(got, Quad::integers(4, 2, 3, 0x10DC)); // as OpenCL C numbers UNSIGNED_INT32
}

/// "sust.p: the values are converted to the surface's format"; x counts texels.
TEST_F(CudaSurfaces, formattedStores) {
  const CUfunction store = kernel("sust.p.2d.v4.b32.trap [%rd0, {%r0, %r1}], {%r2, %r3, %r2, %r3};");
  const auto stored = [&]<class T>(CUarray_format format, unsigned channels, uint32_t a, uint32_t b, T) {
    const CUarray made =
        array(4, 1, 0, format, channels, CUDA_ARRAY3D_SURFACE_LDST, std::vector<T>(size_t(4) * channels));
    Quad in = Quad::integers(1, 0);
    in.words[2] = a;
    in.words[3] = b;
    run(store, surface(made), {in});
    const std::vector<T> all = content<T>(made, 4 * channels * sizeof(T), 1);
    return std::vector<T>(all.begin() + channels, all.begin() + 2 * channels);
  };
  EXPECT_EQ(stored(CU_AD_FORMAT_UNSIGNED_INT8, 4, 300, 7, uint8_t()), (std::vector<uint8_t>{255, 7, 255, 7}));
  EXPECT_EQ(stored(CU_AD_FORMAT_SIGNED_INT8, 2, 300, uint32_t(-300), int8_t()), (std::vector<int8_t>{127, -128}));
  EXPECT_EQ(stored(CU_AD_FORMAT_UNSIGNED_INT16, 1, 70000, 0, uint16_t()), (std::vector<uint16_t>{65535}));
  EXPECT_EQ(stored(CU_AD_FORMAT_SIGNED_INT16, 2, uint32_t(-70000), 5, int16_t()), (std::vector<int16_t>{-32768, 5}));
  EXPECT_EQ(stored(CU_AD_FORMAT_SIGNED_INT32, 2, uint32_t(-70000), 5, int32_t()), (std::vector<int32_t>{-70000, 5}));
  // 1.5 and -0.7, of which a half keeps what fits.
  EXPECT_EQ(stored(CU_AD_FORMAT_HALF, 2, 0x3fc00000, 0xbf333333, uint16_t()), (std::vector<uint16_t>{0x3e00, 0xb999}));
  EXPECT_EQ(stored(CU_AD_FORMAT_FLOAT, 1, 0x3fc00000, 0, float()), (std::vector<float>{1.5f}));
}

TEST_F(CudaSurfaces, reductions) {
  const CUarray a =
      array(4, 1, 0, CU_AD_FORMAT_SIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST, std::vector<int>{10, 10, 10, 10});
  const CUsurfObject s = surface(a);
  std::vector<Quad> all(32, Quad::integers(0, 0, 3));
  run(kernel("sured.b.add.2d.u32.trap [%rd0, {%r0, %r1}], %r2;"), s, all);
  run(kernel("sured.b.min.2d.s32.trap [%rd0, {%r0, %r1}], %r2;"), s, {Quad::integers(4, 0, -5)});
  run(kernel("sured.p.or.2d.b32.zero [%rd0, {%r0, %r1}], %r2;"), s,
      {Quad::integers(2, 0, 0x101), Quad::integers(9, 0, 1)});
  run(kernel("sured.b.max.2d.u32.clamp [%rd0, {%r0, %r1}], %r2;"), s,
      {Quad::integers(12, 0, -1), Quad::integers(99, 0, 1)});
  EXPECT_EQ(content<int>(a, 16, 1), (std::vector<int>{106, -5, 0x10B, -1}));
}

} // namespace
} // namespace us::cuda_test
