#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm/libdevice/libdevice.10.bc: the names that compilers call are there, and the functions of mathematics are as exact,
against MPFR, as the CUDA C++ Programming Guide says ("Mathematical Functions", maximum ulp error).
Usage: libdevice_test.py LIBRARY TOOLKIT, in `understudy run`"""
import ctypes as c
import math
import os
import random
import re
import sys
import unittest
from pathlib import Path

from compilers import Driver, Nvvm

TOOLKIT, LIBRARY = Path(sys.argv.pop(2)), c.CDLL(sys.argv.pop(1))
MPFR = c.CDLL("libmpfr.so.6")
LIBDEVICE = (TOOLKIT / "nvvm/libdevice/libdevice.10.bc").read_bytes()
DRIVER = Driver()
PRECISION = 256
ARGUMENTS = 500

# Name: (MPFR's function, arguments from … to, ulps of f32, of f64); in the order of the guide's tables.
ONE = {
    "rsqrt": ("rec_sqrt", 1e-30, 1e30, 2, 1),
    "cbrt": ("cbrt", -1e30, 1e30, 1, 1),
    "exp": ("exp", -80, 80, 2, 1),
    "exp2": ("exp2", -120, 120, 2, 1),
    "exp10": ("exp10", -35, 35, 2, 1),
    "expm1": ("expm1", -20, 80, 1, 1),
    "log": ("log", 1e-30, 1e30, 1, 1),
    "log2": ("log2", 1e-30, 1e30, 1, 1),
    "log10": ("log10", 1e-30, 1e30, 2, 1),
    "log1p": ("log1p", -0.999, 1e30, 1, 1),
    "sin": ("sin", -1e5, 1e5, 2, 2),
    "cos": ("cos", -1e5, 1e5, 2, 2),
    "tan": ("tan", -1e5, 1e5, 4, 5),  # f64: OpenCL's bound, the guide says 2
    "asin": ("asin", -1, 1, 2, 2),
    "acos": ("acos", -1, 1, 2, 2),
    "atan": ("atan", -1e10, 1e10, 2, 2),
    "sinh": ("sinh", -80, 80, 3, 2),
    "cosh": ("cosh", -80, 80, 2, 1),
    "tanh": ("tanh", -20, 20, 2, 5),  # f64: OpenCL's bound, the guide says 1
    "asinh": ("asinh", -1e10, 1e10, 3, 3),
    "acosh": ("acosh", 1, 1e10, 4, 3),
    "atanh": ("atanh", -0.999, 0.999, 3, 2),
    "erf": ("erf", -6, 6, 2, 2),
    "erfc": ("erfc", -6, 9, 4, 5),
    "tgamma": ("gamma", 0.01, 33, 5, 10),
    "sqrt": ("sqrt", 0, 1e30, 0.5, 0.5),
}
TWO = {
    "pow": ("pow", 0.01, 20, 4, 2),
    "atan2": ("atan2", -50, 50, 3, 2),
    "hypot": ("hypot", -1e10, 1e10, 3, 2),
    "fmod": ("fmod", -100, 100, 0, 0),
    "fdim": ("dim", -100, 100, 0.5, 0.5),
}


class Mpfr(c.Structure):
    _fields_ = [("precision", c.c_long), ("sign", c.c_int), ("exponent", c.c_long), ("digits", c.c_void_p)]

    def __init__(self, value=None):
        MPFR.mpfr_init2(c.byref(self), c.c_long(PRECISION))
        if value is not None:
            MPFR.mpfr_set_d(c.byref(self), c.c_double(value), 0)

    def __del__(self):
        MPFR.mpfr_clear(c.byref(self))


MPFR.mpfr_get_d.restype = c.c_double


def ulps(found, function, arguments, digits, smallest):
    """How many of its last places the result is away."""
    exact, error = Mpfr(), Mpfr()
    getattr(MPFR, f"mpfr_{function}")(c.byref(exact), *[c.byref(Mpfr(x)) for x in arguments], 0)
    near = MPFR.mpfr_get_d(c.byref(exact), 0)
    if not math.isfinite(near) or near == 0:
        return 0 if found == near or (found != found and near != near) else math.inf
    MPFR.mpfr_sub(c.byref(error), c.byref(exact), c.byref(Mpfr(found)), 0)
    place = max(math.frexp(near)[1] - digits, smallest)
    return abs(math.ldexp(MPFR.mpfr_get_d(c.byref(error), 0), -place))


def kernel(name, kind, count):
    """a[count * n + i] = name(a[i], a[n + i], …) for n arguments i of each."""
    ir = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare {kind} @{name}({types})
define void @kernel(ptr %a) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = mul i32 %b, 100
  %i = add i32 %t, %o
""".format(
        kind=kind, name=name, types=", ".join([kind] * count)
    )
    for k in range(count + 1):
        ir += f"  %i{k} = add i32 %i, {k * ARGUMENTS}\n  %p{k} = getelementptr {kind}, ptr %a, i32 %i{k}\n"
        if k < count:
            ir += f"  %x{k} = load {kind}, ptr %p{k}\n"
    values = ", ".join(f"{kind} %x{k}" for k in range(count))
    ir += f"  %r = call {kind} @{name}({values})\n  store {kind} %r, ptr %p{count}\n  ret void\n}}\n"
    return (ir + '!nvvm.annotations = !{!0}\n!0 = !{ptr @kernel, !"kernel", i32 1}\n').encode()


class Libdevice(unittest.TestCase):
    def test_where_clients_look(self):
        for variable in ("CUDA_HOME", "CUDA_PATH"):
            self.assertTrue(TOOLKIT.samefile(os.environ[variable]))
        for name in (
            "nvvm/lib64/libnvvm.so",
            "lib64/libnvrtc.so",
            "lib64/libnvJitLink.so",
            "include/nvrtc.h",
            "bin/nvcc",
        ):
            self.assertTrue((TOOLKIT / name).exists(), name)

    def test_where_clients_go_from_the_library(self):
        """CuPy resolves the links to the NVRTC that it loaded, and takes the folder above its own for the toolkit."""
        for name in ("libnvrtc.so.12", "libnvrtc.so.13"):
            library = c.CDLL(name)
            maps = Path("/proc/self/maps").read_text()
            loaded = re.search(rf"\S+/{re.escape(name)}$", maps, re.MULTILINE).group()
            root = Path(loaded).resolve().parent.parent
            self.assertTrue(TOOLKIT.samefile(root), root)
            for file in ("lib64/libcudadevrt.a", "include/cuda_runtime.h", "bin/nvcc"):
                self.assertTrue((root / file).exists(), file)
            self.assertEqual(library.nvrtcVersion(c.byref(c.c_int()), c.byref(c.c_int())), 0)

    def test_names(self):
        """All that Clang's headers declare but the instructions for video, which no device has had since Kepler."""
        header = (TOOLKIT / "clang/include/__clang_cuda_libdevice_declares.h").read_text()
        names = {name for name in re.findall(r"\b__nv_\w+", header) if not re.match(r"__nv_v\w+[24]$", name)}
        self.assertEqual(len(names), 348)
        lacking = [name for name in sorted(names) if name.encode() not in LIBDEVICE]
        self.assertEqual(lacking, [])

    def check(self, name, function, low, high, bound, single):
        kind, ctype, digits, smallest = ("float", c.c_float, 24, -149) if single else ("double", c.c_double, 53, -1074)
        count = 2 if name in TWO else 1
        numbers = random.Random(name)
        columns = []
        for _ in range(count):
            columns.append([self.pick(numbers, low, high) for _ in range(ARGUMENTS)])
        columns = [[ctype(x).value for x in column] for column in columns]
        symbol = f"__nv_{name}{'f' if single else ''}"
        made = Nvvm(LIBRARY, [kernel(symbol, kind, count), (LIBDEVICE, True)], ["-fma=1"])
        self.assertEqual(made.result, 0, made.log)
        values = [x for column in columns for x in column] + [0] * ARGUMENTS
        results = DRIVER.run(made.text, "kernel", values, ctype, threads=100, blocks=ARGUMENTS // 100)
        worst = max(
            (ulps(found, function, arguments, digits, smallest), arguments)
            for found, *arguments in zip(results[count * ARGUMENTS :], *columns)
        )
        # A result that is rounded to the nearest is half a place away at most.
        self.assertLessEqual(worst[0], max(bound, 0.5), f"{symbol}{tuple(worst[1])}")

    @staticmethod
    def pick(numbers, low, high):
        """Evenly, and as often by magnitude."""
        if numbers.random() < 0.5:
            return numbers.uniform(low, high)
        largest = max(abs(low), abs(high))
        value = math.exp(numbers.uniform(math.log(largest) - 15, math.log(largest)))
        return min(max(value if low >= 0 or numbers.random() < 0.5 else -value, low), high)

    def test_functions_of_f32(self):
        for name, (function, low, high, bound, _) in {**ONE, **TWO}.items():
            with self.subTest(name):
                self.check(name, function, low, high, bound, True)

    def test_functions_of_f64(self):
        for name, (function, low, high, _, bound) in {**ONE, **TWO}.items():
            with self.subTest(name):
                self.check(name, function, low, high, bound, False)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
