# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark kernels: each case makes its input, runs one OpenCL kernel (or a few), and is checked against NumPy.

A case is a function case(rt) -> (run, check): run() enqueues once and finishes; check() raises if the result is wrong.
`rt` is a Runtime of measure.py, or its stand-in of hand-written versions (benchmarks/limits)."""
import numpy as np

f32, f64, i32, u32 = np.float32, np.float64, np.int32, np.uint32
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def random(seed=1):
    return np.random.default_rng(seed)


def close(got, expected, tolerance=1e-4, absolute=1e-5):
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=absolute)


def equal(got, expected):
    np.testing.assert_array_equal(got, expected)


def elementwise(
    rt, source, n, inputs, expected, dtype=f32, local=256, tolerance=1e-4, absolute=1e-5, sample=1, repeats=1
):
    """One item an element: kernel k(inputs…, out)."""
    buffers = [rt.buffer(a) for a in inputs]
    out = rt.empty(n, dtype)
    kernel = rt.kernel(source, "k")

    def run():
        for _ in range(repeats):
            kernel((n,), (local,) if local else None, *buffers, out)

    def check():
        got = rt.read(out, n, dtype)[::sample]
        (close(got, expected(), tolerance, absolute) if np.issubdtype(dtype, np.floating) else equal(got, expected()))

    return run, check


TRIAD = """kernel void k(global const float *a, global const float *b, global float *c) {
  size_t i = get_global_id(0); c[i] = a[i] + 3.0f * b[i]; }"""
TRIAD_INT = """kernel void k(global const float *a, global const float *b, global float *c) {
  int i = get_global_id(0); if (i < 1000000000) c[i] = a[i] + 3.0f * b[i]; }"""
TRIAD_GROUP = """kernel void k(global const float *a, global const float *b, global float *c) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0); c[i] = a[i] + 3.0f * b[i]; }"""


def triad_of(rt, source, n, local, repeats=1):
    a, b = random().random(n, f32), random(2).random(n, f32)
    return elementwise(rt, source, n, [a, b], lambda: a + f32(3) * b, local=local, repeats=repeats)


@case
def triad(rt):
    return triad_of(rt, TRIAD, 1 << 24, 256)


@case
def triad_nolws(rt):
    return triad_of(rt, TRIAD, 4194301, None)


@case
def triad_l2(rt):
    return triad_of(rt, TRIAD, 65536, 256, 100)


@case
def triad_l2_int(rt):
    return triad_of(rt, TRIAD_INT, 65536, 64, 100)


@case
def triad_l2_group(rt):
    return triad_of(rt, TRIAD_GROUP, 65536, 256, 100)


@case
def wg1(rt):
    return triad_of(rt, TRIAD, 1 << 20, 1)


@case
def wgsmall(rt):
    return triad_of(rt, TRIAD, 1 << 20, 16)


@case
def nbody(rt):
    n = 4096
    p = random().random((n, 4), f32)
    source = """kernel void k(global const float4 *p, global float4 *out, int n) {
      int i = get_global_id(0); float4 me = p[i]; float3 f = (float3)(0);
      for (int j = 0; j < n; ++j) { float4 o = p[j]; float3 d = o.xyz - me.xyz; float r = dot(d, d) + 0.01f;
        float s = rsqrt(r); f += d * (o.w * s * s * s); }
      out[i] = (float4)(f, 0); }"""
    pos, out, kernel = rt.buffer(p), rt.empty(4 * n, f32), rt.kernel(source, "k")

    def check():
        got = rt.read(out, 4 * n, f32).reshape(n, 4)[::97]
        d = p[None, :, :3].astype(f64) - p[::97, None, :3]
        s = 1 / np.sqrt((d**2).sum(2) + 0.01)
        close(got[:, :3], (d * (p[None, :, 3] * s**3)[..., None]).sum(1), 1e-3, 1e-1)

    return lambda: kernel((n,), (64,), pos, out, i32(n)), check


@case
def nbody_tile(rt):
    n = 4096
    p = random().random((n, 4), f32)
    source = """kernel void k(global const float4 *p, global float4 *out, int n) {
      local float4 tile[64]; int i = get_global_id(0), l = get_local_id(0); float4 me = p[i]; float fx = 0, fy = 0, fz = 0;
      for (int t = 0; t < n; t += 64) { tile[l] = p[t + l]; barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; ++j) { float4 o = tile[j]; float x = o.x - me.x, y = o.y - me.y, z = o.z - me.z;
          float s = rsqrt(x * x + y * y + z * z + 0.01f), w = o.w * s * s * s; fx += x * w; fy += y * w; fz += z * w; }
        barrier(CLK_LOCAL_MEM_FENCE); }
      out[i] = (float4)(fx, fy, fz, 0); }"""
    pos, out, kernel = rt.buffer(p), rt.empty(4 * n, f32), rt.kernel(source, "k")

    def check():
        got = rt.read(out, 4 * n, f32).reshape(n, 4)[::97]
        d = p[None, :, :3].astype(f64) - p[::97, None, :3]
        s = 1 / np.sqrt((d**2).sum(2) + 0.01)
        close(got[:, :3], (d * (p[None, :, 3] * s**3)[..., None]).sum(1), 1e-3, 1e-1)

    return lambda: kernel((n,), (64,), pos, out, i32(n)), check


@case
def blackscholes(rt):
    n = 1 << 20
    s, x, t = (random(k).uniform(a, b, n).astype(f32) for k, a, b in ((1, 5, 30), (2, 1, 100), (3, 0.25, 10)))
    source = """float cnd(float d) { return 0.5f * erfc(d * -0.70710678f); }
    kernel void k(global const float *s, global const float *x, global const float *t, global float *call) {
      size_t i = get_global_id(0); float q = sqrt(t[i]), r = 0.02f, v = 0.30f;
      float d1 = (log(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * q), d2 = d1 - v * q;
      call[i] = s[i] * cnd(d1) - x[i] * exp(-r * t[i]) * cnd(d2); }"""

    def expected():
        from math import erfc

        e = np.vectorize(lambda d: 0.5 * erfc(-d / np.sqrt(2)))
        S, X, T = (a[::1009].astype(f64) for a in (s, x, t))
        d1 = (np.log(S / X) + (0.02 + 0.045) * T) / (0.3 * np.sqrt(T))
        return S * e(d1) - X * np.exp(-0.02 * T) * e(d1 - 0.3 * np.sqrt(T))

    return elementwise(rt, source, n, [s, x, t], expected, tolerance=1e-3, absolute=1e-3, sample=1009)


@case
def mandelbrot(rt):
    w, limit = 768, 256
    source = """kernel void k(global int *out, int w, int limit) {
      int px = get_global_id(0), py = get_global_id(1); float cx = -2.0f + px * (3.0f / 768), cy = -1.5f + py * (3.0f / 768);
      float x = 0, y = 0; int n = 0;
      while (n < limit && x * x + y * y < 4.0f) { float t = x * x - y * y + cx; y = 2.0f * x * y + cy; x = t; ++n; }
      out[py * w + px] = n; }"""
    out, kernel = rt.empty(w * w, i32), rt.kernel(source, "k")

    def check():
        got = rt.read(out, w * w, i32).reshape(w, w)[::37, ::37]
        c = (-2 + np.arange(w) * (3 / 768))[None, ::37] + 1j * (-1.5 + np.arange(w) * (3 / 768))[::37, None]
        z, n = np.zeros_like(c), np.zeros(c.shape, int)
        for _ in range(limit):
            on = np.abs(z) < 2
            z = np.where(on, z * z + c, z)
            n += on
        assert np.mean(np.abs(got - n) > 2) < 0.02, "counts differ"

    return lambda: kernel((w, w), (16, 16), out, i32(w), i32(limit)), check


def product(rt, n, source, local, per_item=1, dtype=f32):
    a, b = random().random((n, n)).astype(dtype), random(2).random((n, n)).astype(dtype)
    bufferA, bufferB, out, kernel = rt.buffer(a), rt.buffer(b), rt.empty(n * n, dtype), rt.kernel(source, "k")

    def check():
        close(rt.read(out, n * n, dtype).reshape(n, n), a.astype(f64) @ b.astype(f64), 1e-3)

    return lambda: kernel((n // per_item, n // per_item), local, bufferA, bufferB, out, i32(n)), check


NAIVE = """kernel void k(global const T *a, global const T *b, global T *c, int n) {
  int x = get_global_id(0), y = get_global_id(1); T s = 0;
  for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s; }"""


@case
def mm_naive(rt):
    return product(rt, 384, NAIVE.replace("T ", "float "), (16, 16))


@case
def mm_naive_f64(rt):
    return product(rt, 256, NAIVE.replace("T ", "double "), (16, 16), dtype=f64)


@case
def mm_tiled(rt):
    return product(
        rt,
        384,
        """kernel void k(global const float *a, global const float *b, global float *c, int n) {
      local float p[16][16], q[16][16]; int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
      float s = 0;
      for (int t = 0; t < n; t += 16) { p[j][i] = a[y * n + t + i]; q[j][i] = b[(t + j) * n + x]; barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k) s += p[j][k] * q[k][i];
        barrier(CLK_LOCAL_MEM_FENCE); }
      c[y * n + x] = s; }""",
        (16, 16),
    )


@case
def mm_reg(rt):
    return product(
        rt,
        384,
        """kernel void k(global const float *a, global const float *b, global float *c, int n) {
      local float p[64][16], q[16][64]; int i = get_local_id(0), j = get_local_id(1), id = j * 16 + i;
      int bx = get_group_id(0) * 64, by = get_group_id(1) * 64; float s[4][4] = {};
      for (int t = 0; t < n; t += 16) {
        for (int u = 0; u < 4; ++u) { int e = id + u * 256; p[e / 16][e % 16] = a[(by + e / 16) * n + t + e % 16];
          q[e / 64][e % 64] = b[(t + e / 64) * n + bx + e % 64]; }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k) for (int u = 0; u < 4; ++u) for (int v = 0; v < 4; ++v)
          s[u][v] += p[j + 16 * u][k] * q[k][i + 16 * v];
        barrier(CLK_LOCAL_MEM_FENCE); }
      for (int u = 0; u < 4; ++u) for (int v = 0; v < 4; ++v) c[(by + j + 16 * u) * n + bx + i + 16 * v] = s[u][v]; }""",
        (16, 16),
        4,
    )


@case
def reduce(rt):
    n = 1 << 22
    a = random().integers(0, 100, n).astype(u32)
    source = """kernel void k(global const uint *a, global uint *out, local uint *t) {
      uint l = get_local_id(0); t[l] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
      for (uint d = get_local_size(0) / 2; d > 0; d /= 2) { if (l < d) t[l] += t[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
      if (l == 0) out[get_group_id(0)] = t[0]; }"""
    data, out, kernel = rt.buffer(a), rt.empty(n // 256, u32), rt.kernel(source, "k")
    return (
        lambda: kernel((n,), (256,), data, out, rt.local(1024)),
        lambda: equal(rt.read(out, n // 256, u32), a.reshape(-1, 256).sum(1, dtype=u32)),
    )


@case
def scan(rt):
    n = 1 << 21
    a = random().integers(0, 100, n).astype(u32)
    source = """kernel void k(global const uint *a, global uint *out) {
      local uint t[2][256]; uint l = get_local_id(0), w = 0; t[0][l] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
      for (uint d = 1; d < 256; d *= 2) { t[1 - w][l] = t[w][l] + (l >= d ? t[w][l - d] : 0); w = 1 - w; barrier(CLK_LOCAL_MEM_FENCE); }
      out[get_global_id(0)] = t[w][l]; }"""
    data, out, kernel = rt.buffer(a), rt.empty(n, u32), rt.kernel(source, "k")
    return (
        lambda: kernel((n,), (256,), data, out),
        lambda: equal(rt.read(out, n, u32).reshape(-1, 256), np.cumsum(a.reshape(-1, 256), 1, dtype=u32)),
    )


@case
def hist_local(rt):
    n = 1 << 23
    a = random().integers(0, 256, n).astype(np.uint8)
    source = """kernel void k(global const uchar *a, global uint *out) {
      local uint h[256]; uint l = get_local_id(0); h[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);
      size_t base = get_group_id(0) * 16384; for (int i = 0; i < 64; ++i) atomic_inc(&h[a[base + i * 256 + l]]);
      barrier(CLK_LOCAL_MEM_FENCE); out[get_group_id(0) * 256 + l] = h[l]; }"""
    groups = n // 16384
    data, out, kernel = rt.buffer(a), rt.empty(groups * 256, u32), rt.kernel(source, "k")
    return (
        lambda: kernel((groups * 256,), (256,), data, out),
        lambda: equal(rt.read(out, groups * 256, u32).reshape(-1, 256).sum(0), np.bincount(a, minlength=256)),
    )


@case
def atomics_global(rt):
    n = 1 << 20
    a = random().integers(0, 4096, n).astype(u32)
    source = """kernel void k(global const uint *a, global uint *h) { atomic_inc(&h[a[get_global_id(0)]]); }"""
    data, out, kernel = rt.buffer(a), rt.buffer(np.zeros(4096, u32)), rt.kernel(source, "k")
    runs = [0]

    def run():
        runs[0] += 1
        kernel((n,), (256,), data, out)

    return run, lambda: equal(rt.read(out, 4096, u32), np.bincount(a, minlength=4096).astype(u32) * u32(runs[0]))


@case
def stencil(rt):
    w = 2048
    a = random().random((w, w), f32)
    source = """kernel void k(global const float *a, global float *b, int w) {
      int x = get_global_id(0), y = get_global_id(1); if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
      b[y * w + x] = 0.2f * (a[y * w + x] + a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]); }"""
    data, out, kernel = rt.buffer(a), rt.empty(w * w, f32), rt.kernel(source, "k")

    def check():
        got = rt.read(out, w * w, f32).reshape(w, w)[1:-1, 1:-1]
        close(got, f32(0.2) * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1]))

    return lambda: kernel((w, w), (64, 4), data, out, i32(w)), check


@case
def conv(rt):
    w = 1024
    a, m = random().random((w, w), f32), random(2).random((7, 7), f32)
    source = """kernel void k(global const float *a, constant float *m, global float *b, int w) {
      int x = get_global_id(0), y = get_global_id(1); float s = 0;
      for (int j = -3; j <= 3; ++j) for (int i = -3; i <= 3; ++i)
        s += a[clamp(y + j, 0, w - 1) * w + clamp(x + i, 0, w - 1)] * m[(j + 3) * 7 + i + 3];
      b[y * w + x] = s; }"""
    data, mask, out, kernel = rt.buffer(a), rt.buffer(m), rt.empty(w * w, f32), rt.kernel(source, "k")

    def check():
        p = np.pad(a.astype(f64), 3, mode="edge")
        close(
            rt.read(out, w * w, f32).reshape(w, w),
            sum(p[j : j + w, i : i + w] * m[j, i] for j in range(7) for i in range(7)),
        )

    return lambda: kernel((w, w), (64, 4), data, mask, out, i32(w)), check


@case
def spmv(rt):
    rows = 1 << 17
    counts = random().integers(4, 28, rows)
    start = np.concatenate(([0], np.cumsum(counts))).astype(i32)
    columns = random(2).integers(0, rows, start[-1]).astype(i32)
    values, x = random(3).random(start[-1], f32), random(4).random(rows, f32)
    source = """kernel void k(global const int *start, global const int *col, global const float *val, global const float *x, global float *y) {
      int r = get_global_id(0); float s = 0; for (int i = start[r]; i < start[r + 1]; ++i) s += val[i] * x[col[i]]; y[r] = s; }"""
    return elementwise(
        rt,
        source,
        rows,
        [start, columns, values, x],
        lambda: np.add.reduceat(values.astype(f64) * x[columns], start[:-1]),
        tolerance=1e-3,
    )


@case
def bitonic(rt):
    n = 1 << 17
    a = random().integers(0, 1 << 31, n).astype(u32)
    source = """kernel void k(global uint *a, uint j, uint m) {
      uint i = get_global_id(0), o = i ^ j; if (o > i) { uint p = a[i], q = a[o]; bool up = (i & m) == 0;
        if ((p > q) == up) { a[i] = q; a[o] = p; } } }"""
    data, kernel = rt.buffer(a), rt.kernel(source, "k")

    def launches():
        m = 2
        while m <= n:
            j = m // 2
            while j:
                kernel((n,), (256,), data, u32(j), u32(m))
                j //= 2
            m *= 2

    passes = rt.whole(launches, n, data)

    def run():
        rt.write(data, a)
        passes()

    return run, lambda: equal(rt.read(data, n, u32), np.sort(a))


@case
def sobel(rt):
    w = 1024
    a = random().integers(0, 256, (w, w, 4)).astype(np.uint8)
    source = """kernel void k(global const uchar4 *a, global uchar4 *b, int w) {
      int x = get_global_id(0), y = get_global_id(1); if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
      #define P(i, j) convert_int4(a[(y + j) * w + x + i])
      int4 gx = P(1, -1) + 2 * P(1, 0) + P(1, 1) - P(-1, -1) - 2 * P(-1, 0) - P(-1, 1);
      int4 gy = P(-1, 1) + 2 * P(0, 1) + P(1, 1) - P(-1, -1) - 2 * P(0, -1) - P(1, -1);
      b[y * w + x] = convert_uchar4_sat((convert_int4(abs(gx)) + convert_int4(abs(gy))) / 2); }"""
    data, out, kernel = rt.buffer(a), rt.empty(w * w * 4, np.uint8), rt.kernel(source, "k")

    def check():
        p = a.astype(int)
        P = lambda i, j: p[1 + j : w - 1 + j, 1 + i : w - 1 + i]
        gx = P(1, -1) + 2 * P(1, 0) + P(1, 1) - P(-1, -1) - 2 * P(-1, 0) - P(-1, 1)
        gy = P(-1, 1) + 2 * P(0, 1) + P(1, 1) - P(-1, -1) - 2 * P(0, -1) - P(1, -1)
        equal(rt.read(out, w * w * 4, np.uint8).reshape(w, w, 4)[1:-1, 1:-1], np.minimum((abs(gx) + abs(gy)) // 2, 255))

    return lambda: kernel((w, w), (64, 4), data, out, i32(w)), check


def math(rt, expression, expected, low, high, dtype=f32, tolerance=1e-4):
    n = 1 << 19
    a = random().uniform(low, high, n).astype(dtype)
    name = "double" if dtype == f64 else "float"
    source = f"""kernel void k(global const {name} *a, global {name} *b) {{
      size_t i = get_global_id(0); {name} s = 0, x = a[i];
      for (int r = 0; r < 8; ++r) {{ s += {expression}; x += ({name})0.001; }} b[i] = s; }}"""

    def reference():
        x, s = a[::997].astype(f64), 0
        for _ in range(8):
            s = s + expected(x)
            x = (x.astype(dtype) + dtype(0.001)).astype(f64)
        return s

    return elementwise(rt, source, n, [a], reference, dtype, tolerance=tolerance, absolute=1e-3, sample=997)


@case
def m_sin(rt):
    return math(rt, "sin(x)", np.sin, -50, 50)


@case
def m_exp(rt):
    return math(rt, "exp(x)", np.exp, -10, 5)


@case
def m_log(rt):
    return math(rt, "log(x)", np.log, 0.1, 1000)


@case
def m_pow(rt):
    return math(rt, "pow(x, 1.7f)", lambda x: x ** np.float64(f32(1.7)), 0.1, 50)


@case
def m_mix(rt):
    return math(
        rt,
        "tanh(x) + cos(x) + atan2(x, 2.0f) + sqrt(x) * exp2(-x) + log2(x)",
        lambda x: np.tanh(x) + np.cos(x) + np.arctan2(x, 2) + np.sqrt(x) * np.exp2(-x) + np.log2(x),
        0.1,
        10,
    )


@case
def m_native(rt):
    return math(
        rt,
        "native_sin(x) + native_exp(x) + native_log(x)",
        lambda x: np.sin(x) + np.exp(x) + np.log(x),
        0.1,
        3,
        tolerance=1e-3,
    )


@case
def m_f64(rt):
    return math(rt, "sin(x) + exp(x) + log(x)", lambda x: np.sin(x) + np.exp(x) + np.log(x), 0.1, 5, f64, 1e-10)


@case
def sha_rounds(rt):
    """The integer pattern of hash functions: rotations, xors and additions, many per item."""
    n = 1 << 17
    a = random().integers(0, 1 << 32, n, dtype=np.uint64).astype(u32)
    source = """kernel void k(global const uint *a, global uint *b) {
      uint i = get_global_id(0), x = a[i], y = 0x6a09e667u, z = 0xbb67ae85u;
      for (int r = 0; r < 64; ++r) { x += (rotate(y, 7u) ^ rotate(y, 18u) ^ (y >> 3)) + ((y & z) ^ (~y & x)) + 0x428a2f98u * r;
        uint t = z; z = y; y = x ^ rotate(t, 13u); }
      b[i] = x + y + z; }"""

    def expected():
        rot = lambda v, s: (v << u32(s)) | (v >> u32(32 - s))
        x, y, z = a.copy(), np.full(n, 0x6A09E667, u32), np.full(n, 0xBB67AE85, u32)
        for r in range(64):
            x = x + (rot(y, 7) ^ rot(y, 18) ^ (y >> u32(3))) + ((y & z) ^ (~y & x)) + u32(0x428A2F98 * r & 0xFFFFFFFF)
            y, z = x ^ rot(z, 13), y
        return x + y + z

    return elementwise(rt, source, n, [a], expected, u32)


@case
def branchy(rt):
    n = 1 << 20
    a = random().integers(1, 1 << 20, n).astype(u32)
    source = """kernel void k(global const uint *a, global uint *b) {
      size_t i = get_global_id(0); uint x = a[i], n = 0; while (x != 1 && n < 100) { x = x & 1 ? 3 * x + 1 : x / 2; ++n; } b[i] = n; }"""

    def expected():
        x, n_ = a.copy(), np.zeros(n, u32)
        for _ in range(100):
            on = x != 1
            x = np.where(on, np.where(x & 1, 3 * x + u32(1), x // u32(2)), x)
            n_ += on
        return n_

    return elementwise(rt, source, n, [a], expected, u32)


@case
def soa4(rt):
    n = 1 << 20
    a = random().random((n, 4), f32)
    source = """kernel void k(global const float4 *a, global float *b) { size_t i = get_global_id(0); float4 v = a[i]; b[i] = v.x * v.y + v.z * v.w; }"""
    return elementwise(rt, source, n, [a], lambda: a[:, 0] * a[:, 1] + a[:, 2] * a[:, 3])


@case
def aos3(rt):
    n = 1 << 20
    a = random().random((n, 3), f32)
    source = """typedef struct { float x, y, z; } P; kernel void k(global const P *a, global float *b) {
      int i = get_global_id(0); b[i] = a[i].x + 2 * a[i].y + 3 * a[i].z; }"""
    return elementwise(rt, source, n, [a], lambda: a[:, 0] + 2 * a[:, 1] + 3 * a[:, 2])


@case
def normalize4(rt):
    n = 1 << 20
    a = random().random((n, 4), f32) + f32(0.1)
    source = """kernel void k(global const float4 *a, global float4 *b) { size_t i = get_global_id(0); b[i] = normalize(a[i]); }"""
    data, out, kernel = rt.buffer(a), rt.empty(4 * n, f32), rt.kernel(source, "k")
    return (
        lambda: kernel((n,), (256,), data, out),
        lambda: close(rt.read(out, 4 * n, f32).reshape(n, 4), a / np.sqrt((a**2).sum(1))[:, None]),
    )


@case
def ttable(rt):
    n = 1 << 18
    a, t = random().integers(0, 1 << 32, n, dtype=np.uint64).astype(u32), random(2).integers(
        0, 1 << 32, 256, dtype=np.uint64
    ).astype(u32)
    source = """kernel void k(global const uint *a, constant uint *t, global uint *b) {
      size_t i = get_global_id(0); uint x = a[i]; for (int r = 0; r < 10; ++r) x = t[x & 255] ^ rotate(t[(x >> 8) & 255], 8u) ^ rotate(t[(x >> 16) & 255], 16u) ^ t[x >> 24]; b[i] = x; }"""

    def expected():
        rot = lambda v, s: (v << u32(s)) | (v >> u32(32 - s))
        x = a.copy()
        for _ in range(10):
            x = t[x & 255] ^ rot(t[(x >> 8) & 255], 8) ^ rot(t[(x >> 16) & 255], 16) ^ t[x >> 24]
        return x

    return elementwise(rt, source, n, [a, t], expected, u32)


@case
def privarr(rt):
    w = 1024
    a = random().random((w, w), f32)
    source = """kernel void k(global const float *a, global float *b, int w) {
      int x = get_global_id(0), y = get_global_id(1); if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return; float v[9]; int n = 0;
      for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) { float p = a[(y + j) * w + x + i]; int s = n++;
        while (s > 0 && v[s - 1] > p) { v[s] = v[s - 1]; --s; } v[s] = p; }
      b[y * w + x] = v[4]; }"""
    data, out, kernel = rt.buffer(a), rt.empty(w * w, f32), rt.kernel(source, "k")

    def check():
        windows = np.stack([a[j : w - 2 + j, i : w - 2 + i] for j in range(3) for i in range(3)])
        equal(rt.read(out, w * w, f32).reshape(w, w)[1:-1, 1:-1], np.median(windows, 0).astype(f32))

    return lambda: kernel((w, w), (64, 4), data, out, i32(w)), check


def image_taps(rt, filter_mode, offset, expected):
    """The mean of 3x3 reads around each pixel of an RGBA image with 8 bits a channel."""
    n = 1024
    pixels = random().integers(0, 256, (n, n, 4), dtype=np.uint8)
    source = (
        """constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_%s;
    kernel void k(read_only image2d_t image, global float4 *out, int w, float offset) {
      int x = get_global_id(0), y = get_global_id(1); float4 sum = (float4)(0);
      for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i)
        sum += read_imagef(image, s, (float2)(x + i + offset, y + j + offset));
      out[y * w + x] = sum * (1.0f / 9); }"""
        % filter_mode
    )
    image, out, kernel = rt.image(pixels), rt.empty(4 * n * n, f32), rt.kernel(source, "k")

    def check():
        padded = np.pad(pixels.astype(f64) / 255, ((2, 2), (2, 2), (0, 0)), "edge")

        def shifted(y, x):
            return padded[2 + y : 2 + y + n, 2 + x : 2 + x + n]

        taps = [expected(shifted, j, i) for j in (-1, 0, 1) for i in (-1, 0, 1)]
        close(rt.read(out, 4 * n * n, f32).reshape(n, n, 4), np.mean(taps, 0), 1e-5, 1e-5)

    return lambda: kernel((n, n), (16, 16), image, out, i32(n), f32(offset)), check


@case
def img_linear(rt):
    # 0.75 - 0.5: a quarter of the next pixel in each direction
    def expected(shifted, y, x):
        return sum(
            wy * wx * shifted(y + b, x + a) for b, wy in ((0, 0.75), (1, 0.25)) for a, wx in ((0, 0.75), (1, 0.25))
        )

    return image_taps(rt, "LINEAR", 0.75, expected)


@case
def img_nearest(rt):
    return image_taps(rt, "NEAREST", 0.5, lambda shifted, y, x: shifted(y, x))
