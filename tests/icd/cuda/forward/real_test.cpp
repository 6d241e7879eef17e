// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose devices are another driver's: all calls are its own. CMakeLists.txt says which cases run together in a
// process, since the first call decides for all.
#include "frontend/cuda/ptx_container.h"
#include "tests/icd/cuda/cuda_test.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace us::cuda_test {
namespace {

/// The other driver, called past us.
void *realLibrary() {
  static void *const handle = dlopen(US_REAL_CUDA, RTLD_NOW | RTLD_LOCAL);
  return handle;
}
#define REAL(name) reinterpret_cast<decltype(&::name)>(dlsym(realLibrary(), #name))

std::string nameOf(CUdevice device) {
  char name[256] = {};
  EXPECT_OK(CU(cuDeviceGetName)(name, sizeof name, device));
  return name;
}

class RealCuda : public Cuda {};

TEST_F(RealCuda, devicesAreTheDrivers) {
  int count = 0;
  EXPECT_OK(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(nameOf(0), "Tesla T4");
}

// Handles and pointers pass through unchanged: each side knows the other's.
TEST_F(RealCuda, handlesAreTheDrivers) {
  CUcontext current = nullptr;
  EXPECT_OK(REAL(cuCtxGetCurrent)(&current));
  EXPECT_EQ(current, context);
  const CUdeviceptr memory = upload(std::vector<int>{1, 2, 3});
  unsigned type = 0;
  EXPECT_OK(REAL(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  EXPECT_OK(REAL(cuMemFree_v2)(memory));
}

TEST_F(RealCuda, kernelsRunThere) {
  const CUfunction add = function(load(kVectorAdd), "vectorAdd");
  std::vector<float> a(1000, 2), b(1000, 3);
  CUdeviceptr x = upload(a), y = upload(b), z = allocate(4000);
  unsigned n = 1000;
  void *parameters[] = {&x, &y, &z, &n};
  EXPECT_OK(CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(download<float>(z, 1000), std::vector<float>(1000, 5));
}

/// Every function of the table by its own name, with the versions that mean it.
struct Row {
  const char *symbol, *name;
  int version;
  cuuint64_t flags;
};
constexpr Row kRows[] = {
#define US_CU(symbol, declared, body, name, version) {#symbol, name, version, 0},
#define US_CU_PER_THREAD(symbol, declared, body, name, version) {#symbol, name, version, 2},
#define US_CU_ABSENT(symbol, name, version, flags) {#symbol, name, version, flags},
#define US_CU_UNNAMED(symbol)
#include "icd/cuda/functions.def"
};

std::string symbolAt(void *address) {
  Dl_info info{};
  if (!address) return "NULL";
  return dladdr(address, &info) && info.dli_saddr == address ? info.dli_sname : "?";
}

// What the driver answers, with our addresses: for both forms, found under the name that the form itself is asked for.
TEST_F(RealCuda, lookupsAnswerAsTheDriverWithOurAddresses) {
  void *lookup = nullptr, *old = nullptr;
  EXPECT_OK(CU(cuGetProcAddress)("cuGetProcAddress", &lookup, 12000, 0));
  EXPECT_EQ(lookup, dlsym(library(), "cuGetProcAddress_v2"));
  EXPECT_OK(CU(cuGetProcAddress)("cuGetProcAddress", &old, 11030, 0));
  EXPECT_EQ(old, dlsym(library(), "cuGetProcAddress"));
  const auto ask = reinterpret_cast<decltype(&::cuGetProcAddress_v2)>(lookup);
  unsigned found = 0;
  for (const Row &row : kRows) {
    void *ours = &ours, *theirs = &theirs;
    CUdriverProcAddressQueryResult status{}, theirStatus{};
    EXPECT_EQ(ask(row.name, &ours, row.version, row.flags, &status),
              REAL(cuGetProcAddress_v2)(row.name, &theirs, row.version, row.flags, &theirStatus));
    EXPECT_EQ(status, theirStatus);
    EXPECT_EQ(symbolAt(ours), symbolAt(theirs)) << row.name;
    EXPECT_NE(ours, theirs) << row.name;
    EXPECT_EQ(ours, dlsym(library(), symbolAt(ours).c_str())) << row.name;
    ++found;
  }
  EXPECT_GT(found, 670u);
  // Neither form has any of these.
  for (const char *name : {"", "cuNoSuch", "cuMemAlloc_v2", "cudbgGetAPI"}) {
    void *function = &function;
    CUdriverProcAddressQueryResult status{};
    EXPECT_OK(ask(name, &function, 13000, 0, &status));
    EXPECT_EQ(function, nullptr) << name;
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  }
  void *function = &function;
  EXPECT_EQ(ask("cuInit", &function, 99000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(function, static_cast<void *>(&function));
}

// Every symbol has a way to the driver, those too that we have nothing for.
TEST_F(RealCuda, everySymbolIsThere) {
  for (const Row &row : kRows) EXPECT_NE(dlsym(library(), row.symbol), nullptr) << row.symbol;
  EXPECT_EQ(symbol<CUresult()>("cuMulticastCreate")(), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(symbol<CUresult()>("cudbgGetAPI")(), CUDA_ERROR_NOT_SUPPORTED);
}

// Images of understudy-nvcc are no driver's: it is given the newest text that its device can take.
TEST_F(RealCuda, imagesOfOurCompilerLoadThere) {
  const std::string tooNew = kHead + ".visible .entry other()\n{\n  ret;\n}\n", oldest = kHead;
  const PtxText texts[] = {{50, 0, oldest}, {75, 0, kVectorAdd}, {90, 0, tooNew}};
  std::string image = writePtxContainer(texts);
  const std::string path = testing::TempDir() + "/us_forwarded_image.cubin";
  std::ofstream(path, std::ios::binary) << image;
  CUmodule module = nullptr, theirs = nullptr;
  ASSERT_EQ(REAL(cuModuleLoadData)(&theirs, image.data()), CUDA_ERROR_INVALID_IMAGE);
  const auto check = [&] {
    EXPECT_NE(function(module, "vectorAdd"), nullptr);
    EXPECT_OK(CU(cuModuleUnload)(module));
  };
  ASSERT_OK(CU(cuModuleLoadData)(&module, image.data()));
  check();
  ASSERT_OK(CU(cuModuleLoadDataEx)(&module, image.data(), 0, nullptr, nullptr));
  check();
  ASSERT_OK(CU(cuModuleLoadFatBinary)(&module, image.data()));
  check();
  ASSERT_OK(CU(cuModuleLoad)(&module, path.c_str()));
  check();
  EXPECT_EQ(CU(cuModuleLoad)(&module, "/nowhere.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUlibraryOption preserved = CU_LIBRARY_BINARY_IS_PRESERVED;
  void *yes = nullptr;
  ASSERT_OK(CU(cuLibraryLoadData)(&library, image.data(), nullptr, nullptr, 0, &preserved, &yes, 1));
  EXPECT_OK(CU(cuLibraryGetKernel)(&kernel, library, "vectorAdd"));
  EXPECT_OK(CU(cuLibraryUnload)(library));
  ASSERT_OK(CU(cuLibraryLoadFromFile)(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(CU(cuLibraryUnload)(library));
  CUlinkState state = nullptr;
  ASSERT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
  EXPECT_OK(CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_CUBIN, image.data(), image.size(), "image", 0, nullptr, nullptr));
  EXPECT_OK(CU(cuLinkDestroy)(state));
  ASSERT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
  EXPECT_OK(CU(cuLinkAddFile_v2)(state, CU_JIT_INPUT_CUBIN, path.c_str(), 0, nullptr, nullptr));
  EXPECT_OK(CU(cuLinkDestroy)(state));
  image[12] = 77; // more entries than there are
  EXPECT_EQ(CU(cuModuleLoadData)(&module, image.data()), CUDA_ERROR_INVALID_IMAGE);
}

TEST_F(RealCuda, errorsStayWithTheirContext) {
  const CUmodule module = load(kHead + R"(
.visible .entry wild()
{
  .reg .b64 %rd;
  mov.u64 %rd, 16;
  st.global.u32 [%rd], 1;
  ret;
}
)");
  EXPECT_OK(CU(cuLaunchKernel)(function(module, "wild"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr memory = 0;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&memory, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_OK(CU(cuCtxDestroy_v2)(context));
  EXPECT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  EXPECT_OK(CU(cuMemAlloc_v2)(&memory, 16));
}

TEST_F(RealCuda, childrenOfForkHaveNoDriver) {
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    const bool isRight = CU(cuInit)(0) == CUDA_ERROR_NOT_INITIALIZED &&
                         CU(cuDeviceGetCount)(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                         CU(cuCtxSynchronize)() == CUDA_ERROR_NOT_INITIALIZED;
    _exit(isRight ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(RealCuda, ofManyThreadsEachHasItsOwnContext) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      CUcontext mine = nullptr;
      if (CU(cuCtxCreate_v2)(&mine, 0, 0) != CUDA_SUCCESS) return;
      for (int round = 0; round < 20; ++round) {
        CUdeviceptr memory = 0;
        CUcontext current = nullptr;
        int value = 0;
        if (CU(cuMemAlloc_v2)(&memory, 4096) == CUDA_SUCCESS &&
            CU(cuMemsetD32_v2)(memory, unsigned(i), 1024) == CUDA_SUCCESS &&
            CU(cuMemcpyDtoH_v2)(&value, memory + 4092, 4) == CUDA_SUCCESS &&
            CU(cuCtxGetCurrent)(&current) == CUDA_SUCCESS && CU(cuMemFree_v2)(memory) == CUDA_SUCCESS)
          right += value == i && current == mine;
      }
      CU(cuCtxDestroy_v2)(mine);
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(right, 16 * 20);
}

// A library of the real driver's that finds us under the driver's name.
TEST(Neighbor, goesToTheDriverBesideIt) {
  ASSERT_NE(library(), nullptr) << dlerror();
  ASSERT_OK(CU(cuInit)(0));
  EXPECT_THAT(nameOf(0), testing::Not(testing::HasSubstr("T4")));
  void *const neighbor = dlopen(US_NEIGHBOR, RTLD_NOW);
  ASSERT_NE(neighbor, nullptr) << dlerror();
  char name[256] = {};
  ASSERT_OK(reinterpret_cast<CUresult (*)(char *, int)>(dlsym(neighbor, "usNameOfDevice0"))(name, sizeof name));
  EXPECT_STREQ(name, "Tesla T4");
  EXPECT_THAT(nameOf(0), testing::Not(testing::HasSubstr("T4")));
}

// The first calls of a process come from many threads at a time: one decides, the others wait for it.
TEST(First, FirstCallInAThread) {
  ASSERT_NE(library(), nullptr) << dlerror();
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      int count = 0;
      right += CU(cuInit)(0) == CUDA_SUCCESS && CU(cuDeviceGetCount)(&count) == CUDA_SUCCESS && count == 1;
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(right, 16);
  EXPECT_EQ(nameOf(0), "Tesla T4");
}

// A child of a process that has not used us decides for itself. Of one in which a thread decides just then nobody can
// say anything, but it does not hang.
TEST(First, FirstCallInAChild) {
  ASSERT_NE(library(), nullptr) << dlerror();
  const auto start = [](auto body) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      _exit(body() ? 0 : 1);
    }
    return child;
  };
  const auto ended = [](pid_t child) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  };
  EXPECT_EQ(ended(start([] { return CU(cuInit)(0) == CUDA_SUCCESS && nameOf(0) == "Tesla T4"; })), 0);
  std::atomic<bool> isDone{false};
  std::thread first([&] {
    EXPECT_OK(CU(cuInit)(0));
    isDone = true;
  });
  while (!isDone)
    EXPECT_EQ(ended(start([] {
                int count = 0;
                return CU(cuDeviceGetCount)(&count) == CUDA_ERROR_NOT_INITIALIZED;
              })),
              0);
  first.join();
}

TEST(None, thereIsNoDevice) {
  ASSERT_NE(library(), nullptr) << dlerror();
  EXPECT_EQ(CU(cuInit)(0), CUDA_ERROR_NO_DEVICE);
}

// Where the real driver cannot be used.
TEST(Emulated, deviceIsThere) {
  ASSERT_NE(library(), nullptr) << dlerror();
  ASSERT_OK(CU(cuInit)(0));
  int count = 0;
  EXPECT_OK(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(count, 1);
}

} // namespace
} // namespace us::cuda_test
