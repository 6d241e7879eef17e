#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same kernels as OpenCL C and as PTX (CUDA C++ through understudy-nvcc), on the one device of one process: CPU
time of each, in turns, and the ratio. Each result is checked against NumPy. Usage: understudy run -- python
ptx_against_opencl.py [--budget SECONDS] [CASE …]"""
import argparse
import ctypes as c
import json
import math
import os
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np

f32, f64, i32, u32 = np.float32, np.float64, np.int32, np.uint32

# One text, two languages.
OPENCL = """
#define KERNEL kernel
#define SHARED local
#define CONSTANT constant
#define GLOBAL global
#define GLOBAL_ID(d) get_global_id(d)
#define LOCAL_ID(d) get_local_id(d)
#define GROUP_ID(d) get_group_id(d)
#define LOCAL_SIZE(d) get_local_size(d)
#define GLOBAL_SIZE(d) get_global_size(d)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define ADD(address, value) atomic_add(address, value)
#define EXP(x) exp(x)
#define LOG(x) log(x)
#define SQRT(x) sqrt(x)
#define RSQRT(x) rsqrt(x)
#define FABS(x) fabs(x)
#define RESTRICT restrict
"""
CUDA = """
#define KERNEL extern "C" __global__
#define SHARED __shared__
#define CONSTANT __constant__
#define GLOBAL
#define AXIS0(v) v.x
#define AXIS1(v) v.y
#define AXIS(d, v) AXIS##d(v)
#define LOCAL_ID(d) AXIS(d, threadIdx)
#define GROUP_ID(d) AXIS(d, blockIdx)
#define LOCAL_SIZE(d) AXIS(d, blockDim)
#define GLOBAL_ID(d) (GROUP_ID(d) * LOCAL_SIZE(d) + LOCAL_ID(d))
#define GLOBAL_SIZE(d) (AXIS(d, gridDim) * LOCAL_SIZE(d))
#define BARRIER() __syncthreads()
#define ADD(address, value) atomicAdd(address, value)
#define EXP(x) expf(x)
#define LOG(x) logf(x)
#define SQRT(x) sqrtf(x)
#define RSQRT(x) rsqrtf(x)
#define FABS(x) fabsf(x)
#define RESTRICT __restrict__
typedef unsigned int uint;
"""


class OpenCl:
    def __init__(self):
        import pyopencl as cl  # others take the kernels, where there is none

        self.cl = cl
        device = cl.get_platforms()[0].get_devices()[0]
        self.context, self.name = cl.Context([device]), device.name
        self.queue = cl.CommandQueue(self.context)

    def kernel(self, text):
        # What nvcc has as its default: products and sums are fused, nothing else is relaxed.
        return self.cl.Kernel(self.cl.Program(self.context, OPENCL + text).build(), "k")

    def buffer(self, array):
        flags = self.cl.mem_flags
        return self.cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=array)

    def launcher(self, kernel, groups, local, arguments):
        size = tuple(g * s for g, s in zip(groups, local))
        return lambda: kernel(self.queue, size, local, *arguments)

    def finish(self):
        self.queue.finish()

    def read(self, buffer, like):
        self.cl.enqueue_copy(self.queue, like, buffer)
        return like


def ptx_of(text, nvcc):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "k.cu"
        source.write_text(CUDA + text)
        subprocess.run([nvcc, "--ptx", "-arch=sm_80", "-o", source.with_suffix(".ptx"), source], check=True)
        return source.with_suffix(".ptx").read_text()


class Ptx:
    """The device of a CUDA driver library; `compiled`: of a kernel's text its PTX."""

    def __init__(self, compiled, library="libcuda.so.1"):
        self.library, self.compiled = c.CDLL(library), compiled
        device, context = c.c_int(), c.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", c.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", c.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name} returned {code}")

    def kernel(self, text):
        image = self.compiled(text).encode() + b"\0"
        module, function = c.c_void_p(), c.c_void_p()
        self.call("cuModuleLoadData", c.byref(module), image)
        self.call("cuModuleGetFunction", c.byref(function), module, b"k")
        return function

    def buffer(self, array):
        pointer = c.c_uint64()
        self.call("cuMemAlloc_v2", c.byref(pointer), c.c_size_t(array.nbytes))
        self.call("cuMemcpyHtoD_v2", pointer, array.ctypes.data_as(c.c_void_p), c.c_size_t(array.nbytes))
        return pointer

    def launcher(self, kernel, groups, local, arguments):
        kinds = {f32: c.c_float, f64: c.c_double, i32: c.c_int, u32: c.c_uint}
        values = [kinds[type(a)](a) if type(a) in kinds else a for a in arguments]
        pointers = (c.c_void_p * len(values))(*(c.cast(c.pointer(v), c.c_void_p) for v in values))
        shape = [c.c_uint(x) for x in (*(groups + (1, 1))[:3], *(local + (1, 1))[:3], 0)]

        def launch(_=values):
            self.call("cuLaunchKernel", kernel, *shape, None, pointers, None)

        return launch

    def finish(self):
        self.call("cuCtxSynchronize")

    def read(self, buffer, like):
        self.call("cuMemcpyDtoH_v2", like.ctypes.data_as(c.c_void_p), buffer, c.c_size_t(like.nbytes))
        return like


CASES = {}


def case(function):
    """A case is (text, groups, local, arguments, expected): the first array among the arguments is the result."""
    CASES[function.__name__] = function
    return function


def random(n, seed=1, kind=f32):
    return np.random.default_rng(seed).random(n).astype(kind)


@case
def triad():
    n = 1 << 20
    a, b = random(n), random(n, 2)
    return (
        """KERNEL void k(GLOBAL float *out, GLOBAL const float *a, GLOBAL const float *b, int n) {
      int i = GLOBAL_ID(0); if (i < n) out[i] = a[i] + 3.0f * b[i]; }""",
        (n // 256,),
        (256,),
        [np.zeros_like(a), a, b, i32(n)],
        a + 3 * b,
    )


@case
def triad_f64_grid_stride():
    n = 1 << 20
    a, b = random(n, 1, f64), random(n, 2, f64)
    return (
        """KERNEL void k(GLOBAL double *out, GLOBAL const double *a, GLOBAL const double *b, int n) {
      for (int i = GLOBAL_ID(0); i < n; i += GLOBAL_SIZE(0)) out[i] = a[i] + 3.0 * b[i]; }""",
        (64,),
        (256,),
        [np.zeros_like(a), a, b, i32(n)],
        a + 3 * b,
    )


@case
def five_point_stencil():
    w, h = 1024, 1024
    a = random(w * h)
    p = a.reshape(h, w)
    expected = p.copy()
    expected[1:-1, 1:-1] = f32(0.2) * (p[1:-1, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1])
    return (
        """KERNEL void k(GLOBAL float *out, GLOBAL const float *a, int w, int h) {
      int x = GLOBAL_ID(0), y = GLOBAL_ID(1);
      if (x >= w || y >= h) return;
      int i = y * w + x;
      float v = a[i];
      if (x > 0 && x < w - 1 && y > 0 && y < h - 1) v = 0.2f * (v + a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
      out[i] = v; }""",
        (w // 32, h // 8),
        (32, 8),
        [np.zeros_like(a), a, i32(w), i32(h)],
        expected.ravel(),
    )


@case
def matrix_product():
    n = 256
    a, b = random(n * n), random(n * n, 2)
    return (
        """KERNEL void k(GLOBAL float *c, GLOBAL const float *a, GLOBAL const float *b, int n) {
      int x = GLOBAL_ID(0), y = GLOBAL_ID(1);
      float sum = 0.0f;
      for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
      c[y * n + x] = sum; }""",
        (n // 16, n // 16),
        (16, 16),
        [np.zeros_like(a), a, b, i32(n)],
        (a.reshape(n, n) @ b.reshape(n, n)).ravel(),
    )


@case
def tiled_matrix_product():
    n = 256
    a, b = random(n * n), random(n * n, 2)
    return (
        """KERNEL void k(GLOBAL float *c, GLOBAL const float *a, GLOBAL const float *b, int n) {
      SHARED float left[16][16], right[16][16];
      int x = GLOBAL_ID(0), y = GLOBAL_ID(1), lx = LOCAL_ID(0), ly = LOCAL_ID(1);
      float sum = 0.0f;
      for (int t = 0; t < n; t += 16) {
        left[ly][lx] = a[y * n + t + lx];
        right[ly][lx] = b[(t + ly) * n + x];
        BARRIER();
        for (int i = 0; i < 16; ++i) sum += left[ly][i] * right[i][lx];
        BARRIER();
      }
      c[y * n + x] = sum; }""",
        (n // 16, n // 16),
        (16, 16),
        [np.zeros_like(a), a, b, i32(n)],
        (a.reshape(n, n) @ b.reshape(n, n)).ravel(),
    )


@case
def tree_reduction():
    n = 1 << 20
    a = np.random.default_rng(1).integers(-99, 99, n).astype(i32)
    return (
        """KERNEL void k(GLOBAL int *sums, GLOBAL const int *a) {
      SHARED int part[256];
      int l = LOCAL_ID(0);
      part[l] = a[GLOBAL_ID(0)];
      for (int s = 128; s > 0; s >>= 1) {
        BARRIER();
        if (l < s) part[l] += part[l + s];
      }
      if (l == 0) sums[GROUP_ID(0)] = part[0]; }""",
        (n // 256,),
        (256,),
        [np.zeros(n // 256, i32), a],
        a.reshape(-1, 256).sum(1),
    )


@case
def histogram():
    n = 1 << 20
    a = np.random.default_rng(1).integers(0, 256, n).astype(np.uint8)
    expected = np.stack([np.bincount(part, minlength=256) for part in a.reshape(64, -1)]).astype(u32).ravel()
    return (
        """KERNEL void k(GLOBAL uint *counts, GLOBAL const unsigned char *a, int each) {
      SHARED uint mine[256];
      int l = LOCAL_ID(0), g = GROUP_ID(0);
      mine[l] = 0;
      BARRIER();
      for (int i = l; i < each; i += LOCAL_SIZE(0)) ADD(&mine[a[g * each + i]], 1u);
      BARRIER();
      counts[g * 256 + l] = mine[l]; }""",
        (64,),
        (256,),
        [np.zeros(64 * 256, u32), a, i32(n // 64)],
        expected,
    )


@case
def bodies():
    n = 2048
    x, y, m = random(n), random(n, 2), random(n, 3)
    dx, dy = x[None] - x[:, None], y[None] - y[:, None]
    expected = (m[None] * dx * (dx * dx + dy * dy + f32(0.01)).astype(f64) ** -1.5).sum(1).astype(f32)
    return (
        """KERNEL void k(GLOBAL float *force, GLOBAL const float *x, GLOBAL const float *y, GLOBAL const float *m, int n) {
      int i = GLOBAL_ID(0);
      float mx = x[i], my = y[i], sum = 0.0f;
      for (int j = 0; j < n; ++j) {
        float dx = x[j] - mx, dy = y[j] - my;
        float inverse = RSQRT(dx * dx + dy * dy + 0.01f);
        sum += m[j] * dx * inverse * inverse * inverse;
      }
      force[i] = sum; }""",
        (n // 128,),
        (128,),
        [np.zeros_like(x), x, y, m, i32(n)],
        expected,
    )


@case
def mandelbrot():
    w = 512
    x = (np.arange(w, dtype=f32) / f32(w) * f32(3) - f32(2))[None, :].astype(f64)
    y = (np.arange(w, dtype=f32) / f32(w) * f32(2.5) - f32(1.25))[:, None].astype(f64)
    expected = np.zeros((w, w), i32)
    u, v, z = np.zeros((w, w)), np.zeros((w, w)), np.ones((w, w), bool)
    with np.errstate(all="ignore"):
        for _ in range(64):
            z &= u * u + v * v <= 4
            expected += z
            u, v = u * u - v * v + x, 2 * u * v + y
    return (
        """KERNEL void k(GLOBAL int *count, int w) {
      int px = GLOBAL_ID(0), py = GLOBAL_ID(1);
      float x = (float)px / (float)w * 3.0f - 2.0f, y = (float)py / (float)w * 2.5f - 1.25f, u = 0.0f, v = 0.0f;
      int n = 0;
      while (n < 64 && u * u + v * v <= 4.0f) {
        float t = u * u - v * v + x;
        v = 2.0f * u * v + y;
        u = t;
        ++n;
      }
      count[py * w + px] = n; }""",
        (w // 16, w // 16),
        (16, 16),
        [np.zeros(w * w, i32), i32(w)],
        expected.ravel(),
    )


@case
def black_scholes():
    n = 1 << 18
    s, x = random(n) * f32(25) + f32(5), random(n, 2) * f32(99) + f32(1)
    t = random(n, 3) * f32(9.75) + f32(0.25)

    def cnd(d):
        k = 1 / (1 + 0.2316419 * np.abs(d))
        p = (
            np.exp(-d * d / 2)
            * 0.3989422804
            * k
            * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        )
        return np.where(d > 0, 1 - p, p)

    ds, dx, dt = (v.astype(f64) for v in (s, x, t))
    d1 = (np.log(ds / dx) + (0.02 + 0.5 * 0.09) * dt) / (0.3 * np.sqrt(dt))
    expected = (ds * cnd(d1) - dx * np.exp(-0.02 * dt) * cnd(d1 - 0.3 * np.sqrt(dt))).astype(f32)
    return (
        """
#ifdef __CUDACC__
__device__
#endif
    float cnd(float d) {
      float k = 1.0f / (1.0f + 0.2316419f * FABS(d));
      float p = EXP(-0.5f * d * d) * 0.3989422804f * k *
                (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
      return d > 0.0f ? 1.0f - p : p;
    }
    KERNEL void k(GLOBAL float *call, GLOBAL const float *s, GLOBAL const float *x, GLOBAL const float *t, int n) {
      int i = GLOBAL_ID(0);
      if (i >= n) return;
      float root = SQRT(t[i]);
      float d1 = (LOG(s[i] / x[i]) + (0.02f + 0.5f * 0.09f) * t[i]) / (0.3f * root), d2 = d1 - 0.3f * root;
      call[i] = s[i] * cnd(d1) - x[i] * EXP(-0.02f * t[i]) * cnd(d2); }""",
        (n // 256,),
        (256,),
        [np.zeros_like(s), s, x, t, i32(n)],
        expected,
    )


@case
def transpose():
    w = 1024
    a = random(w * w)
    return (
        """KERNEL void k(GLOBAL float *out, GLOBAL const float *a, int w) {
      SHARED float tile[16][17];
      int lx = LOCAL_ID(0), ly = LOCAL_ID(1);
      tile[ly][lx] = a[(GROUP_ID(1) * 16 + ly) * w + GROUP_ID(0) * 16 + lx];
      BARRIER();
      out[(GROUP_ID(0) * 16 + ly) * w + GROUP_ID(1) * 16 + lx] = tile[lx][ly]; }""",
        (w // 16, w // 16),
        (16, 16),
        [np.zeros_like(a), a, i32(w)],
        a.reshape(w, w).T.ravel(),
    )


@case
def hashes():
    n = 1 << 18
    v = np.arange(n, dtype=u32)
    with np.errstate(over="ignore"):
        for _ in range(32):
            v = (v ^ (v >> u32(16))) * u32(0x7FEB352D)
            v = (v ^ (v >> u32(15))) * u32(0x846CA68B)
    return (
        """KERNEL void k(GLOBAL uint *out, int rounds) {
      uint v = GLOBAL_ID(0), i = v;
      for (int r = 0; r < rounds; ++r) {
        v = (v ^ (v >> 16)) * 0x7feb352du;
        v = (v ^ (v >> 15)) * 0x846ca68bu;
      }
      out[i] = v; }""",
        (n // 256,),
        (256,),
        [np.zeros(n, u32), i32(32)],
        v,
    )


@case
def group_scan():
    n = 1 << 19
    a = np.random.default_rng(1).integers(0, 9, n).astype(i32)
    return (
        """KERNEL void k(GLOBAL int *out, GLOBAL const int *a) {
      SHARED int part[256];
      int l = LOCAL_ID(0), i = GLOBAL_ID(0);
      part[l] = a[i];
      for (int d = 1; d < 256; d <<= 1) {
        BARRIER();
        int other = l >= d ? part[l - d] : 0;
        BARRIER();
        part[l] += other;
      }
      out[i] = part[l]; }""",
        (n // 256,),
        (256,),
        [np.zeros(n, i32), a],
        np.cumsum(a.reshape(-1, 256), 1).ravel(),
    )


@case
def weights():
    n, taps = 1 << 18, 16
    a = random(n + taps)
    w = np.arange(1, taps + 1, dtype=f32) / f32(64)
    expected = np.convolve(a.astype(f64), w[::-1].astype(f64), "valid")[:n].astype(f32)
    return (
        "CONSTANT float w[16] = {"
        + ", ".join(f"{x!r}f" for x in map(float, w))
        + """};
    KERNEL void k(GLOBAL float *out, GLOBAL const float *a) {
      int i = GLOBAL_ID(0);
      float sum = 0.0f;
      for (int j = 0; j < 16; ++j) sum += w[j] * a[i + j];
      out[i] = sum; }""",
        (n // 256,),
        (256,),
        [np.zeros(n, f32), a],
        expected,
    )


@case
def gather():
    n = 1 << 19
    a, at = random(n), np.random.default_rng(1).integers(0, n, n).astype(i32)
    return (
        """KERNEL void k(GLOBAL float *RESTRICT out, GLOBAL const float *RESTRICT a, GLOBAL const int *RESTRICT at, int n) {
      int i = GLOBAL_ID(0);
      if (i < n) out[i] = a[at[i]] * 2.0f; }""",
        (n // 256,),
        (256,),
        [np.zeros_like(a), a, at, i32(n)],
        a[at] * 2,
    )


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def first_launch(name, side):
    """The case's launch on one side, once made and its result compared."""
    text, groups, local, arguments, expected = CASES[name]()
    given = [side.buffer(np.ascontiguousarray(a)) if isinstance(a, np.ndarray) else a for a in arguments]
    launch = side.launcher(side.kernel(text), groups, local, given)
    launch()
    side.finish()
    like = next(a for a in arguments if isinstance(a, np.ndarray))
    got = side.read(given[0], np.empty_like(like))
    if like.dtype.kind == "f":
        np.testing.assert_allclose(
            got, expected, rtol=2e-3 if name == "bodies" else 2e-4, atol=2e-3 if name == "bodies" else 1e-4
        )
    else:
        # Of the mandelbrot set a few points on the edge may fall either way.
        assert (got != expected).mean() < (0.01 if name == "mandelbrot" else 1e-9), f"{name} is wrong"
    return launch


def measure(name, sides, budget):
    result, runs = {"case": name}, {}
    for label, side in sides.items():
        launch = first_launch(name, side)
        begin = cpu_seconds()
        launch()
        side.finish()
        # A run takes some 20 ms, so that the clock's step does not count.
        runs[label] = (launch, side, max(1, math.ceil(0.02 / max(cpu_seconds() - begin, 1e-5))))
    times, began = {label: [] for label in sides}, cpu_seconds()
    while cpu_seconds() - began < budget or len(times["ptx"]) < 5:
        for label, (launch, side, count) in runs.items():
            begin = cpu_seconds()
            for _ in range(count):
                launch()
            side.finish()
            times[label].append((cpu_seconds() - begin) / count)
    for label, found in times.items():
        result[f"{label}, ms"] = round(float(np.percentile(found, 25)) * 1e3, 4)
    result["ratio"] = round(float(np.percentile(times["ptx"], 25) / np.percentile(times["opencl"], 25)), 3)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds of CPU time a case")
    parser.add_argument("--nvcc", default="nvcc")
    arguments = parser.parse_args()
    sides = {"opencl": OpenCl(), "ptx": Ptx(lambda text: ptx_of(text, arguments.nvcc))}
    ratios = []
    for name in arguments.cases or CASES:
        result = measure(name, sides, arguments.budget)
        ratios.append(result["ratio"])
        print(json.dumps(result), flush=True)
    print(
        json.dumps(
            {
                "cases": len(ratios),
                "geometric mean": round(statistics.geometric_mean(ratios), 3),
                "above 1.1": sum(r > 1.1 for r in ratios),
            }
        )
    )


if __name__ == "__main__":
    main()
