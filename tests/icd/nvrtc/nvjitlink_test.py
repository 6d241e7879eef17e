#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvJitLink's functions: what NVIDIA's documentation says of each; what is linked is run by the driver.
Usage: nvjitlink_test.py LIBRARY NVRTC MAJOR, in `understudy run`"""
import ctypes as c
import os
import subprocess
import sys
import tempfile
import unittest

from compilers import Compilation, Driver, strings

MAJOR, NVRTC, LIBRARY = int(sys.argv.pop(3)), c.CDLL(sys.argv.pop(2)), c.CDLL(sys.argv.pop(1))
DRIVER = Driver()
CUBIN, PTX, LTOIR, FATBIN, OBJECT, ARCHIVE, ANY = 1, 2, 3, 4, 5, 6, 10
UNRECOGNIZED_OPTION, MISSING_ARCH, INVALID_INPUT, PTX_COMPILE, NULL_INPUT, INCOMPATIBLE, INCORRECT_TYPE = (
    1,
    2,
    3,
    4,
    10,
    11,
    12,
)

HELPER = """__device__ int helper(int x) { return x * 6; }
__device__ int counter = 1; static __device__ int own(int x) { return x + 1; } __device__ int useOwn(int x) { return own(x); }"""
KERNEL = """extern __device__ int helper(int); extern __device__ int counter; extern __device__ int useOwn(int);
static __device__ int own(int x) { return x - 1; }
extern "C" __global__ void kernel(int *p) { *p = helper(*p) + counter - 1 + own(useOwn(0)); }"""


def ptx(source, *options):
    made = Compilation(NVRTC, source, ["-rdc=true", "-arch=compute_80", *options])
    assert made.result == 0, made.log
    return made.ptx.encode()


def code(source):
    made = Compilation(NVRTC, source, ["-dlto", "-arch=compute_80"])
    assert made.result == 0, made.log
    return made.get("LTOIR")[1]


class Link:
    def __init__(self, *options):
        self.handle = c.c_void_p()
        self.result = LIBRARY.nvJitLinkCreate(c.byref(self.handle), len(options), strings(options))

    def add(self, kind, content, name="input"):
        return LIBRARY.nvJitLinkAddData(self.handle, kind, content, c.c_size_t(len(content)), name.encode())

    def complete(self):
        return LIBRARY.nvJitLinkComplete(self.handle)

    def get(self, what):
        size = c.c_size_t()
        error = getattr(LIBRARY, f"nvJitLinkGet{what}Size")(self.handle, c.byref(size))
        if error:
            return error, b""
        text = c.create_string_buffer(size.value)
        return getattr(LIBRARY, f"nvJitLinkGet{what}")(self.handle, text), text.raw

    @property
    def errors(self):
        return self.get("ErrorLog")[1].decode()

    def __del__(self):
        LIBRARY.nvJitLinkDestroy(c.byref(self.handle))


class Options(unittest.TestCase):
    def test_nvJitLinkVersion(self):
        major, minor = c.c_uint(), c.c_uint()
        self.assertEqual(LIBRARY.nvJitLinkVersion(c.byref(major), c.byref(minor)), 0)
        self.assertEqual(major.value, MAJOR)
        self.assertEqual(LIBRARY.nvJitLinkVersion(None, None), NULL_INPUT)
        # What programs are linked with has a release in its name.
        self.assertTrue(hasattr(LIBRARY, f"__nvJitLinkCreate_{MAJOR}_0"))

    def test_nvJitLinkCreate(self):
        self.assertEqual(LIBRARY.nvJitLinkCreate(None, 0, None), NULL_INPUT)
        self.assertEqual(Link().result, MISSING_ARCH)
        self.assertEqual(Link("-arch=sm_80", "-nonsense").result, UNRECOGNIZED_OPTION)
        self.assertIn("-nonsense", Link("-arch=sm_80", "-nonsense").errors)
        self.assertEqual(Link("-arch=sm_1").result, 16)
        # "-ptx: only supported with -lto"
        self.assertEqual(Link("-arch=sm_80", "-ptx").result, INCOMPATIBLE)
        everything = "-arch=sm_80 -maxrregcount=32 -time -verbose -lto -ptx -O2 -g -lineinfo -ftz=1 -prec-div=0 -prec-sqrt=0 -fma=0 -no-cache -split-compile=2"
        self.assertEqual(Link(*everything.split(), "-kernels-used=a,b", "-Xptxas=-v").result, 0)

    def test_nvJitLinkDestroy(self):
        handle = c.c_void_p()
        LIBRARY.nvJitLinkCreate(c.byref(handle), 1, strings(["-arch=sm_80"]))
        gone = c.c_void_p(handle.value)
        self.assertEqual(LIBRARY.nvJitLinkDestroy(c.byref(handle)), 0)
        self.assertIsNone(handle.value)
        self.assertEqual(LIBRARY.nvJitLinkDestroy(c.byref(gone)), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvJitLinkDestroy(None), NULL_INPUT)
        self.assertEqual(LIBRARY.nvJitLinkComplete(gone), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvJitLinkGetErrorLog(gone, c.create_string_buffer(1)), INVALID_INPUT)


class Linking(unittest.TestCase):
    def check(self, link):
        self.assertEqual(link.complete(), 0, link.errors)
        error, image = link.get("LinkedCubin")
        self.assertEqual(error, 0)
        self.assertEqual(DRIVER.run(image, "kernel", [7]), [42])

    def test_ptx(self):
        link = Link("-arch=sm_80")
        self.assertEqual(link.add(PTX, ptx(KERNEL), "kernel.ptx"), 0)
        self.assertEqual(link.add(ANY, ptx(HELPER), "helper.ptx"), 0)
        self.check(link)
        # "Linked PTX is only available when using the -lto option."
        self.assertEqual(link.get("LinkedPtx")[0], INVALID_INPUT)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = {
                name: os.path.join(folder, name)
                for name in ("helper.cu", "helper.cubin", "helper.fatbin", "lib.a", "helper.o", "objects.a")
            }
            with open(paths["helper.cu"], "w") as file:
                file.write(HELPER)
            for kind in ("cubin", "fatbin"):
                subprocess.run(
                    ["nvcc", f"-{kind}", "-rdc=true", "-o", paths[f"helper.{kind}"], paths["helper.cu"]], check=True
                )
            subprocess.run(["nvcc", "-dc", "-o", paths["helper.o"], paths["helper.cu"]], check=True)
            subprocess.run(["ar", "rc", paths["lib.a"], paths["helper.cubin"]], check=True)
            subprocess.run(["ar", "rc", paths["objects.a"], paths["helper.o"]], check=True)
            for kind, name in (
                (CUBIN, "helper.cubin"),
                (FATBIN, "helper.fatbin"),
                (ARCHIVE, "lib.a"),
                (ANY, "lib.a"),
                (OBJECT, "helper.o"),
                (ANY, "helper.o"),
                (ARCHIVE, "objects.a"),
            ):
                link = Link("-arch=sm_80")
                self.assertEqual(link.add(PTX, ptx(KERNEL)), 0)
                self.assertEqual(LIBRARY.nvJitLinkAddFile(link.handle, kind, paths[name].encode()), 0, link.errors)
                self.check(link)
            link = Link("-arch=sm_80")
            self.assertEqual(
                LIBRARY.nvJitLinkAddFile(link.handle, PTX, os.path.join(folder, "none").encode()), INVALID_INPUT
            )

    def test_grids_that_wait(self):
        """The device runtime's archive has what numba calls for a grid that waits for itself."""
        source = """extern "C" __device__ unsigned long long cudaCGGetIntrinsicHandle(int scope);
extern "C" __device__ int cudaCGSynchronize(unsigned long long handle, unsigned flags);
extern "C" __global__ void kernel(int *p) {
  const unsigned long long grid = cudaCGGetIntrinsicHandle(1);
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (grid) p[i] = i + 1;
  const int error = cudaCGSynchronize(grid, 0);
  const int other = p[n - 1 - i];
  if (grid) cudaCGSynchronize(grid, 0);
  p[i] = other + 1000 * error;
}"""
        archive = os.path.join(os.environ["CUDA_HOME"], "lib64/libcudadevrt.a").encode()
        link = Link("-arch=sm_80")
        self.assertEqual(link.add(PTX, ptx(source)), 0)
        self.assertEqual(LIBRARY.nvJitLinkAddFile(link.handle, ARCHIVE, archive), 0, link.errors)
        self.assertEqual(link.complete(), 0, link.errors)
        image = link.get("LinkedCubin")[1]
        self.assertEqual(
            DRIVER.run(image, "kernel", [0] * 96, threads=32, blocks=3, cooperative=True), list(range(96, 0, -1))
        )
        # Other launches have no grid that could wait: cudaErrorInvalidValue.
        self.assertEqual(DRIVER.run(image, "kernel", [0]), [1000])

    def test_code_for_linking(self):
        link = Link("-arch=sm_80", "-lto", "-ptx")
        self.assertEqual(link.add(LTOIR, code(KERNEL), "kernel"), 0)
        self.assertEqual(link.add(LTOIR, code(HELPER), "helper"), 0)
        self.check(link)
        error, text = link.get("LinkedPtx")
        self.assertEqual(error, 0)
        # The helpers are inlined, and nobody else can call them.
        self.assertNotIn(b".func", text)
        mixed = Link("-arch=sm_80", "-lto")
        self.assertEqual(mixed.add(PTX, ptx(KERNEL), "kernel"), 0)
        self.assertEqual(mixed.add(LTOIR, code(HELPER), "helper"), 0)
        self.check(mixed)

    def test_what_is_missing_and_what_is_twice(self):
        link = Link("-arch=sm_80")
        link.add(PTX, ptx(KERNEL))
        self.assertEqual(link.complete(), INVALID_INPUT)
        self.assertIn("undefined reference to '_Z6helperi'", link.errors)
        self.assertEqual(link.get("LinkedCubin")[0], INVALID_INPUT)
        twice = Link("-arch=sm_80")
        self.assertEqual(twice.add(PTX, ptx(HELPER), "one"), 0)
        self.assertEqual(twice.add(PTX, ptx(HELPER), "two"), INVALID_INPUT)
        self.assertIn("is defined in one and in two", twice.errors)
        # What the device has by itself is not missing.
        alone = Link("-arch=sm_80")
        alone.add(PTX, ptx('extern "C" __global__ void kernel(int *p) { printf("%d", *p); *p = 42; }'))
        self.check(alone)

    def test_wrong_inputs(self):
        link = Link("-arch=sm_80")
        self.assertEqual(LIBRARY.nvJitLinkAddData(link.handle, PTX, None, c.c_size_t(0), b""), NULL_INPUT)
        self.assertEqual(link.add(PTX, b"this is no PTX"), PTX_COMPILE)
        self.assertEqual(link.add(PTX, b".func"), PTX_COMPILE)
        self.assertEqual(link.add(CUBIN, b"\x7fELF and more"), INCORRECT_TYPE)
        self.assertIn("machine code of a real device", link.errors)
        self.assertEqual(link.add(FATBIN, b"\x50\xed\x55\xba"), INCORRECT_TYPE)
        self.assertEqual(link.add(ARCHIVE, b"no archive"), INCORRECT_TYPE)
        self.assertEqual(link.add(LTOIR, b"no code"), INCORRECT_TYPE)
        self.assertEqual(link.add(LTOIR, code(HELPER)), 18)
        self.assertEqual(link.add(99, b"x"), 8)
        self.assertEqual(LIBRARY.nvJitLinkGetLinkedCubinSize(link.handle, None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvJitLinkGetInfoLogSize(link.handle, None), NULL_INPUT)
        self.assertEqual(link.get("InfoLog"), (0, b"\0"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
