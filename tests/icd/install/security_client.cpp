// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What security_test.py runs, as other users and with the set-user-id bit. It links the driver library by its path in
// the build, which also holds where the loader takes nothing from the environment.
//   security_client NUMBER         a kernel writes NUMBER into a variable of this program, which is then printed
//   security_client export         shares device memory, prints the handle, and waits for its input to end
//   security_client import HANDLE  opens it
#include "icd/cuda/include/cuda.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/auxv.h>
#include <unistd.h>

namespace {

void check(CUresult result, const char *call) {
  if (result == CUDA_SUCCESS) return;
  std::printf("%s: %d\n", call, int(result));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

void runKernel(const std::string &number) {
  const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry answer(.param .u64 where) {\n"
                           "  .reg .b64 %rd<3>;\n"
                           "  ld.param.u64 %rd1, [where];\n"
                           "  mov.u64 %rd2, " +
                           number +
                           ";\n"
                           "  st.u64 [%rd1], %rd2;\n"
                           "  ret;\n"
                           "}\n";
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CHECK(cuModuleLoadData(&module, text.c_str()));
  CHECK(cuModuleGetFunction(&function, module, "answer"));
  // No memory of the device: the address of a variable.
  unsigned long long answer = 0;
  unsigned long long *where = &answer;
  void *parameters[] = {&where};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuCtxSynchronize());
  std::printf("answer %llu\n", answer);
}

void exportMemory() {
  CUdeviceptr memory = 0;
  CUipcMemHandle handle;
  CHECK(cuMemAlloc(&memory, 4096));
  CHECK(cuIpcGetMemHandle(&handle, memory));
  std::printf("handle ");
  for (const char byte : handle.reserved) std::printf("%02x", static_cast<unsigned char>(byte));
  std::printf("\n");
  std::fflush(stdout);
  char end;
  while (read(STDIN_FILENO, &end, 1) > 0) {
  }
}

void importMemory(const std::string &digits) {
  CUipcMemHandle handle;
  for (size_t i = 0; i < sizeof handle.reserved; ++i)
    handle.reserved[i] = static_cast<char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
  CUdeviceptr memory = 0;
  CHECK(cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  std::printf("opened\n");
}

} // namespace

int main(int argumentCount, char **arguments) {
  const std::string mode = argumentCount > 1 ? arguments[1] : "1";
  std::printf("secure %lu\n", getauxval(AT_SECURE));
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, nullptr, 0, 0));
  CHECK(cuMemAlloc(&memory, 100));
  std::printf("memory %llx\n", static_cast<unsigned long long>(memory));
  if (mode == "export") {
    exportMemory();
  } else if (mode == "import") {
    importMemory(arguments[2]);
  } else {
    runKernel(mode);
  }
  CHECK(cuCtxDestroy(context));
}
