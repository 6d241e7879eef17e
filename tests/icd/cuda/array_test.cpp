// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA arrays and the copies that end in them. Results are an H200's where the specification leaves them open.
#include "tests/icd/cuda/cuda_test.h"

#include <numeric>

namespace us::cuda_test {
namespace {

CUDA_ARRAY3D_DESCRIPTOR described(size_t width, size_t height, size_t depth, CUarray_format format, unsigned channels,
                                  unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR d = {};
  d.Width = width;
  d.Height = height;
  d.Depth = depth;
  d.Format = format;
  d.NumChannels = channels;
  d.Flags = flags;
  return d;
}

CUresult tryCreate(const CUDA_ARRAY3D_DESCRIPTOR &description) {
  CUarray array = nullptr;
  const CUresult result = CU(cuArray3DCreate_v2)(&array, &description);
  if (result == CUDA_SUCCESS) EXPECT_OK(CU(cuArrayDestroy)(array));
  return result;
}

TEST_F(Cuda, arraysAreDescribed) {
  const CUDA_ARRAY_DESCRIPTOR plane = {8, 4, CU_AD_FORMAT_FLOAT, 2};
  CUarray array = nullptr;
  ASSERT_OK(CU(cuArrayCreate_v2)(&array, &plane));
  CUDA_ARRAY_DESCRIPTOR two = {};
  EXPECT_OK(CU(cuArrayGetDescriptor_v2)(&two, array));
  EXPECT_EQ(two.Width, 8u);
  EXPECT_EQ(two.Height, 4u);
  EXPECT_EQ(two.Format, CU_AD_FORMAT_FLOAT);
  EXPECT_EQ(two.NumChannels, 2u);
  CUDA_ARRAY3D_DESCRIPTOR three = {};
  EXPECT_OK(CU(cuArray3DGetDescriptor_v2)(&three, array));
  EXPECT_EQ(three.Depth, 0u);
  EXPECT_EQ(three.Flags, 0u);
  EXPECT_OK(CU(cuArrayDestroy)(array));
  EXPECT_EQ(CU(cuArrayDestroy)(array), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuArrayGetDescriptor_v2)(&two, array), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuArrayCreate_v2)(nullptr, &plane), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuArrayCreate_v2)(&array, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, arraysOfTheFirstDriver) {
  const CUDA_ARRAY_DESCRIPTOR_v1 plane = {8, 4, CU_AD_FORMAT_HALF, 1};
  CUarray array = nullptr;
  ASSERT_OK(CU(cuArrayCreate)(&array, &plane));
  CUDA_ARRAY_DESCRIPTOR_v1 two = {};
  EXPECT_OK(CU(cuArrayGetDescriptor)(&two, array));
  EXPECT_EQ(two.Width, 8u);
  EXPECT_EQ(two.Height, 4u);
  EXPECT_OK(CU(cuArrayDestroy)(array));
  const CUDA_ARRAY3D_DESCRIPTOR_v1 box = {8, 4, 2, CU_AD_FORMAT_HALF, 1, CUDA_ARRAY3D_LAYERED};
  ASSERT_OK(CU(cuArray3DCreate)(&array, &box));
  CUDA_ARRAY3D_DESCRIPTOR_v1 three = {};
  EXPECT_OK(CU(cuArray3DGetDescriptor)(&three, array));
  EXPECT_EQ(three.Depth, 2u);
  EXPECT_EQ(three.Flags, unsigned(CUDA_ARRAY3D_LAYERED));
  EXPECT_OK(CU(cuArrayDestroy)(array));
}

TEST_F(Cuda, whichArraysThereCanBe) {
  struct Row {
    size_t width, height, depth;
    unsigned channels, flags;
    CUresult result;
  };
  constexpr unsigned kLayered = CUDA_ARRAY3D_LAYERED, kCube = CUDA_ARRAY3D_CUBEMAP,
                     kGather = CUDA_ARRAY3D_TEXTURE_GATHER, kSurface = CUDA_ARRAY3D_SURFACE_LDST;
  constexpr CUresult kBad = CUDA_ERROR_INVALID_VALUE;
  constexpr Row kRows[] = {
      {4, 4, 4, 1, 0, CUDA_SUCCESS},
      {4, 0, 0, 1, 0, CUDA_SUCCESS},
      {4, 4, 0, 4, kSurface, CUDA_SUCCESS},
      {0, 4, 0, 1, 0, kBad},
      {4, 0, 4, 1, 0, kBad}, // no rows but slices
      {4, 4, 0, 3, 0, kBad},
      {4, 4, 0, 0, 0, kBad},
      {4, 0, 3, 1, kLayered, CUDA_SUCCESS},
      {4, 4, 3, 1, kLayered, CUDA_SUCCESS},
      {4, 4, 0, 1, kLayered, kBad},
      {4, 4, 6, 1, kCube, CUDA_SUCCESS},
      {4, 5, 6, 1, kCube, kBad},
      {4, 4, 5, 1, kCube, kBad},
      {4, 4, 12, 1, kCube, kBad},
      {4, 4, 12, 1, kCube | kLayered, CUDA_SUCCESS},
      {4, 4, 7, 1, kCube | kLayered, kBad},
      {4, 4, 0, 1, kGather, CUDA_SUCCESS},
      {4, 0, 0, 1, kGather, kBad},
      {4, 4, 4, 1, kGather, kBad},
      {4, 4, 4, 1, kGather | kLayered, kBad},
      {4, 4, 0, 1, 0x1000, kBad},
      {4, 4, 0, 1, CUDA_ARRAY3D_SPARSE, CUDA_ERROR_NOT_SUPPORTED},
      {131072, 0, 0, 1, 0, CUDA_SUCCESS},
      {131073, 0, 0, 1, 0, kBad},
      {131073, 4, 0, 1, 0, kBad},
      {4, 65537, 0, 1, 0, kBad},
      {16385, 4, 4, 1, 0, kBad},
      {4, 4, 32768, 1, 0, CUDA_SUCCESS}, // the alternate limits
      {4, 4, 2048, 1, kLayered, CUDA_SUCCESS},
      {4, 4, 2049, 1, kLayered, kBad},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(
        tryCreate(described(row.width, row.height, row.depth, CU_AD_FORMAT_UNSIGNED_INT8, row.channels, row.flags)),
        row.result)
        << row.width << " x " << row.height << " x " << row.depth << ", " << row.channels << " channels, flags "
        << row.flags;
  EXPECT_EQ(tryCreate(described(4, 4, 0, CUarray_format(5), 1, 0)), kBad);
  for (const CUarray_format format :
       {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT32, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT})
    for (const unsigned channels : {1u, 2u, 4u})
      EXPECT_EQ(tryCreate(described(5, 3, 0, format, channels, 0)), CUDA_SUCCESS) << format << " x " << channels;
}

/// Rows whose bytes 64 bits do not hold, in every combination of flags: some have no limits of their own.
TEST_F(Cuda, noArrayIsWiderThanMemory) {
  constexpr unsigned kKnown[] = {CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_SURFACE_LDST, CUDA_ARRAY3D_CUBEMAP,
                                 CUDA_ARRAY3D_TEXTURE_GATHER, CUDA_ARRAY3D_COLOR_ATTACHMENT};
  for (unsigned set = 0; set < 32; ++set) {
    unsigned flags = 0;
    for (unsigned bit = 0; bit < 5; ++bit) flags |= set & (1u << bit) ? kKnown[bit] : 0;
    for (const size_t width : {(size_t(1) << 60) + 4, (size_t(1) << 60) - 1, size_t(1) << 62})
      for (const size_t depth : {size_t(0), size_t(6)})
        EXPECT_NE(tryCreate(described(width, 1, depth, CU_AD_FORMAT_FLOAT, 4, flags)), CUDA_SUCCESS)
            << width << ", flags " << flags;
  }
}

TEST_F(Cuda, arraysUseMemory) {
  size_t before = 0, between = 0, after = 0, total = 0;
  EXPECT_OK(CU(cuMemGetInfo_v2)(&before, &total));
  const CUDA_ARRAY_DESCRIPTOR plane = {1024, 256, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  ASSERT_OK(CU(cuArrayCreate_v2)(&array, &plane));
  EXPECT_OK(CU(cuMemGetInfo_v2)(&between, &total));
  EXPECT_GE(before - between, size_t(1) << 20);
  EXPECT_OK(CU(cuArrayDestroy)(array));
  EXPECT_OK(CU(cuMemGetInfo_v2)(&after, &total));
  EXPECT_EQ(before, after);
}

/// An array of 8 x 4 floats, from one row to the next further apart than their bytes.
class CudaCopies : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    const CUDA_ARRAY_DESCRIPTOR plane = {8, 4, CU_AD_FORMAT_FLOAT, 1};
    ASSERT_OK(CU(cuArrayCreate_v2)(&array, &plane));
    std::iota(values.begin(), values.end(), 1.0f);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = values.data();
    copy.srcPitch = 32;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 32;
    copy.Height = 4;
    ASSERT_OK(CU(cuMemcpy2D_v2)(&copy));
  }
  std::vector<float> content() {
    std::vector<float> all(32);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = all.data();
    copy.dstPitch = 32;
    copy.WidthInBytes = 32;
    copy.Height = 4;
    EXPECT_OK(CU(cuMemcpy2D_v2)(&copy));
    return all;
  }

  CUarray array = nullptr;
  std::vector<float> values = std::vector<float>(32);
};

TEST_F(CudaCopies, alongOneRow) {
  EXPECT_EQ(content(), values);
  const std::vector<float> three = {-1, -2, -3};
  EXPECT_OK(CU(cuMemcpyHtoA_v2)(array, 8, three.data(), 12));
  std::vector<float> expected = values;
  std::copy(three.begin(), three.end(), expected.begin() + 2);
  EXPECT_EQ(content(), expected);
  const CUdeviceptr device = upload(std::vector<float>{7, 8});
  EXPECT_OK(CU(cuMemcpyDtoA_v2)(array, 0, device, 8));
  EXPECT_OK(CU(cuMemcpyAtoA_v2)(array, 24, array, 4, 8)); // 8 and -1 come to the row's end
  std::vector<float> row(8);
  EXPECT_OK(CU(cuMemcpyAtoH_v2)(row.data(), array, 0, 32));
  EXPECT_EQ(row, (std::vector<float>{7, 8, -1, -2, -3, 6, 8, -1}));
  EXPECT_OK(CU(cuMemcpyAtoD_v2)(device, array, 16, 8));
  EXPECT_EQ(download<float>(device, 2), (std::vector<float>{-3, 6}));
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, 0));
  EXPECT_OK(CU(cuMemcpyHtoAAsync_v2)(array, 4, three.data(), 4, stream));
  EXPECT_OK(CU(cuMemcpyAtoHAsync_v2)(row.data(), array, 0, 8, stream));
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(row[0], 7);
  EXPECT_EQ(row[1], -1);
  // They do not go on in the next row.
  EXPECT_EQ(CU(cuMemcpyHtoA_v2)(array, 0, values.data(), 64), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyHtoA_v2)(array, 16, values.data(), 32), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyAtoH_v2)(row.data(), array, ~size_t(0), 32), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyHtoA_v2)(nullptr, 0, values.data(), 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyHtoA_v2)(array, 0, nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuMemcpyHtoA_v2)(array, 0, values.data(), 0));
}

TEST_F(CudaCopies, ofRectangles) {
  // From the array to device memory and back to another place in it.
  const CUdeviceptr device = allocate(64);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = 8;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = device;
  copy.dstPitch = 16;
  copy.WidthInBytes = 12;
  copy.Height = 2;
  EXPECT_OK(CU(cuMemcpy2D_v2)(&copy));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = device;
  back.srcPitch = 16;
  back.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  back.dstArray = array;
  back.dstXInBytes = 20;
  back.dstY = 2;
  back.WidthInBytes = 12;
  back.Height = 2;
  EXPECT_OK(CU(cuMemcpy2DAsync_v2)(&back, nullptr));
  std::vector<float> expected = values;
  for (size_t y = 0; y < 2; ++y)
    for (size_t x = 0; x < 3; ++x) expected[(2 + y) * 8 + 5 + x] = values[(1 + y) * 8 + 2 + x];
  EXPECT_EQ(content(), expected);
  // Each side must lie inside of the array.
  back.dstXInBytes = 24;
  EXPECT_EQ(CU(cuMemcpy2D_v2)(&back), CUDA_ERROR_INVALID_VALUE);
  back.dstXInBytes = 20;
  back.dstY = 3;
  EXPECT_EQ(CU(cuMemcpy2DUnaligned_v2)(&back), CUDA_ERROR_INVALID_VALUE);
  back.dstY = 0;
  back.dstArray = nullptr;
  EXPECT_EQ(CU(cuMemcpy2D_v2)(&back), CUDA_ERROR_INVALID_VALUE);
  back.Height = 0;
  back.dstArray = array;
  EXPECT_OK(CU(cuMemcpy2D_v2)(&back));
}

TEST_F(Cuda, copiesOfBoxes) {
  const CUDA_ARRAY3D_DESCRIPTOR box = described(3, 2, 4, CU_AD_FORMAT_SIGNED_INT32, 1, 0);
  CUarray array = nullptr, other = nullptr;
  ASSERT_OK(CU(cuArray3DCreate_v2)(&array, &box));
  ASSERT_OK(CU(cuArray3DCreate_v2)(&other, &box));
  std::vector<int> values(24), got(24);
  std::iota(values.begin(), values.end(), 100);
  CUDA_MEMCPY3D in = {};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = values.data();
  in.srcPitch = 12;
  in.srcHeight = 2;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  in.dstArray = array;
  in.WidthInBytes = 12;
  in.Height = 2;
  in.Depth = 4;
  EXPECT_OK(CU(cuMemcpy3D_v2)(&in));
  CUDA_MEMCPY3D across = {};
  across.srcMemoryType = across.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  across.srcArray = array;
  across.dstArray = other;
  across.srcZ = 1;
  across.dstZ = 2;
  across.dstXInBytes = 4;
  across.dstY = 1;
  across.WidthInBytes = 8;
  across.Height = 1;
  across.Depth = 2;
  EXPECT_OK(CU(cuMemcpy3DAsync_v2)(&across, nullptr));
  CUDA_MEMCPY3D out = {};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = other;
  out.srcZ = 2;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = got.data();
  out.dstPitch = 12;
  out.dstHeight = 2;
  out.WidthInBytes = 12;
  out.Height = 2;
  out.Depth = 2;
  EXPECT_OK(CU(cuMemcpy3D_v2)(&out));
  for (int z = 0; z < 2; ++z)
    for (int x = 0; x < 2; ++x) EXPECT_EQ(got[z * 6 + 3 + 1 + x], 100 + (z + 1) * 6 + x);
  across.srcZ = 3;
  EXPECT_EQ(CU(cuMemcpy3D_v2)(&across), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuArrayDestroy)(array));
  EXPECT_OK(CU(cuArrayDestroy)(other));
}

TEST_F(Cuda, widestLinearTexture) {
  size_t one = 0, two = 0, four = 0;
  EXPECT_OK(CU(cuDeviceGetTexture1DLinearMaxWidth)(&one, CU_AD_FORMAT_FLOAT, 1, 0));
  EXPECT_OK(CU(cuDeviceGetTexture1DLinearMaxWidth)(&two, CU_AD_FORMAT_FLOAT, 2, 0));
  EXPECT_OK(CU(cuDeviceGetTexture1DLinearMaxWidth)(&four, CU_AD_FORMAT_FLOAT, 4, 0));
  EXPECT_EQ(one, two * 2);
  EXPECT_EQ(two, four * 2);
  EXPECT_EQ(CU(cuDeviceGetTexture1DLinearMaxWidth)(&one, CU_AD_FORMAT_FLOAT, 3, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, mipmappedArrays) {
  const CUDA_ARRAY3D_DESCRIPTOR description = {12, 5, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUmipmappedArray mipmapped = nullptr;
  size_t before = 0, between = 0, after = 0;
  EXPECT_OK(CU(cuMemGetInfo_v2)(&before, nullptr));
  // 12, 6, 3 and 1 wide: 1 + floor(log2(12)) levels, however many are asked for.
  ASSERT_OK(CU(cuMipmappedArrayCreate)(&mipmapped, &description, 100));
  EXPECT_OK(CU(cuMemGetInfo_v2)(&between, nullptr));
  EXPECT_LT(between, before);
  const size_t widths[] = {12, 6, 3, 1}, heights[] = {5, 2, 1, 1};
  for (unsigned i = 0; i < 4; ++i) {
    CUarray level = nullptr, again = nullptr;
    EXPECT_OK(CU(cuMipmappedArrayGetLevel)(&level, mipmapped, i));
    EXPECT_OK(CU(cuMipmappedArrayGetLevel)(&again, mipmapped, i));
    EXPECT_EQ(level, again);
    CUDA_ARRAY3D_DESCRIPTOR found = {};
    EXPECT_OK(CU(cuArray3DGetDescriptor_v2)(&found, level));
    EXPECT_EQ(found.Width, widths[i]);
    EXPECT_EQ(found.Height, heights[i]);
    EXPECT_EQ(found.Depth, 0u);
    const unsigned char put = static_cast<unsigned char>(i + 1);
    unsigned char got = 0;
    EXPECT_OK(CU(cuMemcpyHtoA_v2)(level, 0, &put, 1));
    EXPECT_OK(CU(cuMemcpyAtoH_v2)(&got, level, 0, 1));
    EXPECT_EQ(got, put);
    EXPECT_EQ(CU(cuArrayDestroy)(level), CUDA_ERROR_INVALID_VALUE);
  }
  CUarray level = nullptr;
  EXPECT_EQ(CU(cuMipmappedArrayGetLevel)(&level, mipmapped, 4), CUDA_ERROR_INVALID_VALUE);
  CUDA_ARRAY_MEMORY_REQUIREMENTS requirements = {};
  CUDA_ARRAY_SPARSE_PROPERTIES properties = {};
  EXPECT_EQ(CU(cuMipmappedArrayGetMemoryRequirements)(&requirements, mipmapped, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMipmappedArrayGetSparseProperties)(&properties, mipmapped), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuMipmappedArrayGetLevel)(&level, mipmapped, 0));
  EXPECT_OK(CU(cuMipmappedArrayDestroy)(mipmapped));
  EXPECT_OK(CU(cuMemGetInfo_v2)(&after, nullptr));
  EXPECT_EQ(after, before);
  unsigned char got = 0;
  EXPECT_EQ(CU(cuMemcpyAtoH_v2)(&got, level, 0, 1), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuMipmappedArrayDestroy)(mipmapped), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuMipmappedArrayCreate)(&mipmapped, &description, 0), CUDA_ERROR_INVALID_VALUE);
  // A volume halves in depth, layers stay.
  const CUDA_ARRAY3D_DESCRIPTOR volume = {8, 8, 8, CU_AD_FORMAT_FLOAT, 1, 0},
                                layers = {8, 8, 5, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED};
  for (const CUDA_ARRAY3D_DESCRIPTOR &made : {volume, layers}) {
    ASSERT_OK(CU(cuMipmappedArrayCreate)(&mipmapped, &made, 2));
    EXPECT_OK(CU(cuMipmappedArrayGetLevel)(&level, mipmapped, 1));
    CUDA_ARRAY3D_DESCRIPTOR found = {};
    EXPECT_OK(CU(cuArray3DGetDescriptor_v2)(&found, level));
    EXPECT_EQ(found.Depth, made.Flags ? 5u : 4u);
    EXPECT_OK(CU(cuMipmappedArrayDestroy)(mipmapped));
  }
}

} // namespace
} // namespace us::cuda_test
