// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures over mipmapped arrays: which level a read looks into, and how levels are mixed. Level n is full of 10 (n +
// 1).
#include "tests/icd/cuda/texture_test.h"

namespace us::cuda_test {
namespace {

class CudaMipmaps : public CudaTextures {
protected:
  void SetUp() override {
    CudaTextures::SetUp();
    const CUDA_ARRAY3D_DESCRIPTOR description = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    ASSERT_OK(CU(cuMipmappedArrayCreate)(&mipmaps, &description, 4));
    for (unsigned level = 0; level < 4; ++level) {
      CUarray array = nullptr;
      ASSERT_OK(CU(cuMipmappedArrayGetLevel)(&array, mipmaps, level));
      const std::vector<float> content(64, 10.0f * float(level + 1));
      CUDA_MEMCPY2D copy = {};
      copy.srcMemoryType = CU_MEMORYTYPE_HOST;
      copy.srcHost = content.data();
      copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
      copy.dstArray = array;
      copy.WidthInBytes = (8 >> level) * 4;
      copy.Height = 8 >> level;
      ASSERT_OK(CU(cuMemcpy2D_v2)(&copy));
    }
    source.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    source.res.mipmap.hMipmappedArray = mipmaps;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    how.maxMipmapLevelClamp = 10;
  }
  CUtexObject make(const CUDA_RESOURCE_VIEW_DESC *view = nullptr) {
    CUtexObject object = 0;
    EXPECT_OK(CU(cuTexObjectCreate)(&object, &source, &how, view));
    return object;
  }
  /// What reads with these levels of detail give.
  std::vector<float> at(CUtexObject object, const std::vector<float> &details) {
    CUfunction function = kernel("tex.level.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd0, {%f0, %f1}], %f2;");
    std::vector<Quad> in;
    for (const float detail : details) in.push_back(Quad::floats(0.5f, 0.5f, detail));
    std::vector<float> got;
    for (const Quad &quad : run(function, object, in)) got.push_back(quad.at(0));
    return got;
  }

  CUmipmappedArray mipmaps = nullptr;
  CUDA_RESOURCE_DESC source = {};
  CUDA_TEXTURE_DESC how = {};
};

TEST_F(CudaMipmaps, nearestLevel) {
  EXPECT_EQ(at(make(), {-3, 0, 0.25f, 0.75f, 1, 2.25f, 3, 7}), (std::vector<float>{10, 10, 10, 20, 20, 30, 40, 40}));
}

TEST_F(CudaMipmaps, mixedLevels) {
  how.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
  EXPECT_EQ(at(make(), {-3, 0, 0.25f, 0.5f, 1, 2.75f, 3, 7}),
            (std::vector<float>{10, 10, 12.5f, 15, 20, 37.5f, 40, 40}));
  // Texels between texels, in both levels.
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  EXPECT_EQ(at(make(), {0.5f, 1.5f}), (std::vector<float>{15, 25}));
}

TEST_F(CudaMipmaps, biasAndClamp) {
  how.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
  how.mipmapLevelBias = 0.5f;
  EXPECT_EQ(at(make(), {0, 1}), (std::vector<float>{15, 25}));
  how.mipmapLevelBias = 0;
  how.minMipmapLevelClamp = 1;
  how.maxMipmapLevelClamp = 2.5f;
  EXPECT_EQ(at(make(), {0, 1.5f, 3}), (std::vector<float>{20, 25, 35}));
}

TEST_F(CudaMipmaps, viewOfLevels) {
  CUDA_RESOURCE_VIEW_DESC view = {};
  view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
  view.width = view.height = 8;
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  EXPECT_EQ(at(make(&view), {0, 1, 2}), (std::vector<float>{20, 30, 30}));
  view.lastMipmapLevel = 4;
  CUtexObject object = 0;
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, &source, &how, &view), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(CudaMipmaps, withoutLevelTheFirst) {
  const std::vector<Quad> got = run(read("tex.2d.v4.f32.f32", "{%f0, %f1}"), make(), {Quad::floats(0.5f, 0.5f)});
  EXPECT_EQ(got[0].at(0), 10);
}

TEST_F(CudaMipmaps, queries) {
  CUfunction function = kernel("txq.num_mipmap_levels.b32 %r10, [%rd0]; txq.level.width.b32 %r11, [%rd0], %r0; "
                               "txq.level.height.b32 %r12, [%rd0], 3; txq.width.b32 %r13, [%rd0];");
  const std::vector<Quad> got = run(function, make(), {Quad::integers(1)});
  EXPECT_EQ(got[0], Quad::integers(4, 4, 1, 8));
}

TEST_F(CudaMipmaps, misuse) {
  CUtexObject object = 0;
  how.flags = 0;
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, &source, &how, nullptr), CUDA_ERROR_INVALID_VALUE);
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  how.mipmapFilterMode = CUfilter_mode(5);
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, &source, &how, nullptr), CUDA_ERROR_INVALID_VALUE);
  how.mipmapFilterMode = CU_TR_FILTER_MODE_POINT;
  source.res.mipmap.hMipmappedArray = nullptr;
  EXPECT_EQ(CU(cuTexObjectCreate)(&object, &source, &how, nullptr), CUDA_ERROR_INVALID_VALUE);
}

// A plain texture has one level, whatever is asked for.
TEST_F(CudaMipmaps, levelsOfPlainTextures) {
  CUarray plain = array<float>(4, 1, 0, CU_AD_FORMAT_FLOAT, 1, 0, {1, 2, 3, 4});
  source = resource(plain);
  EXPECT_EQ(at(make(), {0, 1.5f}), (std::vector<float>{3, 3}));
}

TEST_F(CudaMipmaps, reference) {
  CUfunction function = kernel("tex.level.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [levels, {%f0, %f1}], %f2;",
                               ".global .texref levels;\n");
  CUtexref reference = nullptr;
  ASSERT_OK(CU(cuModuleGetTexRef)(&reference, module, "levels"));
  CUmipmappedArray found = nullptr;
  EXPECT_EQ(CU(cuTexRefGetMipmappedArray)(&found, reference), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuTexRefSetMipmappedArray)(reference, mipmaps, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_OK(CU(cuTexRefSetMipmappedArray)(reference, mipmaps, CU_TRSA_OVERRIDE_FORMAT));
  EXPECT_OK(CU(cuTexRefSetFlags)(reference, CU_TRSF_NORMALIZED_COORDINATES));
  EXPECT_OK(CU(cuTexRefSetMipmapFilterMode)(reference, CU_TR_FILTER_MODE_LINEAR));
  EXPECT_OK(CU(cuTexRefSetMipmapLevelClamp)(reference, 0, 10));
  EXPECT_OK(CU(cuTexRefGetMipmappedArray)(&found, reference));
  EXPECT_EQ(found, mipmaps);
  CUarray array = nullptr;
  EXPECT_EQ(CU(cuTexRefGetArray)(&array, reference), CUDA_ERROR_INVALID_VALUE);
  const std::vector<Quad> got = run(function, 0, {Quad::floats(0.5f, 0.5f, 1.25f)});
  EXPECT_EQ(got[0].at(0), 22.5f);
}

} // namespace
} // namespace us::cuda_test
