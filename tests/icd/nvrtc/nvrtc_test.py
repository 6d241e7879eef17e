#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC's 24 functions: what NVIDIA's documentation says of each, and what is made is run by the driver.
Usage: nvrtc_test.py LIBRARY MAJOR CACHE_FOLDER, in `understudy run`"""
import ctypes as c
import os
import re
import shutil
import sys
import tempfile
import threading
import unittest

from compilers import Compilation, Driver, strings

CACHE, MAJOR, PATH = sys.argv.pop(3), int(sys.argv.pop(2)), sys.argv.pop(1)
os.environ["UNDERSTUDY_CACHE_DIRECTORY"] = CACHE
shutil.rmtree(CACHE, ignore_errors=True)
LIBRARY = c.CDLL(PATH)
LIBRARY.nvrtcGetErrorString.restype = c.c_char_p
INVALID_INPUT, INVALID_PROGRAM, INVALID_OPTION, COMPILATION = 3, 4, 5, 6
KERNEL = 'extern "C" __global__ void kernel(float *a) { a[0] = a[1] / a[2]; }\n'


def build(source, *options, **more):
    return Compilation(LIBRARY, source, options, **more)


DRIVER = Driver()


class General(unittest.TestCase):
    def test_nvrtcGetErrorString(self):
        self.assertEqual(LIBRARY.nvrtcGetErrorString(0), b"NVRTC_SUCCESS")
        self.assertEqual(LIBRARY.nvrtcGetErrorString(6), b"NVRTC_ERROR_COMPILATION")
        self.assertEqual(LIBRARY.nvrtcGetErrorString(4711), b"NVRTC_ERROR unknown")

    def test_nvrtcVersion(self):
        major, minor = c.c_int(), c.c_int()
        self.assertEqual(LIBRARY.nvrtcVersion(c.byref(major), c.byref(minor)), 0)
        self.assertEqual(major.value, MAJOR)
        self.assertEqual(LIBRARY.nvrtcVersion(None, c.byref(minor)), INVALID_INPUT)
        text = build("int CUDA_major = __CUDACC_VER_MAJOR__;", "-default-device").ptx
        self.assertIn(f"CUDA_major = {MAJOR}", text)

    def test_nvrtcGetSupportedArchs(self):
        count = c.c_int()
        self.assertEqual(LIBRARY.nvrtcGetNumSupportedArchs(c.byref(count)), 0)
        numbers = (c.c_int * count.value)()
        self.assertEqual(LIBRARY.nvrtcGetSupportedArchs(numbers), 0)
        # "The array is sorted in the ascending order", and CUDA 13 begins at Turing.
        self.assertEqual(sorted(numbers), list(numbers))
        self.assertEqual(numbers[0], 75 if MAJOR >= 13 else 50)
        for number in (numbers[0], 90, numbers[-1]):
            self.assertEqual(build("", f"-arch=compute_{number}").result, 0, number)
        self.assertEqual(LIBRARY.nvrtcGetNumSupportedArchs(None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvrtcGetSupportedArchs(None), INVALID_INPUT)


class Programs(unittest.TestCase):
    def test_nvrtcCreateProgram(self):
        program = c.c_void_p()
        create = LIBRARY.nvrtcCreateProgram
        self.assertEqual(create(None, b"", None, 0, None, None), INVALID_INPUT)
        self.assertEqual(create(c.byref(program), None, None, 0, None, None), INVALID_INPUT)
        self.assertEqual(create(c.byref(program), b"", None, 1, None, strings(["a"])), INVALID_INPUT)
        self.assertEqual(create(c.byref(program), b"", None, -1, None, None), INVALID_INPUT)
        # ""default_program" is used when name is NULL or """
        self.assertIn("default_program:1:", build("#error no", name=None).log)
        self.assertIn("default_program:1:", build("#error no", name="").log)

    def test_nvrtcDestroyProgram(self):
        program = c.c_void_p()
        self.assertEqual(LIBRARY.nvrtcCreateProgram(c.byref(program), b"", None, 0, None, None), 0)
        gone = c.c_void_p(program.value)
        self.assertEqual(LIBRARY.nvrtcDestroyProgram(c.byref(program)), 0)
        self.assertIsNone(program.value)
        self.assertEqual(LIBRARY.nvrtcDestroyProgram(c.byref(gone)), INVALID_PROGRAM)
        self.assertEqual(LIBRARY.nvrtcDestroyProgram(None), INVALID_PROGRAM)
        self.assertEqual(LIBRARY.nvrtcCompileProgram(gone, 0, None), INVALID_PROGRAM)
        size = c.c_size_t()
        for what in ("PTX", "CUBIN", "LTOIR", "OptiXIR", "ProgramLog"):
            self.assertEqual(getattr(LIBRARY, f"nvrtcGet{what}Size")(gone, c.byref(size)), INVALID_PROGRAM, what)
            self.assertEqual(getattr(LIBRARY, f"nvrtcGet{what}")(gone, c.create_string_buffer(1)), INVALID_PROGRAM)

    def test_nothing_before_a_compilation(self):
        program, size = c.c_void_p(), c.c_size_t()
        LIBRARY.nvrtcCreateProgram(c.byref(program), KERNEL.encode(), None, 0, None, None)
        for what in ("PTX", "CUBIN", "LTOIR", "OptiXIR"):
            self.assertEqual(getattr(LIBRARY, f"nvrtcGet{what}Size")(program, c.byref(size)), INVALID_PROGRAM, what)
        self.assertEqual(LIBRARY.nvrtcGetProgramLogSize(program, c.byref(size)), 0)
        self.assertEqual(size.value, 1)
        self.assertEqual(LIBRARY.nvrtcGetPTXSize(program, None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvrtcGetPTX(program, None), INVALID_INPUT)
        LIBRARY.nvrtcDestroyProgram(c.byref(program))

    def test_nvrtcCompileProgram(self):
        made = build(KERNEL, "--gpu-architecture=compute_86")
        self.assertEqual((made.result, made.log), (0, ""))
        self.assertIn(".target sm_86", made.ptx)
        self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [0, 6, 4], c.c_float)[0], 1.5)
        wrong = build("__global__ void k() { missing(); }")
        self.assertEqual(wrong.result, COMPILATION)
        self.assertIn("kernel.cu:1:23: error: use of undeclared identifier 'missing'", wrong.log)
        program = made.handle
        self.assertEqual(LIBRARY.nvrtcCompileProgram(program, -1, None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvrtcCompileProgram(program, 1, None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvrtcCompileProgram(program, 1, (c.c_char_p * 1)(None)), INVALID_INPUT)

    def test_nothing_ends_the_process(self):
        # What Clang gives up, and what is nested more deeply than a thread's usual stack bears.
        self.assertEqual(build("int x = " + "(" * 5000 + "1" + ")" * 5000 + ";").result, COMPILATION)
        self.assertEqual(build('#include "kernel.cu"\n' * 3).result, COMPILATION)
        self.assertEqual(build("template <int N> struct A { A<N + 1> a; }; A<0> a;").result, COMPILATION)
        self.assertEqual(build(KERNEL, name="/no/such/folder/k.cu").result, 0)


class Results(unittest.TestCase):
    def test_nvrtcGetCUBIN(self):
        # "set to 0 if the value specified to -arch is a virtual architecture instead of an actual architecture"
        self.assertEqual(build(KERNEL, "-arch=compute_80").get("CUBIN"), (0, b""))
        made = build(KERNEL, "-arch=sm_80")
        error, image = made.get("CUBIN")
        self.assertEqual(error, 0)
        self.assertEqual(DRIVER.run(image, "kernel", [0, 8, 2], c.c_float)[0], 4)

    def test_nvrtcGetLTOIR(self):
        # "set to 0 if the program was not compiled with -dlto"
        self.assertEqual(build(KERNEL).get("LTOIR"), (0, b""))
        made = build(KERNEL, "-dlto", "-arch=compute_80")
        error, code = made.get("LTOIR")
        self.assertEqual((error, code[:2]), (0, b"BC"))
        self.assertEqual(made.get("PTX"), (0, b""))
        if MAJOR < 13:
            self.assertEqual(made.get("NVVM"), (0, code))
        else:
            self.assertFalse(hasattr(LIBRARY, "nvrtcGetNVVM"))

    def test_nvrtcGetOptiXIR(self):
        made = build(KERNEL)
        self.assertEqual(made.get("OptiXIR"), (0, b""))
        self.assertEqual(LIBRARY.nvrtcGetOptiXIR(made.handle, c.create_string_buffer(1)), INVALID_PROGRAM)
        self.assertEqual(build(KERNEL, "--optix-ir").result, INVALID_OPTION)


class Names(unittest.TestCase):
    SOURCE = """
namespace deep { struct S {}; __device__ int v[3]; template <class T> __device__ T w; __global__ void g(S, int) {} }
template <int N, class T> __global__ void f(T *p) { *p = N; }
__constant__ int c;
static __global__ void hidden(int *p) { *p = 1; }
extern "C" __global__ void plain(int *p) { *p = 2; }
"""

    def test_nvrtcGetLoweredName(self):
        # As the C++ ABI for Itanium mangles them.
        expected = {
            "f<3, int>": "_Z1fILi3EiEvPT0_",
            "&f<(int)4, double>": "_Z1fILi4EdEvPT0_",
            "f<5, deep::S>": None,
            "deep::g": "_ZN4deep1gENS_1SEi",
            "&deep::v": "_ZN4deep1vE",
            "deep::w<float>": "_ZN4deep1wIfEE",
            "&c": "c",
            "plain": "plain",
        }
        del expected["f<5, deep::S>"]
        made = build(self.SOURCE, names=list(expected))
        self.assertEqual(made.log, "")
        self.assertEqual(made.lowered, expected)
        for lowered in expected.values():
            self.assertRegex(made.ptx, rf"[\s\]]{re.escape(lowered)}[\s(;\[]")
        self.assertEqual(DRIVER.run(made.ptx.encode(), expected["f<3, int>"], [0]), [3])
        name = c.c_char_p()
        self.assertEqual(LIBRARY.nvrtcGetLoweredName(made.handle, b"f<9, int>", c.byref(name)), 10)
        self.assertEqual(LIBRARY.nvrtcGetLoweredName(made.handle, None, c.byref(name)), INVALID_INPUT)

    def test_nvrtcAddNameExpression(self):
        made = build(KERNEL)
        self.assertEqual(LIBRARY.nvrtcAddNameExpression(made.handle, b"kernel"), 8)
        program, name = c.c_void_p(), c.c_char_p()
        LIBRARY.nvrtcCreateProgram(c.byref(program), KERNEL.encode(), None, 0, None, None)
        self.assertEqual(LIBRARY.nvrtcAddNameExpression(program, None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvrtcAddNameExpression(program, b"kernel"), 0)
        self.assertEqual(LIBRARY.nvrtcGetLoweredName(program, b"kernel", c.byref(name)), 9)
        LIBRARY.nvrtcDestroyProgram(c.byref(program))
        wrong = build(KERNEL, names=["no_such<3>"])
        self.assertEqual(wrong.result, COMPILATION)
        self.assertIn("name expression 'no_such<3>'", wrong.log)


class Options(unittest.TestCase):
    def test_unknown_ones(self):
        for option in ("--no-such-option", "kernel.cu", "-arch=sm_12", "-arch=native", "--std=c++99", "-maxrregcount=x",
                       "-G=1", "-ftz=perhaps", "-arch", "-", ""):  # fmt: skip
            made = build(KERNEL, option)
            self.assertEqual(made.result, INVALID_OPTION, option)
            self.assertIn("nvrtc: error: ", made.log)

    def test_spellings(self):
        for words in (
            ["-arch=sm_80"],
            ["-arch", "sm_80"],
            ["--gpu-architecture=sm_80"],
            ["--gpu-architecture", "sm_80"],
        ):
            self.assertIn(".target sm_80", build(KERNEL, *words).ptx, words)
        for words in (["-DN=3"], ["-D", "N=3"], ["-D N=3"], ["--define-macro=N=3"]):
            self.assertIn("n = 3", build("__device__ int n = N;", *words).ptx, words)
        self.assertEqual(build("#ifdef N\n#error\n#endif", "-DN", "-UN").result, 0)
        self.assertEqual(build(KERNEL, "-rdc", "true", "-rdc=false", "--relocatable-device-code=true").result, 0)

    def test_code_generation(self):
        divide = "div.{}.f32"
        self.assertIn(divide.format("rn"), build(KERNEL).ptx)
        self.assertIn(divide.format("full"), build(KERNEL, "--prec-div=false").ptx)
        self.assertIn("div.approx.ftz.f32", build(KERNEL, "--use_fast_math").ptx)
        self.assertIn("div.rn.ftz.f32", build(KERNEL, "-ftz=true").ptx)
        fused = "__global__ void k(float *a) { *a = a[1] * a[2] + a[3]; }"
        self.assertIn("fma.rn.f32", build(fused).ptx)
        self.assertNotIn("fma", build(fused, "--fmad=false").ptx)
        self.assertIn(".maxnreg 24", build(KERNEL, "-maxrregcount=24").ptx)
        self.assertIn(".loc", build(KERNEL, "-lineinfo").ptx)
        self.assertIn(".section", build(KERNEL, "-G").ptx)
        device = "__device__ int twice(int x) { return 2 * x; }"
        self.assertNotIn("twice", build(device).ptx)
        for option in ("-dc", "-rdc=true", "--device-c"):
            self.assertIn(".visible .func", build(device, option).ptx, option)

    def test_static_variables(self):
        """The program finds and writes them by their names, as cuda-samples' binomialOptions_nvrtc does."""
        source = """struct S { int a; };
static __constant__ S table[3];
static __device__ int counter;
namespace deep { static __device__ int inner; }
static __constant__ const int fixed = 3;
extern "C" __global__ void kernel(int *p) { *p = table[*p].a + counter++ + deep::inner + fixed; }"""
        made = build(source, names=["&table", "counter", "&deep::inner"])
        self.assertRegex(made.ptx, r"\.visible \.const \.align 4 \.b8 table\[12\]")
        self.assertRegex(made.ptx, r"\.visible \.global \.align 4 \.u32 counter;")
        self.assertEqual((made.lowered["&table"], made.lowered["counter"]), ("table", "counter"))
        self.assertIn(made.lowered["&deep::inner"] + ";", made.ptx)
        # Of a module that is linked with others each has its own.
        self.assertNotRegex(build(source, "-rdc=true").ptx, r"\.visible[^\n]* counter;")

    def test_default_device(self):
        source = """int counter = 40; int next(int x) { return x + 1; } struct S { int v; int get() const { return v; } };
extern "C" __global__ void kernel(int *p) { *p = next(counter) + S{1}.get(); }"""
        self.assertEqual(build(source).result, COMPILATION)
        made = build(source, "-default-device")
        self.assertEqual((made.result, made.log), (0, ""))
        self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [0]), [42])
        # Also where there is nothing that it would say anything about.
        self.assertEqual(build(KERNEL, "--device-as-default-execution-space").log, "")

    def test_language(self):
        self.assertEqual(build("static_assert(__cplusplus == 202002L);", "--std=c++20").log, "")
        self.assertEqual(build("static_assert(__cplusplus == 201402L);", "-std=c++14").log, "")
        # "default": C++17
        self.assertEqual(build("static_assert(__cplusplus == 201703L);").log, "")
        source = """#if !defined(__CUDACC_RTC__) || !defined(__NV_BUILTIN_INITIALIZER_LIST)
#error
#endif
template <class T> T &&pass(T &&x) { return std::forward<T>(x); }
extern "C" __global__ void kernel(int *p) { for (int i : {30, 8}) *p += std::move(i); assert(*p); }"""
        made = build(source)
        self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [4]), [42])
        self.assertEqual(build(source, "--builtin-move-forward=false").result, COMPILATION)
        self.assertEqual(build(source, "-builtin-initializer-list=false").result, COMPILATION)
        # Sources define what NVRTC has not: fixed-width integers, a library of their own.
        self.assertEqual(build("typedef long long int64_t; typedef unsigned char uint8_t; namespace std { "
                               "template <class T> struct numeric_limits {}; }\n#define INT_MAX 2147483647\n").log, "")  # fmt: skip

    def test_built_in_functions(self):
        """Those of CUDA's own cuda_fp16.hpp: here only if they are called, and several copies are one."""
        headers = {"cuda_fp16.hpp": "__device__ int __hbuiltin(int x) { return x + 1; }"}
        source = '#include "cuda_fp16.hpp"\nextern "C" __global__ void kernel(int *p) { *p = CALL; }'
        self.assertNotIn("__hbuiltin", build(source, "-rdc=true", "-DCALL=1", headers=headers).ptx)
        made = build(source, "-rdc=true", "-DCALL=__hbuiltin(41)", headers=headers)
        self.assertNotIn(".visible .func", made.ptx)
        self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [0]), [42])

    def test_targets(self):
        """The macros of <nv/target> are there without it."""
        source = """#include <nv/target>
extern "C" __global__ void kernel(int *p) {
  NV_IF_ELSE_TARGET(NV_IS_DEVICE, p[0] = max(1, 0);, p[0] = 2;)
  NV_IF_TARGET(NV_PROVIDES_SM_90, (int a = 3, b = 4; p[1] = a + b;), (p[1] = 5;))
  NV_IF_TARGET(NV_IS_HOST, (p[2] = 6;))
  NV_DISPATCH_TARGET(NV_IS_HOST, (p[3] = 7;), NV_PROVIDES_SM_80, (p[3] = 8;), NV_ANY_TARGET, (p[3] = 9;))
  NV_DISPATCH_TARGET(NV_NO_TARGET, (p[4] = 10;))
}"""
        for text in (source, source.replace("#include <nv/target>\n", "")):
            made = build(text, "-arch=compute_80")
            self.assertEqual(made.log, "")
            self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [0] * 5), [1, 5, 0, 8, 0])

    def test_no_other_compiler(self):
        """libcu++ and others ask for their macros first; and headers that are included afterwards work without them."""
        source = """#if defined(__clang__) || defined(__GNUC__) || !defined(__CUDACC_RTC__)
#error "not NVRTC"
#endif
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void kernel(float *a) {
  a[0] = __half2float(__float2half(a[1]) * __half(2)) + float(__nv_bfloat16(1));
}"""
        made = build(source)
        self.assertEqual(made.log, "")
        self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [0, 1.5], c.c_float)[0], 4)

    def test_math(self):
        made = build(
            'extern "C" __global__ void kernel(float *a) { a[0] = pow(2, 3) + sqrt(16) + fmaf(2, 3, max(1, 4)); }'
        )
        self.assertEqual(made.log, "")
        self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [0], c.c_float), [22])

    def test_warnings(self):
        source = "#warning look here\n" + KERNEL
        self.assertIn("warning: look here", build(source).log)
        self.assertEqual(build(source, "-w").log, "")
        # As NVRTC: what is declared and never used, without being asked.
        unused = "__global__ void k(int *x) { int forgotten; *x = 1; }"
        self.assertIn("kernel.cu:1:33: warning: unused variable 'forgotten'", build(unused).log)
        self.assertEqual(build(unused, "-w").log, "")
        self.assertEqual(build(source, "--warning-as-error").result, COMPILATION)


class Headers(unittest.TestCase):
    def test_by_name(self):
        source = '#include "value.h"\n#include <deep/more.h>\n__device__ int v = VALUE + MORE;'
        headers = {"value.h": "#define VALUE 40", "deep/more.h": '#include "inner.h"', "deep/inner.h": "#define MORE 2"}
        made = build(source, headers=headers)
        self.assertEqual(made.log, "")
        self.assertIn("v = 42", made.ptx)
        self.assertIn("file not found", build(source).log)

    def test_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "value.h"), "w") as file:
                file.write("#define VALUE 43\n")
            source = '#include "value.h"\n__device__ int v = VALUE;'
            for words in ([f"-I{folder}"], ["-I", folder], [f"--include-path={folder}"]):
                self.assertIn("v = 43", build(source, *words).ptx)
            pre = build("__device__ int v = VALUE;", f"-I{folder}", "--pre-include=value.h")
            self.assertIn("v = 43", pre.ptx)

    def test_instead_of_ours(self):
        """Also of those that every source begins with."""
        headers = {"__clang_cuda_builtin_vars.h": "#error not this one"}
        self.assertIn("not this one", build(KERNEL, headers=headers).log)
        self.assertEqual(build(KERNEL).log, "")

    def test_ours(self):
        source = """#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cuComplex.h>
extern "C" __global__ void kernel(float *a) { cooperative_groups::this_thread_block().sync(); a[0] = __half2float(__float2half(a[1])); }"""
        made = build(source)
        self.assertEqual(made.log, "")
        self.assertEqual(DRIVER.run(made.ptx.encode(), "kernel", [0, 1.5], c.c_float)[0], 1.5)
        # "NVRTC does not have the host's headers".
        self.assertIn("file not found", build("#include <vector>").log)


class Cache(unittest.TestCase):
    @staticmethod
    def entries():
        folder = os.path.join(CACHE, "nvrtc")
        return len(os.listdir(folder)) if os.path.isdir(folder) else 0

    def test_what_is_kept(self):
        source = f"// {os.urandom(8).hex()}\n#warning kept\n" + KERNEL
        first = build(source, names=["kernel"])
        self.assertIn("warning: kept", first.log)
        before = self.entries()
        self.assertGreater(before, 0)
        second = build(source, names=["kernel"])
        self.assertEqual((second.ptx, second.log, second.lowered), (first.ptx, first.log, first.lowered))
        self.assertEqual(self.entries(), before)
        # Other options: what each source begins with is read once with them.
        build(source, "-DN", names=["kernel"])
        self.assertEqual(self.entries(), before + 2)
        build(source + "// more\n", "-DN", names=["kernel"])
        self.assertEqual(self.entries(), before + 3)
        build(source, "-DM", "--no-cache")
        self.assertEqual(self.entries(), before + 3)

    def test_files_that_change(self):
        with tempfile.TemporaryDirectory() as folder:
            near, far = os.path.join(folder, "near"), os.path.join(folder, "far")
            os.mkdir(near), os.mkdir(far)

            def value(text, where):
                with open(os.path.join(where, "value.h"), "w") as file:
                    file.write(f"#define VALUE {text}\n")
                return build('#include "value.h"\n__device__ int v = VALUE;', f"-I{near}", f"-I{far}").ptx

            self.assertIn("v = 1;", value(1, far))
            self.assertIn("v = 1;", value(1, far))
            self.assertIn("v = 22;", value(22, far))
            # One that comes before it.
            self.assertIn("v = 333;", value(333, near))
            os.remove(os.path.join(near, "value.h"))
            self.assertIn("v = 22;", value(22, far))

    def test_damaged_entries(self):
        first = build(KERNEL)
        folder = os.path.join(CACHE, "nvrtc")
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with open(path, "r+b") as file:
                size = os.path.getsize(path)
                file.seek(size // 2)
                file.write(b"\xff" * 8)
                file.truncate(size - 3 if len(name) % 2 else size)
        self.assertEqual(build(KERNEL).ptx, first.ptx)


class Others(unittest.TestCase):
    def test_threads(self):
        """Each its own options, which are partly the process's."""
        wanted = {
            "-prec-div=true": "div.rn.f32",
            "-prec-div=false": "div.full.f32",
            "-use_fast_math": "div.approx.ftz.f32",
        }
        wrong = []

        def work(number):
            for option, text in wanted.items():
                made = build(f"// {number}\n" + KERNEL, option, "--no-cache")
                if made.result != 0 or text not in made.ptx:
                    wrong.append((option, made.log))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_nvrtcSetFlowCallback(self):
        calls = []

        @c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p)
        def cancel(payload, _):
            calls.append(payload)
            return 1

        program = c.c_void_p()
        LIBRARY.nvrtcCreateProgram(c.byref(program), KERNEL.encode(), None, 0, None, None)
        self.assertEqual(LIBRARY.nvrtcSetFlowCallback(program, None, None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvrtcSetFlowCallback(program, cancel, c.c_void_p(42)), 0)
        self.assertEqual(LIBRARY.nvrtcCompileProgram(program, 0, None), 16)
        self.assertEqual(calls, [42])
        LIBRARY.nvrtcDestroyProgram(c.byref(program))

    def test_precompiled_headers(self):
        size = c.c_size_t()
        self.assertEqual(LIBRARY.nvrtcGetPCHHeapSize(c.byref(size)), 0)
        self.assertGreater(size.value, 0)
        self.assertEqual(LIBRARY.nvrtcSetPCHHeapSize(c.c_size_t(1 << 20)), 0)
        self.assertEqual(LIBRARY.nvrtcGetPCHHeapSize(c.byref(size)), 0)
        self.assertEqual(size.value, 1 << 20)
        self.assertEqual(LIBRARY.nvrtcGetPCHHeapSize(None), INVALID_INPUT)
        # "compiler chose not to create a PCH file": the source includes no header.
        made = build(KERNEL, "--pch")
        self.assertEqual(LIBRARY.nvrtcGetPCHCreateStatus(made.handle), 13)
        self.assertEqual(LIBRARY.nvrtcGetPCHHeapSizeRequired(made.handle, c.byref(size)), 0)
        self.assertEqual(size.value, 0)
        self.assertEqual(LIBRARY.nvrtcGetPCHHeapSizeRequired(made.handle, None), INVALID_INPUT)

    def test_headers_of_the_toolkit(self):
        """What every source begins with is precompiled for sm_80 to sm_89; it means what it would without that."""

        def entries():
            return set(os.listdir(CACHE + "/nvrtc")) if os.path.isdir(CACHE + "/nvrtc") else set()

        source = """
            #if __CUDA_ARCH__ != ARCHITECTURE || MORE != 5
            #error "another one"
            #endif
            extern "C" __global__ void k(int *p, double *q) {
              p[1] = atomicAdd(p, WHAT) + __CUDACC_VER_MAJOR__;
              *q = sin(*q);
            }
        """

        def compiled(architecture, *options):
            before = entries()
            options = [f"-arch=sm_{architecture}", f"-DARCHITECTURE={architecture}0", "-DMORE=5", "-DWHAT=7", *options]
            made = build(source, *options)
            self.assertEqual(made.result, 0, made.log)
            self.assertIn(f".target sm_{architecture}", made.ptx)
            # The result, and the headers where they had to be precompiled for it.
            return len(entries() - before), made.ptx

        usual = compiled(86)
        self.assertEqual(usual[0], 1)
        self.assertEqual(compiled(89)[0], 1)
        self.assertEqual(compiled(86, "-lineinfo", "-maxrregcount=40")[0], 1)
        self.assertEqual(compiled(90)[0], 2)
        # Headers mention this one: they are read again, and come to the same.
        self.assertEqual(compiled(86, "-DCUDART_VERSION_=1"), (1, usual[1]))
        again = compiled(86, "-D__CUDACC_EXTENDED_LAMBDA__=1")
        self.assertEqual(again, (2, usual[1]))
        self.assertEqual(compiled(86, "-ftz=true")[0], 2)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(compiled(86, f"-I{folder}")[0], 1)
            # One of the headers is the user's own.
            with open(folder + "/__clang_cuda_math_forward_declares.h", "w") as own:
                own.write("#define WHAT 4711\n#include_next <__clang_cuda_math_forward_declares.h>\n")
            count, text = compiled(86, f"-I{folder}", "-UWHAT")
            self.assertEqual(count, 2)
            self.assertIn("4711", text)

    def test_pch(self):
        """The headers that a source begins with are read once, and nothing else changes."""
        header = """#pragma once
template <typename T> struct Scaled {
  __device__ static T of(T value) { return value * FACTOR; }
};
#if defined ADDED
#warning said
#endif
__device__ int counter = %d;
"""
        source = """// A remark.
#define FACTOR 7
#include <scaled.h>

extern "C" __global__ void kernel(int *a) { a[0] = Scaled<int>::of(a[1]) + counter + __LINE__; }
"""
        with tempfile.TemporaryDirectory() as folder:
            near, far = os.path.join(folder, "near"), os.path.join(folder, "far")
            os.mkdir(near), os.mkdir(far)

            def write(where, counter):
                with open(os.path.join(where, "scaled.h"), "w") as file:
                    file.write(header % counter)

            def value(text, *options, status, **more):
                made = build(text, f"-I{near}", f"-I{far}", *options, **more)
                self.assertEqual((made.result, made.log), (0, ""))
                self.assertEqual(LIBRARY.nvrtcGetPCHCreateStatus(made.handle), status)
                return DRIVER.run(made.ptx.encode(), "kernel", [0, 11])[0]

            for default in ((), ("-default-device",)):
                write(far, 500)
                self.assertEqual(value(source, *default, status=13), 7 * 11 + 500 + 5)
                self.assertEqual(value(source, "--pch", *default, status=0), 7 * 11 + 500 + 5)
                # Another source that begins so, with another name.
                self.assertEqual(value(source + "\n", "--pch", *default, name="other.cu", status=13), 7 * 11 + 500 + 5)
                wrong = build(source + "int x = ;", f"-I{near}", f"-I{far}", "--pch", *default)
                self.assertIn("kernel.cu:6:", wrong.log)
                # Who does not ask for it has it when a second source begins so.
                for more in ("", "\n", "\n\n"):
                    self.assertEqual(value(source + more, "-DMORE", *default, status=13), 7 * 11 + 500 + 5)
                # The header changes; then there is one that comes before it.
                write(far, 6000)
                self.assertEqual(value(source, "--pch", *default, status=0), 7 * 11 + 6000 + 5)
                write(near, 70000)
                self.assertEqual(value(source, "--pch", *default, status=0), 7 * 11 + 70000 + 5)
                os.remove(os.path.join(near, "scaled.h"))
            # What the compiler says of a header it says each time; headers in memory are read each time.
            for more in ("", "\n"):
                log = build(source + more, f"-I{far}", "--pch", "-DADDED").log
                self.assertIn("warning: said", log)
                self.assertIn("In file included from kernel.cu:3:", log)
            for counter in (1, 2):
                got = value(source, "--pch", headers={"scaled.h": header % counter}, status=13)
                self.assertEqual(got, 7 * 11 + counter + 5)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
