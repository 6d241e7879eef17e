// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which copies and fills have been made when the call returns: a row per function and memory, from the page "API
// synchronization behavior" of the driver API's documentation. The stream is held up meanwhile by a host function.
#include "tests/icd/cuda/cuda_test.h"
#include "tests/icd/cuda/gate.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

namespace us::cuda_test {
namespace {

enum class Place { Pageable, Pinned, Registered, Managed, Device, Array };
constexpr Place kPlaces[] = {Place::Pageable, Place::Pinned, Place::Registered,
                             Place::Managed,  Place::Device, Place::Array};
constexpr const char *kNames[] = {"pageable", "pinned", "registered", "managed", "device", "array"};

bool isHost(Place place) { return place == Place::Pageable || place == Place::Pinned || place == Place::Registered; }

constexpr size_t kBytes = 64, kWidth = 16, kRows = 4;

/// 64 bytes somewhere; of an array four rows of 16.
struct End {
  Place place;
  CUdeviceptr address = 0;
  CUarray array = nullptr;
  void *host() const { return reinterpret_cast<void *>(address); }
  /// What structures say of it.
  CUmemorytype type() const {
    return place == Place::Array ? CU_MEMORYTYPE_ARRAY : isHost(place) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  }
};

using Call = std::function<CUresult(const End &to, const End &from, CUstream)>;
struct Form {
  const char *name;
  bool isAsynchronous;
  bool (*takes)(Place to, Place from);
  Call call;
};

template <class Copy> Copy describe(const End &to, const End &from) {
  Copy copy = {};
  copy.srcMemoryType = from.type();
  copy.dstMemoryType = to.type();
  copy.srcHost = from.host();
  copy.dstHost = to.host();
  copy.srcDevice = from.address;
  copy.dstDevice = to.address;
  copy.srcArray = from.array;
  copy.dstArray = to.array;
  copy.srcPitch = copy.dstPitch = kWidth;
  copy.WidthInBytes = kWidth;
  copy.Height = kRows;
  if constexpr (requires { copy.Depth; }) {
    copy.srcHeight = copy.dstHeight = kRows;
    copy.Depth = 1;
  }
  return copy;
}

bool linear(Place to, Place from) { return to != Place::Array && from != Place::Array; }
bool anything(Place, Place) { return true; }
bool isDevice(Place place) { return place == Place::Device || place == Place::Managed; }
bool toDevice(Place to, Place from) { return isDevice(to) && isHost(from); }
bool toHost(Place to, Place from) { return isHost(to) && isDevice(from); }
bool onDevice(Place to, Place from) { return isDevice(to) && isDevice(from); }
bool hostToArray(Place to, Place from) { return to == Place::Array && isHost(from); }
bool arrayToHost(Place to, Place from) { return isHost(to) && from == Place::Array; }
bool deviceToArray(Place to, Place from) { return to == Place::Array && isDevice(from); }
bool arrayToDevice(Place to, Place from) { return isDevice(to) && from == Place::Array; }
bool arrays(Place to, Place from) { return to == Place::Array && from == Place::Array; }

using E = const End &;
const std::vector<Form> kCopies = {
    {"cuMemcpy", false, linear, [](E to, E from, CUstream) { return CU(cuMemcpy)(to.address, from.address, kBytes); }},
    {"cuMemcpyAsync", true, linear,
     [](E to, E from, CUstream s) { return CU(cuMemcpyAsync)(to.address, from.address, kBytes, s); }},
    {"cuMemcpyHtoD", false, toDevice,
     [](E to, E from, CUstream) { return CU(cuMemcpyHtoD_v2)(to.address, from.host(), kBytes); }},
    {"cuMemcpyHtoDAsync", true, toDevice,
     [](E to, E from, CUstream s) { return CU(cuMemcpyHtoDAsync_v2)(to.address, from.host(), kBytes, s); }},
    {"cuMemcpyDtoH", false, toHost,
     [](E to, E from, CUstream) { return CU(cuMemcpyDtoH_v2)(to.host(), from.address, kBytes); }},
    {"cuMemcpyDtoHAsync", true, toHost,
     [](E to, E from, CUstream s) { return CU(cuMemcpyDtoHAsync_v2)(to.host(), from.address, kBytes, s); }},
    {"cuMemcpyDtoD", false, onDevice,
     [](E to, E from, CUstream) { return CU(cuMemcpyDtoD_v2)(to.address, from.address, kBytes); }},
    {"cuMemcpyDtoDAsync", true, onDevice,
     [](E to, E from, CUstream s) { return CU(cuMemcpyDtoDAsync_v2)(to.address, from.address, kBytes, s); }},
    {"cuMemcpyPeer", false, onDevice,
     [](E to, E from, CUstream) { return CU(cuMemcpyPeer)(to.address, nullptr, from.address, nullptr, kBytes); }},
    {"cuMemcpyPeerAsync", true, onDevice,
     [](E to, E from, CUstream s) {
       return CU(cuMemcpyPeerAsync)(to.address, nullptr, from.address, nullptr, kBytes, s);
     }},
    {"cuMemcpyHtoA", false, hostToArray,
     [](E to, E from, CUstream) { return CU(cuMemcpyHtoA_v2)(to.array, 0, from.host(), kWidth); }},
    {"cuMemcpyHtoAAsync", true, hostToArray,
     [](E to, E from, CUstream s) { return CU(cuMemcpyHtoAAsync_v2)(to.array, 0, from.host(), kWidth, s); }},
    {"cuMemcpyAtoH", false, arrayToHost,
     [](E to, E from, CUstream) { return CU(cuMemcpyAtoH_v2)(to.host(), from.array, 0, kWidth); }},
    {"cuMemcpyAtoHAsync", true, arrayToHost,
     [](E to, E from, CUstream s) { return CU(cuMemcpyAtoHAsync_v2)(to.host(), from.array, 0, kWidth, s); }},
    {"cuMemcpyDtoA", false, deviceToArray,
     [](E to, E from, CUstream) { return CU(cuMemcpyDtoA_v2)(to.array, 0, from.address, kWidth); }},
    {"cuMemcpyAtoD", false, arrayToDevice,
     [](E to, E from, CUstream) { return CU(cuMemcpyAtoD_v2)(to.address, from.array, 0, kWidth); }},
    {"cuMemcpyAtoA", false, arrays,
     [](E to, E from, CUstream) { return CU(cuMemcpyAtoA_v2)(to.array, 0, from.array, 0, kWidth); }},
    {"cuMemcpy2D", false, anything,
     [](E to, E from, CUstream) {
       const auto copy = describe<CUDA_MEMCPY2D>(to, from);
       return CU(cuMemcpy2D_v2)(&copy);
     }},
    {"cuMemcpy2DUnaligned", false, anything,
     [](E to, E from, CUstream) {
       const auto copy = describe<CUDA_MEMCPY2D>(to, from);
       return CU(cuMemcpy2DUnaligned_v2)(&copy);
     }},
    {"cuMemcpy2DAsync", true, anything,
     [](E to, E from, CUstream s) {
       const auto copy = describe<CUDA_MEMCPY2D>(to, from);
       return CU(cuMemcpy2DAsync_v2)(&copy, s);
     }},
    {"cuMemcpy3D", false, anything,
     [](E to, E from, CUstream) {
       const auto copy = describe<CUDA_MEMCPY3D>(to, from);
       return CU(cuMemcpy3D_v2)(&copy);
     }},
    {"cuMemcpy3DAsync", true, anything,
     [](E to, E from, CUstream s) {
       const auto copy = describe<CUDA_MEMCPY3D>(to, from);
       return CU(cuMemcpy3DAsync_v2)(&copy, s);
     }},
    {"cuMemcpy3DPeer", false, anything,
     [](E to, E from, CUstream) {
       const auto copy = describe<CUDA_MEMCPY3D_PEER>(to, from);
       return CU(cuMemcpy3DPeer)(&copy);
     }},
    {"cuMemcpy3DPeerAsync", true, anything,
     [](E to, E from, CUstream s) {
       const auto copy = describe<CUDA_MEMCPY3D_PEER>(to, from);
       return CU(cuMemcpy3DPeerAsync)(&copy, s);
     }},
};

/// All write bytes of 7.
const std::vector<Form> kFills = {
    {"cuMemsetD8", false, linear, [](E to, E, CUstream) { return CU(cuMemsetD8_v2)(to.address, 7, kBytes); }},
    {"cuMemsetD16", false, linear, [](E to, E, CUstream) { return CU(cuMemsetD16_v2)(to.address, 0x707, kBytes / 2); }},
    {"cuMemsetD32", false, linear,
     [](E to, E, CUstream) { return CU(cuMemsetD32_v2)(to.address, 0x7070707, kBytes / 4); }},
    {"cuMemsetD2D8", false, linear,
     [](E to, E, CUstream) { return CU(cuMemsetD2D8_v2)(to.address, kWidth, 7, kWidth, kRows); }},
    {"cuMemsetD2D16", false, linear,
     [](E to, E, CUstream) { return CU(cuMemsetD2D16_v2)(to.address, kWidth, 0x707, kWidth / 2, kRows); }},
    {"cuMemsetD2D32", false, linear,
     [](E to, E, CUstream) { return CU(cuMemsetD2D32_v2)(to.address, kWidth, 0x7070707, kWidth / 4, kRows); }},
    {"cuMemsetD8Async", true, linear,
     [](E to, E, CUstream s) { return CU(cuMemsetD8Async)(to.address, 7, kBytes, s); }},
    {"cuMemsetD16Async", true, linear,
     [](E to, E, CUstream s) { return CU(cuMemsetD16Async)(to.address, 0x707, kBytes / 2, s); }},
    {"cuMemsetD32Async", true, linear,
     [](E to, E, CUstream s) { return CU(cuMemsetD32Async)(to.address, 0x7070707, kBytes / 4, s); }},
    {"cuMemsetD2D8Async", true, linear,
     [](E to, E, CUstream s) { return CU(cuMemsetD2D8Async)(to.address, kWidth, 7, kWidth, kRows, s); }},
    {"cuMemsetD2D16Async", true, linear,
     [](E to, E, CUstream s) { return CU(cuMemsetD2D16Async)(to.address, kWidth, 0x707, kWidth / 2, kRows, s); }},
    {"cuMemsetD2D32Async", true, linear,
     [](E to, E, CUstream s) { return CU(cuMemsetD2D32Async)(to.address, kWidth, 0x7070707, kWidth / 4, kRows, s); }},
};

/// "For transfers from device memory to device memory, no host-side synchronization is performed"; the other
/// synchronous ones wait. "For transfers from any host memory to any host memory, the function is fully synchronous";
/// those that stage pageable memory may be, and here they are. "For all other transfers" the asynchronous ones return
/// at once.
bool copyWaits(bool isAsynchronous, Place to, Place from) {
  if (isHost(to) && isHost(from)) return true;
  if (to == Place::Pageable || from == Place::Pageable) return true;
  const auto plain = [](Place place) { return place == Place::Device || place == Place::Array; };
  return !isAsynchronous && !(plain(to) && plain(from));
}

/// "The synchronous memset functions are asynchronous with respect to the host except when the target is pinned host
/// memory or a Unified Memory region."
bool fillWaits(bool isAsynchronous, Place to) { return !isAsynchronous && to != Place::Device; }

class Synchronisation : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_DEFAULT));
    ASSERT_OK(CU(cuMemHostRegister_v2)(registered, sizeof registered, 0));
  }
  void TearDown() override {
    CU(cuMemHostUnregister)(registered);
    Cuda::TearDown();
  }

  /// `which` is 0 for destinations and 1 for sources.
  End end(Place place, unsigned which) {
    End end{place};
    const CUDA_ARRAY_DESCRIPTOR description = {kWidth, kRows, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    void *host = nullptr;
    switch (place) {
    case Place::Pageable:
      end.address = CUdeviceptr(&pageable[which][0]);
      break;
    case Place::Pinned:
      EXPECT_OK(CU(cuMemHostAlloc)(&host, kBytes, 0));
      end.address = CUdeviceptr(host);
      break;
    case Place::Registered:
      end.address = CUdeviceptr(&registered[which][0]);
      break;
    case Place::Managed:
      EXPECT_OK(CU(cuMemAllocManaged)(&end.address, kBytes, CU_MEM_ATTACH_GLOBAL));
      break;
    case Place::Device:
      end.address = allocate(kBytes);
      break;
    case Place::Array:
      EXPECT_OK(CU(cuArrayCreate_v2)(&end.array, &description));
      break;
    }
    return end;
  }
  void put(const End &end, unsigned char value) {
    const std::vector<unsigned char> bytes(kBytes, value);
    const End from{Place::Pageable, CUdeviceptr(bytes.data())};
    const auto copy = describe<CUDA_MEMCPY2D>(end, from);
    EXPECT_OK(CU(cuMemcpy2D_v2)(&copy));
    EXPECT_OK(CU(cuCtxSynchronize)());
  }
  unsigned firstByte(const End &end) {
    std::vector<unsigned char> bytes(kBytes);
    const End to{Place::Pageable, CUdeviceptr(bytes.data())};
    const auto copy = describe<CUDA_MEMCPY2D>(to, end);
    EXPECT_OK(CU(cuMemcpy2D_v2)(&copy));
    return bytes[0];
  }

  /// Calls while the stream cannot go on. True if the call came back before it could.
  bool returnsEarly(const Form &form, const End &to, const End &from) {
    using namespace std::chrono;
    Gate gate;
    std::atomic<bool> hasReturned{false};
    EXPECT_OK(CU(cuLaunchHostFunc)(stream, Gate::wait, &gate));
    std::thread caller([&] {
      EXPECT_OK(CU(cuCtxSetCurrent)(context));
      EXPECT_OK(form.call(to, from, stream));
      hasReturned = true;
    });
    // One that waits is given a little time to do what it should not, one that does not has all it needs.
    const auto begin = steady_clock::now();
    const bool shouldWait = expected;
    const auto limit = shouldWait ? milliseconds(5) : milliseconds(20000);
    while (!hasReturned && steady_clock::now() - begin < limit) std::this_thread::yield();
    const bool early = hasReturned;
    if (early && (isHost(to.place) || to.place == Place::Managed))
      EXPECT_EQ(*static_cast<volatile unsigned char *>(to.host()), 0) << "the stream is held up";
    gate.isOpen = true;
    caller.join();
    if (!early && (isHost(to.place) || to.place == Place::Managed))
      EXPECT_EQ(*static_cast<volatile unsigned char *>(to.host()), 7) << "not complete on return";
    EXPECT_OK(CU(cuCtxSynchronize)());
    return early;
  }

  CUstream stream = nullptr;
  bool expected = false; ///< that the call waits
  alignas(4096) unsigned char pageable[2][kBytes] = {};
  alignas(4096) unsigned char registered[2][4096] = {};
};

TEST_F(Synchronisation, copies) {
  std::vector<End> destinations, sources;
  for (const Place place : kPlaces) {
    destinations.push_back(end(place, 0));
    sources.push_back(end(place, 1));
    put(sources.back(), 7);
  }
  for (const Form &form : kCopies)
    for (const End &to : destinations)
      for (const End &from : sources) {
        if (!form.takes(to.place, from.place)) continue;
        SCOPED_TRACE(std::string(form.name) + ", " + kNames[unsigned(from.place)] + " to " +
                     kNames[unsigned(to.place)]);
        put(to, 0);
        expected = copyWaits(form.isAsynchronous, to.place, from.place);
        EXPECT_EQ(returnsEarly(form, to, from), !expected);
        EXPECT_EQ(firstByte(to), 7u);
      }
}

TEST_F(Synchronisation, fills) {
  for (const Place place : kPlaces) {
    // Fills reach what devices have addresses for.
    if (place == Place::Array || place == Place::Pageable) continue;
    const End to = end(place, 0);
    for (const Form &form : kFills) {
      SCOPED_TRACE(std::string(form.name) + ", " + kNames[unsigned(place)]);
      put(to, 0);
      expected = fillWaits(form.isAsynchronous, place);
      EXPECT_EQ(returnsEarly(form, to, to), !expected);
      EXPECT_EQ(firstByte(to), 7u);
    }
  }
}

// "to ensure synchronous memory operations initiated on the region of memory ... will always synchronize"
TEST_F(Synchronisation, memoryThatWantsIt) {
  const End to = end(Place::Device, 0), from = end(Place::Device, 1);
  put(from, 7);
  put(to, 0);
  unsigned yes = 1, got = 0;
  EXPECT_OK(CU(cuPointerSetAttribute)(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, to.address));
  EXPECT_OK(CU(cuPointerGetAttribute)(&got, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, to.address));
  EXPECT_EQ(got, 1u);
  for (const Form &form : {kCopies[6], kCopies[7], kFills[0], kFills[6]}) {
    SCOPED_TRACE(form.name);
    expected = !form.isAsynchronous;
    EXPECT_EQ(returnsEarly(form, to, from), !expected);
  }
  yes = 0;
  EXPECT_OK(CU(cuPointerSetAttribute)(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, to.address));
  expected = false;
  EXPECT_TRUE(returnsEarly(kCopies[6], to, from));
}

} // namespace
} // namespace us::cuda_test
