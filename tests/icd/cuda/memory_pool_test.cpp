// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-ordered memory, from the page "Stream Ordered Memory Allocator" of the driver API's documentation and the
// chapter of the same name in the programming guide. It can be run on a real driver (UNDERSTUDY_TEST_CUDA_LIBRARY).
#include "tests/icd/cuda/cuda_test.h"
#include "tests/icd/cuda/gate.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <random>
#include <thread>
#include <unistd.h>

namespace us::cuda_test {
namespace {

/// Large enough that no driver packs two of them into one piece of what it takes from the system.
constexpr size_t kBig = 64 << 20;
constexpr cuuint64_t kAll = ~cuuint64_t(0);

CUmemPoolProps onDevice(CUmemAllocationHandleType handles = CU_MEM_HANDLE_TYPE_NONE, size_t maxSize = 0) {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = handles;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.maxSize = maxSize;
  return properties;
}

class Pools : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    int supported = 0, major = 0;
    ASSERT_OK(CU(cuDeviceGetAttribute)(&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0));
    ASSERT_OK(CU(cuDeviceGetAttribute)(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    if (!supported && major < 6) GTEST_SKIP() << "the device is too old for memory pools";
    ASSERT_TRUE(supported);
    for (CUstream *stream : {&first, &second}) ASSERT_OK(CU(cuStreamCreate)(stream, CU_STREAM_NON_BLOCKING));
    const CUmemPoolProps properties = onDevice();
    ASSERT_OK(CU(cuMemPoolCreate)(&pool, &properties));
  }
  void TearDown() override {
    gate.isOpen = true;
    if (context) CU(cuCtxSynchronize)();
    if (pool) CU(cuMemPoolDestroy)(pool);
    Cuda::TearDown();
  }

  CUdeviceptr make(size_t size, CUstream stream) { return make(size, stream, pool); }
  CUdeviceptr make(size_t size, CUstream stream, CUmemoryPool from) {
    CUdeviceptr pointer = 0;
    EXPECT_OK(CU(cuMemAllocFromPoolAsync)(&pointer, size, from, stream));
    return pointer;
  }
  void drop(CUdeviceptr pointer, CUstream stream) { EXPECT_OK(CU(cuMemFreeAsync)(pointer, stream)); }
  template <class T> T get(CUmemPool_attribute attribute, CUmemoryPool of = nullptr) {
    T value = 0;
    EXPECT_OK(CU(cuMemPoolGetAttribute)(of ? of : pool, attribute, &value));
    return value;
  }
  template <class T> void set(CUmemPool_attribute attribute, T value, CUmemoryPool of = nullptr) {
    EXPECT_OK(CU(cuMemPoolSetAttribute)(of ? of : pool, attribute, &value));
  }
  cuuint64_t reserved(CUmemoryPool of = nullptr) { return get<cuuint64_t>(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, of); }
  cuuint64_t used() { return get<cuuint64_t>(CU_MEMPOOL_ATTR_USED_MEM_CURRENT); }
  void hold(CUstream stream) { EXPECT_OK(CU(cuLaunchHostFunc)(stream, Gate::wait, &gate)); }

  CUstream first = nullptr, second = nullptr;
  CUmemoryPool pool = nullptr;
  Gate gate;
};

// --- What is wrong ---

struct Scene {
  CUmemoryPool pool = nullptr, standard = nullptr, destroyed = nullptr, shared = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0, freed = 0;
};
struct Row {
  const char *what;
  CUresult expected;
  std::function<CUresult(Scene &)> call;
};
constexpr CUresult kOk = CUDA_SUCCESS, kValue = CUDA_ERROR_INVALID_VALUE, kDevice = CUDA_ERROR_INVALID_DEVICE,
                   kMemory = CUDA_ERROR_OUT_OF_MEMORY;

CUresult create(std::function<void(CUmemPoolProps &)> change) {
  CUmemPoolProps properties = onDevice();
  change(properties);
  CUmemoryPool made = nullptr;
  const CUresult result = CU(cuMemPoolCreate)(&made, &properties);
  if (made) EXPECT_OK(CU(cuMemPoolDestroy)(made));
  return result;
}
CUresult setAccess(CUmemoryPool pool, CUmemLocation location, int flags, size_t count = 1) {
  const CUmemAccessDesc description = {location, CUmemAccess_flags(flags)};
  return CU(cuMemPoolSetAccess)(pool, &description, count);
}
CUresult getAccess(CUmemoryPool pool, CUmemLocation location) {
  CUmemAccess_flags flags = {};
  return CU(cuMemPoolGetAccess)(&flags, pool, &location);
}
template <class T> CUresult setAttribute(CUmemoryPool pool, int attribute, T value) {
  return CU(cuMemPoolSetAttribute)(pool, CUmemPool_attribute(attribute), &value);
}
constexpr CUmemLocation kFirst = {CU_MEM_LOCATION_TYPE_DEVICE, 0};

const std::vector<Row> kMisuse = {
    {"allocation into nowhere", kValue, [](Scene &s) { return CU(cuMemAllocAsync)(nullptr, 64, s.stream); }},
    {"allocation of nothing", kOk, [](Scene &s) { return CU(cuMemAllocAsync)(&s.freed, 0, s.stream); }},
    {"allocation of everything", kMemory, [](Scene &s) { return CU(cuMemAllocAsync)(&s.freed, ~size_t(0), s.stream); }},
    {"more than the device has", kMemory,
     [](Scene &s) {
       size_t bytes = 0;
       EXPECT_OK(CU(cuDeviceTotalMem_v2)(&bytes, 0));
       return CU(cuMemAllocFromPoolAsync)(&s.freed, bytes + 1, s.pool, s.stream);
     }},
    {"from a pool into nowhere", kValue,
     [](Scene &s) { return CU(cuMemAllocFromPoolAsync)(nullptr, 64, s.pool, s.stream); }},
    {"from no pool", kValue, [](Scene &s) { return CU(cuMemAllocFromPoolAsync)(&s.freed, 64, nullptr, s.stream); }},
    {"free of nothing", kOk, [](Scene &s) { return CU(cuMemFreeAsync)(0, s.stream); }},
    {"free twice", kValue, [](Scene &s) { return CU(cuMemFreeAsync)(s.freed, s.stream); }},
    {"free twice at once", kValue, [](Scene &s) { return CU(cuMemFree_v2)(s.freed); }},
    {"free of the middle", kValue, [](Scene &s) { return CU(cuMemFreeAsync)(s.memory + 64, s.stream); }},
    {"pool into nowhere", kValue,
     [](Scene &) {
       const CUmemPoolProps properties = onDevice();
       return CU(cuMemPoolCreate)(nullptr, &properties);
     }},
    {"pool without properties", kValue,
     [](Scene &) {
       CUmemoryPool made = nullptr;
       return CU(cuMemPoolCreate)(&made, nullptr);
     }},
    {"pool of no type", kValue,
     [](Scene &) { return create([](auto &p) { p.allocType = CU_MEM_ALLOCATION_TYPE_INVALID; }); }},
    {"pool of a wild type", kValue,
     [](Scene &) { return create([](auto &p) { p.allocType = CU_MEM_ALLOCATION_TYPE_MAX; }); }},
    {"pool nowhere", kValue,
     [](Scene &) { return create([](auto &p) { p.location.type = CU_MEM_LOCATION_TYPE_INVALID; }); }},
    {"pool on a device that is not there", kValue,
     [](Scene &) { return create([](auto &p) { p.location.id = 1000; }); }},
    {"pool on device -1", kValue, [](Scene &) { return create([](auto &p) { p.location.id = -1; }); }},
    {"pool at the calling thread's node", kValue,
     [](Scene &) { return create([](auto &p) { p.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT; }); }},
    {"shared pool of the host", kValue,
     [](Scene &) {
       return create([](auto &p) {
         p.location = {CU_MEM_LOCATION_TYPE_HOST, 0};
         p.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
       });
     }},
    {"managed pool with a largest size", kValue,
     [](Scene &) {
       return create([](auto &p) {
         p.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
         p.maxSize = kBig;
       });
     }},
    {"destruction of nothing", kValue, [](Scene &) { return CU(cuMemPoolDestroy)(nullptr); }},
    {"destruction of a default pool", kValue, [](Scene &s) { return CU(cuMemPoolDestroy)(s.standard); }},
    {"attribute into nowhere", kValue,
     [](Scene &s) { return CU(cuMemPoolGetAttribute)(s.pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr); }},
    {"attribute of nothing", kValue,
     [](Scene &) {
       cuuint64_t value = 0;
       return CU(cuMemPoolGetAttribute)(nullptr, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value);
     }},
    {"attribute 99", kValue,
     [](Scene &s) {
       cuuint64_t value = 0;
       return CU(cuMemPoolGetAttribute)(s.pool, CUmemPool_attribute(99), &value);
     }},
    {"setting attribute 99", kValue, [](Scene &s) { return setAttribute<cuuint64_t>(s.pool, 99, 0); }},
    {"setting what is reserved", kValue,
     [](Scene &s) { return setAttribute<cuuint64_t>(s.pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 0); }},
    {"setting what is used", kValue,
     [](Scene &s) { return setAttribute<cuuint64_t>(s.pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 0); }},
    {"high watermark of 1", kValue,
     [](Scene &s) { return setAttribute<cuuint64_t>(s.pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 1); }},
    {"high watermark of 0", kOk,
     [](Scene &s) { return setAttribute<cuuint64_t>(s.pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0); }},
    {"setting with nothing", kValue,
     [](Scene &s) { return CU(cuMemPoolSetAttribute)(s.pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr); }},
    {"trim of nothing", kValue, [](Scene &) { return CU(cuMemPoolTrimTo)(nullptr, 0); }},
    {"current pool of no device", kDevice, [](Scene &s) { return CU(cuDeviceSetMemPool)(1000, s.pool); }},
    {"no pool as current one", kValue, [](Scene &) { return CU(cuDeviceSetMemPool)(0, nullptr); }},
    {"default pool of no device", kDevice, [](Scene &s) { return CU(cuDeviceGetDefaultMemPool)(&s.destroyed, 1000); }},
    {"default pool into nowhere", kValue, [](Scene &) { return CU(cuDeviceGetDefaultMemPool)(nullptr, 0); }},
    {"current pool into nowhere", kValue, [](Scene &) { return CU(cuDeviceGetMemPool)(nullptr, 0); }},
    {"access to nothing", kValue, [](Scene &) { return setAccess(nullptr, kFirst, 3); }},
    {"access of a wild kind", kValue, [](Scene &s) { return setAccess(s.pool, kFirst, 77); }},
    {"access of a device to its own memory", kOk, [](Scene &s) { return setAccess(s.pool, kFirst, 3); }},
    {"access taken from the owner", kDevice, [](Scene &s) { return setAccess(s.pool, kFirst, 0); }},
    {"access from device 1000", kDevice,
     [](Scene &s) { return setAccess(s.pool, {CU_MEM_LOCATION_TYPE_DEVICE, 1000}, 3); }},
    {"access asked of nothing", kValue, [](Scene &) { return getAccess(nullptr, kFirst); }},
    {"handle of a pool that is not shared", kValue,
     [](Scene &s) {
       int file = -1;
       return CU(cuMemPoolExportToShareableHandle)(&file, s.pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
     }},
    {"handle into nowhere", kValue,
     [](Scene &s) {
       return CU(cuMemPoolExportToShareableHandle)(nullptr, s.shared, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
     }},
    {"handle with flags", kValue,
     [](Scene &s) {
       int file = -1;
       return CU(cuMemPoolExportToShareableHandle)(&file, s.shared, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1);
     }},
    {"handle of another type", kValue,
     [](Scene &s) {
       int file = -1;
       return CU(cuMemPoolExportToShareableHandle)(&file, s.shared, CU_MEM_HANDLE_TYPE_WIN32, 0);
     }},
    {"a pool from no file", kValue,
     [](Scene &s) {
       return CU(cuMemPoolImportFromShareableHandle)(&s.destroyed, reinterpret_cast<void *>(intptr_t(-1)),
                                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
     }},
    {"pointer that is not shared", kValue,
     [](Scene &s) {
       CUmemPoolPtrExportData data;
       return CU(cuMemPoolExportPointer)(&data, s.memory);
     }},
    {"pointer that is no pool's", kValue,
     [](Scene &) {
       CUmemPoolPtrExportData data;
       CUdeviceptr plain = 0;
       EXPECT_OK(CU(cuMemAlloc_v2)(&plain, 64));
       const CUresult result = CU(cuMemPoolExportPointer)(&data, plain);
       EXPECT_OK(CU(cuMemFree_v2)(plain));
       return result;
     }},
};

TEST_F(Pools, misuse) {
  Scene scene{.pool = pool, .stream = first};
  const CUmemPoolProps properties = onDevice(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  ASSERT_OK(CU(cuMemPoolCreate)(&scene.shared, &properties));
  ASSERT_OK(CU(cuDeviceGetDefaultMemPool)(&scene.standard, 0));
  scene.memory = make(4096, first);
  // Nothing else has its address afterwards.
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll);
  scene.freed = make(kBig, first);
  drop(scene.freed, first);
  const CUdeviceptr freed = scene.freed;
  for (const Row &row : kMisuse) {
    scene.freed = freed;
    EXPECT_EQ(row.call(scene), row.expected) << row.what;
  }
  drop(scene.memory, first);
  EXPECT_OK(CU(cuMemPoolDestroy)(scene.shared));
}

TEST_F(Pools, initialAttributes) {
  for (const CUmemPool_attribute rule :
       {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
        CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}) {
    EXPECT_EQ(get<int>(rule), 1) << rule; // "(default enabled)"
    set<int>(rule, 0);
    EXPECT_EQ(get<int>(rule), 0) << rule;
  }
  EXPECT_EQ(get<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 0u); // "(default 0)"
  for (const CUmemPool_attribute number : {CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH,
                                           CU_MEMPOOL_ATTR_USED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_HIGH})
    EXPECT_EQ(get<cuuint64_t>(number), 0u) << number;
  int value = 0;
  EXPECT_OK(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 0));
  EXPECT_TRUE(value & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
}

// Newer drivers than the first of CUDA 13 tell what a pool was made with.
TEST_F(Pools, propertiesAsAttributes) {
  const CUmemPoolProps properties = onDevice(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, kBig);
  CUmemoryPool made = nullptr;
  ASSERT_OK(CU(cuMemPoolCreate)(&made, &properties));
  int value = -1;
  if (CU(cuMemPoolGetAttribute)(made, CU_MEMPOOL_ATTR_ALLOCATION_TYPE, &value) == kValue) {
    EXPECT_OK(CU(cuMemPoolDestroy)(made));
    GTEST_SKIP() << "not told";
  }
  EXPECT_EQ(value, int(CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(get<int>(CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES, made), int(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  EXPECT_EQ(get<int>(CU_MEMPOOL_ATTR_LOCATION_ID, made), 0);
  EXPECT_EQ(get<int>(CU_MEMPOOL_ATTR_LOCATION_TYPE, made), int(CU_MEM_LOCATION_TYPE_DEVICE));
  EXPECT_GE(get<cuuint64_t>(CU_MEMPOOL_ATTR_MAX_POOL_SIZE, made), kBig);
  EXPECT_OK(CU(cuMemPoolDestroy)(made));
}

// --- Use in the order of streams ---

TEST_F(Pools, kernelsUseWhatCameBeforeThem) {
  constexpr unsigned n = 1000;
  std::vector<float> a(n), sum(n), expected(n);
  for (unsigned i = 0; i < n; ++i) a[i] = float(i), expected[i] = float(2 * i);
  const CUfunction add = function(load(kVectorAdd), "vectorAdd");
  CUdeviceptr in = 0, out = 0;
  EXPECT_OK(CU(cuMemAllocAsync)(&in, n * 4, first));
  EXPECT_OK(CU(cuMemAllocAsync)(&out, n * 4, first));
  EXPECT_EQ(in % 256, 0u);
  EXPECT_OK(CU(cuMemcpyHtoDAsync_v2)(in, a.data(), n * 4, first));
  unsigned count = n;
  void *parameters[] = {&in, &in, &out, &count};
  EXPECT_OK(CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, first, parameters, nullptr));
  drop(in, first);
  EXPECT_OK(CU(cuMemcpyDtoHAsync_v2)(sum.data(), out, n * 4, first));
  drop(out, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(sum, expected);
}

/// How a stream comes to know of a free in another one.
enum class Relation {
  SameStream,
  None,
  Event,
  Legacy,
  StreamSynchronised,
  EventSynchronised,
  ContextSynchronised,
  Ended
};
constexpr const char *kRelations[] = {
    "the same stream", "no relation",    "an event",         "the legacy stream",
    "a waited stream", "a waited event", "a waited context", "work that happens to have ended"};
struct Reuse {
  Relation relation;
  bool follow, opportunistic;
  bool expected; ///< that the next allocation has the same memory
};
const Reuse kReuse[] = {
    {Relation::SameStream, true, true, true},
    {Relation::SameStream, false, false, true},
    {Relation::None, true, true, false},
    {Relation::Event, true, true, true},
    {Relation::Event, true, false, true},
    {Relation::Event, false, true, false},
    {Relation::Legacy, true, false, true},
    {Relation::Legacy, false, true, false},
    {Relation::StreamSynchronised, false, false, true},
    {Relation::EventSynchronised, false, false, true},
    {Relation::ContextSynchronised, false, false, true},
    {Relation::Ended, true, true, true},
    {Relation::Ended, false, true, true},
    {Relation::Ended, true, false, false},
};

// What is freed in a stream that is held up is used again only where the rules allow it; where they do, the driver
// takes it. The stream is not held up where the host has waited, or the work has ended.
TEST_F(Pools, reuseBetweenStreams) {
  for (const Reuse &row : kReuse) {
    SCOPED_TRACE(std::string(kRelations[int(row.relation)]) + (row.follow ? ", follow" : "") +
                 (row.opportunistic ? ", opportunistic" : ""));
    const bool isLegacy = row.relation == Relation::Legacy;
    CUstream from = nullptr, to = nullptr;
    for (CUstream *stream : {&from, &to})
      ASSERT_OK(CU(cuStreamCreate)(stream, isLegacy ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING));
    CUmemoryPool own = nullptr;
    const CUmemPoolProps properties = onDevice();
    ASSERT_OK(CU(cuMemPoolCreate)(&own, &properties));
    set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll, own);
    set<int>(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, row.follow, own);
    set<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, row.opportunistic, own);
    set<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0, own);
    CUevent event = nullptr;
    ASSERT_OK(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING));
    const CUdeviceptr memory = make(kBig, from, own), word = allocate(4);
    EXPECT_OK(CU(cuMemsetD32Async)(memory, 1, kBig / 4, from));
    gate.isOpen = false;
    const bool isHeldUp = row.relation < Relation::StreamSynchronised;
    if (isHeldUp) hold(from);
    drop(memory, from);
    std::atomic<bool> hasEnded{false};
    switch (row.relation) {
    case Relation::SameStream:
      CU(cuStreamDestroy_v2)(to);
      to = from;
      break;
    case Relation::None:
      break;
    case Relation::Event:
      EXPECT_OK(CU(cuEventRecord)(event, from));
      EXPECT_OK(CU(cuStreamWaitEvent)(to, event, 0));
      break;
    case Relation::Legacy: // "null stream interactions can create the required stream ordered dependencies"
      EXPECT_OK(CU(cuMemsetD32Async)(word, 0, 1, nullptr));
      break;
    case Relation::StreamSynchronised:
      EXPECT_OK(CU(cuStreamSynchronize)(from));
      break;
    case Relation::EventSynchronised:
      EXPECT_OK(CU(cuEventRecord)(event, from));
      EXPECT_OK(CU(cuEventSynchronize)(event));
      break;
    case Relation::ContextSynchronised:
      EXPECT_OK(CU(cuCtxSynchronize)());
      break;
    case Relation::Ended: // which the driver was not asked for
      EXPECT_OK(
          CU(cuLaunchHostFunc)(from, [](void *flag) { *static_cast<std::atomic<bool> *>(flag) = true; }, &hasEnded));
      while (!hasEnded) std::this_thread::yield();
      break;
    }
    const CUdeviceptr next = make(kBig, to, own);
    EXPECT_EQ(next == memory, row.expected);
    gate.isOpen = true;
    drop(next, to);
    EXPECT_OK(CU(cuCtxSynchronize)());
    EXPECT_OK(CU(cuMemPoolDestroy)(own));
    EXPECT_OK(CU(cuEventDestroy_v2)(event));
    EXPECT_OK(CU(cuMemFree_v2)(word));
    EXPECT_OK(CU(cuStreamDestroy_v2)(from));
    if (to != from) EXPECT_OK(CU(cuStreamDestroy_v2)(to));
  }
}

// Events that were recorded before a free say nothing of it.
TEST_F(Pools, anEventFromBeforeTheFree) {
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll);
  CUevent event = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING));
  const CUdeviceptr memory = make(kBig, first);
  EXPECT_OK(CU(cuEventRecord)(event, first));
  hold(first);
  drop(memory, first);
  EXPECT_OK(CU(cuStreamWaitEvent)(second, event, 0));
  const CUdeviceptr next = make(kBig, second);
  EXPECT_NE(next, memory);
  gate.isOpen = true;
  drop(next, second);
  EXPECT_OK(CU(cuCtxSynchronize)());
}

// What one stream knows it tells another.
TEST_F(Pools, knowledgeOfAKnowledge) {
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll);
  set<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 0);
  CUstream third = nullptr;
  CUevent one = nullptr, two = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&third, CU_STREAM_NON_BLOCKING));
  for (CUevent *event : {&one, &two}) ASSERT_OK(CU(cuEventCreate)(event, CU_EVENT_DISABLE_TIMING));
  const CUdeviceptr memory = make(kBig, first);
  hold(first);
  drop(memory, first);
  EXPECT_OK(CU(cuEventRecord)(one, first));
  EXPECT_OK(CU(cuStreamWaitEvent)(second, one, 0));
  EXPECT_OK(CU(cuEventRecord)(two, second));
  EXPECT_OK(CU(cuStreamWaitEvent)(third, two, 0));
  const CUdeviceptr next = make(kBig, third);
  EXPECT_EQ(next, memory);
  gate.isOpen = true;
  drop(next, third);
  EXPECT_OK(CU(cuCtxSynchronize)());
}

// A free in another stream than the allocation's, ordered by an event; the memory's next life keeps off the last one.
TEST_F(Pools, freeInAnotherStream) {
  std::vector<unsigned> a(kBig / 4), b(kBig / 4);
  CUevent event = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING));
  const CUdeviceptr memory = make(kBig, first);
  hold(first);
  EXPECT_OK(CU(cuMemsetD32Async)(memory, 1, kBig / 4, first));
  EXPECT_OK(CU(cuEventRecord)(event, first));
  EXPECT_OK(CU(cuStreamWaitEvent)(second, event, 0));
  const CUdeviceptr copy = make(kBig, second);
  EXPECT_OK(CU(cuMemcpyDtoDAsync_v2)(copy, memory, kBig, second));
  drop(memory, second);
  const CUdeviceptr next = make(kBig, second);
  EXPECT_OK(CU(cuMemsetD32Async)(next, 2, kBig / 4, second));
  gate.isOpen = true;
  EXPECT_OK(CU(cuStreamSynchronize)(second));
  EXPECT_OK(CU(cuMemcpyDtoH_v2)(a.data(), copy, kBig));
  EXPECT_OK(CU(cuMemcpyDtoH_v2)(b.data(), next, kBig));
  EXPECT_EQ(a, std::vector<unsigned>(kBig / 4, 1));
  EXPECT_EQ(b, std::vector<unsigned>(kBig / 4, 2));
  drop(copy, second);
  drop(next, second);
}

// Many allocations of several threads and streams: nobody sees another's bytes.
TEST_F(Pools, manyStreams) {
  std::vector<std::thread> threads;
  std::atomic<unsigned> wrong{0};
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      EXPECT_OK(CU(cuCtxSetCurrent)(context));
      std::mt19937 random(t);
      CUstream stream = nullptr;
      EXPECT_OK(CU(cuStreamCreate)(&stream, t % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
      for (unsigned round = 0; round < 60; ++round) {
        const unsigned words = 1 + random() % 20000, mark = t * 1000 + round;
        std::vector<unsigned> back(words);
        CUdeviceptr one = 0, two = 0;
        EXPECT_OK(CU(cuMemAllocFromPoolAsync)(&one, words * 4, pool, stream));
        EXPECT_OK(CU(cuMemsetD32Async)(one, mark, words, stream));
        EXPECT_OK(CU(cuMemAllocFromPoolAsync)(&two, words * 4, pool, stream));
        EXPECT_OK(CU(cuMemcpyDtoDAsync_v2)(two, one, words * 4, stream));
        EXPECT_OK(CU(cuMemFreeAsync)(one, stream));
        EXPECT_OK(CU(cuMemcpyDtoHAsync_v2)(back.data(), two, words * 4, stream));
        EXPECT_OK(CU(cuMemFreeAsync)(two, stream));
        if (round % 8 == 0) {
          EXPECT_OK(CU(cuStreamSynchronize)(stream));
        }
        wrong += back != std::vector<unsigned>(words, mark);
      }
      EXPECT_OK(CU(cuStreamSynchronize)(stream));
      EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(used(), 0u);
}

// --- What a pool keeps ---

struct Wait {
  const char *what;
  std::function<CUresult(CUstream, CUevent)> call;
};
const Wait kWaits[] = {{"stream", [](CUstream stream, CUevent) { return CU(cuStreamSynchronize)(stream); }},
                       {"event", [](CUstream, CUevent event) { return CU(cuEventSynchronize)(event); }},
                       {"context", [](CUstream, CUevent) { return CU(cuCtxSynchronize)(); }}};

// "When more than the release threshold bytes of memory are held by the memory pool, the allocator will try to release
// memory back to the OS on the next call to stream, event or context synchronize."
TEST_F(Pools, releaseThreshold) {
  CUevent event = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING));
  for (const Wait &wait : kWaits) {
    SCOPED_TRACE(wait.what);
    for (const cuuint64_t threshold : {cuuint64_t(0), kAll}) {
      set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, threshold);
      const CUdeviceptr memory = make(kBig, first);
      EXPECT_GE(reserved(), kBig);
      drop(memory, first);
      EXPECT_OK(CU(cuEventRecord)(event, first));
      EXPECT_GE(reserved(), kBig);
      EXPECT_OK(wait.call(first, event));
      if (threshold == 0)
        EXPECT_EQ(reserved(), 0u);
      else
        EXPECT_GE(reserved(), kBig);
      EXPECT_OK(CU(cuMemPoolTrimTo)(pool, 0));
      EXPECT_EQ(reserved(), 0u);
    }
  }
}

// "Otherwise the pool will be guaranteed to have at least minBytesToKeep bytes reserved after the operation."
TEST_F(Pools, trimTo) {
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll);
  std::vector<CUdeviceptr> all;
  for (int i = 0; i < 4; ++i) all.push_back(make(kBig, first));
  const cuuint64_t before = reserved();
  EXPECT_GE(before, 4 * kBig);
  // "Allocations that have not been freed count as outstanding."
  EXPECT_OK(CU(cuMemPoolTrimTo)(pool, 0));
  EXPECT_EQ(reserved(), before);
  hold(first);
  for (int i = 0; i < 3; ++i) drop(all[size_t(i)], first);
  // What the stream has not reached cannot be released.
  EXPECT_OK(CU(cuMemPoolTrimTo)(pool, 0));
  EXPECT_GE(reserved(), 4 * kBig);
  gate.isOpen = true;
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(reserved(), before);
  EXPECT_OK(CU(cuMemPoolTrimTo)(pool, before + 1)); // "the TrimTo operation is a no-op"
  EXPECT_EQ(reserved(), before);
  EXPECT_OK(CU(cuMemPoolTrimTo)(pool, 2 * kBig));
  EXPECT_GE(reserved(), 2 * kBig);
  EXPECT_LT(reserved(), before);
  EXPECT_OK(CU(cuMemPoolTrimTo)(pool, 0));
  EXPECT_GE(reserved(), kBig);
  EXPECT_LT(reserved(), 2 * kBig);
  drop(all[3], first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_OK(CU(cuMemPoolTrimTo)(pool, 0));
  EXPECT_EQ(reserved(), 0u);
}

TEST_F(Pools, watermarks) {
  const CUdeviceptr one = make(kBig, first), two = make(kBig, first);
  EXPECT_EQ(used(), 2 * kBig);
  EXPECT_EQ(get<cuuint64_t>(CU_MEMPOOL_ATTR_USED_MEM_HIGH), 2 * kBig);
  drop(one, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(used(), kBig);
  EXPECT_EQ(get<cuuint64_t>(CU_MEMPOOL_ATTR_USED_MEM_HIGH), 2 * kBig);
  EXPECT_GE(get<cuuint64_t>(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 2 * kBig);
  for (const CUmemPool_attribute high : {CU_MEMPOOL_ATTR_USED_MEM_HIGH, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH})
    set<cuuint64_t>(high, 0);
  EXPECT_EQ(get<cuuint64_t>(CU_MEMPOOL_ATTR_USED_MEM_HIGH), kBig);
  EXPECT_EQ(get<cuuint64_t>(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), reserved());
  drop(two, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(used(), 0u);
}

TEST_F(Pools, memGetInfoCountsWhatPoolsHold) {
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll);
  size_t before = 0, between = 0, kept = 0, after = 0, total = 0;
  EXPECT_OK(CU(cuMemGetInfo_v2)(&before, &total));
  const CUdeviceptr memory = make(4 * kBig, first);
  EXPECT_OK(CU(cuMemGetInfo_v2)(&between, &total));
  EXPECT_LE(between, before - 4 * kBig);
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_OK(CU(cuMemGetInfo_v2)(&kept, &total));
  EXPECT_EQ(kept, between);
  EXPECT_OK(CU(cuMemPoolTrimTo)(pool, 0));
  EXPECT_OK(CU(cuMemGetInfo_v2)(&after, &total));
  EXPECT_EQ(after, before);
}

// --- When there is no more ---

class FullPool : public Pools {
protected:
  void SetUp() override {
    Pools::SetUp();
    if (IsSkipped()) return;
    const CUmemPoolProps properties = onDevice(CU_MEM_HANDLE_TYPE_NONE, 2 * kBig);
    ASSERT_OK(CU(cuMemPoolCreate)(&limited, &properties));
    for (CUdeviceptr &memory : both) memory = make(kBig, first, limited);
  }
  void TearDown() override {
    gate.isOpen = true;
    if (limited) CU(cuMemPoolDestroy)(limited);
    Pools::TearDown();
  }
  CUresult more(CUstream stream) { return CU(cuMemAllocFromPoolAsync)(&next, kBig, limited, stream); }
  CUmemoryPool limited = nullptr;
  CUdeviceptr both[2] = {}, next = 0;
};

TEST_F(FullPool, refuses) {
  EXPECT_EQ(more(first), CUDA_ERROR_OUT_OF_MEMORY);
  // It is no error that stays.
  drop(both[0], first);
  EXPECT_OK(more(first));
}

TEST_F(FullPool, addsADependency) {
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll, limited);
  hold(first);
  EXPECT_OK(CU(cuMemsetD32Async)(both[0], 1, kBig / 4, first));
  drop(both[0], first);
  ASSERT_OK(more(second));
  EXPECT_OK(CU(cuMemsetD32Async)(next, 2, kBig / 4, second));
  EXPECT_EQ(CU(cuStreamQuery)(second), CUDA_ERROR_NOT_READY);
  gate.isOpen = true;
  EXPECT_OK(CU(cuStreamSynchronize)(second));
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(download<unsigned>(next, kBig / 4), std::vector<unsigned>(kBig / 4, 2));
}

TEST_F(FullPool, mayNotAddADependency) {
  set<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0, limited);
  hold(first);
  drop(both[0], first);
  EXPECT_EQ(more(second), CUDA_ERROR_OUT_OF_MEMORY);
  gate.isOpen = true;
}

// Memory that a pool keeps for later is there for whoever needs it now.
TEST_F(Pools, otherAllocationsTakeWhatIsKept) {
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll);
  size_t before = 0, total = 0;
  EXPECT_OK(CU(cuMemGetInfo_v2)(&before, &total));
  const size_t most = before / 4 * 3;
  CUdeviceptr memory = make(most, first), plain = 0;
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_GE(reserved(), most);
  ASSERT_OK(CU(cuMemAlloc_v2)(&plain, most));
  EXPECT_OK(CU(cuMemFree_v2)(plain));
}

// --- Pools of devices ---

TEST_F(Pools, currentPoolOfADevice) {
  CUmemoryPool standard = nullptr, found = nullptr;
  ASSERT_OK(CU(cuDeviceGetDefaultMemPool)(&standard, 0));
  EXPECT_OK(CU(cuDeviceGetMemPool)(&found, 0));
  EXPECT_EQ(found, standard);
  EXPECT_NE(pool, standard);
  EXPECT_OK(CU(cuDeviceSetMemPool)(0, pool));
  EXPECT_OK(CU(cuDeviceGetMemPool)(&found, 0));
  EXPECT_EQ(found, pool);
  CUdeviceptr memory = 0;
  EXPECT_OK(CU(cuMemAllocAsync)(&memory, 4096, first));
  EXPECT_OK(CU(cuPointerGetAttribute)(&found, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory));
  EXPECT_EQ(found, pool);
  EXPECT_OK(CU(cuDeviceGetDefaultMemPool)(&found, 0));
  EXPECT_EQ(found, standard);
  // "Destroying the current mempool of a device sets the default mempool of that device as the current mempool."
  EXPECT_OK(CU(cuMemPoolDestroy)(pool));
  EXPECT_EQ(CU(cuMemPoolDestroy)(pool), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuDeviceGetMemPool)(&found, 0));
  EXPECT_EQ(found, standard);
  // "the function will return immediately and the resources ... will be released automatically"
  EXPECT_OK(CU(cuMemsetD32Async)(memory, 5, 1024, first));
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(download<unsigned>(memory, 1024), std::vector<unsigned>(1024, 5));
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  pool = nullptr;
}

TEST_F(Pools, poolsByLocation) {
  CUmemLocation here = kFirst;
  CUmemoryPool standard = nullptr, found = nullptr;
  ASSERT_OK(CU(cuDeviceGetDefaultMemPool)(&standard, 0));
  EXPECT_OK(CU(cuMemGetDefaultMemPool)(&found, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(found, standard);
  EXPECT_OK(CU(cuMemGetMemPool)(&found, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(found, standard);
  // "this API is the equivalent of calling cuDeviceSetMemPool"
  EXPECT_OK(CU(cuMemSetMemPool)(&here, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
  EXPECT_OK(CU(cuDeviceGetMemPool)(&found, 0));
  EXPECT_EQ(found, pool);
  EXPECT_OK(CU(cuDeviceSetMemPool)(0, standard));
  EXPECT_OK(CU(cuMemGetMemPool)(&found, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(found, standard);
  CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  // "The location and allocation type specified must match those of the pool."
  EXPECT_EQ(CU(cuMemSetMemPool)(&host, CU_MEM_ALLOCATION_TYPE_PINNED, pool), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemGetMemPool)(&found, &here, CU_MEM_ALLOCATION_TYPE_INVALID), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemGetMemPool)(&found, nullptr, CU_MEM_ALLOCATION_TYPE_PINNED), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Pools, hostMemory) {
  int supported = 0;
  if (CU(cuDeviceGetAttribute)(&supported, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 0) != CUDA_SUCCESS ||
      !supported)
    GTEST_SKIP() << "no pools of the host's memory";
  CUmemPoolProps properties = onDevice();
  properties.location = {CU_MEM_LOCATION_TYPE_HOST, 0};
  CUmemoryPool made = nullptr;
  ASSERT_OK(CU(cuMemPoolCreate)(&made, &properties));
  EXPECT_OK(setAccess(made, kFirst, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  const CUdeviceptr memory = make(4096, first, made);
  EXPECT_OK(CU(cuMemsetD32Async)(memory, 9, 1024, first));
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(reinterpret_cast<unsigned *>(memory)[1023], 9u);
  unsigned type = 0;
  EXPECT_OK(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_HOST));
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_OK(CU(cuMemPoolDestroy)(made));
}

TEST_F(Pools, managedMemory) {
  CUmemPoolProps properties = onDevice();
  properties.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
  CUmemoryPool made = nullptr;
  const CUresult result = CU(cuMemPoolCreate)(&made, &properties);
  if (result == CUDA_ERROR_NOT_SUPPORTED || result == CUDA_ERROR_INVALID_VALUE) GTEST_SKIP() << "no managed pools";
  ASSERT_OK(result);
  const CUdeviceptr memory = make(4096, first, made);
  EXPECT_OK(CU(cuMemsetD32Async)(memory, 9, 1024, first));
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_EQ(reinterpret_cast<unsigned *>(memory)[1023], 9u);
  unsigned isManaged = 0;
  EXPECT_OK(CU(cuPointerGetAttribute)(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, memory));
  EXPECT_EQ(isManaged, 1u);
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_OK(CU(cuMemPoolDestroy)(made));
}

TEST_F(Pools, accessOfTheOwner) {
  CUmemLocation here = kFirst;
  CUmemAccess_flags flags = {};
  CUmemoryPool standard = nullptr;
  ASSERT_OK(CU(cuDeviceGetDefaultMemPool)(&standard, 0));
  for (const CUmemoryPool each : {pool, standard}) {
    EXPECT_OK(CU(cuMemPoolGetAccess)(&flags, each, &here));
    EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  }
}

// --- Pointers ---

TEST_F(Pools, pointerAttributes) {
  const CUdeviceptr memory = make(5000, first);
  struct Fact {
    CUpointer_attribute attribute;
    uint64_t value;
  };
  // "querying CU_POINTER_ATTRIBUTE_CONTEXT succeeds but returns NULL", says the guide.
  const Fact facts[] = {{CU_POINTER_ATTRIBUTE_CONTEXT, 0},
                        {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_MEMORYTYPE_DEVICE},
                        {CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory},
                        {CU_POINTER_ATTRIBUTE_IS_MANAGED, 0},
                        {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 0},
                        {CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, 0},
                        {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory},
                        {CU_POINTER_ATTRIBUTE_RANGE_SIZE, 5000},
                        {CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, 0},
                        {CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, uint64_t(pool)}};
  for (const Fact &fact : facts) {
    uint64_t value = 0;
    EXPECT_OK(CU(cuPointerGetAttribute)(&value, fact.attribute, memory)) << fact.attribute;
    EXPECT_EQ(value, fact.value) << fact.attribute;
  }
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_OK(CU(cuMemGetAddressRange_v2)(&base, &size, memory + 100));
  EXPECT_EQ(base, memory);
  EXPECT_EQ(size, 5000u);
  CUipcMemHandle handle;
  EXPECT_EQ(CU(cuIpcGetMemHandle)(&handle, memory), CUDA_ERROR_INVALID_VALUE);
  drop(memory, first);
  const CUdeviceptr plain = allocate(64);
  CUmemoryPool found = pool;
  EXPECT_OK(CU(cuPointerGetAttribute)(&found, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, plain));
  EXPECT_EQ(found, nullptr);
}

// The two kinds of memory are freed either way.
TEST_F(Pools, freesOfTheOtherKind) {
  const CUdeviceptr memory = make(kBig, first), plain = allocate(kBig);
  EXPECT_OK(CU(cuMemsetD32Async)(memory, 1, kBig / 4, first));
  EXPECT_OK(CU(cuMemsetD32Async)(plain, 1, kBig / 4, first));
  // "The user must make the same guarantees about accesses being complete before the free begins."
  drop(plain, first);
  EXPECT_EQ(CU(cuMemFree_v2)(plain), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_OK(CU(cuMemFree_v2)(memory));
  EXPECT_EQ(used(), 0u);
  EXPECT_EQ(CU(cuMemFreeAsync)(memory, first), CUDA_ERROR_INVALID_VALUE);
}

// Memory of a pool belongs to the device: it outlives the context in whose stream it was made.
TEST_F(Pools, outlivesItsContext) {
  CUcontext other = nullptr;
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuCtxCreate_v2)(&other, 0, 0));
  ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  const CUdeviceptr memory = make(4096, stream);
  EXPECT_OK(CU(cuMemsetD32Async)(memory, 3, 1024, stream));
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_OK(CU(cuCtxDestroy_v2)(other));
  EXPECT_OK(CU(cuCtxSetCurrent)(context));
  EXPECT_EQ(download<unsigned>(memory, 1024), std::vector<unsigned>(1024, 3));
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
}

// "CUDA_ERROR_INVALID_CONTEXT (default stream specified with no current context)": a stream of one's own is enough.
TEST_F(Pools, withoutACurrentContext) {
  CUcontext popped = nullptr;
  ASSERT_OK(CU(cuCtxPopCurrent_v2)(&popped));
  CUdeviceptr memory = 0;
  EXPECT_EQ(CU(cuMemAllocAsync)(&memory, 64, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(CU(cuMemAllocFromPoolAsync)(&memory, 64, pool, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(CU(cuMemAllocAsync)(&memory, 64, first));
  EXPECT_EQ(CU(cuMemFreeAsync)(memory, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(CU(cuMemFreeAsync)(memory, first));
  EXPECT_OK(CU(cuCtxPushCurrent_v2)(popped));
}

// The forms for the thread's own default stream: not held up by the legacy one's work in another stream.
TEST_F(Pools, perThreadForms) {
  auto *const allocateHere = symbol<decltype(::cuMemAllocAsync)>("cuMemAllocAsync_ptsz");
  auto *const fromPoolHere = symbol<decltype(::cuMemAllocFromPoolAsync)>("cuMemAllocFromPoolAsync_ptsz");
  auto *const freeHere = symbol<decltype(::cuMemFreeAsync)>("cuMemFreeAsync_ptsz");
  ASSERT_TRUE(allocateHere && fromPoolHere && freeHere);
  set<cuuint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kAll);
  CUdeviceptr memory = 0, next = 0, plain = 0;
  EXPECT_OK(allocateHere(&plain, 64, nullptr));
  EXPECT_OK(freeHere(plain, nullptr));
  EXPECT_OK(fromPoolHere(&memory, kBig, pool, nullptr));
  hold(CU_STREAM_PER_THREAD);
  EXPECT_OK(freeHere(memory, nullptr));
  EXPECT_OK(fromPoolHere(&next, kBig, pool, nullptr));
  EXPECT_EQ(next, memory); // one stream
  EXPECT_OK(freeHere(next, nullptr));
  EXPECT_OK(CU(cuMemAllocFromPoolAsync)(&next, kBig, pool, second));
  EXPECT_NE(next, memory); // another
  gate.isOpen = true;
  drop(next, second);
  EXPECT_OK(CU(cuCtxSynchronize)());
}

// --- Other processes ---

constexpr const char *kPart = "UNDERSTUDY_POOL_FILE";

struct Shared {
  int file = -1;
  CUmemPoolPtrExportData data = {}, tooFar = {};
};

/// What the second process does; its exit code says how it went.
TEST_F(Pools, otherProcess) {
  const char *const path = std::getenv(kPart);
  if (!path) GTEST_SKIP() << "the second process's part";
  Shared shared;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char *>(&shared), sizeof shared);
  CUmemoryPool imported = nullptr;
  ASSERT_OK(CU(cuMemPoolImportFromShareableHandle)(&imported, reinterpret_cast<void *>(intptr_t(shared.file)),
                                                   CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CUdeviceptr memory = 0, other = 0;
  EXPECT_EQ(CU(cuMemPoolImportPointer)(nullptr, imported, &shared.data), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemPoolImportPointer)(&memory, nullptr, &shared.data), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemPoolImportPointer)(&memory, imported, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemPoolImportPointer)(&memory, pool, &shared.data), CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(CU(cuMemPoolImportPointer)(&memory, imported, &shared.tooFar), CUDA_SUCCESS);
  ASSERT_OK(CU(cuMemPoolImportPointer)(&memory, imported, &shared.data));
  // "Imported memory pools do not support creating new allocations."
  EXPECT_EQ(CU(cuMemAllocFromPoolAsync)(&other, 64, imported, first), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuDeviceSetMemPool)(0, imported), CUDA_ERROR_INVALID_VALUE);
  int file = -1;
  EXPECT_EQ(CU(cuMemPoolExportToShareableHandle)(&file, imported, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_ERROR_INVALID_VALUE);
  unsigned n = 1000;
  void *parameters[] = {&memory, &memory, &memory, &n};
  const CUfunction add = function(load(kVectorAdd), "vectorAdd");
  ASSERT_OK(CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, first, parameters, nullptr));
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_OK(CU(cuMemPoolDestroy)(imported));
}

TEST_F(Pools, sharedWithAnotherProcess) {
  const CUmemPoolProps properties = onDevice(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  CUmemoryPool exported = nullptr;
  ASSERT_OK(CU(cuMemPoolCreate)(&exported, &properties));
  std::vector<float> values(1000), doubled(1000);
  for (size_t i = 0; i < 1000; ++i) values[i] = float(i), doubled[i] = float(2 * i);
  const CUdeviceptr before = make(100, first, exported), memory = make(4000, first, exported);
  EXPECT_OK(CU(cuMemcpyHtoDAsync_v2)(memory, values.data(), 4000, first));
  EXPECT_OK(CU(cuMemsetD8Async)(before, 7, 100, first));
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  Shared shared;
  ASSERT_OK(CU(cuMemPoolExportToShareableHandle)(&shared.file, exported, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  ASSERT_OK(CU(cuMemPoolExportPointer)(&shared.data, memory));
  uint64_t types = 0;
  EXPECT_OK(CU(cuPointerGetAttribute)(&types, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, memory));
  EXPECT_EQ(types, uint64_t(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  std::memset(&shared.tooFar, 0x5a, sizeof shared.tooFar);
  ASSERT_EQ(fcntl(shared.file, F_SETFD, 0), 0); // the other process inherits it
  const std::string path = testing::TempDir() + "us_pool_" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(&shared), sizeof shared);
  char program[4096] = "";
  ASSERT_GT(readlink("/proc/self/exe", program, sizeof program - 1), 0);
  const std::string command =
      kPart + ("='" + path) + "' '" + program + "' --gtest_filter=Pools.otherProcess > '" + path + ".log'";
  EXPECT_EQ(std::system(command.c_str()), 0) << std::ifstream(path + ".log").rdbuf();
  unlink(path.c_str());
  unlink((path + ".log").c_str());
  close(shared.file);
  EXPECT_EQ(download<float>(memory, 1000), doubled);
  EXPECT_EQ(download<char>(before, 100), std::vector<char>(100, 7));
  drop(before, first);
  drop(memory, first);
  EXPECT_OK(CU(cuStreamSynchronize)(first));
  EXPECT_OK(CU(cuMemPoolDestroy)(exported));
}

} // namespace
} // namespace us::cuda_test
