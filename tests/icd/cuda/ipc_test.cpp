// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events of two processes. The second is this program again, whose part is told by its environment.
#include "tests/icd/cuda/cuda_test.h"

#include <cstring>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace us::cuda_test {
namespace {

constexpr const char *kPart = "UNDERSTUDY_IPC_HANDLES";
constexpr size_t kSizeAt = 32; ///< where a handle of memory says how much

struct Handles {
  CUipcMemHandle memory, second;
  CUipcEventHandle written, answered;
};

/// What the second process does; its exit code says how it went.
TEST_F(Cuda, otherProcessOfIpc) {
  const char *const path = std::getenv(kPart);
  if (!path) GTEST_SKIP() << "the second process's part";
  Handles handles;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char *>(&handles), sizeof handles);
  CUdeviceptr memory = 0, again = 0, second = 0;
  ASSERT_OK(CU(cuIpcOpenMemHandle_v2)(&memory, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  ASSERT_OK(CU(cuIpcOpenMemHandle_v2)(&again, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  EXPECT_EQ(again, memory);
  ASSERT_OK(CU(cuIpcOpenMemHandle_v2)(&second, handles.second, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  // A handle that says more than there is to share, so that who reads it would find nothing.
  CUipcMemHandle larger = handles.second;
  const uint64_t size64 = uint64_t(1) << 40;
  std::memcpy(larger.reserved + kSizeAt, &size64, sizeof size64);
  CUdeviceptr none = 0;
  ASSERT_OK(CU(cuIpcCloseMemHandle)(second));
  EXPECT_EQ(CU(cuIpcOpenMemHandle_v2)(&none, larger, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), CUDA_ERROR_MAP_FAILED);
  ASSERT_OK(CU(cuIpcOpenMemHandle_v2)(&second, handles.second, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  CUevent written = nullptr, answered = nullptr;
  ASSERT_OK(CU(cuIpcOpenEventHandle)(&written, handles.written));
  ASSERT_OK(CU(cuIpcOpenEventHandle)(&answered, handles.answered));
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  ASSERT_OK(CU(cuStreamWaitEvent)(stream, written, 0));
  unsigned n = 1000;
  void *parameters[] = {&memory, &memory, &second, &n};
  CUfunction add = function(load(kVectorAdd), "vectorAdd");
  ASSERT_OK(CU(cuLaunchKernel)(add, 8, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr));
  ASSERT_OK(CU(cuEventRecord)(answered, stream));
  ASSERT_OK(CU(cuEventSynchronize)(answered));
  EXPECT_OK(CU(cuEventQuery)(answered));
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_OK(CU(cuMemGetAddressRange_v2)(&base, &size, memory + 8));
  EXPECT_EQ(base, memory);
  EXPECT_EQ(size, 4000u);
  EXPECT_EQ(CU(cuMemFree_v2)(memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuIpcCloseMemHandle)(memory));
  EXPECT_OK(CU(cuMemGetAddressRange_v2)(&base, &size, memory));
  EXPECT_OK(CU(cuIpcCloseMemHandle)(memory));
  EXPECT_EQ(CU(cuMemGetAddressRange_v2)(&base, &size, memory), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(CU(cuIpcCloseMemHandle)(memory), CUDA_ERROR_INVALID_VALUE);
}

// A third process, which records an event behind work that does not end, and dies.
TEST_F(Cuda, dyingProcessOfIpc) {
  const char *const path = std::getenv(kPart);
  if (!path) GTEST_SKIP() << "another process's part";
  Handles handles;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char *>(&handles), sizeof handles);
  CUevent answered = nullptr;
  ASSERT_OK(CU(cuIpcOpenEventHandle)(&answered, handles.answered));
  ASSERT_OK(CU(cuLaunchHostFunc)(nullptr, [](void *) { pause(); }, nullptr));
  ASSERT_OK(CU(cuEventRecord)(answered, nullptr));
  EXPECT_EQ(CU(cuEventQuery)(answered), CUDA_ERROR_NOT_READY);
  _exit(HasFailure() ? 1 : 0);
}

/// Runs a part as another process; its exit code.
int runPart(const char *part, const Handles &handles) {
  const std::string path = testing::TempDir() + "us_ipc_" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(&handles), sizeof handles);
  char program[4096] = "";
  EXPECT_GT(readlink("/proc/self/exe", program, sizeof program - 1), 0);
  const int code =
      std::system((kPart + ("='" + path) + "' '" + program + "' --gtest_filter=Cuda." + part + " > /dev/null").c_str());
  unlink(path.c_str());
  return code;
}

TEST_F(Cuda, ipcOfMemoryAndEvents) {
  std::vector<float> values(1000), doubled(1000);
  for (size_t i = 0; i < 1000; ++i) values[i] = float(i), doubled[i] = float(2 * i);
  // What is in memory before it is exported stays; where it lies does not change.
  const CUdeviceptr memory = upload(values), second = allocate(1 << 20);
  EXPECT_OK(CU(cuMemsetD8_v2)(second, 0, 1 << 20));
  Handles handles;
  ASSERT_OK(CU(cuIpcGetMemHandle)(&handles.memory, memory));
  ASSERT_OK(CU(cuIpcGetMemHandle)(&handles.second, second + 100));
  EXPECT_EQ(download<float>(memory, 1000), values);
  CUevent written = nullptr, answered = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&written, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  ASSERT_OK(CU(cuEventCreate)(&answered, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  ASSERT_OK(CU(cuIpcGetEventHandle)(&handles.written, written));
  ASSERT_OK(CU(cuIpcGetEventHandle)(&handles.answered, answered));
  CUevent own = nullptr;
  EXPECT_EQ(CU(cuIpcOpenEventHandle)(&own, handles.written), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(CU(cuEventQuery)(answered));
  ASSERT_OK(CU(cuEventRecord)(written, nullptr));
  EXPECT_EQ(runPart("otherProcessOfIpc", handles), 0);
  EXPECT_OK(CU(cuEventSynchronize)(answered));
  EXPECT_EQ(download<float>(second, 1000), doubled);
  // What a process that is gone had recorded has ended.
  EXPECT_EQ(runPart("dyingProcessOfIpc", handles), 0);
  EXPECT_OK(CU(cuEventQuery)(answered));
  EXPECT_OK(CU(cuStreamWaitEvent)(nullptr, answered, 0));
  EXPECT_OK(CU(cuEventSynchronize)(answered));
  EXPECT_OK(CU(cuCtxSynchronize)());
  // A handle of memory that is no more opens nothing; its place is as good as before.
  EXPECT_OK(CU(cuMemFree_v2)(memory));
  EXPECT_OK(CU(cuMemFree_v2)(second));
  EXPECT_EQ(CU(cuIpcGetMemHandle)(&handles.memory, memory), CUDA_ERROR_INVALID_VALUE);
  const CUdeviceptr next = upload(doubled);
  EXPECT_EQ(download<float>(next, 1000), doubled);
}

/// Another process's word of where its memory is need not be true: no file of the user's is taken for device memory.
TEST_F(Cuda, ipcHandlesOpenNothingButDeviceMemory) {
  const CUdeviceptr memory = allocate(4096);
  CUipcMemHandle handle;
  ASSERT_OK(CU(cuIpcGetMemHandle)(&handle, memory));
  std::string path = testing::TempDir() + "us_ipc_XXXXXX";
  const int file = mkstemp(path.data());
  ASSERT_EQ(ftruncate(file, 4096), 0);
  struct stat facts = {};
  ASSERT_EQ(fstat(file, &facts), 0);
  // A process that has the file open.
  int end[2];
  ASSERT_EQ(pipe(end), 0);
  const pid_t other = fork();
  if (other == 0) {
    close(end[1]);
    char byte;
    (void)!read(end[0], &byte, 1);
    _exit(0);
  }
  // The driver's own format: mark, process, file, 4 bytes, inode, offset, size.
  const int32_t numbers[] = {other, file};
  const uint64_t inode = facts.st_ino;
  std::memcpy(handle.reserved + 4, numbers, sizeof numbers);
  std::memcpy(handle.reserved + 16, &inode, sizeof inode);
  CUdeviceptr opened = 0;
  EXPECT_EQ(CU(cuIpcOpenMemHandle_v2)(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), CUDA_ERROR_MAP_FAILED);
  close(end[1]);
  waitpid(other, nullptr, 0);
  close(end[0]);
  close(file);
  unlink(path.c_str());
}

} // namespace
} // namespace us::cuda_test
