// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking, libraries, containers, and what JIT options ask for and get back.
#include "frontend/cuda/ptx_container.h"
#include "tests/icd/cuda/cuda_test.h"

#include <atomic>
#include <bit>
#include <cstring>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <zstd.h>

namespace us::cuda_test {
namespace {

/// out = helper(5) + shared, each module having a `secret` and a `hidden` of its own.
const std::string kOuter = kHead + R"(
.extern .func (.param .b32 result) helper (.param .b32 value);
.extern .global .align 4 .u32 common;
.global .align 4 .u32 secret = 100;
.func (.param .b32 result) hidden ()
{
  .reg .b32 %r;
  ld.global.u32 %r, [secret];
  st.param.b32 [result], %r;
  ret;
}
.visible .entry outer(.param .u64 to)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [to];
  { .param .b32 a; .param .b32 b; st.param.b32 [a], 5; call (b), helper, (a); ld.param.b32 %r1, [b]; }
  { .param .b32 b; call (b), hidden, (); ld.param.b32 %r2, [b]; }
  ld.global.u32 %r3, [common];
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  st.global.u32 [%rd], %r1;
  ret;
}
)";
const std::string kInner = kHead + R"(
.visible .global .align 4 .u32 common = 7;
.global .align 4 .u32 secret = 1000;
.func (.param .b32 result) hidden ()
{
  .reg .b32 %r;
  ld.global.u32 %r, [secret];
  st.param.b32 [result], %r;
  ret;
}
.visible .func (.param .b32 result) helper (.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [value];
  { .param .b32 b; call (b), hidden, (); ld.param.b32 %r2, [b]; }
  mad.lo.u32 %r1, %r1, %r1, %r2;
  st.param.b32 [result], %r1;
  ret;
}
)";

class Linking : public Cuda {
protected:
  CUresult addPtx(CUlinkState state, std::string text, const char *name) {
    return CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, name, 0, nullptr, nullptr);
  }
  int resultOf(CUmodule module, const char *name) {
    CUdeviceptr to = allocate(4);
    void *parameters[] = {&to};
    EXPECT_OK(CU(cuLaunchKernel)(function(module, name), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    return download<int>(to, 1)[0];
  }
  std::string file(const std::string &name, const std::string &bytes) {
    const std::string path = testing::TempDir() + "us_link_" + std::to_string(getpid()) + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
};

TEST_F(Linking, modulesThatNeedEachOther) {
  char info[256] = "x", error[256] = "x";
  CUjit_option options[] = {CU_JIT_WALL_TIME,
                            CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_LOG_VERBOSE};
  void *values[] = {nullptr,
                    info,
                    reinterpret_cast<void *>(sizeof info),
                    error,
                    reinterpret_cast<void *>(sizeof error),
                    reinterpret_cast<void *>(1)};
  CUlinkState state = nullptr;
  ASSERT_OK(CU(cuLinkCreate_v2)(6, options, values, &state));
  ASSERT_OK(addPtx(state, kOuter, "outer.ptx"));
  const std::string path = file(".ptx", kInner);
  ASSERT_OK(CU(cuLinkAddFile_v2)(state, CU_JIT_INPUT_PTX, path.c_str(), 0, nullptr, nullptr));
  // NVIDIA's device runtime is a library of machine code; a toolkit of ours has an empty one.
  const std::string archive = file(".a", "!<arch>\n");
  ASSERT_OK(CU(cuLinkAddFile_v2)(state, CU_JIT_INPUT_LIBRARY, archive.c_str(), 0, nullptr, nullptr));
  void *image = nullptr;
  size_t size = 0;
  ASSERT_OK(CU(cuLinkComplete)(state, &image, &size));
  EXPECT_GT(size, kInner.size());
  EXPECT_EQ(reinterpret_cast<size_t>(values[4]), 0u);
  EXPECT_EQ(reinterpret_cast<size_t>(values[2]), std::strlen(info));
  CUmodule module = nullptr;
  ASSERT_OK(CU(cuModuleLoadData)(&module, image));
  ASSERT_OK(CU(cuLinkDestroy)(state));
  EXPECT_EQ(resultOf(module, "outer"), 5 * 5 + 1000 + 100 + 7);
  EXPECT_EQ(CU(cuLinkDestroy)(state), CUDA_ERROR_INVALID_HANDLE);
  unlink(path.c_str());
  unlink(archive.c_str());
}

TEST_F(Linking, libraryMembersAreLinked) {
  const auto member = [](std::string name, const std::string &bytes) {
    char header[61];
    name += "/";
    std::snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name.c_str(), 0, 0, 0, 0644u, bytes.size());
    return header + bytes + (bytes.size() % 2 ? "\n" : "");
  };
  const std::string path =
      file(".lib", "!<arch>\n" + member("notes.txt", "nothing to link") + member("inner.o", kInner));
  CUlinkState state = nullptr;
  ASSERT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
  ASSERT_OK(CU(cuLinkAddFile_v2)(state, CU_JIT_INPUT_LIBRARY, path.c_str(), 0, nullptr, nullptr));
  ASSERT_OK(addPtx(state, kOuter, "outer"));
  void *image = nullptr;
  ASSERT_OK(CU(cuLinkComplete)(state, &image, nullptr));
  CUmodule module = nullptr;
  ASSERT_OK(CU(cuModuleLoadData)(&module, image));
  EXPECT_EQ(resultOf(module, "outer"), 1132);
  ASSERT_OK(CU(cuLinkDestroy)(state));
  unlink(path.c_str());
}

TEST_F(Linking, logsSayWhatIsMissingAndWhatIsThereTwice) {
  char error[512] = "x";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {error, reinterpret_cast<void *>(sizeof error)};
  CUlinkState state = nullptr;
  ASSERT_OK(CU(cuLinkCreate_v2)(2, options, values, &state));
  ASSERT_OK(addPtx(state, kOuter, "outer"));
  void *image = nullptr;
  EXPECT_EQ(CU(cuLinkComplete)(state, &image, nullptr), CUDA_ERROR_INVALID_SOURCE);
  EXPECT_NE(std::strstr(error, "'common'"), nullptr) << error;
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), std::strlen(error));
  ASSERT_OK(CU(cuLinkDestroy)(state));

  values[1] = reinterpret_cast<void *>(sizeof error);
  ASSERT_OK(CU(cuLinkCreate_v2)(2, options, values, &state));
  ASSERT_OK(addPtx(state, kInner, "first"));
  EXPECT_EQ(addPtx(state, kInner, "second"), CUDA_ERROR_INVALID_SOURCE);
  EXPECT_NE(std::strstr(error, "'common' is defined in first and in second"), nullptr) << error;
  ASSERT_OK(CU(cuLinkDestroy)(state));
}

TEST_F(Linking, weakYields) {
  const auto text = [](const char *linkage, int value) {
    return kHead + linkage + " .func (.param .b32 r) pick () { st.param.b32 [r], " + std::to_string(value) +
           "; ret; }\n";
  };
  const std::string user = kHead + R"(
.extern .func (.param .b32 r) pick ();
.visible .entry use(.param .u64 to)
{
  .reg .b32 %r;
  .reg .b64 %rd;
  ld.param.u64 %rd, [to];
  { .param .b32 b; call (b), pick, (); ld.param.b32 %r, [b]; }
  st.global.u32 [%rd], %r;
  ret;
}
)";
  CUlinkState state = nullptr;
  ASSERT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
  ASSERT_OK(addPtx(state, user, "user"));
  ASSERT_OK(addPtx(state, text(".weak", 1), "weak"));
  ASSERT_OK(addPtx(state, text(".weak", 2), "another"));
  ASSERT_OK(addPtx(state, text(".visible", 3), "strong"));
  void *image = nullptr;
  ASSERT_OK(CU(cuLinkComplete)(state, &image, nullptr));
  CUmodule module = nullptr;
  ASSERT_OK(CU(cuModuleLoadData)(&module, image));
  EXPECT_EQ(resultOf(module, "use"), 3);
  ASSERT_OK(CU(cuLinkDestroy)(state));
}

// --- Libraries ---

TEST_F(Linking, libraries) {
  const std::string text = kHead + R"(
.visible .global .align 4 .u32 number = 11;
.visible .entry put(.param .u64 to) { .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [to]; ld.global.u32 %r, [number];
  st.global.u32 [%rd], %r; ret; }
.visible .entry other() { ret; }
)";
  CUlibrary library = nullptr;
  ASSERT_OK(CU(cuLibraryLoadData)(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  EXPECT_OK(CU(cuLibraryGetKernelCount)(&count, library));
  EXPECT_EQ(count, 2u);
  CUkernel kernels[2] = {}, put = nullptr;
  EXPECT_OK(CU(cuLibraryEnumerateKernels)(kernels, 2, library));
  ASSERT_OK(CU(cuLibraryGetKernel)(&put, library, "put"));
  EXPECT_EQ(put, kernels[0]);
  const char *name = nullptr;
  EXPECT_OK(CU(cuKernelGetName)(&name, put));
  EXPECT_STREQ(name, "put");
  CUlibrary owner = nullptr;
  EXPECT_OK(CU(cuKernelGetLibrary)(&owner, put));
  EXPECT_EQ(owner, library);
  CUmodule module = nullptr;
  EXPECT_OK(CU(cuLibraryGetModule)(&module, library));
  CUfunction function = nullptr;
  EXPECT_OK(CU(cuKernelGetFunction)(&function, put));
  EXPECT_EQ(function, this->function(module, "put"));
  size_t offset = 1, size = 0;
  EXPECT_OK(CU(cuKernelGetParamInfo)(put, 0, &offset, &size));
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ(size, 8u);
  int value = 0;
  EXPECT_OK(CU(cuKernelGetAttribute)(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, put, 0));
  EXPECT_EQ(value, 80);
  EXPECT_OK(CU(cuKernelSetAttribute)(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 50000, put, 0));
  EXPECT_OK(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  EXPECT_EQ(value, 50000);
  EXPECT_OK(CU(cuKernelSetCacheConfig)(put, CU_FUNC_CACHE_PREFER_L1, 0));
  EXPECT_EQ(CU(cuKernelGetAttribute)(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, put, 9), CUDA_ERROR_INVALID_DEVICE);
  CUdeviceptr number = 0;
  EXPECT_OK(CU(cuLibraryGetGlobal)(&number, &size, library, "number"));
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(CU(cuLibraryGetManaged)(&number, &size, library, "number"), CUDA_ERROR_NOT_FOUND);
  // A kernel may stand for a function; each context has variables of its own.
  CUdeviceptr to = allocate(4);
  void *parameters[] = {&to};
  EXPECT_OK(CU(cuMemsetD32_v2)(number, 12, 1));
  EXPECT_OK(CU(cuLaunchKernel)(CUfunction(put), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(download<int>(to, 1)[0], 12);
  CUcontext other = nullptr;
  EXPECT_OK(CU(cuCtxCreate_v2)(&other, 0, 0));
  EXPECT_OK(CU(cuLaunchKernel)(CUfunction(put), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_OK(CU(cuCtxSynchronize)());
  EXPECT_OK(CU(cuCtxDestroy_v2)(other));
  EXPECT_EQ(download<int>(to, 1)[0], 11);
  EXPECT_OK(CU(cuLibraryUnload)(library));
  EXPECT_EQ(CU(cuLibraryUnload)(library), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuLaunchKernel)(CUfunction(put), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  const std::string path = file(".lib.ptx", text);
  EXPECT_OK(CU(cuLibraryLoadFromFile)(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(CU(cuLibraryUnload)(library));
  EXPECT_EQ(CU(cuLibraryLoadFromFile)(&library, "/nowhere.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_ERROR_FILE_NOT_FOUND);
  unlink(path.c_str());
}

// One thread uses handles that another makes invalid: the call is good, or the handle is not.
TEST_F(Linking, unloadingWhileOthersUseIt) {
  std::atomic<CUfunction> function{nullptr};
  std::atomic<CUkernel> kernel{nullptr};
  std::atomic<bool> isOver{false};
  const auto agrees = [](CUresult result) { return result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_HANDLE; };
  std::thread user([&] {
    ASSERT_OK(CU(cuCtxSetCurrent)(context));
    int value = 0;
    size_t offset = 0, size = 0;
    const char *name = nullptr;
    CUfunction found = nullptr;
    CUlibrary of = nullptr;
    while (!isOver) {
      EXPECT_TRUE(agrees(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function)));
      EXPECT_TRUE(agrees(CU(cuFuncGetParamInfo)(function, 0, &offset, &size)));
      EXPECT_TRUE(agrees(CU(cuKernelGetLibrary)(&of, kernel)));
      EXPECT_TRUE(agrees(CU(cuKernelGetFunction)(&found, kernel)));
      EXPECT_TRUE(agrees(CU(cuKernelGetParamInfo)(kernel, 0, &offset, &size)));
      EXPECT_TRUE(agrees(CU(cuKernelGetName)(&name, nullptr)));
    }
  });
  for (unsigned i = 0; i < 60; ++i) {
    CUmodule module = nullptr;
    CUfunction made = nullptr;
    CUlibrary library = nullptr;
    CUkernel shown = nullptr;
    ASSERT_OK(CU(cuModuleLoadData)(&module, kVectorAdd.c_str()));
    ASSERT_OK(CU(cuModuleGetFunction)(&made, module, "vectorAdd"));
    ASSERT_OK(CU(cuLibraryLoadData)(&library, kVectorAdd.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_OK(CU(cuLibraryGetKernel)(&shown, library, "vectorAdd"));
    function = made;
    kernel = shown;
    std::this_thread::yield();
    EXPECT_OK(CU(cuModuleUnload)(module));
    EXPECT_OK(CU(cuLibraryUnload)(library));
  }
  isOver = true;
  user.join();
}

TEST_F(Linking, functionsOfAModule) {
  CUmodule module = load(kHead + ".visible .entry first() { ret; }\n.visible .entry second() { ret; }\n");
  unsigned count = 0;
  EXPECT_OK(CU(cuModuleGetFunctionCount)(&count, module));
  EXPECT_EQ(count, 2u);
  CUfunction functions[2] = {};
  EXPECT_OK(CU(cuModuleEnumerateFunctions)(functions, 2, module));
  EXPECT_EQ(functions[1], function(module, "second"));
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  EXPECT_OK(CU(cuFuncLoad)(functions[0]));
  EXPECT_OK(CU(cuFuncIsLoaded)(&state, functions[0]));
  EXPECT_EQ(state, CU_FUNCTION_LOADING_STATE_LOADED);
  EXPECT_EQ(CU(cuFuncLoad)(CUfunction(&state)), CUDA_ERROR_INVALID_HANDLE);
}

// --- Containers ---

struct FatbinEntry {
  uint16_t kind = 1, version = 0x101;
  uint32_t headerSize = 64;
  uint64_t size = 0;
  uint32_t compressedSize = 0, optionsOffset = 0;
  uint16_t minor = 0, major = 8;
  uint32_t target = 80, nameOffset = 0, nameSize = 0;
  uint64_t flags = 0x11, reserved = 0, uncompressedSize = 0;
};

std::string fatbin(FatbinEntry entry, const std::string &payload) {
  entry.size = (payload.size() + 7) / 8 * 8;
  struct {
    uint32_t magic = 0xba55ed50;
    uint16_t version = 1, headerSize = 16;
    uint64_t size = 0;
  } header;
  header.size = 64 + entry.size;
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char *>(&entry), sizeof entry).append(payload);
  return bytes.append(entry.size - payload.size(), '\0');
}

TEST_F(Linking, fatbins) {
  CUmodule module = nullptr;
  FatbinEntry entry;
  EXPECT_OK(CU(cuModuleLoadData)(&module, fatbin(entry, kVectorAdd + '\0').c_str()));
  function(module, "vectorAdd");
  entry.uncompressedSize = kVectorAdd.size() + 1;
  // zstd
  std::string packed(ZSTD_compressBound(entry.uncompressedSize), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), kVectorAdd.c_str(), entry.uncompressedSize, 3));
  entry.compressedSize = uint32_t(packed.size());
  entry.flags = 0x8011;
  EXPECT_OK(CU(cuModuleLoadData)(&module, fatbin(entry, packed).c_str()));
  function(module, "vectorAdd");
  packed[packed.size() / 2] ^= 0x55;
  EXPECT_NE(CU(cuModuleLoadData)(&module, fatbin(entry, packed).c_str()), CUDA_SUCCESS);
  // LZ4 (block format): literals of a line and a half, a copy that overlaps what it makes, and the rest as literals.
  const std::string spaced = kHead + std::string(300, ' ') + ".visible .entry blank() { ret; }\n";
  const size_t blanks = kHead.size() + 1;
  packed.clear();
  const auto length = [&](size_t rest) {
    for (; rest >= 255; rest -= 255) packed.push_back(char(255));
    packed.push_back(char(rest));
  };
  packed.push_back(char(0xff));
  length(blanks - 15);
  packed += spaced.substr(0, blanks);
  packed.push_back(1); // distance 1
  packed.push_back(0);
  length(299 - 4 - 15);
  const std::string rest = spaced.substr(blanks + 299);
  packed.push_back(char(0xf0));
  length(rest.size() + 1 - 15);
  packed += rest + '\0';
  entry.flags = 0x2011;
  entry.uncompressedSize = spaced.size() + 1;
  entry.compressedSize = uint32_t(packed.size());
  EXPECT_OK(CU(cuModuleLoadData)(&module, fatbin(entry, packed).c_str()));
  function(module, "blank");
  entry.uncompressedSize += 1;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, fatbin(entry, packed).c_str()), CUDA_ERROR_INVALID_IMAGE);
  // Machine code only.
  entry.kind = 2;
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  EXPECT_EQ(CU(cuModuleLoadDataEx)(&module, fatbin(entry, packed).c_str(), 2, options, values),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_NE(std::strstr(log, "-code=compute_XX"), nullptr) << log;
}

/// What each way of giving a file's bytes answers.
std::vector<CUresult> answersTo(const std::string &bytes, const std::string &path) {
  std::ofstream(path, std::ios::binary) << bytes;
  std::vector<CUresult> answers;
  CUmodule module = nullptr;
  answers.push_back(CU(cuModuleLoad)(&module, path.c_str()));
  CUlibrary library = nullptr;
  answers.push_back(CU(cuLibraryLoadFromFile)(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  // Nothing lies behind what is said to be there.
  std::vector<char> exact(bytes.begin(), bytes.end());
  for (const bool isFile : {false, true}) {
    CUlinkState state = nullptr;
    EXPECT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
    answers.push_back(isFile ? CU(cuLinkAddFile_v2)(state, CU_JIT_INPUT_FATBINARY, path.c_str(), 0, nullptr, nullptr)
                             : CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_FATBINARY, exact.data(), exact.size(), "", 0,
                                                    nullptr, nullptr));
    EXPECT_OK(CU(cuLinkDestroy)(state));
  }
  return answers;
}

TEST_F(Linking, damagedFiles) {
  const std::string path = file("damaged", "");
  FatbinEntry entry;
  const std::string good = fatbin(entry, kVectorAdd + '\0');
  EXPECT_EQ(answersTo(good, path), std::vector<CUresult>(4, CUDA_SUCCESS));
  const std::vector<CUresult> invalid(4, CUDA_ERROR_INVALID_IMAGE);
  for (size_t size = 4; size < good.size(); size += size < 200 ? 1 : 101)
    EXPECT_EQ(answersTo(good.substr(0, size), path), invalid) << size;
  // Lengths that are more than there is: of the header, of all entries, of an entry's header, of its text.
  struct Field {
    size_t at, bytes;
  };
  for (const Field field : {Field{6, 2}, Field{8, 8}, Field{16 + 4, 4}, Field{16 + 8, 8}})
    for (const uint64_t value : {uint64_t(0xf000), uint64_t(1) << 30, ~uint64_t(0), ~uint64_t(0) - 63}) {
      std::string bad = good;
      std::memcpy(bad.data() + field.at, &value, field.bytes);
      EXPECT_EQ(answersTo(bad, path), invalid) << field.at << ": " << value;
    }
  entry.flags = 0x8011;
  entry.compressedSize = 1 << 30;
  entry.uncompressedSize = ~uint64_t(0);
  EXPECT_EQ(answersTo(fatbin(entry, "short"), path), invalid);
  // A pointer in a file points nowhere; this one has a good text behind it.
  struct {
    uint32_t magic = 0x466243b1, version = 1;
    const void *container = kVectorAdd.c_str(), *more = nullptr;
  } wrapper;
  const std::string wrapped(reinterpret_cast<const char *>(&wrapper), sizeof wrapper);
  EXPECT_EQ(answersTo(wrapped, path), invalid);
  CUmodule module = nullptr;
  EXPECT_OK(CU(cuModuleLoadData)(&module, wrapped.c_str()));
  wrapper.container = &wrapper;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, &wrapper), CUDA_ERROR_INVALID_IMAGE);
  wrapper.container = nullptr;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, &wrapper), CUDA_ERROR_INVALID_IMAGE);
  // What understudy-nvcc writes, cut.
  const PtxText texts[] = {{80, 0, kVectorAdd}};
  const std::string container = writePtxContainer(texts);
  EXPECT_EQ(answersTo(container, path), std::vector<CUresult>(4, CUDA_SUCCESS));
  for (size_t size = 8; size < container.size(); size += 97)
    EXPECT_EQ(answersTo(container.substr(0, size), path), invalid) << size;
  unlink(path.c_str());
}

// --- JIT options and attributes ---

TEST_F(Linking, jitOptionsThatAnswer) {
  char info[512] = "x", error[512] = "x";
  CUjit_option options[] = {CU_JIT_MAX_REGISTERS,
                            CU_JIT_THREADS_PER_BLOCK,
                            CU_JIT_WALL_TIME,
                            CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_OPTIMIZATION_LEVEL,
                            CU_JIT_TARGET_FROM_CUCONTEXT,
                            CU_JIT_TARGET,
                            CU_JIT_FALLBACK_STRATEGY};
  const auto number = [](size_t value) { return reinterpret_cast<void *>(value); };
  void *values[] = {number(12),
                    number(96),
                    number(0x7fc00000),
                    info,
                    number(sizeof info),
                    error,
                    number(sizeof error),
                    number(2),
                    nullptr,
                    number(CU_TARGET_COMPUTE_90),
                    number(CU_PREFER_PTX)};
  CUmodule module = nullptr;
  ASSERT_OK(CU(cuModuleLoadDataEx)(&module, kVectorAdd.c_str(), 11, options, values));
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), 96u);
  EXPECT_GE(std::bit_cast<float>(uint32_t(reinterpret_cast<size_t>(values[2]))), 0.0f);
  EXPECT_EQ(reinterpret_cast<size_t>(values[4]), std::strlen(info));
  EXPECT_NE(std::strstr(info, "9.0"), nullptr) << info; // a target above the device's is said, not refused
  EXPECT_EQ(reinterpret_cast<size_t>(values[6]), 0u);
  EXPECT_STREQ(error, "");
  int value = 0;
  EXPECT_OK(CU(cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function(module, "vectorAdd")));
  EXPECT_LE(value, 12);
  EXPECT_GT(value, 0);
}

// "CU_JIT_MAX_REGISTERS: max number of registers that a thread may use", of a linker or of one input, which overrides
// it.
TEST_F(Linking, registerLimitOfALinker) {
  const std::string own = kHead + ".visible .entry own() .maxnreg 24 { .reg .b32 %r<200>; ret; }\n";
  const std::string many = kHead + ".visible .entry many() { .reg .b32 %r<200>; ret; }\n";
  const std::string few = kHead + ".visible .entry few() { .reg .b32 %r<200>; ret; }\n";
  const auto number = [](size_t value) { return reinterpret_cast<void *>(value); };
  CUjit_option option[] = {CU_JIT_MAX_REGISTERS};
  void *value[] = {number(32)}, *less[] = {number(20)};
  CUlinkState state = nullptr;
  ASSERT_OK(CU(cuLinkCreate_v2)(1, option, value, &state));
  ASSERT_OK(addPtx(state, own, "own"));
  ASSERT_OK(addPtx(state, many, "many"));
  ASSERT_OK(CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, const_cast<char *>(few.data()), few.size() + 1, "few", 1,
                                 option, less));
  void *image = nullptr;
  ASSERT_OK(CU(cuLinkComplete)(state, &image, nullptr));
  CUmodule module = nullptr;
  ASSERT_OK(CU(cuModuleLoadData)(&module, image));
  ASSERT_OK(CU(cuLinkDestroy)(state));
  const auto registers = [&](const char *name) {
    int found = -1;
    EXPECT_OK(CU(cuFuncGetAttribute)(&found, CU_FUNC_ATTRIBUTE_NUM_REGS, function(module, name)));
    return found;
  };
  EXPECT_LE(registers("own"), 24);
  EXPECT_LE(registers("many"), 32);
  EXPECT_GT(registers("many"), 20);
  EXPECT_LE(registers("few"), 20);
}

// Names that clients of today no longer have.
TEST_F(Linking, targetsOfOldAreAccepted) {
  for (const unsigned target : {10, 11, 12, 13, 20, 21}) {
    CUjit_option option = CU_JIT_TARGET;
    void *value = reinterpret_cast<void *>(uintptr_t(target));
    CUmodule module = nullptr;
    ASSERT_OK(CU(cuModuleLoadDataEx)(&module, kVectorAdd.c_str(), 1, &option, &value));
    EXPECT_OK(CU(cuModuleUnload)(module));
  }
}

TEST_F(Linking, attributesComeFromTheText) {
  CUmodule module = load(kHead + R"(
.visible .const .align 4 .b8 table[640];
.visible .entry limited(.param .u64 to) .maxntid 48, 2, 1 .maxnreg 20
{
  .local .align 8 .b8 room[72];
  .shared .align 4 .b8 tile[1000];
  .reg .b64 %rd<3>;
  .reg .b32 %r<90>;
  mov.u64 %rd1, room;
  st.local.u32 [%rd1], 1;
  st.shared.u32 [tile], 1;
  ret;
}
)");
  CUfunction limited = function(module, "limited");
  const auto attribute = [&](CUfunction_attribute which) {
    int value = -1;
    EXPECT_OK(CU(cuFuncGetAttribute)(&value, which, limited));
    return value;
  };
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 96);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 1000);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES), 640);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 72);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_PTX_VERSION), 80);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION), 86);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_NUM_REGS), 20);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 49152 - 1000);
}

TEST_F(Linking, occupancy) {
  CUfunction add = function(load(kVectorAdd), "vectorAdd");
  int blocks = 0, size = 0;
  EXPECT_OK(CU(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(&blocks, add, 256, 0, CU_OCCUPANCY_DEFAULT));
  EXPECT_EQ(blocks, 6);
  EXPECT_OK(CU(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, add, 256, 40000));
  EXPECT_EQ(blocks, 2); // 100 KiB of shared memory
  int units = 0;
  EXPECT_OK(CU(cuDeviceGetAttribute)(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT_OK(CU(cuOccupancyMaxPotentialBlockSize)(&blocks, &size, add, nullptr, 0, 0));
  EXPECT_EQ(size, 768);
  EXPECT_EQ(blocks, 2 * units);
  EXPECT_OK(CU(cuOccupancyMaxPotentialBlockSizeWithFlags)(
      &blocks, &size, add, [](int threads) { return size_t(threads) * 1024; }, 0, 0, CU_OCCUPANCY_DEFAULT));
  EXPECT_LE(size, 100);
  EXPECT_EQ(CU(cuOccupancyMaxPotentialBlockSizeWithFlags)(&blocks, &size, add, nullptr, 0, 0, 8),
            CUDA_ERROR_INVALID_VALUE);
  size_t bytes = 0;
  EXPECT_OK(CU(cuOccupancyAvailableDynamicSMemPerBlock)(&bytes, add, 4, 128));
  EXPECT_EQ(bytes, 102400u / 4);
}

} // namespace
} // namespace us::cuda_test
