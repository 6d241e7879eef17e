// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of texture and surface instructions that the tests of textures and surfaces do without: every shape, type and
// query of PTX's table has a test (tests/frontend/ptx/coverage_test.py).
#include "tests/icd/cuda/texture_test.h"

#include <numeric>

namespace us::cuda_test {
namespace {

class CudaTextureForms : public CudaTextures {
protected:
  std::vector<uint32_t> counted(size_t count) {
    std::vector<uint32_t> values(count);
    std::iota(values.begin(), values.end(), 0u);
    return values;
  }
  Quad one(const std::string &body, uint64_t handle, const Quad &at) { return run(kernel(body), handle, {at})[0]; }
};

constexpr CUarray_format kWord = CU_AD_FORMAT_UNSIGNED_INT32, kInt = CU_AD_FORMAT_SIGNED_INT32;
constexpr unsigned kSurface = CUDA_ARRAY3D_SURFACE_LDST, kLayered = CUDA_ARRAY3D_LAYERED;
constexpr CUaddress_mode kClamp = CU_TR_ADDRESS_MODE_CLAMP;
constexpr CUfilter_mode kPoint = CU_TR_FILTER_MODE_POINT;

/// Lower left, lower right, upper right, upper left: of (0, 1), (1, 1), (1, 0), (0, 0).
TEST_F(CudaTextureForms, gathers) {
  const auto of = [&](CUarray a) { return texture(resource(a), kClamp, kPoint, CU_TRSF_READ_AS_INTEGER); };
  const std::string into = " {%r10, %r11, %r12, %r13}, [%rd0, ";
  Quad at = Quad::floats(1, 1);
  at.words[3] = 1;
  const CUarray layers = array(2, 2, 2, kWord, 1, kLayered, counted(8));
  EXPECT_EQ(one("tld4.r.a2d.v4.u32.f32" + into + "{%r3, %f0, %f1, %f1}];", of(layers), at), Quad::integers(6, 7, 5, 4));
  at = Quad::floats(0, 0, -1); // the middle of the sixth face
  at.words[3] = 1;
  const CUarray cube = array(2, 2, 6, kWord, 1, CUDA_ARRAY3D_CUBEMAP, counted(24));
  EXPECT_EQ(one("tld4.r.cube.v4.u32.f32" + into + "{%f0, %f1, %f2, %f2}];", of(cube), at),
            Quad::integers(22, 23, 21, 20));
  const CUarray cubes = array(2, 2, 12, kWord, 1, CUDA_ARRAY3D_CUBEMAP | kLayered, counted(48));
  EXPECT_EQ(one("tld4.r.acube.v4.u32.f32" + into + "{%r3, %f0, %f1, %f2}];", of(cubes), at),
            Quad::integers(46, 47, 45, 44));
  const CUarray colors = array(2, 1, 0, kInt, 4, 0, std::vector<int>{1, 2, 3, -4, 5, 6, 7, -8});
  EXPECT_EQ(one("tld4.a.2d.v4.s32.f32" + into + "{%f0, %f1}];", of(colors), Quad::floats(1, 0.5f)),
            Quad::integers(-4, -8, -8, -4));
}

/// Four channels as halves: 0x3c00 is 1, 0x4000 is 2.
TEST_F(CudaTextureForms, halves) {
  const CUarray colors = array(2, 1, 0, CU_AD_FORMAT_FLOAT, 4, 0, std::vector<float>{1, 2, 0, -1, 2, 1, 1, -2});
  const CUtexObject t = texture(resource(colors), kClamp, kPoint, 0);
  const Quad first = Quad::integers(0x40003c00, int(0xbc000000)), second = Quad::integers(0x3c004000, int(0xc0003c00));
  const std::string rest = " mov.u32 %r12, 0; mov.u32 %r13, 0;";
  EXPECT_EQ(one("tex.2d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [%rd0, {%f0, %f1}]; mov.b32 %r10, {%h0, %h1};"
                "mov.b32 %r11, {%h2, %h3};" +
                    rest,
                t, Quad::floats(0.5f, 0.5f)),
            first);
  EXPECT_EQ(one("tex.level.2d.v2.f16x2.f32 {%r10, %r11}, [%rd0, {%f0, %f1}], %f2;" + rest, t, Quad::floats(1.5f, 0.5f)),
            second);
  EXPECT_EQ(one("tex.grad.2d.v2.f16x2.f32 {%r10, %r11}, [%rd0, {%f0, %f1}], {%f2, %f2}, {%f2, %f2};" + rest, t,
                Quad::floats(1.5f, 0.5f)),
            second);
}

TEST_F(CudaTextureForms, queries) {
  const CUarray box = array(4, 3, 2, kWord, 2, kSurface, counted(48));
  // Each dimension has the mode that all were given.
  const Quad modes = one("txq.addr_mode_0.b32 %r10, [%rd0]; txq.addr_mode_1.b32 %r11, [%rd0];"
                         "txq.addr_mode_2.b32 %r12, [%rd0]; txq.force_unnormalized_coords.b32 %r13, [%rd0];",
                         texture(resource(box), kClamp, kPoint, 0), Quad());
  EXPECT_EQ(modes.words[0], modes.words[1]);
  EXPECT_EQ(modes.words[2], modes.words[1]);
  EXPECT_EQ(modes.words[3], 0u);
  const Quad got = one("suq.depth.b32 %r10, [%rd0]; suq.channel_order.b32 %r11, [%rd0];"
                       "suq.memory_layout.b32 %r12, [%rd0]; suq.height.b32 %r13, [%rd0];",
                       surface(box), Quad());
  EXPECT_EQ(got.words[0], 2u);
  EXPECT_EQ(got.words[1], 0x10B2u); // CL_RG
  EXPECT_EQ(got.words[3], 3u);
}

/// What one thread writes the next reads: values by x in bytes, y, and z or layer.
TEST_F(CudaTextureForms, storesOfAllShapes) {
  const auto there = [&](CUarray a, const std::string &store, const std::string &load, const Quad &at) {
    const CUsurfObject s = surface(a);
    one(store, s, at);
    return one(load, s, at).words[0];
  };
  EXPECT_EQ(there(array(4, 3, 2, kWord, 1, kSurface, counted(24)),
                  "sust.b.3d.b32.trap [%rd0, {%r0, %r1, %r2, %r2}], {%r3};",
                  "suld.b.3d.b32.trap {%r10}, [%rd0, {%r0, %r1, %r2, %r2}];", Quad::integers(8, 2, 1, 99)),
            99u);
  EXPECT_EQ(there(array(8, 0, 3, kWord, 1, kSurface | kLayered, counted(24)),
                  "cvt.u16.u32 %h0, %r3; sust.b.a1d.b16.trap [%rd0, {%r1, %r0}], {%h0};",
                  "suld.b.a1d.b32.trap {%r10}, [%rd0, {%r1, %r0}];", Quad::integers(8, 2, 0, 0x70099)),
            0x99u); // the upper half stays: 0
  const CUarray layers = array(4, 2, 3, kWord, 2, kSurface | kLayered, counted(48));
  const std::string second = "suld.b.a2d.v2.b32.trap {%r11, %r10}, [%rd0, {%r2, %r0, %r1, %r1}];";
  EXPECT_EQ(there(layers, "sust.b.a2d.v2.b32.trap [%rd0, {%r2, %r0, %r1, %r1}], {%r0, %r3};", second,
                  Quad::integers(8, 1, 2, 77)),
            77u);
  EXPECT_EQ(there(layers, "mov.b64 %rd5, {%r0, %r3}; sust.b.a2d.b64.trap [%rd0, {%r2, %r0, %r1, %r1}], {%rd5};", second,
                  Quad::integers(16, 0, 1, 55)),
            55u);
}

/// On 64 bits, in every shape.
TEST_F(CudaTextureForms, reductions) {
  const auto after = [&](CUarray a, const std::string &instruction, const std::string &load, const Quad &at) {
    const CUsurfObject s = surface(a);
    one("mov.b64 %rd5, {%r3, %r3}; cvt.s64.s32 %rd6, %r3; cvt.u64.u32 %rd7, %r3; " + instruction, s, at);
    return one(load, s, at);
  };
  const CUarray box = array(4, 3, 2, kWord, 2, kSurface, counted(48));
  // Element (1, 2, 1) holds 42 and 43.
  const std::string load3 = "suld.b.3d.v2.b32.trap {%r10, %r11}, [%rd0, {%r0, %r1, %r2, %r2}]; mov.u32 %r12, 0;"
                            "mov.u32 %r13, 0;";
  const Quad at = Quad::integers(8, 2, 1, 3);
  EXPECT_EQ(after(box, "sured.b.add.3d.u64.trap [%rd0, {%r0, %r1, %r2, %r2}], %rd7;", load3, at),
            Quad::integers(45, 43));
  EXPECT_EQ(after(box, "sured.b.and.3d.b64.trap [%rd0, {%r0, %r1, %r2, %r2}], %rd5;", load3, at),
            Quad::integers(45 & 3, 43 & 3));
  Quad negative = at;
  negative.words[3] = uint32_t(-9);
  EXPECT_EQ(after(box, "sured.b.min.3d.s64.trap [%rd0, {%r0, %r1, %r2, %r2}], %rd6;", load3, negative),
            Quad::integers(-9, -1));
  const CUarray lines = array(8, 0, 3, kWord, 1, kSurface | kLayered, counted(24));
  EXPECT_EQ(after(lines, "sured.b.max.a1d.u32.trap [%rd0, {%r1, %r0}], %r3;",
                  "suld.b.a1d.b32.trap {%r10}, [%rd0, {%r1, %r0}];", Quad::integers(8, 2, 0, 1000))
                .words[0],
            1000u);
  const CUarray layers = array(4, 2, 3, kWord, 1, kSurface | kLayered, counted(24));
  // x counts texels where the format is asked: (2, 1) of layer 2 holds 22.
  EXPECT_EQ(after(layers, "sured.p.and.a2d.b32.trap [%rd0, {%r2, %r0, %r1, %r1}], %r3;",
                  "shl.b32 %r0, %r0, 2; suld.b.a2d.b32.trap {%r10}, [%rd0, {%r2, %r0, %r1, %r1}];",
                  Quad::integers(2, 1, 2, 6))
                .words[0],
            22u & 6);
}

} // namespace
} // namespace us::cuda_test
