// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that have an emulated device (our own) and a real one (the other driver's, a Tesla T4), in this order.
#include "tests/icd/cuda/cuda_test.h"

#include <atomic>
#include <cstring>
#include <gmock/gmock.h>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace us::cuda_test {
namespace {

constexpr CUdevice kEmulated = 0, kReal = 1;

std::string nameOf(CUdevice device) {
  char name[256] = {};
  EXPECT_OK(CU(cuDeviceGetName)(name, sizeof name, device));
  return name;
}

class BothCuda : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_NE(library(), nullptr) << dlerror();
    ASSERT_OK(CU(cuInit)(0));
    for (const CUdevice device : {kEmulated, kReal}) {
      ASSERT_OK(CU(cuCtxCreate_v2)(&contexts[device], 0, device));
      ASSERT_OK(CU(cuMemAlloc_v2)(&memory[device], kSize));
      ASSERT_OK(CU(cuMemsetD8_v2)(memory[device], 0, kSize));
      CUcontext popped = nullptr;
      ASSERT_OK(CU(cuCtxPopCurrent_v2)(&popped));
      ASSERT_EQ(popped, contexts[device]);
    }
  }
  void TearDown() override {
    for (const CUcontext context : contexts)
      if (context) EXPECT_OK(CU(cuCtxDestroy_v2)(context));
    EXPECT_EQ(current(), nullptr);
  }
  static CUcontext current() {
    CUcontext context = nullptr;
    EXPECT_OK(CU(cuCtxGetCurrent)(&context));
    return context;
  }
  static constexpr size_t kSize = 4096;
  CUcontext contexts[2] = {};
  CUdeviceptr memory[2] = {};
};

TEST_F(BothCuda, devicesOfBothAreListed) {
  int count = 0, value = 0;
  EXPECT_OK(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(count, 2);
  EXPECT_THAT(nameOf(kEmulated), testing::HasSubstr("Understudy"));
  EXPECT_EQ(nameOf(kReal), "Tesla T4");
  CUdevice device = -1;
  EXPECT_OK(CU(cuDeviceGet)(&device, kReal));
  EXPECT_EQ(device, kReal);
  EXPECT_EQ(CU(cuDeviceGet)(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuDeviceGet)(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, -1), CUDA_ERROR_INVALID_DEVICE);
  for (const CUdevice one : {kEmulated, kReal}) {
    char id[32] = {};
    EXPECT_OK(CU(cuDeviceGetPCIBusId)(id, sizeof id, one));
    EXPECT_OK(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, one));
    EXPECT_EQ(value, 32);
  }
}

TEST_F(BothCuda, eachThreadHasOneStackOfContextsOfBoth) {
  CUdevice device = -1;
  EXPECT_EQ(CU(cuCtxGetDevice)(&device), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(CU(cuCtxPushCurrent_v2)(contexts[kReal]));
  EXPECT_OK(CU(cuCtxPushCurrent_v2)(contexts[kEmulated]));
  EXPECT_EQ(current(), contexts[kEmulated]);
  EXPECT_OK(CU(cuCtxGetDevice)(&device));
  EXPECT_EQ(device, kEmulated);
  EXPECT_OK(CU(cuCtxGetDevice_v2)(&device, contexts[kReal]));
  EXPECT_EQ(device, kReal);
  std::thread([] { EXPECT_EQ(current(), nullptr); }).join();
  CUcontext popped = nullptr;
  EXPECT_OK(CU(cuCtxPopCurrent_v2)(&popped));
  EXPECT_EQ(popped, contexts[kEmulated]);
  EXPECT_EQ(current(), contexts[kReal]);
  EXPECT_OK(CU(cuCtxGetDevice)(&device));
  EXPECT_EQ(device, kReal);
  // The uppermost is replaced, by one of the other side too.
  EXPECT_OK(CU(cuCtxSetCurrent)(contexts[kEmulated]));
  EXPECT_EQ(current(), contexts[kEmulated]);
  EXPECT_EQ(CU(cuCtxSetCurrent)(CUcontext(&device)), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(current(), contexts[kEmulated]);
  EXPECT_OK(CU(cuCtxSetCurrent)(contexts[kReal]));
  EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
  EXPECT_EQ(current(), nullptr);
  EXPECT_EQ(CU(cuCtxPopCurrent_v2)(&popped), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(BothCuda, destroyedContextsLeaveTheStack) {
  CUcontext first = nullptr, second = nullptr;
  EXPECT_OK(CU(cuCtxCreate_v2)(&first, 0, kReal));
  EXPECT_OK(CU(cuCtxCreate_v4)(&second, nullptr, 0, kEmulated));
  EXPECT_OK(CU(cuCtxDestroy_v2)(second));
  EXPECT_EQ(current(), first);
  EXPECT_OK(CU(cuCtxDestroy_v2)(first));
  EXPECT_EQ(current(), nullptr);
  CUcontext primary = nullptr;
  EXPECT_OK(CU(cuDevicePrimaryCtxRetain)(&primary, kReal));
  EXPECT_OK(CU(cuCtxSetCurrent)(primary));
  CUdevice device = -1;
  EXPECT_OK(CU(cuCtxGetDevice)(&device));
  EXPECT_EQ(device, kReal);
  EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
  EXPECT_OK(CU(cuDevicePrimaryCtxRelease_v2)(kReal));
  EXPECT_EQ(CU(cuDevicePrimaryCtxRelease_v2)(kEmulated), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(BothCuda, kernelsRunOnBoth) {
  for (const CUdevice device : {kEmulated, kReal}) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[device]));
    CUmodule module = nullptr;
    CUfunction add = nullptr;
    CUstream stream = nullptr;
    EXPECT_OK(CU(cuModuleLoadData)(&module, kVectorAdd.c_str()));
    EXPECT_OK(CU(cuModuleGetFunction)(&add, module, "vectorAdd"));
    EXPECT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
    CUdevice where = -1;
    EXPECT_OK(CU(cuStreamGetDevice)(stream, &where));
    EXPECT_EQ(where, device);
    std::vector<float> numbers(256);
    std::iota(numbers.begin(), numbers.end(), 0.f);
    EXPECT_OK(CU(cuMemcpyHtoD_v2)(memory[device], numbers.data(), 1024));
    CUdeviceptr a = memory[device], c = memory[device] + 1024;
    unsigned n = 256;
    void *parameters[] = {&a, &a, &c, &n};
    EXPECT_OK(CU(cuLaunchKernel)(add, 2, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr));
    const CUlaunchConfig config{2, 1, 1, 128, 1, 1, 0, stream, nullptr, 0};
    EXPECT_OK(CU(cuLaunchKernelEx)(&config, add, parameters, nullptr));
    EXPECT_OK(CU(cuStreamSynchronize)(stream));
    EXPECT_OK(CU(cuMemcpyDtoH_v2)(numbers.data(), c, 1024));
    for (size_t i = 0; i < 256; ++i) EXPECT_EQ(numbers[i], 2.f * float(i));
    EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
    EXPECT_OK(CU(cuModuleUnload)(module));
    EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
  }
}

// Functions that name an object go to its owner, whichever context is current.
TEST_F(BothCuda, objectsAreKnownByTheirOwner) {
  const auto isRefusal = testing::AnyOf(CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_INVALID_CONTEXT);
  for (const CUdevice device : {kEmulated, kReal}) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[device]));
    CUevent event = nullptr;
    CUmodule module = nullptr;
    CUmemoryPool pool = nullptr;
    EXPECT_OK(CU(cuEventCreate)(&event, 0));
    EXPECT_OK(CU(cuEventRecord)(event, nullptr));
    EXPECT_OK(CU(cuEventSynchronize)(event));
    CUfunction function = nullptr;
    EXPECT_OK(CU(cuModuleLoadData)(&module, kVectorAdd.c_str()));
    EXPECT_OK(CU(cuModuleGetFunction)(&function, module, "vectorAdd"));
    EXPECT_OK(CU(cuDeviceGetDefaultMemPool)(&pool, device));
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[1 - device]));
    int value = -1;
    cuuint64_t bytes = 0;
    EXPECT_OK(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    EXPECT_OK(CU(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &bytes));
    EXPECT_OK(CU(cuEventQuery)(event));
    EXPECT_OK(CU(cuEventDestroy_v2)(event));
    // And where an argument is the other side's, it is no valid one.
    EXPECT_THAT(CU(cuEventRecord)(event, nullptr), isRefusal);
    void *parameters[] = {nullptr};
    CUstream stream = nullptr;
    EXPECT_OK(CU(cuStreamCreate)(&stream, 0));
    EXPECT_THAT(CU(cuLaunchKernel)(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr), isRefusal);
    const CUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, stream, nullptr, 0};
    EXPECT_THAT(CU(cuLaunchKernelEx)(&config, function, parameters, nullptr), isRefusal);
    EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
    CUdevice ordinal = -1;
    EXPECT_OK(CU(cuPointerGetAttribute)(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory[device]));
    EXPECT_EQ(ordinal, device);
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    unsigned type = 0;
    void *values[] = {&type, &ordinal};
    EXPECT_OK(CU(cuPointerGetAttributes)(2, attributes, values, memory[device] + 5));
    EXPECT_EQ(ordinal, device);
    CUcontext owner = nullptr;
    EXPECT_OK(CU(cuPointerGetAttribute)(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory[device]));
    EXPECT_EQ(owner, contexts[device]);
    EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
  }
  int number = 0;
  unsigned type = 0;
  EXPECT_EQ(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CUdeviceptr(&number)),
            CUDA_ERROR_INVALID_VALUE);
}

// Numbers of devices inside of what is passed by address, too.
TEST_F(BothCuda, structuresNameDevices) {
  for (const CUdevice device : {kEmulated, kReal}) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[device]));
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    CUmemoryPool pool = nullptr;
    ASSERT_OK(CU(cuMemPoolCreate)(&pool, &properties));
    EXPECT_EQ(properties.location.id, device);
    CUmemLocation location{CU_MEM_LOCATION_TYPE_DEVICE, device};
    CUmemAccess_flags flags{};
    EXPECT_OK(CU(cuMemPoolGetAccess)(&flags, pool, &location));
    EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    location.id = 1 - device;
    EXPECT_NE(CU(cuMemPoolGetAccess)(&flags, pool, &location), CUDA_SUCCESS);
    CUmemAccessDesc description{{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    EXPECT_OK(CU(cuMemPoolSetAccess)(pool, &description, 1));
    EXPECT_OK(CU(cuMemPoolDestroy)(pool));
    EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
  }
}

TEST_F(BothCuda, copiesGoThroughTheHost) {
  std::vector<int> numbers(1024), read(1024);
  std::iota(numbers.begin(), numbers.end(), 7);
  // With neither, one, and the other context current; from and to each side; in all forms.
  for (const CUcontext current : {contexts[kReal], contexts[kEmulated]})
    for (const CUdevice to : {kEmulated, kReal}) {
      const CUdevice from = 1 - to;
      EXPECT_OK(CU(cuCtxSetCurrent)(contexts[from]));
      EXPECT_OK(CU(cuMemcpyHtoD_v2)(memory[from], numbers.data(), kSize));
      CUstream stream = nullptr;
      EXPECT_OK(CU(cuCtxSetCurrent)(current));
      EXPECT_OK(CU(cuStreamCreate)(&stream, 0));
      const auto check = [&](int line) {
        EXPECT_OK(CU(cuCtxSetCurrent)(contexts[to]));
        EXPECT_OK(CU(cuMemcpyDtoH_v2)(read.data(), memory[to], kSize));
        EXPECT_EQ(read, numbers) << "line " << line;
        EXPECT_OK(CU(cuMemsetD8_v2)(memory[to], 0, kSize));
        EXPECT_OK(CU(cuCtxSetCurrent)(current));
      };
      EXPECT_OK(CU(cuMemcpy)(memory[to], memory[from], kSize));
      check(__LINE__);
      EXPECT_OK(CU(cuMemcpyDtoD_v2)(memory[to], memory[from], kSize));
      check(__LINE__);
      EXPECT_OK(CU(cuMemcpyAsync)(memory[to], memory[from], kSize, stream));
      check(__LINE__);
      EXPECT_OK(CU(cuMemcpyDtoDAsync_v2)(memory[to], memory[from], kSize, nullptr));
      check(__LINE__);
      EXPECT_OK(CU(cuMemcpyPeer)(memory[to], contexts[to], memory[from], contexts[from], kSize));
      check(__LINE__);
      EXPECT_OK(CU(cuMemcpyPeerAsync)(memory[to], contexts[to], memory[from], contexts[from], kSize, stream));
      check(__LINE__);
      CUDA_MEMCPY2D flat{};
      flat.srcMemoryType = flat.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      flat.srcDevice = memory[from], flat.dstDevice = memory[to];
      flat.srcPitch = flat.dstPitch = flat.WidthInBytes = 256;
      flat.Height = 16;
      EXPECT_OK(CU(cuMemcpy2D_v2)(&flat));
      check(__LINE__);
      flat.srcMemoryType = flat.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
      EXPECT_OK(CU(cuMemcpy2DAsync_v2)(&flat, stream));
      check(__LINE__);
      CUDA_MEMCPY3D_PEER solid{};
      solid.srcMemoryType = solid.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      solid.srcDevice = memory[from], solid.dstDevice = memory[to];
      solid.srcContext = contexts[from], solid.dstContext = contexts[to];
      solid.srcPitch = solid.dstPitch = solid.WidthInBytes = 64;
      solid.srcHeight = solid.dstHeight = solid.Height = 8;
      solid.Depth = 8;
      EXPECT_OK(CU(cuMemcpy3DPeer)(&solid));
      check(__LINE__);
      // Past the end of either.
      EXPECT_EQ(CU(cuMemcpy)(memory[to] + 16, memory[from], kSize), CUDA_ERROR_INVALID_VALUE);
      EXPECT_EQ(CU(cuMemcpy)(memory[to], memory[from] + 16, kSize), CUDA_ERROR_INVALID_VALUE);
      solid.Depth = 9;
      EXPECT_EQ(CU(cuMemcpy3DPeer)(&solid), CUDA_ERROR_INVALID_VALUE);
      EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
      EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
    }
}

TEST_F(BothCuda, arraysAreCopiedFromAndToTheOther) {
  std::vector<int> numbers(16 * 16), read(16 * 16);
  std::iota(numbers.begin(), numbers.end(), 5);
  CUarray arrays[2] = {};
  for (const CUdevice device : {kEmulated, kReal}) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[device]));
    CUDA_ARRAY_DESCRIPTOR description{16, 16, CU_AD_FORMAT_SIGNED_INT32, 1};
    EXPECT_OK(CU(cuArrayCreate_v2)(&arrays[device], &description));
  }
  EXPECT_OK(CU(cuCtxSetCurrent)(contexts[kReal]));
  EXPECT_OK(CU(cuMemcpyHtoD_v2)(memory[kReal], numbers.data(), 1024));
  // Rows 3 to 14 become the upper ones: real memory, our array, real array, our array, real memory.
  CUDA_MEMCPY2D flat{};
  flat.srcMemoryType = CU_MEMORYTYPE_DEVICE, flat.srcDevice = memory[kReal], flat.srcPitch = 64, flat.srcY = 3;
  flat.dstMemoryType = CU_MEMORYTYPE_ARRAY, flat.dstArray = arrays[kEmulated];
  flat.WidthInBytes = 64, flat.Height = 12;
  EXPECT_OK(CU(cuMemcpy2D_v2)(&flat));
  CUDA_MEMCPY3D solid{};
  solid.srcMemoryType = solid.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  solid.srcArray = arrays[kEmulated], solid.dstArray = arrays[kReal];
  solid.WidthInBytes = 64, solid.Height = 12, solid.Depth = 1;
  EXPECT_OK(CU(cuMemcpy3D_v2)(&solid));
  std::swap(solid.srcArray, solid.dstArray);
  solid.dstXInBytes = 4, solid.WidthInBytes = 60;
  EXPECT_OK(CU(cuMemcpy3DAsync_v2)(&solid, nullptr));
  flat = {};
  flat.srcMemoryType = CU_MEMORYTYPE_ARRAY, flat.srcArray = arrays[kEmulated];
  flat.dstMemoryType = CU_MEMORYTYPE_UNIFIED, flat.dstDevice = memory[kReal], flat.dstPitch = 64;
  flat.WidthInBytes = 64, flat.Height = 12;
  EXPECT_OK(CU(cuCtxSetCurrent)(contexts[kEmulated]));
  EXPECT_OK(CU(cuMemcpy2D_v2)(&flat));
  flat.Height = 17;
  EXPECT_EQ(CU(cuMemcpy2D_v2)(&flat), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuCtxSetCurrent)(contexts[kReal]));
  EXPECT_OK(CU(cuMemcpyDtoH_v2)(read.data(), memory[kReal], 1024));
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 16; ++x)
      EXPECT_EQ(read[size_t(y * 16 + x)], 5 + (y + 3) * 16 + std::max(x - 1, 0)) << x << " " << y;
  for (const CUdevice device : {kEmulated, kReal}) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[device]));
    EXPECT_OK(CU(cuArrayDestroy)(arrays[device]));
  }
  EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
}

// What the emulated device still computes is waited for.
TEST_F(BothCuda, copiesComeAfterWhatIsUnderWay) {
  EXPECT_OK(CU(cuCtxSetCurrent)(contexts[kEmulated]));
  CUstream stream = nullptr;
  EXPECT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  std::atomic<bool> isOver{false};
  EXPECT_OK(CU(cuLaunchHostFunc)(
      stream,
      [](void *over) {
        usleep(100000);
        *static_cast<std::atomic<bool> *>(over) = true;
      },
      &isOver));
  EXPECT_OK(CU(cuMemsetD32Async)(memory[kEmulated], 42, 1, stream));
  EXPECT_OK(CU(cuMemcpyAsync)(memory[kReal], memory[kEmulated], 4, stream));
  EXPECT_TRUE(isOver);
  int value = 0;
  EXPECT_OK(CU(cuCtxSetCurrent)(contexts[kReal]));
  EXPECT_OK(CU(cuMemcpyDtoH_v2)(&value, memory[kReal], 4));
  EXPECT_EQ(value, 42);
  EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
  EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
}

// "Makes all future work submitted to hStream wait for all work captured in hEvent."
TEST_F(BothCuda, streamsWaitForTheOthersEvents) {
  for (const CUdevice first : {kEmulated, kReal}) {
    const CUdevice second = 1 - first;
    CUstream before = nullptr, after = nullptr;
    CUevent event = nullptr;
    std::atomic<bool> mayGoOn{false};
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[first]));
    EXPECT_OK(CU(cuStreamCreate)(&before, CU_STREAM_NON_BLOCKING));
    EXPECT_OK(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING));
    EXPECT_OK(CU(cuLaunchHostFunc)(
        before,
        [](void *go) {
          while (!*static_cast<std::atomic<bool> *>(go)) usleep(100);
        },
        &mayGoOn));
    EXPECT_OK(CU(cuEventRecord)(event, before));
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[second]));
    EXPECT_OK(CU(cuStreamCreate)(&after, CU_STREAM_NON_BLOCKING));
    EXPECT_OK(CU(cuStreamWaitEvent)(after, event, 0)) << "the call itself does not wait";
    EXPECT_OK(CU(cuMemsetD32Async)(memory[second], 42, 1, after));
    // What is recorded later, and that the event is gone, changes nothing.
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[first]));
    EXPECT_OK(CU(cuEventRecord)(event, before));
    EXPECT_OK(CU(cuEventDestroy_v2)(event));
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[second]));
    usleep(20000);
    EXPECT_EQ(CU(cuStreamQuery)(after), CUDA_ERROR_NOT_READY);
    mayGoOn = true;
    EXPECT_OK(CU(cuStreamSynchronize)(after));
    int value = 0;
    EXPECT_OK(CU(cuMemcpyDtoH_v2)(&value, memory[second], 4));
    EXPECT_EQ(value, 42);
    EXPECT_OK(CU(cuStreamDestroy_v2)(after));
    EXPECT_OK(CU(cuStreamDestroy_v2)(before));
    EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
  }
}

// A value goes to and fro, each turn behind the one before it by nothing but events.
TEST_F(BothCuda, streamsOfBothTakeTurns) {
  constexpr unsigned kTurns = 40;
  CUstream streams[2] = {};
  std::vector<CUevent> events;
  std::vector<unsigned> order;
  struct Turn {
    std::vector<unsigned> *order;
    unsigned number;
  };
  std::vector<Turn> turns;
  for (unsigned i = 0; i < kTurns; ++i) turns.push_back({&order, i});
  for (const CUdevice device : {kEmulated, kReal}) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[device]));
    EXPECT_OK(CU(cuStreamCreate)(&streams[device], CU_STREAM_NON_BLOCKING));
  }
  for (unsigned i = 0; i < kTurns; ++i) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[i % 2]));
    if (i) EXPECT_OK(CU(cuStreamWaitEvent)(streams[i % 2], events.back(), 0));
    EXPECT_OK(CU(cuLaunchHostFunc)(
        streams[i % 2],
        [](void *given) {
          const Turn &turn = *static_cast<Turn *>(given);
          turn.order->push_back(turn.number);
        },
        &turns[i]));
    EXPECT_OK(CU(cuEventCreate)(&events.emplace_back(), 0));
    EXPECT_OK(CU(cuEventRecord)(events.back(), streams[i % 2]));
  }
  EXPECT_OK(CU(cuEventSynchronize)(events.back()));
  std::vector<unsigned> expected(kTurns);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(order, expected);
  for (const CUevent event : events) EXPECT_OK(CU(cuEventDestroy_v2)(event));
  for (const CUstream stream : streams) EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
  EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
}

TEST_F(BothCuda, whatTheOtherSideFailsIsOver) {
  const std::string wild = kHead + ".visible .entry wild()\n{\n  .reg .b64 %rd;\n  mov.u64 %rd, 16;\n"
                                   "  st.global.u32 [%rd], 1;\n  ret;\n}\n";
  for (const CUdevice first : {kEmulated, kReal}) {
    CUcontext failing = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUevent event = nullptr, never = nullptr;
    CUstream stream = nullptr;
    EXPECT_OK(CU(cuCtxCreate_v2)(&failing, 0, first));
    EXPECT_OK(CU(cuModuleLoadData)(&module, wild.c_str()));
    EXPECT_OK(CU(cuModuleGetFunction)(&function, module, "wild"));
    EXPECT_OK(CU(cuEventCreate)(&event, 0));
    EXPECT_OK(CU(cuEventCreate)(&never, 0));
    EXPECT_OK(CU(cuLaunchKernel)(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    EXPECT_OK(CU(cuEventRecord)(event, nullptr));
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[1 - first]));
    EXPECT_OK(CU(cuStreamCreate)(&stream, 0));
    EXPECT_OK(CU(cuStreamWaitEvent)(stream, event, 0));
    EXPECT_OK(CU(cuStreamWaitEvent)(stream, never, 0)) << "it was not recorded";
    EXPECT_OK(CU(cuStreamWaitEvent)(nullptr, never, 0));
    EXPECT_EQ(CU(cuStreamWaitEvent)(stream, never, 2), CUDA_ERROR_INVALID_VALUE);
    EXPECT_OK(CU(cuStreamSynchronize)(stream));
    EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
    EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
    EXPECT_OK(CU(cuCtxDestroy_v2)(failing));
  }
}

TEST_F(BothCuda, noneReachesTheOthersMemory) {
  int can = -1;
  EXPECT_OK(CU(cuDeviceCanAccessPeer)(&can, kEmulated, kReal));
  EXPECT_EQ(can, 0);
  EXPECT_EQ(CU(cuDeviceCanAccessPeer)(&can, kEmulated, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_OK(CU(cuDeviceGetP2PAttribute)(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, kReal, kEmulated));
  EXPECT_EQ(can, 0);
  for (const CUdevice device : {kEmulated, kReal}) {
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[device]));
    EXPECT_EQ(CU(cuCtxEnablePeerAccess)(contexts[1 - device], 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    EXPECT_EQ(CU(cuCtxDisablePeerAccess)(contexts[1 - device]), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
  }
}

TEST_F(BothCuda, errorsStayWithTheirSide) {
  const std::string wild = kHead + R"(
.visible .entry wild()
{
  .reg .b64 %rd;
  mov.u64 %rd, 16;
  st.global.u32 [%rd], 1;
  ret;
}
)";
  for (const CUdevice device : {kEmulated, kReal}) {
    CUcontext mine = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_OK(CU(cuCtxCreate_v2)(&mine, 0, device));
    EXPECT_OK(CU(cuModuleLoadData)(&module, wild.c_str()));
    EXPECT_OK(CU(cuModuleGetFunction)(&function, module, "wild"));
    EXPECT_OK(CU(cuLaunchKernel)(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_OK(CU(cuCtxSetCurrent)(contexts[1 - device]));
    EXPECT_OK(CU(cuCtxSynchronize)());
    EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
    EXPECT_OK(CU(cuCtxDestroy_v2)(mine));
  }
}

TEST_F(BothCuda, threadsUseBothAtATime) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        const CUcontext mine = contexts[(i + round) % 2], other = contexts[1 - (i + round) % 2];
        CUdeviceptr here = 0, there = 0;
        int value = 0;
        CUcontext popped = nullptr;
        const bool isRight =
            CU(cuCtxPushCurrent_v2)(mine) == CUDA_SUCCESS && CU(cuMemAlloc_v2)(&here, 64) == CUDA_SUCCESS &&
            CU(cuMemsetD32_v2)(here, unsigned(i), 16) == CUDA_SUCCESS &&
            CU(cuCtxPushCurrent_v2)(other) == CUDA_SUCCESS && CU(cuMemAlloc_v2)(&there, 64) == CUDA_SUCCESS &&
            CU(cuMemcpy)(there, here, 64) == CUDA_SUCCESS && CU(cuMemFree_v2)(here) == CUDA_SUCCESS &&
            CU(cuMemcpyDtoH_v2)(&value, there + 60, 4) == CUDA_SUCCESS && CU(cuMemFree_v2)(there) == CUDA_SUCCESS &&
            CU(cuCtxPopCurrent_v2)(&popped) == CUDA_SUCCESS && popped == other &&
            CU(cuCtxPopCurrent_v2)(&popped) == CUDA_SUCCESS && popped == mine;
        right += isRight && value == i;
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(right, 16 * 20);
}

TEST_F(BothCuda, childrenOfForkHaveNoDriver) {
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    CUdevice device = 0;
    bool isRight = CU(cuInit)(0) == CUDA_ERROR_NOT_INITIALIZED &&
                   CU(cuDeviceGetCount)(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                   CU(cuDeviceGet)(&device, 0) == CUDA_ERROR_NOT_INITIALIZED;
    for (const CUcontext context : contexts)
      isRight = isRight && CU(cuCtxPushCurrent_v2)(context) == CUDA_ERROR_NOT_INITIALIZED;
    _exit(isRight ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Each word of the variable is a number in the list of both.
TEST(Visible, numbersAreOfTheWholeList) {
  ASSERT_NE(library(), nullptr) << dlerror();
  const std::string expected = std::getenv("US_EXPECTED_DEVICES"), visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const CUresult started = CU(cuInit)(0);
  EXPECT_EQ(started, expected.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS);
  int count = 0;
  if (started == CUDA_SUCCESS) EXPECT_OK(CU(cuDeviceGetCount)(&count));
  std::string names;
  for (int i = 0; i < count; ++i) names += (i ? "," : "") + nameOf(i).substr(0, 8);
  EXPECT_EQ(names, expected);
  EXPECT_EQ(std::getenv("CUDA_VISIBLE_DEVICES"), visible) << "the program's own is what it was";
}

// NVIDIA's runtime asks for tables of the driver's own functions.
TEST(PrivateTables, leaveRealDevicesOnly) {
  ASSERT_NE(library(), nullptr) << dlerror();
  ASSERT_OK(CU(cuInit)(0));
  int count = 0;
  EXPECT_OK(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(count, 2);
  CUcontext emulated = nullptr;
  EXPECT_OK(CU(cuCtxCreate_v2)(&emulated, 0, kEmulated));
  const void *table = nullptr;
  const CUuuid id{};
  EXPECT_EQ(CU(cuGetExportTable)(&table, &id), CUDA_ERROR_INVALID_VALUE) << "as this driver, which has none, answers";
  EXPECT_OK(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(nameOf(0), "Tesla T4");
  // What was made before is still known.
  EXPECT_OK(CU(cuCtxSynchronize)());
  EXPECT_OK(CU(cuCtxDestroy_v2)(emulated));
  CUcontext real = nullptr;
  EXPECT_OK(CU(cuCtxCreate_v2)(&real, 0, 0));
  EXPECT_OK(CU(cuCtxDestroy_v2)(real));
}

} // namespace
} // namespace us::cuda_test
