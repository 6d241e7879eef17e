// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory, copies and fills.
#include "tests/icd/cuda/cuda_test.h"

#include <cstring>
#include <numeric>

namespace us::cuda_test {
namespace {

TEST_F(Cuda, allocation) {
  size_t before = 0, after = 0, total = 0;
  EXPECT_OK(CU(cuMemGetInfo_v2)(&before, &total));
  const CUdeviceptr memory = allocate(1 << 20);
  EXPECT_OK(CU(cuMemGetInfo_v2)(&after, &total));
  EXPECT_EQ(before - after, size_t(1) << 20);
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_OK(CU(cuMemGetAddressRange_v2)(&base, &size, memory + 100));
  EXPECT_EQ(base, memory);
  EXPECT_EQ(size, size_t(1) << 20);
  EXPECT_OK(CU(cuMemFree_v2)(memory));
  EXPECT_EQ(CU(cuMemFree_v2)(memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemGetAddressRange_v2)(&base, &size, memory), CUDA_ERROR_NOT_FOUND);
  // As an H200 answers.
  EXPECT_EQ(CU(cuMemFree_v2)(12345), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuMemFree_v2)(0));
  CUdeviceptr none = 0;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&none, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemAlloc_v2)(&none, size_t(1) << 50), CUDA_ERROR_OUT_OF_MEMORY);
  // One allocation may take what is free: CUDA has no smaller limit.
  size_t left = 0, whole = 0;
  EXPECT_OK(CU(cuMemGetInfo_v2)(&left, &whole));
  const CUdeviceptr most = allocate(left / 4 * 3);
  EXPECT_OK(CU(cuMemFree_v2)(most));
}

TEST_F(Cuda, copies) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 1);
  const CUdeviceptr first = upload(values), second = allocate(4000);
  EXPECT_OK(CU(cuMemcpyDtoD_v2)(second, first, 4000));
  EXPECT_EQ(download<int>(second, 1000), values);
  EXPECT_OK(CU(cuMemsetD32_v2)(second, 7, 10));
  EXPECT_OK(CU(cuMemcpy)(second + 400, first, 40));
  const std::vector<int> got = download<int>(second, 1000);
  EXPECT_EQ(got[9], 7);
  EXPECT_EQ(got[10], 11);
  EXPECT_EQ(got[100], 1);
  // Wrong pointers are found before anything is touched.
  EXPECT_EQ(CU(cuMemcpyHtoD_v2)(first, values.data(), 4001), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyHtoD_v2)(0x10, values.data(), 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyDtoH_v2)(nullptr, first, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemsetD32_v2)(second + 1, 7, 10), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, fills) {
  const CUdeviceptr memory = allocate(64);
  EXPECT_OK(CU(cuMemsetD8_v2)(memory, 0xAB, 64));
  EXPECT_OK(CU(cuMemsetD16_v2)(memory + 8, 0x1234, 4));
  EXPECT_OK(CU(cuMemsetD2D8_v2)(memory + 32, 16, 1, 2, 2));
  const std::vector<unsigned char> got = download<unsigned char>(memory, 64);
  EXPECT_EQ(got[7], 0xAB);
  EXPECT_EQ(got[8], 0x34);
  EXPECT_EQ(got[15], 0x12);
  EXPECT_EQ(got[16], 0xAB);
  EXPECT_EQ(got[33], 1);
  EXPECT_EQ(got[34], 0xAB);
  EXPECT_EQ(got[49], 1);
}

TEST_F(Cuda, pitchedCopies) {
  CUdeviceptr memory = 0;
  size_t pitch = 0;
  ASSERT_OK(CU(cuMemAllocPitch_v2)(&memory, &pitch, 12, 3, 4));
  EXPECT_GE(pitch, 12u);
  const std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values.data();
  copy.srcPitch = 12;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 12;
  copy.Height = 3;
  EXPECT_OK(CU(cuMemcpy2D_v2)(&copy));
  // The middle column comes back alone.
  std::vector<int> column(3);
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = memory;
  back.srcPitch = pitch;
  back.srcXInBytes = 4;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = column.data();
  back.dstPitch = 4;
  back.WidthInBytes = 4;
  back.Height = 3;
  EXPECT_OK(CU(cuMemcpy2DUnaligned_v2)(&back));
  // A pitch holds a row, also one alone; of none nothing is asked.
  for (const auto &[rows, result] : {std::pair(1, CUDA_ERROR_INVALID_VALUE), std::pair(0, CUDA_SUCCESS)}) {
    CUDA_MEMCPY2D narrow = back;
    narrow.dstPitch = 3;
    narrow.Height = size_t(rows);
    EXPECT_EQ(CU(cuMemcpy2D_v2)(&narrow), result);
  }
  EXPECT_EQ(column, (std::vector<int>{2, 5, 8}));
  back.srcPitch = 2;
  EXPECT_EQ(CU(cuMemcpy2D_v2)(&back), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemAllocPitch_v2)(&memory, &pitch, 12, 3, 5), CUDA_ERROR_INVALID_VALUE);
}

// "returns an error if any pitch is greater than the maximum allowed (CU_DEVICE_ATTRIBUTE_MAX_PITCH)"; and nothing that
// is more than 64 bits hold is taken for what is left of it.
TEST_F(Cuda, sizesThatCannotBe) {
  const CUdeviceptr memory = allocate(4096);
  std::vector<char> host(4096);
  int most = 0;
  ASSERT_OK(CU(cuDeviceGetAttribute)(&most, CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0));
  const auto good2D = [&] {
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host.data();
    copy.WidthInBytes = 4;
    copy.Height = 2;
    copy.srcPitch = copy.dstPitch = 64;
    return copy;
  };
  const auto good3D = [&] {
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host.data();
    copy.WidthInBytes = 4;
    copy.Height = copy.Depth = 2;
    copy.srcPitch = copy.dstPitch = 64;
    copy.srcHeight = copy.dstHeight = 4;
    return copy;
  };
  CUDA_MEMCPY2D flat = good2D();
  ASSERT_OK(CU(cuMemcpy2D_v2)(&flat));
  CUDA_MEMCPY3D deep = good3D();
  ASSERT_OK(CU(cuMemcpy3D_v2)(&deep));

  for (const size_t much : {size_t(1) << 62, ~size_t(0), ~size_t(0) - 63, ~size_t(0) / 64 + 1, size_t(1) << 32}) {
    for (size_t CUDA_MEMCPY2D::*member :
         {&CUDA_MEMCPY2D::srcXInBytes, &CUDA_MEMCPY2D::srcY, &CUDA_MEMCPY2D::srcPitch, &CUDA_MEMCPY2D::dstXInBytes,
          &CUDA_MEMCPY2D::dstPitch, &CUDA_MEMCPY2D::WidthInBytes, &CUDA_MEMCPY2D::Height}) {
      flat = good2D();
      flat.*member = much;
      EXPECT_EQ(CU(cuMemcpy2D_v2)(&flat), CUDA_ERROR_INVALID_VALUE) << much;
      EXPECT_EQ(CU(cuMemcpy2DUnaligned_v2)(&flat), CUDA_ERROR_INVALID_VALUE) << much;
      EXPECT_EQ(CU(cuMemcpy2DAsync_v2)(&flat, nullptr), CUDA_ERROR_INVALID_VALUE) << much;
    }
    for (size_t CUDA_MEMCPY3D::*member :
         {&CUDA_MEMCPY3D::srcXInBytes, &CUDA_MEMCPY3D::srcY, &CUDA_MEMCPY3D::srcZ, &CUDA_MEMCPY3D::srcPitch,
          &CUDA_MEMCPY3D::srcHeight, &CUDA_MEMCPY3D::dstPitch, &CUDA_MEMCPY3D::WidthInBytes, &CUDA_MEMCPY3D::Height,
          &CUDA_MEMCPY3D::Depth}) {
      deep = good3D();
      deep.*member = much;
      EXPECT_EQ(CU(cuMemcpy3D_v2)(&deep), CUDA_ERROR_INVALID_VALUE) << much;
      EXPECT_EQ(CU(cuMemcpy3DAsync_v2)(&deep, nullptr), CUDA_ERROR_INVALID_VALUE) << much;
    }
    // Rows so far apart that they lie upon each other again.
    EXPECT_EQ(CU(cuMemsetD2D8_v2)(memory, much, 1, 4, 2), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemsetD2D8_v2)(memory, 64, 1, 4, much), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemsetD2D32_v2)(memory, 64, 1, much, 2), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemsetD8_v2)(memory, 1, much), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemsetD16_v2)(memory, 1, much), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemsetD32_v2)(memory, 1, much), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemsetD32Async)(memory, 1, much, nullptr), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemcpyHtoD_v2)(memory, host.data(), much), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemcpyDtoH_v2)(host.data(), memory, much), CUDA_ERROR_INVALID_VALUE) << much;
    EXPECT_EQ(CU(cuMemcpyDtoD_v2)(memory, memory, much), CUDA_ERROR_INVALID_VALUE) << much;
  }
  // Elements of four bytes whose number of bytes is eight.
  EXPECT_EQ(CU(cuMemsetD32_v2)(memory, 1, (size_t(1) << 62) + 2), CUDA_ERROR_INVALID_VALUE);

  for (size_t CUDA_MEMCPY2D::*member : {&CUDA_MEMCPY2D::srcPitch, &CUDA_MEMCPY2D::dstPitch}) {
    flat = good2D();
    flat.Height = 1;
    flat.*member = size_t(most);
    EXPECT_OK(CU(cuMemcpy2D_v2)(&flat));
    flat.*member = size_t(most) + 1;
    EXPECT_EQ(CU(cuMemcpy2D_v2)(&flat), CUDA_ERROR_INVALID_VALUE);
  }
  // What an array or a single slice does not look at may be anything.
  deep = good3D();
  deep.Depth = 1;
  deep.srcHeight = ~size_t(0);
  EXPECT_OK(CU(cuMemcpy3D_v2)(&deep));
}

TEST_F(Cuda, hostMemory) {
  void *host = nullptr;
  ASSERT_OK(CU(cuMemHostAlloc)(&host, 4096, CU_MEMHOSTALLOC_PORTABLE));
  std::memset(host, 5, 4096);
  CUdeviceptr device = 0;
  EXPECT_OK(CU(cuMemHostGetDevicePointer_v2)(&device, host, 0));
  EXPECT_EQ(device, CUdeviceptr(host));
  EXPECT_EQ(download<char>(device, 4096), std::vector<char>(4096, 5));
  unsigned flags = 0;
  EXPECT_OK(CU(cuMemHostGetFlags)(&flags, host));
  EXPECT_TRUE(flags & CU_MEMHOSTALLOC_PORTABLE);
  unsigned type = 0;
  EXPECT_OK(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_HOST));
  EXPECT_OK(CU(cuMemFreeHost)(host));
  EXPECT_EQ(CU(cuMemFreeHost)(host), CUDA_ERROR_INVALID_VALUE);

  std::vector<char> own(100000);
  EXPECT_OK(CU(cuMemHostRegister_v2)(own.data(), own.size(), 0));
  EXPECT_EQ(CU(cuMemHostRegister_v2)(own.data(), own.size(), 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_OK(CU(cuMemHostGetDevicePointer_v2)(&device, own.data(), 0));
  EXPECT_OK(CU(cuMemHostUnregister)(own.data()));
  EXPECT_EQ(CU(cuMemHostUnregister)(own.data()), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  // Plain memory of the host is unknown to the driver.
  EXPECT_EQ(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CUdeviceptr(own.data())),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, managedMemory) {
  CUdeviceptr memory = 0;
  ASSERT_OK(CU(cuMemAllocManaged)(&memory, 64, CU_MEM_ATTACH_GLOBAL));
  std::memset(reinterpret_cast<void *>(memory), 3, 64);
  EXPECT_EQ(download<char>(memory, 64), std::vector<char>(64, 3));
  unsigned managed = 0;
  EXPECT_OK(CU(cuPointerGetAttribute)(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, memory));
  EXPECT_EQ(managed, 1u);
  EXPECT_OK(CU(cuMemFree_v2)(memory));
}

} // namespace
} // namespace us::cuda_test
