# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Benchmark kernels that the compiler was not tuned on; the rules are those of cases.py. What they compute is what
published suites of kernels and their kin compute; their text is our own."""
import hashlib

import numpy as np

from cases import case, close, elementwise, equal, f32, f64, i32, random, u32

u8, u16, i16 = np.uint8, np.uint16, np.int16


def primes(count):
    found = []
    candidate = 2
    while len(found) < count:
        if all(candidate % p for p in found):
            found.append(candidate)
        candidate += 1
    return np.array(found, f64)


@case
def sha256(rt):
    """Messages of one block each; the message schedule is a private array."""
    n, length = 1 << 15, 52
    messages = np.zeros((n, 64), u8)
    messages[:, :length] = random().integers(0, 256, (n, length))
    messages[:, length] = 0x80
    messages[:, 62:] = length * 8 >> 8, length * 8 & 255
    # The round constants and the first state: the fractions of the primes' cube and square roots.
    table = np.concatenate((np.cbrt(primes(64)), np.sqrt(primes(8)))) % 1 * 2**32
    source = """kernel void k(global const uint *m, constant uint *t, global uint *out) {
      size_t i = get_global_id(0); uint w[64], s[8];
      for (int j = 0; j < 16; ++j) w[j] = m[i * 16 + j];
      for (int j = 16; j < 64; ++j) { uint p = w[j - 15], q = w[j - 2];
        w[j] = w[j - 16] + (rotate(p, 25u) ^ rotate(p, 14u) ^ (p >> 3)) + w[j - 7] + (rotate(q, 15u) ^ rotate(q, 13u) ^ (q >> 10)); }
      for (int j = 0; j < 8; ++j) s[j] = t[64 + j];
      for (int j = 0; j < 64; ++j) {
        uint x = s[7] + (rotate(s[4], 26u) ^ rotate(s[4], 21u) ^ rotate(s[4], 7u)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + t[j] + w[j];
        uint y = (rotate(s[0], 30u) ^ rotate(s[0], 19u) ^ rotate(s[0], 10u)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int v = 7; v > 0; --v) s[v] = s[v - 1];
        s[4] += x; s[0] = x + y; }
      for (int j = 0; j < 8; ++j) out[i * 8 + j] = s[j] + t[64 + j]; }"""
    words, constants, out = (
        rt.buffer(messages.view(">u4").astype(u32)),
        rt.buffer(table.astype(u32)),
        rt.empty(8 * n, u32),
    )
    kernel = rt.kernel(source, "k")

    def check():
        got = rt.read(out, 8 * n, u32).reshape(n, 8)[::97].astype(">u4")
        for message, digest in zip(messages[::97], got):
            assert digest.tobytes() == hashlib.sha256(message[:length].tobytes()).digest(), "a digest is wrong"

    return lambda: kernel((n,), (64,), words, constants, out), check


def aes_tables():
    """The S-box, from inverses in the field of 256 elements, and the table that joins it to the mixing of columns."""
    double = lambda v: (v << 1) ^ (0x11B if v & 0x80 else 0)
    power, value = [], 1
    for _ in range(255):
        power.append(value)
        value ^= double(value)  # times 3, which generates the field's units
    box = np.zeros(256, u32)
    for v in range(256):
        inverse = power[-power.index(v) % 255] if v else 0
        box[v] = (
            0x63 ^ inverse ^ np.bitwise_xor.reduce([(inverse << r | inverse >> (8 - r)) & 255 for r in range(1, 5)])
        )
    twice = np.array([double(int(v)) for v in box], u32)
    return box, twice | box << u32(8) | box << u32(16) | (twice ^ box) << u32(24)


@case
def aes(rt):
    """AES-128 of independent blocks, with the table in local memory."""
    n = 1 << 17
    box, table = aes_tables()
    key = np.arange(16, dtype=u8)
    blocks = random().integers(0, 256, (n, 16), dtype=u8)
    blocks[0] = np.arange(16) * 0x11  # the example of the standard
    schedule, constant = [key[i : i + 4] for i in range(0, 16, 4)], 1
    for i in range(4, 44):
        word = schedule[-1]
        if i % 4 == 0:
            word = box[np.roll(word, -1)].astype(u8) ^ np.array([constant, 0, 0, 0], u8)
            constant = constant << 1 ^ (0x11B if constant & 0x80 else 0)
        schedule.append(schedule[-4] ^ word)
    keys = np.array(schedule, u8)
    source = """#define B(v, i) ((v) >> 8 * (i) & 255)
    kernel void k(global const uint4 *in, global const uint *table, constant uint *box, constant uint4 *keys, global uint4 *out) {
      local uint t[256]; for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) t[i] = table[i];
      barrier(CLK_LOCAL_MEM_FENCE); size_t i = get_global_id(0); uint4 s = in[i] ^ keys[0];
      for (int r = 1; r < 10; ++r) { uint4 n;
        #define COLUMN(a, b, c, d) t[B(s.a, 0)] ^ rotate(t[B(s.b, 1)], 8u) ^ rotate(t[B(s.c, 2)], 16u) ^ rotate(t[B(s.d, 3)], 24u)
        n.x = COLUMN(x, y, z, w); n.y = COLUMN(y, z, w, x); n.z = COLUMN(z, w, x, y); n.w = COLUMN(w, x, y, z); s = n ^ keys[r]; }
      #define LAST(a, b, c, d) box[B(s.a, 0)] | box[B(s.b, 1)] << 8 | box[B(s.c, 2)] << 16 | box[B(s.d, 3)] << 24
      out[i] = (uint4)(LAST(x, y, z, w), LAST(y, z, w, x), LAST(z, w, x, y), LAST(w, x, y, z)) ^ keys[10]; }"""
    arguments = [rt.buffer(a) for a in (blocks, table, box, keys)]
    out, kernel = rt.empty(16 * n, u8), rt.kernel(source, "k")

    def check():
        state = blocks ^ keys[:4].reshape(16)
        shift = np.array([(i + 4 * (i % 4)) % 16 for i in range(16)])
        double = lambda v: v << u8(1) ^ (v >> u8(7)) * u8(0x1B)
        for r in range(1, 11):
            state = box[state].astype(u8)[:, shift]
            if r < 10:
                c = state.reshape(n, 4, 4)
                state = (
                    double(c) ^ double(np.roll(c, -1, 2)) ^ np.roll(c, -1, 2) ^ np.roll(c, -2, 2) ^ np.roll(c, -3, 2)
                ).reshape(n, 16)
            state = state ^ keys[4 * r : 4 * r + 4].reshape(16)
        assert state[0].tobytes().hex() == "69c4e0d86a7b0430d8cdb78070b4c55a", "the reference is wrong"
        equal(rt.read(out, 16 * n, u8).reshape(n, 16), state)

    return lambda: kernel((n,), (64,), *arguments, out), check


@case
def kmeans(rt):
    """The nearest of 32 centres; a feature's values are next to each other."""
    n, features, clusters = 1 << 17, 8, 32
    points, centres = random().random((features, n), f32), random(2).random((clusters, features), f32)
    source = """kernel void k(global const float *p, global const float *c, global int *out, int n, int features, int clusters) {
      int i = get_global_id(0), best = 0; float least = FLT_MAX; if (i >= n) return;
      for (int j = 0; j < clusters; ++j) { float d = 0;
        for (int f = 0; f < features; ++f) { float v = p[f * n + i] - c[j * features + f]; d += v * v; }
        if (d < least) { least = d; best = j; } }
      out[i] = best; }"""
    data, means, out, kernel = rt.buffer(points), rt.buffer(centres), rt.empty(n, i32), rt.kernel(source, "k")

    def check():
        distance = ((points[:, None].astype(f64) - centres.T[:, :, None]) ** 2).sum(0)
        got = np.take_along_axis(distance, rt.read(out, n, i32)[None], 0)[0]
        assert (got <= distance.min(0) + 1e-5).all(), "not the nearest"

    return lambda: kernel((n,), (128,), data, means, out, i32(n), i32(features), i32(clusters)), check


@case
def smith_waterman(rt):
    """The best local alignment of one query with each of many sequences; a work-item has a row in a private array."""
    n, width, length = 1 << 12, 64, 96
    query, sequences = random().integers(0, 4, width, dtype=u8), random(2).integers(0, 4, (n, length), dtype=u8)
    source = """kernel void k(constant uchar *query, global const uchar *sequences, global int *out) {
      int i = get_global_id(0), best = 0, h[65]; for (int j = 0; j <= 64; ++j) h[j] = 0;
      for (int r = 0; r < 96; ++r) { int corner = 0; uchar s = sequences[i * 96 + r];
        for (int j = 1; j <= 64; ++j) { int v = max(corner + (query[j - 1] == s ? 3 : -2), max(max(h[j], h[j - 1]) - 4, 0));
          corner = h[j]; h[j] = v; best = max(best, v); } }
      out[i] = best; }"""
    arguments = rt.buffer(query), rt.buffer(sequences)
    out, kernel = rt.empty(n, i32), rt.kernel(source, "k")

    def check():
        some = sequences[::31]
        h = np.zeros((len(some), length + 1, width + 1), int)
        for r in range(1, length + 1):
            for j in range(1, width + 1):
                same = np.where(some[:, r - 1] == query[j - 1], 3, -2)
                h[:, r, j] = np.maximum(
                    np.maximum(h[:, r - 1, j], h[:, r, j - 1]) - 4, np.maximum(h[:, r - 1, j - 1] + same, 0)
                )
        equal(rt.read(out, n, i32)[::31], h.max((1, 2)))

    return lambda: kernel((n,), (64,), *arguments, out), check


@case
def fft3(rt):
    """Fourier transforms of 729 points, one a work-group, radix 3."""
    points, batch = 729, 512
    a = (random().random((batch, points), f32) + 1j * random(2).random((batch, points), f32)).astype(np.complex64)
    roots = np.exp(-2j * np.pi * np.arange(points) / points).astype(np.complex64)
    source = """float2 mul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
    kernel __attribute__((reqd_work_group_size(243, 1, 1)))
    void k(global const float2 *in, global const float2 *w, global float2 *out) {
      local float2 a[2][729]; uint l = get_local_id(0), from = 0; size_t base = get_group_id(0) * 729;
      for (uint u = 0; u < 729; u += 243) a[0][l + u] = in[base + l + u];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint m = 1; m < 729; m *= 3) { uint j = l % m, o = (l - j) * 3 + j, s = j * (243 / m);
        float2 x = a[from][l], y = mul(a[from][l + 243], w[s]), z = mul(a[from][l + 486], w[2 * s]);
        float2 p = y + z, q = x - 0.5f * p, d = 0.866025404f * (y - z), r = (float2)(d.y, -d.x); from = 1 - from;
        a[from][o] = x + p; a[from][o + m] = q + r; a[from][o + 2 * m] = q - r; barrier(CLK_LOCAL_MEM_FENCE); }
      for (uint u = 0; u < 729; u += 243) out[base + l + u] = a[from][l + u]; }"""
    data, w, out, kernel = rt.buffer(a), rt.buffer(roots), rt.empty(2 * a.size, f32), rt.kernel(source, "k")

    def check():
        expected = np.fft.fft(a.astype(np.complex128)).view(f64).reshape(-1)
        close(rt.read(out, 2 * a.size, f32), expected, 1e-4, 1e-3)

    return lambda: kernel((batch * 243,), (243,), data, w, out), check


@case
def trisolve(rt):
    """A sparse lower triangular system, a launch for each level of rows that depend on earlier levels alone."""
    n, others, window = 1 << 15, 6, 8192
    columns = np.sort((random().random((n, others)) * np.minimum(np.arange(n), window)[:, None]).astype(int), 1)
    columns = np.maximum(np.arange(n)[:, None] - 1 - columns, 0)
    level = [0] * n
    for row, before in enumerate(columns.tolist()):
        if row >= others:
            level[row] = 1 + max(level[c] for c in before)
    level = np.array(level)
    counts = np.where(np.arange(n) >= others, others, 0)
    start = np.concatenate(([0], np.cumsum(counts))).astype(i32)
    order, bounds = np.argsort(level, kind="stable").astype(i32), np.concatenate(([0], np.cumsum(np.bincount(level))))
    used = columns[others:].reshape(-1).astype(i32)
    values, diagonal, b = (
        random(2).random(len(used), f32) * f32(0.1),
        random(3).random(n, f32) + f32(1),
        random(4).random(n, f32),
    )
    source = """kernel void k(global const int *order, global const int *start, global const int *col, global const float *val,
        global const float *diagonal, global const float *b, global float *x, int first) {
      int r = order[first + get_global_id(0)]; float s = b[r];
      for (int i = start[r]; i < start[r + 1]; ++i) s -= val[i] * x[col[i]];
      x[r] = s / diagonal[r]; }"""
    arguments = [rt.buffer(v) for v in (order, start, used, values, diagonal, b)] + [rt.empty(n, f32)]
    kernel = rt.kernel(source, "k")

    def run():
        for first, end in zip(bounds, bounds[1:]):
            kernel((int(end - first),), None, *arguments, i32(first))

    def check():
        x = rt.read(arguments[-1], n, f32).astype(f64)
        product = x * diagonal
        product[others:] += (values.reshape(-1, others) * x[columns[others:]]).sum(1)
        close(product, b, 1e-4, 1e-4)

    return rt.whole(run, n, *arguments), check


@case
def equalize(rt):
    """The equalised histogram of a grey image: count, scan, look up."""
    n = 1 << 22
    a = (random().random(n) ** 2 * 200 + 20).astype(u8)
    source = """kernel void count(global const uchar *a, global uint *h) {
      local uint own[256]; uint l = get_local_id(0); own[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);
      size_t base = get_group_id(0) * 16384; for (int i = 0; i < 64; ++i) atomic_inc(&own[a[base + i * 256 + l]]);
      barrier(CLK_LOCAL_MEM_FENCE); if (own[l]) atomic_add(&h[l], own[l]); }
    kernel void look(global uint *h, global uchar *table, uint n) {
      local uint t[256]; uint l = get_local_id(0); t[l] = h[l]; h[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);
      for (uint d = 1; d < 256; d *= 2) { uint v = l >= d ? t[l - d] : 0; barrier(CLK_LOCAL_MEM_FENCE); t[l] += v; barrier(CLK_LOCAL_MEM_FENCE); }
      uint least = 0; for (int i = 255; i >= 0; --i) least = t[i] ? t[i] : least;
      table[l] = t[l] < least ? 0 : (t[l] - least) * 255 / (n - least); }
    kernel void apply(global const uchar4 *a, global const uchar *table, global uchar4 *b) {
      size_t i = get_global_id(0); uchar4 v = a[i]; b[i] = (uchar4)(table[v.x], table[v.y], table[v.z], table[v.w]); }"""
    data, histogram, table, out = rt.buffer(a), rt.buffer(np.zeros(256, u32)), rt.empty(256, u8), rt.empty(n, u8)
    count, look, apply = (rt.kernel(source, name) for name in ("count", "look", "apply"))

    def run():
        count((n // 64,), (256,), data, histogram)
        look((256,), (256,), histogram, table, u32(n))
        apply((n // 4,), (64,), data, table, out)

    def check():
        sums = np.cumsum(np.bincount(a, minlength=256))
        least = sums[sums > 0][0]
        equal(rt.read(out, n, u8), (np.maximum(sums - least, 0) * 255 // (n - least)).astype(u8)[a])

    return rt.whole(run, n, data, out), check


@case
def dct8(rt):
    """The cosine transform of 8x8 blocks in integers, as encoders of pictures do it; a block a work-item."""
    w = 1024
    a = random().integers(0, 256, (w, w), dtype=u8)
    u = np.arange(8)
    matrix = np.cos((2 * u[None] + 1) * u[:, None] * np.pi / 16) * np.where(u == 0, np.sqrt(1 / 8), 0.5)[:, None]
    matrix = np.round(matrix * 2048).astype(i32)
    source = """kernel void k(global const uchar *a, constant int *c, global short *out, int w) {
      int x = get_global_id(0) * 8, y = get_global_id(1) * 8; short t[8][8];
      int8 p[8]; for (int j = 0; j < 8; ++j) p[j] = convert_int8(vload8(0, a + (y + j) * w + x)) - 128;
      for (int v = 0; v < 8; ++v) { int8 s = (int8)(1024); for (int j = 0; j < 8; ++j) s += c[v * 8 + j] * p[j];
        vstore8(convert_short8(s >> 11), 0, t[v]); }
      for (int v = 0; v < 8; ++v) for (int u = 0; u < 8; ++u) { int s = 1024;
        for (int i = 0; i < 8; ++i) s += c[u * 8 + i] * t[v][i];
        out[(y + v) * w + x + u] = s >> 11; } }"""
    data, coefficients, out, kernel = rt.buffer(a), rt.buffer(matrix), rt.empty(w * w, i16), rt.kernel(source, "k")

    def check():
        blocks = a.astype(int).reshape(w // 8, 8, w // 8, 8).transpose(0, 2, 1, 3) - 128
        half = (matrix @ blocks + 1024) >> 11
        equal(
            rt.read(out, w * w, i16).reshape(w // 8, 8, w // 8, 8),
            ((half @ matrix.T + 1024) >> 11).transpose(0, 2, 1, 3),
        )

    return lambda: kernel((w // 8, w // 8), (8, 8), data, coefficients, out, i32(w)), check


@case
def radix_pass(rt):
    """One pass of a radix sort, four bits: count, scan, scatter."""
    n, shift = 1 << 20, 8
    groups = n // 4096
    a = random().integers(0, 1 << 32, n, dtype=np.uint64).astype(u32)
    source = """kernel void count(global const uint *a, global uint *counts, uint shift) {
      local uint h[16]; uint l = get_local_id(0), g = get_group_id(0); if (l < 16) h[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 16; ++i) atomic_inc(&h[a[g * 4096 + i * 256 + l] >> shift & 15]);
      barrier(CLK_LOCAL_MEM_FENCE); if (l < 16) counts[l * get_num_groups(0) + g] = h[l]; }
    void sum(local uint *t, uint l) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint d = 1; d < 256; d *= 2) { uint v = l >= d ? t[l - d] : 0; barrier(CLK_LOCAL_MEM_FENCE); t[l] += v; barrier(CLK_LOCAL_MEM_FENCE); } }
    kernel void scan(global uint *counts, uint n) {
      local uint t[256]; uint l = get_local_id(0), each = n / 256, own = 0;
      for (uint i = 0; i < each; ++i) own += counts[l * each + i];
      t[l] = own; sum(t, l); uint s = t[l] - own;
      for (uint i = 0; i < each; ++i) { uint v = counts[l * each + i]; counts[l * each + i] = s; s += v; } }
    kernel void scatter(global const uint *a, global const uint *counts, global uint *b, uint shift) {
      local ushort h[16 * 256]; local uint t[256]; uint l = get_local_id(0), g = get_group_id(0), key[16], own = 0;
      for (int d = 0; d < 16; ++d) h[d * 256 + l] = 0;
      for (int i = 0; i < 16; ++i) { key[i] = a[g * 4096 + l * 16 + i]; h[(key[i] >> shift & 15) * 256 + l]++; }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 16; ++i) own += h[l * 16 + i];
      t[l] = own; sum(t, l); uint s = t[l] - own, digit = l / 16, begin = digit ? t[digit * 16 - 1] : 0;
      for (int i = 0; i < 16; ++i) { uint v = h[l * 16 + i]; h[l * 16 + i] = s - begin; s += v; }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 16; ++i) { uint d = key[i] >> shift & 15; b[counts[d * get_num_groups(0) + g] + h[d * 256 + l]++] = key[i]; } }"""
    data, counts, out = rt.buffer(a), rt.empty(16 * groups, u32), rt.empty(n, u32)
    count, scan, scatter = (rt.kernel(source, name) for name in ("count", "scan", "scatter"))

    def run():
        count((groups * 256,), (256,), data, counts, u32(shift))
        scan((256,), (256,), counts, u32(16 * groups))
        scatter((groups * 256,), (256,), data, counts, out, u32(shift))

    def check():
        equal(rt.read(out, n, u32), a[np.argsort(a >> u32(shift) & u32(15), kind="stable")])

    return rt.whole(run, n, data, out, u32(shift)), check


@case
def floyd_warshall(rt):
    n = 256
    a = random().integers(1, 1000, (n, n)).astype(i32)
    np.fill_diagonal(a, 0)
    source = """kernel void k(global int *d, int n, int k) {
      int x = get_global_id(0), y = get_global_id(1); if (x == k || y == k) return;
      int through = d[y * n + k] + d[k * n + x]; if (through < d[y * n + x]) d[y * n + x] = through; }"""
    data, kernel = rt.buffer(a), rt.kernel(source, "k")

    def launches():
        for k in range(n):
            kernel((n, n), (16, 16), data, i32(n), i32(k))

    passes = rt.whole(launches, n, data)

    def run():
        rt.write(data, a)
        passes()

    def check():
        d = a.copy()
        for k in range(n):
            d = np.minimum(d, d[:, k, None] + d[None, k])
        equal(rt.read(data, n * n, i32).reshape(n, n), d)

    return run, check


def hierarchy(centres, radii):
    """Boxes over boxes over spheres: for each node its corners, and its first child or sphere and number of spheres
    (none: it has two children). The spheres' order is the last thing returned."""
    low, high, links, order = [], [], [], []

    def split(members, node):
        low[node] = (centres[members] - radii[members, None]).min(0)
        high[node] = (centres[members] + radii[members, None]).max(0)
        if len(members) <= 4:
            links[node] = len(order), len(members)
            order.extend(members)
            return
        axis = np.ptp(centres[members], 0).argmax()
        members = members[np.argsort(centres[members, axis])]
        children = len(low)
        links[node] = children, 0
        for into in (low, high, links):
            into.extend([None, None])
        split(members[: len(members) // 2], children)
        split(members[len(members) // 2 :], children + 1)

    for into in (low, high, links):
        into.append(None)
    split(np.arange(len(radii)), 0)
    return np.array(low, f32), np.array(high, f32), np.array(links, i32), np.array(order)


@case
def spheres(rt):
    """The first sphere that each ray meets; the stack of boxes yet to look into is a private array."""
    w, count = 512, 1024
    centres, radii = random().random((count, 3), f32) * f32(2) - f32(1), random(2).random(count, f32) * f32(0.05) + f32(
        0.01
    )
    low, high, links, order = hierarchy(centres, radii)
    centres, radii = centres[order], radii[order]
    padded = lambda v: np.concatenate((v, np.zeros((len(v), 1), f32)), 1)
    balls = np.concatenate((centres, radii[:, None]), 1)
    source = """kernel void k(global const float4 *low, global const float4 *high, global const int2 *links, global const float4 *balls,
        global float *out, int w) {
      int px = get_global_id(0), py = get_global_id(1), stack[32], top = 0;
      float3 origin = (float3)(0, 0, -3), d = normalize((float3)((px + 0.5f) * 2 / w - 1, (py + 0.5f) * 2 / w - 1, 2)), inverse = 1 / d;
      float nearest = 1e30f; stack[top++] = 0;
      while (top > 0) { int node = stack[--top]; int2 link = links[node];
        float3 p = (low[node].xyz - origin) * inverse, q = (high[node].xyz - origin) * inverse, s = min(p, q), e = max(p, q);
        float enter = max(max(s.x, s.y), s.z), leave = min(min(e.x, e.y), e.z);
        if (leave < 0 || enter > leave || enter > nearest) continue;
        if (link.y == 0) { stack[top++] = link.x; stack[top++] = link.x + 1; continue; }
        for (int i = link.x; i < link.x + link.y; ++i) { float4 ball = balls[i]; float3 to = ball.xyz - origin;
          float b = dot(to, d), under = b * b - dot(to, to) + ball.w * ball.w; if (under < 0) continue;
          float t = b - sqrt(under); if (t > 0 && t < nearest) nearest = t; } }
      out[py * w + px] = nearest; }"""
    arguments = [rt.buffer(v) for v in (padded(low), padded(high), links, balls)]
    out, kernel = rt.empty(w * w, f32), rt.kernel(source, "k")

    def check():
        at = ((np.arange(w) + 0.5) * 2 / w - 1)[::11]
        d = np.stack([*np.broadcast_arrays(at[None], at[:, None], 2.0)], -1)
        d /= np.linalg.norm(d, axis=-1, keepdims=True)
        to = centres.astype(f64) - (0, 0, -3)
        b = d @ to.T
        under = b * b - (to**2).sum(1) + radii.astype(f64) ** 2
        t = np.where(under >= 0, b - np.sqrt(np.maximum(under, 0)), 1e30).min(-1)
        got = rt.read(out, w * w, f32).reshape(w, w)[::11, ::11]
        assert np.mean(np.abs(got / t - 1) > 1e-3) < 0.005, "rays meet other spheres"

    return lambda: kernel((w, w), (8, 8), *arguments, out, i32(w)), check


@case
def median5(rt):
    """The median of 5x5 pixels: the least are selected in a private array."""
    w = 512
    a = random().integers(0, 256, (w, w), dtype=u8)
    source = """kernel void k(global const uchar *a, global uchar *b, int w) {
      int x = get_global_id(0), y = get_global_id(1); if (x < 2 || y < 2 || x >= w - 2 || y >= w - 2) return; uchar v[25]; int n = 0;
      for (int j = -2; j <= 2; ++j) for (int i = -2; i <= 2; ++i) v[n++] = a[(y + j) * w + x + i];
      for (int s = 0; s <= 12; ++s) { int least = s; for (int i = s + 1; i < 25; ++i) if (v[i] < v[least]) least = i;
        uchar t = v[s]; v[s] = v[least]; v[least] = t; }
      b[y * w + x] = v[12]; }"""
    data, out, kernel = rt.buffer(a), rt.empty(w * w, u8), rt.kernel(source, "k")

    def check():
        windows = np.stack([a[j : w - 4 + j, i : w - 4 + i] for j in range(5) for i in range(5)])
        equal(rt.read(out, w * w, u8).reshape(w, w)[2:-2, 2:-2], np.median(windows, 0).astype(u8))

    return lambda: kernel((w, w), (16, 16), data, out, i32(w)), check


@case
def hotspot(rt):
    """Heat that spreads and is made, some steps; a tile with its border in local memory."""
    w, steps = 512, 8
    heat, power = random().random((w, w), f32), random(2).random((w, w), f32)
    source = """kernel void k(global const float *a, global const float *p, global float *b, int w) {
      local float t[18][18]; int i = get_local_id(0), j = get_local_id(1), x0 = get_group_id(0) * 16 - 1, y0 = get_group_id(1) * 16 - 1;
      for (int l = j * 16 + i; l < 18 * 18; l += 256)
        t[l / 18][l % 18] = a[clamp(y0 + l / 18, 0, w - 1) * w + clamp(x0 + l % 18, 0, w - 1)];
      barrier(CLK_LOCAL_MEM_FENCE); int x = x0 + 1 + i, y = y0 + 1 + j; float c = t[j + 1][i + 1];
      b[y * w + x] = c + 0.1f * (t[j][i + 1] + t[j + 2][i + 1] - 2 * c) + 0.1f * (t[j + 1][i] + t[j + 1][i + 2] - 2 * c)
        + 0.01f * (0.5f - c) + 0.05f * p[y * w + x]; }"""
    given, made, kernel = rt.buffer(power), [rt.buffer(heat), rt.empty(w * w, f32)], rt.kernel(source, "k")

    def launches():
        for step in range(steps):
            kernel((w, w), (16, 16), made[step % 2], given, made[1 - step % 2], i32(w))

    passes = rt.whole(launches, w * w, *made, given, i32(w), i32(steps))

    def run():
        rt.write(made[0], heat)
        passes()

    def check():
        c = heat.astype(f64)
        for _ in range(steps):
            q = np.pad(c, 1, "edge")
            c = (
                c
                + 0.1 * (q[:-2, 1:-1] + q[2:, 1:-1] + q[1:-1, :-2] + q[1:-1, 2:] - 4 * c)
                + 0.01 * (0.5 - c)
                + 0.05 * power
            )
        close(rt.read(made[0], w * w, f32).reshape(w, w), c)

    return run, check


@case
def bfs(rt):
    """The distance of each vertex from the first, a level at a time."""
    n, degree = 1 << 16, 8
    neighbours = random().integers(0, n, n * degree).astype(i32)
    start = np.concatenate(([0], np.sort(random(2).integers(0, n * degree, n - 1)), [n * degree])).astype(i32)
    start[1] = max(start[1], degree)
    start = np.maximum.accumulate(start)
    owner = np.repeat(np.arange(n), np.diff(start))
    distance = np.full(n, -1, i32)
    distance[0], levels = 0, 0
    while (distance == levels).any():
        met = neighbours[distance[owner] == levels]
        levels += 1
        distance[met[distance[met] < 0]] = levels
    first = np.zeros(n, i32)
    first[0] = 1
    source = """kernel void expand(global const int *start, global const int *to, global const int *front, global const int *distance, global int *next) {
      int i = get_global_id(0); if (!front[i]) return;
      for (int e = start[i]; e < start[i + 1]; ++e) if (distance[to[e]] < 0) atomic_xchg(&next[to[e]], 1); }
    kernel void settle(global int *front, global int *next, global int *distance, int level) {
      int i = get_global_id(0), is = next[i]; front[i] = is; next[i] = 0; if (is) distance[i] = level; }"""
    edges = rt.buffer(start), rt.buffer(neighbours)
    front, following, out = rt.buffer(first), rt.buffer(np.zeros(n, i32)), rt.empty(n, i32)
    expand, settle = rt.kernel(source, "expand"), rt.kernel(source, "settle")
    none = np.full(n, -1, i32)
    none[0] = 0

    def launches():
        for level in range(1, levels):
            expand((n,), (64,), *edges, front, out, following)
            settle((n,), (64,), front, following, out, i32(level))

    passes = rt.whole(launches, n, *edges, out)

    def run():
        rt.write(front, first)
        rt.write(out, none)
        passes()

    return run, lambda: equal(rt.read(out, n, i32), distance)


@case
def lud(rt):
    """The factors of a matrix in place, in blocks: a diagonal block, its row and column, and the rest."""
    n = 256
    a = random().random((n, n), f32) + f32(n) * np.eye(n, dtype=f32)
    source = """#define A(y, x) a[(b + (y)) * n + b + (x)]
    kernel void diagonal(global float *a, int n, int b) {
      local float t[16][16]; int l = get_local_id(0); for (int j = 0; j < 16; ++j) t[j][l] = A(j, l);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < 15; ++k) {
        if (l > k) { t[l][k] /= t[k][k]; for (int x = k + 1; x < 16; ++x) t[l][x] -= t[l][k] * t[k][x]; }
        barrier(CLK_LOCAL_MEM_FENCE); }
      for (int j = 0; j < 16; ++j) A(j, l) = t[j][l]; }
    kernel void border(global float *a, int n, int b) {
      local float d[16][16], row[16][16], column[16][17]; int l = get_local_id(0), i = l % 16, o = (get_group_id(0) + 1) * 16;
      if (l < 16) for (int j = 0; j < 16; ++j) { d[j][i] = A(j, i); row[j][i] = A(j, o + i); }
      else for (int j = 0; j < 16; ++j) column[j][i] = A(o + j, i);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 16) for (int j = 1; j < 16; ++j) for (int k = 0; k < j; ++k) row[j][i] -= d[j][k] * row[k][i];
      else for (int j = 0; j < 16; ++j) { for (int k = 0; k < j; ++k) column[i][j] -= column[i][k] * d[k][j]; column[i][j] /= d[j][j]; }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 16) for (int j = 1; j < 16; ++j) A(j, o + i) = row[j][i];
      else for (int j = 0; j < 16; ++j) A(o + j, i) = column[j][i]; }
    kernel void inner(global float *a, int n, int b) {
      local float row[16][16], column[16][16]; int i = get_local_id(0), j = get_local_id(1);
      int x = (get_group_id(0) + 1) * 16 + i, y = (get_group_id(1) + 1) * 16 + j; row[j][i] = A(j, x); column[j][i] = A(y, i);
      barrier(CLK_LOCAL_MEM_FENCE); float s = 0; for (int k = 0; k < 16; ++k) s += column[j][k] * row[k][i];
      A(y, x) -= s; }"""
    data = rt.buffer(a)
    diagonal, border, inner = (rt.kernel(source, name) for name in ("diagonal", "border", "inner"))

    def launches():
        for b in range(0, n, 16):
            rest = (n - b) // 16 - 1
            diagonal((16,), (16,), data, i32(n), i32(b))
            if rest:
                border((rest * 32,), (32,), data, i32(n), i32(b))
                inner((rest * 16, rest * 16), (16, 16), data, i32(n), i32(b))

    passes = rt.whole(launches, n, data)

    def run():
        rt.write(data, a)
        passes()

    def check():
        got = rt.read(data, n * n, f32).reshape(n, n).astype(f64)
        close((np.tril(got, -1) + np.eye(n)) @ np.triu(got), a, 1e-3, 1e-3)

    return run, check


@case
def needleman(rt):
    """The scores of global alignments, in tiles of 16x16 on diagonals, and diagonals within them."""
    n = 1024
    p, q = random().integers(0, 4, n, dtype=u8), random(2).integers(0, 4, n, dtype=u8)
    edge = np.zeros((n + 1, n + 1), i32)
    edge[0] = edge[:, 0] = -4 * np.arange(n + 1)
    source = """kernel void k(global const uchar *p, global const uchar *q, global int *s, int n, int diagonal, int first) {
      local int t[17][17]; int l = get_local_id(0), bx = (first + get_group_id(0)) * 16, by = diagonal * 16 - bx, w = n + 1;
      t[0][l + 1] = s[by * w + bx + l + 1]; t[l + 1][0] = s[(by + l + 1) * w + bx]; if (l == 0) t[0][0] = s[by * w + bx];
      uchar own = p[by + l]; barrier(CLK_LOCAL_MEM_FENCE);
      for (int d = 0; d < 31; ++d) { int x = d - l;
        if (x >= 0 && x < 16)
          t[l + 1][x + 1] = max(t[l][x] + (own == q[bx + x] ? 5 : -3), max(t[l][x + 1], t[l + 1][x]) - 4);
        barrier(CLK_LOCAL_MEM_FENCE); }
      for (int j = 1; j <= 16; ++j) s[(by + j) * w + bx + l + 1] = t[j][l + 1]; }"""
    arguments, kernel = (rt.buffer(p), rt.buffer(q), rt.buffer(edge)), rt.kernel(source, "k")
    tiles = n // 16

    def run():
        for diagonal in range(2 * tiles - 1):
            first, last = max(0, diagonal - tiles + 1), min(diagonal, tiles - 1)
            kernel(((last - first + 1) * 16,), (16,), *arguments, i32(n), i32(diagonal), i32(first))

    def check():
        expected, x = edge.copy(), np.arange(n + 1)
        for y in range(1, n + 1):
            above = expected[y - 1]
            best = np.maximum(above[:-1] + np.where(p[y - 1] == q, 5, -3), above[1:] - 4)
            expected[y] = np.maximum.accumulate(np.concatenate(([-4 * y], best)) + 4 * x) - 4 * x
        equal(rt.read(arguments[2], (n + 1) ** 2, i32).reshape(n + 1, n + 1), expected)

    return rt.whole(run, n, *arguments), check


@case
def correlate(rt):
    """The normalised correlation of a small picture with each place of a larger one."""
    w, m = 512, 16
    a, t = random().random((w, w), f32), random(2).random((m, m), f32)
    t -= t.mean()
    size = w - m
    source = """kernel void k(global const float *a, constant float *t, global float *out, int w) {
      int x = get_global_id(0), y = get_global_id(1); float sum = 0, squares = 0, s = 0;
      for (int j = 0; j < 16; ++j) for (int i = 0; i < 16; ++i) { float v = a[(y + j) * w + x + i];
        sum += v; squares += v * v; s += v * t[j * 16 + i]; }
      out[y * get_global_size(0) + x] = s / sqrt(squares - sum * sum / 256); }"""
    data, mask, out, kernel = rt.buffer(a), rt.buffer(t), rt.empty(size * size, f32), rt.kernel(source, "k")

    def check():
        shifted = [(a[j : j + size, i : i + size].astype(f64), t[j, i]) for j in range(m) for i in range(m)]
        variance = sum(v**2 for v, _ in shifted) - sum(v for v, _ in shifted) ** 2 / 256
        expected = sum(v * weight for v, weight in shifted) / np.sqrt(variance)
        close(rt.read(out, size * size, f32).reshape(size, size), expected, 1e-3, 1e-4)

    return lambda: kernel((size, size), (16, 16), data, mask, out, i32(w)), check


@case
def atax(rt):
    """A matrix and then its transpose by a vector: the first kernel's items walk rows, the second's columns."""
    n = 1024
    a, x = random().random((n, n), f32), random(2).random(n, f32)
    source = """kernel void rows(global const float *a, global const float *x, global float *y, int n) {
      int i = get_global_id(0); float s = 0; for (int j = 0; j < n; ++j) s += a[i * n + j] * x[j]; y[i] = s; }
    kernel void columns(global const float *a, global const float *x, global float *y, int n) {
      int j = get_global_id(0); float s = 0; for (int i = 0; i < n; ++i) s += a[i * n + j] * x[i]; y[j] = s; }"""
    data, vector, between, out = rt.buffer(a), rt.buffer(x), rt.empty(n, f32), rt.empty(n, f32)
    rows, columns = rt.kernel(source, "rows"), rt.kernel(source, "columns")

    def run():
        rows((n,), (64,), data, vector, between, i32(n))
        columns((n,), (64,), data, between, out, i32(n))

    def check():
        close(rt.read(out, n, f32), a.T.astype(f64) @ (a.astype(f64) @ x), 1e-3)

    return rt.whole(run, n, data, vector, out), check


@case
def queens(rt):
    """The ways to set queens that do not attack each other, from each beginning of three rows; the search's stack is
    private arrays."""
    n, known = 12, 14200
    source = """kernel void k(global int *out, int n) {
      uint all = (1u << n) - 1, columns[16], left[16], right[16], open[16]; int i = get_global_id(0), found = 0, depth = 0;
      columns[0] = left[0] = right[0] = 0; bool good = true;
      for (int r = 0; r < 3; ++r) { uint bit = 1u << i % n; i /= n; good = good && !((columns[0] | left[0] | right[0]) & bit);
        columns[0] |= bit; left[0] = (left[0] | bit) << 1; right[0] = (right[0] | bit) >> 1; }
      open[0] = good ? all & ~(columns[0] | left[0] | right[0]) : 0;
      while (depth >= 0) { uint bit = open[depth] & -open[depth]; if (!bit) { --depth; continue; }
        open[depth] ^= bit; uint c = columns[depth] | bit; if (c == all) { ++found; continue; }
        uint a = (left[depth] | bit) << 1, b = (right[depth] | bit) >> 1;
        ++depth; columns[depth] = c; left[depth] = a; right[depth] = b; open[depth] = all & ~(c | a | b); }
      out[get_global_id(0)] = found; }"""
    out, kernel = rt.empty(n**3, i32), rt.kernel(source, "k")

    def check():
        got = rt.read(out, n**3, i32)
        assert got.sum() == known, f"{got.sum()} ways"
        mirrored = got.reshape(n, n, n)[::-1, ::-1, ::-1]
        equal(got.reshape(n, n, n), mirrored)

    return lambda: kernel((n**3,), (64,), out, i32(n)), check


@case
def transpose(rt):
    n = 2048
    a = random().random((n, n), f32)
    source = """kernel void k(global const float *a, global float *b, int n) {
      local float t[16][17]; int i = get_local_id(0), j = get_local_id(1), x = get_group_id(0) * 16, y = get_group_id(1) * 16;
      t[j][i] = a[(y + j) * n + x + i]; barrier(CLK_LOCAL_MEM_FENCE); b[(x + j) * n + y + i] = t[i][j]; }"""
    data, out, kernel = rt.buffer(a), rt.empty(n * n, f32), rt.kernel(source, "k")
    return lambda: kernel((n, n), (16, 16), data, out, i32(n)), lambda: equal(
        rt.read(out, n * n, f32).reshape(n, n), a.T
    )
