# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`understudy diff`: diff_test.py <understudy>"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

UNDERSTUDY = sys.argv.pop(1)
HAS_POCL = os.path.exists("/etc/OpenCL/vendors/pocl.icd")

# A program of its own: runs the kernels that its arguments name.
PROGRAM = r"""
import array, ctypes, sys
cl = ctypes.CDLL("libOpenCL.so.1")

def make(name, *arguments):
    function = getattr(cl, name)
    function.restype = ctypes.c_void_p
    made = function(*arguments)
    assert made, name
    return ctypes.c_void_p(made)

platform, device = ctypes.c_void_p(), ctypes.c_void_p()
assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
assert cl.clGetDeviceIDs(platform, ctypes.c_ulong(0xFFFFFFFF), 1, ctypes.byref(device), None) == 0
context = make("clCreateContext", None, 1, ctypes.byref(device), None, None, None)
queue = make("clCreateCommandQueue", context, device, ctypes.c_ulong(0), None)
source = ctypes.c_char_p(b'''
kernel void product(global float *c, global const float *a, global const float *b) {
  size_t i = get_global_id(0) / 32, j = get_global_id(0) % 32;
  float sum = 0;
  for (size_t k = 0; k < 32; ++k) sum += a[i * 32 + k] * b[k * 32 + j];
  c[get_global_id(0)] = sum;
}
kernel void waves(global float *c, global const float *a, global const float *b) {
  size_t i = get_global_id(0);
  c[i] = sin(a[i]) * exp(b[i] / 512);
}
kernel void append(global int *c, global const float *a, global const float *b) {
  if (a[get_global_id(0)] > 512) c[1 + atomic_inc(c)] = get_global_id(0);
}
kernel void count(global int *c, global const float *a, global const float *b) {
  atomic_inc(c + (int)a[get_global_id(0)] % 16);
}
kernel void last(global int *c, global const float *a, global const float *b) { c[0] = get_group_id(0); }
kernel void turns(global float *c, read_only image2d_t from, write_only image2d_t to) {
  int x = get_global_id(0) % 16, y = get_global_id(0) / 16;
  if (y < 16) write_imagef(to, (int2)(15 - y, x), read_imagef(from, (int2)(x, y)) * 2);
}
kernel void bends(global float *c, read_only image2d_t from, write_only image2d_t to) {
  int x = get_global_id(0) % 16, y = get_global_id(0) / 16;
  if (y < 16) write_imagef(to, (int2)(x, y), exp(sin(read_imagef(from, (int2)(x, y)))));
}
kernel void draws(global float *c, read_only image2d_t from, write_only image2d_t to) {
  write_imagef(to, (int2)(3, 2), (float4)((float)get_group_id(0), 0, 0, 1));
}
kernel void prints(global float *c, global const float *a, global const float *b) {
  if (!get_global_id(0)) printf("once\\n");
}
''')
program = make("clCreateProgramWithSource", context, 1, ctypes.byref(source), None, None)
assert cl.clBuildProgram(program, 0, None, None, None, None) == 0

def buffer(numbers):
    memory = (ctypes.c_float * 1024)(*numbers)
    return make("clCreateBuffer", context, ctypes.c_ulong(1 | 1 << 5), ctypes.c_size_t(4096), memory, None)

def image(numbers):
    class Description(ctypes.Structure):
        _fields_ = [("type", ctypes.c_uint)] + [(f"size{i}", ctypes.c_size_t) for i in range(6)]
        _fields_ += [("levels", ctypes.c_uint), ("samples", ctypes.c_uint), ("buffer", ctypes.c_void_p)]

    description = Description(0x10F1, 16, 16, 1, 1, 0, 0, 0, 0, None)
    pixels = (ctypes.c_float * 1024)(*numbers)
    form = (ctypes.c_uint * 2)(0x10B5, 0x10DE)  # RGBA, floats
    return make("clCreateImage", context, ctypes.c_ulong(1 | 1 << 5), form, ctypes.byref(description), pixels, None)

images = [None, image(range(1024)), image([0] * 1024)]
buffers = [None, buffer(i * 37 % 1024 for i in range(1024)), buffer(i * 59 % 1024 for i in range(1024))]
for name in sys.argv[1:]:
    kernel = make("clCreateKernel", program, name.encode(), None)
    arguments = images if name in ("turns", "bends", "draws") else buffers
    arguments[0] = buffer([0] * 1024)
    for index, memory in enumerate(arguments):
        assert cl.clSetKernelArg(kernel, index, ctypes.c_size_t(8), ctypes.byref(memory)) == 0
    size, local = ctypes.c_size_t(1024), ctypes.c_size_t(16)
    code = cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(size), ctypes.byref(local), 0, None, None)
    assert code == 0, code
    into = (ctypes.c_int * 1024)()
    size = ctypes.c_size_t(4096)
    assert cl.clEnqueueReadBuffer(queue, arguments[0], 1, ctypes.c_size_t(0), size, into, 0, None, None) == 0
    print(name, into[0])
"""

# The same of CUDA: adds two to every number and counts its work-items in a variable of the module, three times; the
# address of the numbers lies in memory.
CUDA_PROGRAM = r"""
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")

def check(code):
    assert code == 0, code

check(cuda.cuInit(0))
context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0))
check(cuda.cuModuleLoadData(ctypes.byref(module), b'''
.version 7.0
.target sm_70
.address_size 64
.global .u32 count;
.visible .entry add(.param .u64 where) {
  .reg .u32 %r<5>;
  .reg .u64 %rd<5>;
  ld.param.u64 %rd0, [where];
  ld.global.u64 %rd1, [%rd0];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd2, %r0, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 2;
  st.global.u32 [%rd1], %r1;
  atom.global.add.u32 %r2, [count], 1;
  ret;
}
'''))
check(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"add"))
numbers, where, count, size = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_size_t()
check(cuda.cuMemAlloc_v2(ctypes.byref(numbers), ctypes.c_size_t(256)))
check(cuda.cuMemAlloc_v2(ctypes.byref(where), ctypes.c_size_t(8)))
check(cuda.cuMemsetD32_v2(numbers, 5, ctypes.c_size_t(64)))
check(cuda.cuMemcpyHtoD_v2(where, ctypes.byref(numbers), ctypes.c_size_t(8)))
check(cuda.cuModuleGetGlobal_v2(ctypes.byref(count), ctypes.byref(size), module, b"count"))
argument = (ctypes.c_void_p * 1)(ctypes.addressof(where))
for _ in range(3):
    check(cuda.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, argument, None))
into, counted = (ctypes.c_uint32 * 64)(), ctypes.c_uint32()
check(cuda.cuMemcpyDtoH_v2(into, numbers, ctypes.c_size_t(256)))
check(cuda.cuMemcpyDtoH_v2(ctypes.byref(counted), count, ctypes.c_size_t(4)))
print("numbers", set(into), "count", counted.value)
"""


def understudy(*arguments):
    return subprocess.run([UNDERSTUDY, *arguments], capture_output=True, text=True, timeout=120)


def diff(options, *kernels):
    return understudy("diff", *options, "--", sys.executable, "-c", PROGRAM, *kernels)


class BetweenTiers(unittest.TestCase):
    def test_right_kernels_are_the_same(self):
        done = diff(["--against", "tier=fiber"], "product", "waves", "append", "count")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("understudy: 4 launches compared: 4 the same, 0 different; 0 not compared", done.stderr)
        self.assertIn("count 64", done.stdout)

    # The work-groups of the second device have their turns in another order, and the kernel depends on it.
    def test_a_difference_is_named(self):
        with tempfile.NamedTemporaryFile() as file:
            done = diff(["--threads", "1", "--against", "seed=5", "--json", file.name], "product", "last")
            records = json.load(file)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("last 63", done.stdout)
        self.assertRegex(
            done.stderr, r"understudy: launch 2 of process \d+ differs: kernel 'last', program 1, line 18: "
        )
        self.assertRegex(
            done.stderr, r"argument 0 'c' \(int\*\): 1 of 1024 elements differ\n    \[0\]: 63, the candidate has \d+\n"
        )
        self.assertIn("2 launches compared: 1 the same, 1 different; 0 not compared", done.stderr)
        self.assertEqual([launch["state"] for launch in records["launches"]], ["same", "different"])
        self.assertEqual(records["launches"][1]["memory"][0]["first"][0]["reference"], "63")
        self.assertEqual(records["summary"]["kernels"]["last"]["different"], 1)

    def test_images_are_compared(self):
        done = diff(["--threads", "1", "--against", "seed=5"], "turns", "draws")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("2 launches compared: 1 the same, 1 different; 0 not compared", done.stderr)
        # The fourth pixel of the third of 16 rows.
        self.assertRegex(
            done.stderr, r"argument 2 'to' \(image2d_t\): 1 of 1024 elements differ\n    \[35\]: 63, the candidate has"
        )

    def test_only_so_many_are_printed(self):
        done = diff(["--threads", "1", "--against", "seed=5", "--blocks", "1"], "last", "last", "last")
        self.assertEqual(done.stderr.count("differs: kernel"), 1)
        self.assertIn("understudy: 2 launches more differ", done.stderr)

    def test_what_is_not_compared_is_counted_with_its_reason(self):
        done = diff(["--against", "tier=fiber"], "prints", "count")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("once"), 1)
        self.assertIn("kernel prints: 1 launch not compared: it prints, and would do so twice", done.stderr)

    def test_cuda_is_compared_too(self):
        done = understudy(
            "diff", "--against", "tier=fiber", "--devices", "emulated", "--", sys.executable, "-c", CUDA_PROGRAM
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("numbers {11} count 192", done.stdout)
        self.assertIn("understudy: 3 launches compared: 3 the same, 0 different; 0 not compared", done.stderr)


class ExitCode(unittest.TestCase):
    def test_is_the_programs(self):
        done = understudy("diff", "--against", "tier=fiber", "--", "sh", "-c", "exit 7")
        self.assertEqual(done.returncode, 7)

    def test_tells_that_nothing_was_compared(self):
        self.assertEqual(understudy("diff", "--against", "tier=fiber", "--", "true").returncode, 124)

    def test_wrong_words_are_refused(self):
        for options, why in (
            (["--against", "tier=warp"], "'warp' is not auto, loop or fiber"),
            (["--against", "fiber"], "'fiber' is neither emulated nor an option"),
            (["--against", "speed=1"], "there is no option 'SPEED'"),
            (["--ulps", "many"], "DIFF_ULPS: 'many' is no number"),
            (["--absolute", "-1"], "DIFF_ABSOLUTE: '-1' is no number"),
            (["--json", "/nowhere/at/all"], "'/nowhere/at/all' cannot be written"),
        ):
            done = understudy("diff", *options, "--", "true")
            self.assertEqual(done.returncode, 125, options)
            self.assertIn(why, done.stderr)

    def test_no_real_device_is_told(self):
        done = understudy("diff", "--forward", "none", "--", sys.executable, "-c", PROGRAM, "count")
        self.assertEqual(done.returncode, 124)
        self.assertIn("there is no real device whose launches could be compared", done.stderr)


@unittest.skipUnless(HAS_POCL, "PoCL is not installed")
class AgainstAnotherDriver(unittest.TestCase):
    def test_images_are_compared(self):
        done = diff(["--forward", "pocl"], "turns", "bends", "turns")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 launches compared: 3 the same, 0 different; 0 not compared", done.stderr)
        done = diff(["--forward", "pocl", "--ulps", "0"], "turns", "bends")
        self.assertIn("2 launches compared: 1 the same, 1 different; 0 not compared", done.stderr)
        self.assertRegex(done.stderr, r"argument 2 'to' \(image2d_t\): \d+ of 1024 elements differ")

    def test_right_kernels_are_the_same(self):
        done = diff(["--forward", "pocl"], "product", "waves", "append", "count", "prints")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("understudy: 4 launches compared: 4 the same, 0 different; 1 not compared", done.stderr)
        self.assertIn("count 64", done.stdout)
        # Two libraries of functions differ in their last bits, as the language grants.
        self.assertRegex(
            done.stderr, r"kernel waves: 1 the same, 0 different; \d+ elements near enough, at most \d+ ulps"
        )

    def test_ulps_are_counted(self):
        done = diff(["--forward", "pocl", "--ulps", "0"], "waves")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(
            done.stderr,
            r"argument 0 'c' \(float\*\): \d+ of 1024 elements differ\n"
            r"    \[\d+\]: \S+, the candidate has \S+ \(\d+ ulps\)",
        )


if __name__ == "__main__":
    unittest.main()
