// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory management, and batches of copies. What is expected is what the documentation says; with
// UNDERSTUDY_TEST_CUDA_LIBRARY the same tests ask a real driver.
#include "tests/icd/cuda/cuda_test.h"

#include <numeric>
#include <unistd.h>

namespace us::cuda_test {
namespace {

class VirtualMemory : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties_.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    ASSERT_OK(CU(cuMemGetAllocationGranularity)(&step_, &properties_, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    ASSERT_GT(step_, 0u);
  }
  CUmemGenericAllocationHandle create(size_t size) {
    CUmemGenericAllocationHandle handle = 0;
    EXPECT_OK(CU(cuMemCreate)(&handle, size, &properties_, 0));
    return handle;
  }
  CUdeviceptr reserve(size_t size) {
    CUdeviceptr pointer = 0;
    EXPECT_OK(CU(cuMemAddressReserve)(&pointer, size, 0, 0, 0));
    return pointer;
  }
  CUresult allow(CUdeviceptr pointer, size_t size, CUmemAccess_flags flags) {
    const CUmemAccessDesc description{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
    return CU(cuMemSetAccess)(pointer, size, &description, 1);
  }

  CUmemAllocationProp properties_ = {};
  size_t step_ = 0;
};

TEST_F(VirtualMemory, piecesThatAreMappedSideBySideAreOneRange) {
  const CUdeviceptr p = reserve(4 * step_);
  const CUmemGenericAllocationHandle a = create(step_), b = create(2 * step_);
  ASSERT_OK(CU(cuMemMap)(p, step_, 0, a, 0));
  ASSERT_OK(CU(cuMemMap)(p + step_, 2 * step_, 0, b, 0));
  ASSERT_OK(allow(p, 3 * step_, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  // A kernel, a fill and copies across the seam.
  const unsigned n = unsigned(3 * step_ / 4);
  ASSERT_OK(CU(cuMemsetD32_v2)(p, 0x3f800000, n)); // 1.0f
  const CUfunction add = function(load(kVectorAdd), "vectorAdd");
  CUdeviceptr q = p;
  unsigned count = n;
  void *parameters[] = {&q, &q, &q, &count};
  ASSERT_OK(CU(cuLaunchKernel)(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  const std::vector<float> seam = download<float>(p + step_ - 8, 4);
  EXPECT_EQ(seam, (std::vector<float>{2, 2, 2, 2}));
  unsigned long long flags = 0;
  const CUmemLocation here{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  ASSERT_OK(CU(cuMemGetAccess)(&flags, &here, p));
  EXPECT_EQ(flags, (unsigned long long)(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  // "The handle is guaranteed to be the same handle value used to map the memory."
  CUmemGenericAllocationHandle again = 0;
  ASSERT_OK(CU(cuMemRetainAllocationHandle)(&again, reinterpret_cast<void *>(p + step_ + 12)));
  EXPECT_EQ(again, b);
  ASSERT_OK(CU(cuMemRelease)(again));
  CUmemAllocationProp told = {};
  ASSERT_OK(CU(cuMemGetAllocationPropertiesFromHandle)(&told, a));
  EXPECT_EQ(told.location.id, 0);
  EXPECT_EQ(told.type, CU_MEM_ALLOCATION_TYPE_PINNED);
  ASSERT_OK(CU(cuMemUnmap)(p, 3 * step_));
  float one = 0;
  EXPECT_EQ(CU(cuMemcpyDtoH_v2)(&one, p, 4), CUDA_ERROR_INVALID_VALUE);
  ASSERT_OK(CU(cuMemRelease)(a));
  ASSERT_OK(CU(cuMemRelease)(b));
  ASSERT_OK(CU(cuMemAddressFree)(p, 4 * step_));
}

TEST_F(VirtualMemory, memoryKeepsWhatIsInItWhereverItIsMapped) {
  const CUdeviceptr p = reserve(2 * step_);
  const CUmemGenericAllocationHandle a = create(step_);
  ASSERT_OK(CU(cuMemMap)(p, step_, 0, a, 0));
  ASSERT_OK(CU(cuMemMap)(p + step_, step_, 0, a, 0)); // the same twice
  ASSERT_OK(allow(p, 2 * step_, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  ASSERT_OK(CU(cuMemsetD32_v2)(p + 64, 77, 1));
  EXPECT_EQ(download<unsigned>(p + step_ + 64, 1)[0], 77u);
  // "The memory allocation will be freed when all outstanding mappings ... are unmapped and all references released."
  ASSERT_OK(CU(cuMemRelease)(a));
  EXPECT_EQ(download<unsigned>(p + 64, 1)[0], 77u);
  ASSERT_OK(CU(cuMemUnmap)(p, step_));
  EXPECT_EQ(download<unsigned>(p + step_ + 64, 1)[0], 77u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemAddressFree)(p, 2 * step_)); // a part is mapped
  ASSERT_OK(CU(cuMemUnmap)(p + step_, step_));
  EXPECT_NE(CU(cuMemRelease)(a), CUDA_SUCCESS);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemAddressFree)(p, step_)); // not what was reserved
  ASSERT_OK(CU(cuMemAddressFree)(p, 2 * step_));
}

TEST_F(VirtualMemory, wrongCallsAreErrors) {
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr p = 0;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemCreate)(&handle, step_ + 1, &properties_, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemCreate)(&handle, step_, &properties_, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemCreate)(&handle, step_, nullptr, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemCreate)(nullptr, step_, &properties_, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemAddressReserve)(&p, step_ + 1, 0, 0, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemAddressReserve)(&p, step_, 3, 0, 0));
  p = reserve(2 * step_);
  handle = create(step_);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemMap)(p, step_, 0, handle + 16, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemMap)(p, 2 * step_, 0, handle, 0));       // it is not that large
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, allow(p, step_, CU_MEM_ACCESS_FLAGS_PROT_READ)); // nothing is mapped
  ASSERT_OK(CU(cuMemMap)(p, step_, 0, handle, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemMap)(p, step_, 0, handle, 0)); // mapped
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, allow(p, 2 * step_, CU_MEM_ACCESS_FLAGS_PROT_READ));
  // "cuMemSetAccess must be called" first.
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemsetD8_v2)(p, 0, 16));
  int descriptor = -1;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            CU(cuMemExportToShareableHandle)(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  ASSERT_OK(CU(cuMemUnmap)(p, step_));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemUnmap)(p, step_));
  ASSERT_OK(CU(cuMemRelease)(handle));
  ASSERT_OK(CU(cuMemAddressFree)(p, 2 * step_));
}

TEST_F(VirtualMemory, handlesOfTheSystemBringMemoryBack) {
  properties_.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const CUdeviceptr p = reserve(2 * step_);
  const CUmemGenericAllocationHandle a = create(step_);
  int descriptor = -1;
  ASSERT_OK(CU(cuMemExportToShareableHandle)(&descriptor, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  ASSERT_GE(descriptor, 0);
  CUmemGenericAllocationHandle b = 0;
  ASSERT_OK(CU(cuMemImportFromShareableHandle)(&b, reinterpret_cast<void *>(intptr_t(descriptor)),
                                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(descriptor);
  ASSERT_OK(CU(cuMemMap)(p, step_, 0, a, 0));
  ASSERT_OK(CU(cuMemMap)(p + step_, step_, 0, b, 0));
  ASSERT_OK(allow(p, 2 * step_, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  ASSERT_OK(CU(cuMemsetD32_v2)(p, 5, 4));
  EXPECT_EQ(download<unsigned>(p + step_, 4), (std::vector<unsigned>{5, 5, 5, 5}));
  ASSERT_OK(CU(cuMemUnmap)(p, 2 * step_));
  ASSERT_OK(CU(cuMemRelease)(a));
  ASSERT_OK(CU(cuMemRelease)(b));
  ASSERT_OK(CU(cuMemAddressFree)(p, 2 * step_));
  EXPECT_NE(CU(cuMemImportFromShareableHandle)(&b, reinterpret_cast<void *>(intptr_t(-1)),
                                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            CUDA_SUCCESS);
}

TEST_F(VirtualMemory, needsNoContext) {
  CUcontext popped = nullptr;
  ASSERT_OK(CU(cuCtxPopCurrent_v2)(&popped));
  properties_.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const CUdeviceptr p = reserve(step_);
  const CUmemGenericAllocationHandle a = create(step_);
  int descriptor = -1;
  ASSERT_OK(CU(cuMemExportToShareableHandle)(&descriptor, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CUmemGenericAllocationHandle b = 0, c = 0;
  ASSERT_OK(CU(cuMemImportFromShareableHandle)(&b, reinterpret_cast<void *>(intptr_t(descriptor)),
                                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(descriptor);
  CUmemAllocationProp told = {};
  ASSERT_OK(CU(cuMemGetAllocationPropertiesFromHandle)(&told, b));
  EXPECT_EQ(told.location.id, 0);
  ASSERT_OK(CU(cuMemMap)(p, step_, 0, b, 0));
  ASSERT_OK(allow(p, step_, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  ASSERT_OK(CU(cuMemRetainAllocationHandle)(&c, reinterpret_cast<void *>(p)));
  ASSERT_OK(CU(cuMemRelease)(c));
  ASSERT_OK(CU(cuMemUnmap)(p, step_));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemUnmap)(p, step_));
  ASSERT_OK(CU(cuMemRelease)(a));
  ASSERT_OK(CU(cuMemRelease)(b));
  ASSERT_OK(CU(cuMemAddressFree)(p, step_));
  ASSERT_OK(CU(cuCtxPushCurrent_v2)(popped));
}

TEST_F(VirtualMemory, compressionIsAWish) {
  properties_.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
  const CUmemGenericAllocationHandle a = create(step_);
  CUmemAllocationProp told = {};
  ASSERT_OK(CU(cuMemGetAllocationPropertiesFromHandle)(&told, a));
  int supported = -1;
  ASSERT_OK(CU(cuDeviceGetAttribute)(&supported, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0));
  EXPECT_EQ(told.allocFlags.compressionType, supported ? CU_MEM_ALLOCATION_COMP_GENERIC : CU_MEM_ALLOCATION_COMP_NONE);
  ASSERT_OK(CU(cuMemRelease)(a));
  properties_.allocFlags.compressionType = 2; // there is none
  CUmemGenericAllocationHandle b = 0;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemCreate)(&b, step_, &properties_, 0));
}

class CopyBatches : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    if (context) ASSERT_OK(CU(cuStreamCreate)(&stream_, CU_STREAM_NON_BLOCKING));
  }
  CUstream stream_ = nullptr;
  CUmemcpyAttributes inOrder_ = {CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, {}, {}, 0};
};

TEST_F(CopyBatches, copyAllThatTheyList) {
  std::vector<unsigned> host(8);
  std::iota(host.begin(), host.end(), 1);
  const CUdeviceptr a = upload(host), b = allocate(32);
  std::vector<unsigned> back(4);
  CUdeviceptr to[] = {b, b + 16, reinterpret_cast<CUdeviceptr>(back.data())}, from[] = {a + 16, a, a};
  size_t sizes[] = {16, 16, 8}, first[] = {0, 2};
  CUmemcpyAttributes attributes[] = {inOrder_, inOrder_};
  ASSERT_OK(CU(cuMemcpyBatchAsync_v2)(to, from, sizes, 3, attributes, first, 2, stream_));
  ASSERT_OK(CU(cuStreamSynchronize)(stream_));
  EXPECT_EQ(download<unsigned>(b, 8), (std::vector<unsigned>{5, 6, 7, 8, 1, 2, 3, 4}));
  EXPECT_EQ(back, (std::vector<unsigned>{1, 2, 0, 0}));
  size_t failed = 9;
  attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            CU(cuMemcpyBatchAsync)(to, from, sizes, 3, attributes, first, 2, &failed, stream_));
  EXPECT_EQ(failed, SIZE_MAX);
  attributes[0] = inOrder_;
  first[1] = 0; // "each entry must be greater than the previous entry"
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemcpyBatchAsync_v2)(to, from, sizes, 3, attributes, first, 2, stream_));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemcpyBatchAsync_v2)(to, from, sizes, 3, attributes, first, 1, nullptr));
}

TEST_F(CopyBatches, copyBoxes) {
  std::vector<unsigned> host(16);
  std::iota(host.begin(), host.end(), 0);
  const CUdeviceptr a = upload(host), b = allocate(64);
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR description{4, 4, CU_AD_FORMAT_UNSIGNED_INT32, 1};
  ASSERT_OK(CU(cuArrayCreate_v2)(&array, &description));
  // The lower right quarter into the array's upper left one, and from there to memory.
  CUDA_MEMCPY3D_BATCH_OP copy = {};
  copy.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  copy.src.op.ptr = {a + (2 * 4 + 2) * 4, 4, 0, {}};
  copy.dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
  copy.dst.op.array = {array, {0, 0, 0}};
  copy.extent = {2, 2, 1};
  copy.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  ASSERT_OK(CU(cuMemcpy3DBatchAsync_v2)(1, &copy, 0, stream_));
  CUDA_MEMCPY3D_BATCH_OP back = {};
  back.src = copy.dst;
  back.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  back.dst.op.ptr = {b, 0, 0, {}};
  back.extent = copy.extent;
  back.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  size_t failed = 0;
  ASSERT_OK(CU(cuMemcpy3DBatchAsync)(1, &back, &failed, 0, stream_));
  ASSERT_OK(CU(cuStreamSynchronize)(stream_));
  EXPECT_EQ(download<unsigned>(b, 4), (std::vector<unsigned>{10, 11, 14, 15}));
  back.extent.depth = 0;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuMemcpy3DBatchAsync_v2)(1, &back, 0, stream_));
  ASSERT_OK(CU(cuArrayDestroy)(array));
}

} // namespace
} // namespace us::cuda_test
