// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that launch kernels, in PTX: both forms of the documented interface, their limits and errors. What the
// functions do in C++ is in tests/frontend/cuda/kernels/dynamic_parallelism.cu.
#include "tests/icd/cuda/cuda_test.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <future>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <numeric>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace us::cuda_test {
namespace {

const std::string kSecondForm = R"(
.extern .func (.param .b64 buffer) cudaGetParameterBufferV2 (.param .b64 kernel, .param .align 4 .b8 grid[12],
  .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 error) cudaLaunchDeviceV2 (.param .b64 buffer, .param .b64 stream);
)";
const std::string kFirstForm = R"(
.extern .func (.param .b64 buffer) cudaGetParameterBuffer (.param .b64 alignment, .param .b64 size);
.extern .func (.param .b32 error) cudaLaunchDevice (.param .b64 kernel, .param .b64 buffer, .param .align 4 .b8 grid[12],
  .param .align 4 .b8 block[12], .param .b32 shared, .param .b64 stream);
)";
const std::string kLastError = ".extern .func (.param .b32 error) cudaGetLastError ();\n";
const std::string kSynchronize = ".extern .func (.param .b32 error) cudaDeviceSynchronize ();\n";

std::string dim3(const char *name, const std::string &x) {
  return std::string(".param .align 4 .b8 ") + name + "[12]; st.param.b32 [" + name + "], " + x + "; st.param.b32 [" +
         name + "+4], 1; st.param.b32 [" + name + "+8], 1;\n";
}

/// Launches kernel<<<1, threads, 0, stream>>>(%rd0, %r0, %rd1), whose parameters lie at 0, 8 and 16. %r9 is the error.
std::string launchSecond(const std::string &kernel, const std::string &threads = "1", const std::string &stream = "0",
                         const std::string &prefix = "cuda") {
  return "{ .reg .b64 %k, %b; .reg .pred %p;\n mov.u64 %k, " + kernel + ";\n { .param .b64 k; st.param.b64 [k], %k;\n" +
         dim3("g", "1") + dim3("t", threads) + ".param .b32 s; st.param.b32 [s], 0; .param .b64 b;\n call.uni (b), " +
         prefix +
         "GetParameterBufferV2, (k, g, t, s);\n ld.param.b64 %b, [b]; }\n"
         " setp.ne.s64 %p, %b, 0; @!%p bra $over;\n st.u64 [%b], %rd0; st.u32 [%b+8], %r0; st.u64 [%b+16], %rd1;\n"
         " { .param .b64 b; st.param.b64 [b], %b; .param .b64 s; st.param.b64 [s], " +
         stream + "; .param .b32 e;\n call.uni (e), " + prefix +
         "LaunchDeviceV2, (b, s); ld.param.b32 %r9, [e]; }\n$over: }\n";
}

std::string call(const std::string &name) {
  return "{ .param .b32 e; call.uni (e), " + name + ", (); ld.param.b32 %r9, [e]; }\n";
}

/// A kernel (.u64 %rd0 out, .u32 %r0 n, .u64 %rd1 other) with registers %r0 to %r9 and %rd0 to %rd9.
std::string kernel(const std::string &name, const std::string &body) {
  return "\n.visible .entry " + name +
         "(.param .u64 out, .param .u32 n, .param .u64 other)\n{\n .reg .b32 %r<10>; .reg .b64 %rd<10>; "
         ".reg .pred %q;\n ld.param.u64 %rd0, [out]; ld.param.u32 %r0, [n]; ld.param.u64 %rd1, [other];\n" +
         body + " ret;\n}\n";
}

/// out[0] += n, by one thread.
const std::string kAdd =
    kernel("add", "ld.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, %r0; st.global.u32 [%rd0], %r1;\n");

class DynamicParallelism : public Cuda {
protected:
  CUresult run(CUmodule module, const char *name, CUdeviceptr out, unsigned n = 0, CUdeviceptr other = 0,
               unsigned threads = 1, unsigned blocks = 1) {
    void *parameters[] = {&out, &n, &other};
    const CUresult launched =
        CU(cuLaunchKernel)(function(module, name), blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr);
    return launched == CUDA_SUCCESS ? CU(cuCtxSynchronize)() : launched;
  }
};

TEST_F(DynamicParallelism, firstForm) {
  // The kernel is not known when the buffer is made; its parameters are put where the guide says.
  CUmodule module = load(kHead + kFirstForm + kAdd + kernel("parent", R"(
 .reg .b64 %k, %b;
 mov.u64 %k, add;
 { .param .b64 a; st.param.b64 [a], 8; .param .b64 s; st.param.b64 [s], 24; .param .b64 b;
   call.uni (b), cudaGetParameterBuffer, (a, s); ld.param.b64 %b, [b]; }
 st.u64 [%b], %rd0; st.u32 [%b+8], %r0; st.u64 [%b+16], %rd1;
 { .param .b64 k; st.param.b64 [k], %k; .param .b64 b; st.param.b64 [b], %b;
 )" + dim3("g", "1") + dim3("t", "1") + R"(
   .param .b32 s; st.param.b32 [s], 0; .param .b64 m; st.param.b64 [m], 0; .param .b32 e;
   call.uni (e), cudaLaunchDevice, (k, b, g, t, s, m); ld.param.b32 %r9, [e]; }
 st.global.u32 [%rd1], %r9;
)"));
  const CUdeviceptr out = upload(std::vector<int>{5, 9});
  EXPECT_OK(run(module, "parent", out, 7, out + 4));
  EXPECT_EQ(download<int>(out, 2), (std::vector<int>{12, 0}));
}

TEST_F(DynamicParallelism, everyThreadOfEveryBlockLaunches) {
  // atom: the children of blocks are in no order.
  CUmodule module =
      load(kHead + kSecondForm + kernel("child", "atom.global.add.u32 %r1, [%rd0], %r0;\n") +
           kernel("parent", "mov.u32 %r1, %tid.x; add.u32 %r0, %r0, %r1;\n" + launchSecond("child", "2")));
  const CUdeviceptr out = upload(std::vector<int>{0});
  EXPECT_OK(run(module, "parent", out, 100, 0, 20, 10));
  EXPECT_EQ(download<int>(out, 1)[0], 10 * 2 * (20 * 100 + 19 * 20 / 2));
}

TEST_F(DynamicParallelism, goesOnWhenItsModuleIsUnloaded) {
  CUmodule module = load(kHead + kSecondForm + kernel("deeper", R"(
 ld.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, 1; st.global.u32 [%rd0], %r1;
 add.u32 %r0, %r0, 1;
 setp.gt.u32 %q, %r0, 3;
 @%q ret;
)" + launchSecond("deeper")));
  const CUdeviceptr out = upload(std::vector<int>{0});
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, 0));
  // Nothing runs before the module is gone.
  std::promise<void> unloaded;
  std::shared_future<void> gate = unloaded.get_future();
  ASSERT_OK(
      CU(cuLaunchHostFunc)(stream, [](void *data) { static_cast<std::shared_future<void> *>(data)->wait(); }, &gate));
  CUdeviceptr pointer = out;
  unsigned depth = 0;
  void *parameters[] = {&pointer, &depth, &pointer};
  ASSERT_OK(CU(cuLaunchKernel)(function(module, "deeper"), 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  EXPECT_OK(CU(cuModuleUnload)(module));
  unloaded.set_value();
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(download<int>(out, 1)[0], 4);
}

TEST_F(DynamicParallelism, namesOfNewCompilers) {
  std::string declarations = kSecondForm;
  for (size_t at; (at = declarations.find(" cuda")) != declarations.npos;) declarations.replace(at, 5, " __cudaCDP2");
  CUmodule module = load(kHead + declarations + kAdd + kernel("parent", launchSecond("add", "1", "0", "__cudaCDP2")));
  const CUdeviceptr out = upload(std::vector<int>{1});
  EXPECT_OK(run(module, "parent", out, 2));
  EXPECT_EQ(download<int>(out, 1)[0], 3);
}

TEST_F(DynamicParallelism, nestingIsLimited) {
  // Each grid notes its depth, and the error of the launch that went too far.
  CUmodule module = load(kHead + kSecondForm +
                         kernel("deeper", "st.global.u32 [%rd0], %r0; add.u32 %r0, %r0, 1;\n" + launchSecond("deeper") +
                                              "st.global.u32 [%rd0+4], %r9;\n"));
  const CUdeviceptr out = upload(std::vector<int>{-1, -1});
  EXPECT_OK(run(module, "deeper", out, 0));
  // "The maximum nesting depth is 24 levels"; 65 is cudaErrorLaunchMaxDepthExceeded.
  EXPECT_EQ(download<int>(out, 2), (std::vector<int>{24, 65}));
}

TEST_F(DynamicParallelism, pendingLaunchesAreLimited) {
  ASSERT_OK(CU(cuCtxSetLimit)(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 10));
  CUmodule module = load(kHead + kSecondForm + kLastError + kAdd +
                         kernel("parent", "$again:\n" + launchSecond("add") + R"(
 sub.u32 %r2, %r2, 1;
 setp.gt.s32 %q, %r2, -15;
 @%q bra $again;
)" + call("cudaGetLastError") + "st.global.u32 [%rd1], %r9;\n" +
                                              call("cudaGetLastError") + "st.global.u32 [%rd1+4], %r9;\n"));
  const CUdeviceptr out = upload(std::vector<int>{0, -1, -1});
  EXPECT_OK(run(module, "parent", out, 1, out + 4));
  // 69 is cudaErrorLaunchPendingCountExceeded.
  EXPECT_EQ(download<int>(out, 3), (std::vector<int>{10, 69, 0}));
  // They are complete: there is room again.
  EXPECT_OK(run(module, "parent", out, 1, out + 4));
  EXPECT_EQ(download<int>(out, 1)[0], 20);
}

TEST_F(DynamicParallelism, wrongLaunches) {
  const auto errorOf = [&](const std::string &body) {
    CUmodule module = load(kHead + kSecondForm + kLastError + kAdd + ".visible .global .u32 variable;\n" +
                           kernel("parent", body + call("cudaGetLastError") + "st.global.u32 [%rd1], %r9;\n"));
    const CUdeviceptr out = upload(std::vector<int>{0, -1});
    EXPECT_OK(run(module, "parent", out, 1, out + 4));
    EXPECT_EQ(download<int>(out, 1)[0], 0) << "nothing was launched";
    return download<int>(out, 2)[1];
  };
  EXPECT_EQ(errorOf(launchSecond("add", "0")), 9);         // cudaErrorInvalidConfiguration
  EXPECT_EQ(errorOf(launchSecond("add", "2048")), 9);      // more threads than a block can have
  EXPECT_EQ(errorOf(launchSecond("variable")), 98);        // cudaErrorInvalidDeviceFunction
  EXPECT_EQ(errorOf(launchSecond("add", "1", "99")), 400); // cudaErrorInvalidResourceHandle: no such stream
  EXPECT_EQ(errorOf("{ .param .b64 b; st.param.b64 [b], %rd0; .param .b64 s; st.param.b64 [s], 0; .param .b32 e;\n"
                    "call.uni (e), cudaLaunchDeviceV2, (b, s); }\n"),
            1); // cudaErrorInvalidValue: no parameter buffer
}

TEST_F(DynamicParallelism, waitingForChildren) {
  // CUDA before 12: the parent sees what its children have done.
  CUmodule module = load(
      kHead + kSecondForm + kSynchronize + kAdd +
      kernel("parent", launchSecond("add") + call("cudaDeviceSynchronize") +
                           "ld.global.u32 %r1, [%rd0]; mul.lo.u32 %r1, %r1, 10; st.global.u32 [%rd0], %r1;\n" +
                           launchSecond("add")) +
      kernel("grandparent", launchSecond("parent") + call("cudaDeviceSynchronize") +
                                "ld.global.u32 %r1, [%rd0]; mul.lo.u32 %r1, %r1, 10; st.global.u32 [%rd0], %r1;\n") +
      kernel("deep", launchSecond("waiting")) + kernel("waiting", launchSecond("waits")) +
      kernel("waits", call("cudaDeviceSynchronize") + "st.global.u32 [%rd0], %r9;\n"));
  const CUdeviceptr out = upload(std::vector<int>{1});
  EXPECT_OK(run(module, "grandparent", out, 2));
  EXPECT_EQ(download<int>(out, 1)[0], ((1 + 2) * 10 + 2) * 10);
  // Two levels of grids may wait; 68 is cudaErrorSyncDepthExceeded.
  size_t depth = 0;
  EXPECT_OK(CU(cuCtxGetLimit)(&depth, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH));
  EXPECT_EQ(depth, 2u);
  EXPECT_OK(run(module, "deep", out, 0));
  EXPECT_EQ(download<int>(out, 1)[0], 68);
  EXPECT_OK(CU(cuCtxSetLimit)(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 3));
  EXPECT_OK(run(module, "deep", out, 0));
  EXPECT_EQ(download<int>(out, 1)[0], 0);
}

TEST_F(DynamicParallelism, tailsComeLast) {
  // The tail stream is 3: out = (out + 1) * 16 twice, by a tail that was launched first.
  CUmodule module =
      load(kHead + kSecondForm + kAdd +
           kernel("shift", "ld.global.u32 %r1, [%rd0]; shl.b32 %r1, %r1, 4; st.global.u32 [%rd0], %r1;\n") +
           kernel("parent", launchSecond("shift", "1", "3") + launchSecond("add", "1", "4") + launchSecond("add") +
                                launchSecond("shift", "1", "3")));
  const CUdeviceptr out = upload(std::vector<int>{1});
  EXPECT_OK(run(module, "parent", out, 2));
  EXPECT_EQ(download<int>(out, 1)[0], (1 + 2 + 2) << 8);
}

TEST_F(DynamicParallelism, aFailingChildFailsTheContext) {
  CUmodule module = load(kHead + kSecondForm + kernel("child", "trap;\n") + kernel("parent", launchSecond("child")));
  EXPECT_EQ(run(module, "parent", allocate(16)), CUDA_ERROR_LAUNCH_FAILED);
  CUdeviceptr other = 0;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&other, 16), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(DynamicParallelism, aFailingChildFailsWhoWaitsForIt) {
  CUmodule module = load(kHead + kSecondForm + kSynchronize + kernel("child", "st.global.u32 [%rd1], %r0;\n") +
                         kernel("parent", launchSecond("child") + call("cudaDeviceSynchronize")));
  EXPECT_EQ(run(module, "parent", allocate(16), 1, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
}

/// A kernel that sets eight bytes of `other` to 1.
const std::string kSets = kHead + R"(
.extern .func (.param .b32 error) cudaMemsetAsync (.param .b64 to, .param .b32 value, .param .b64 size, .param .b64 stream);
)" + kernel("parent", R"(
 { .param .b64 to; st.param.b64 [to], %rd1; .param .b32 v; st.param.b32 [v], 1; .param .b64 n; st.param.b64 [n], 8;
   .param .b64 s; st.param.b64 [s], 0; .param .b32 e; call.uni (e), cudaMemsetAsync, (to, v, n, s); }
)");

TEST_F(DynamicParallelism, copiesToNowhere) {
  CUmodule module = load(kSets);
  const CUdeviceptr out = allocate(16);
  EXPECT_OK(run(module, "parent", out, 0, out));
  EXPECT_EQ(download<int>(out, 2), (std::vector<int>{0x01010101, 0x01010101}));
  EXPECT_EQ(run(module, "parent", out, 0, 4096), CUDA_ERROR_ILLEGAL_ADDRESS);
}

// As in containers: process_vm_writev is forbidden, here to one thread, which launches and waits.
TEST_F(DynamicParallelism, copiesWithoutTheSystemsHelp) {
  std::thread forbidden([&] {
    sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_writev, 0, 1),
                            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog program{unsigned(std::size(filter)), filter};
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
    ASSERT_OK(CU(cuCtxSetCurrent)(context));
    CUmodule module = load(kSets);
    const CUdeviceptr out = allocate(16);
    EXPECT_OK(run(module, "parent", out, 0, out));
    EXPECT_EQ(download<int>(out, 2), (std::vector<int>{0x01010101, 0x01010101}));
    EXPECT_EQ(run(module, "parent", out, 0, 4096), CUDA_ERROR_ILLEGAL_ADDRESS);
  });
  forbidden.join();
}

TEST_F(DynamicParallelism, kernelsOfOtherTextsAreLinked) {
  const std::string path = "/tmp/us_devrt_" + std::to_string(getpid()) + ".a";
  std::ofstream(path) << "!<arch>\n";
  // Compilers declare what is elsewhere as a kernel or as a function.
  for (const char *declaration : {".extern .entry add(.param .u64 a, .param .u32 b, .param .u64 c);\n",
                                  ".extern .func add(.param .b64 a, .param .b32 b, .param .b64 c);\n"}) {
    CUlinkState state = nullptr;
    ASSERT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
    std::string outer = kHead + kSecondForm + declaration + kernel("parent", launchSecond("add")), inner = kHead + kAdd;
    EXPECT_OK(
        CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, outer.data(), outer.size() + 1, "outer", 0, nullptr, nullptr));
    EXPECT_OK(
        CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, inner.data(), inner.size() + 1, "inner", 0, nullptr, nullptr));
    EXPECT_OK(CU(cuLinkAddFile_v2)(state, CU_JIT_INPUT_LIBRARY, path.c_str(), 0, nullptr, nullptr));
    void *image = nullptr;
    ASSERT_OK(CU(cuLinkComplete)(state, &image, nullptr));
    CUmodule module = nullptr;
    ASSERT_OK(CU(cuModuleLoadData)(&module, image));
    ASSERT_OK(CU(cuLinkDestroy)(state));
    const CUdeviceptr out = upload(std::vector<int>{1});
    EXPECT_OK(run(module, "parent", out, 2));
    EXPECT_EQ(download<int>(out, 1)[0], 3);
  }
  unlink(path.c_str());
}

// Of the run in which there is a limit.
class TimeLimitOfChildren : public DynamicParallelism {};

TEST_F(TimeLimitOfChildren, endsGridsThatFollowEachOther) {
  if (!std::getenv("UNDERSTUDY_TIME_LIMIT")) GTEST_SKIP() << "there is no time limit";
  CUmodule module = load(kHead + kSecondForm + kernel("endless", launchSecond("endless", "1", "3")));
  EXPECT_EQ(run(module, "endless", allocate(16)), CUDA_ERROR_LAUNCH_TIMEOUT);
}

} // namespace
} // namespace us::cuda_test
