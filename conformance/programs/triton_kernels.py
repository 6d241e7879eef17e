# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Triton, each against NumPy, without PyTorch: memory comes from the CUDA driver, and a ptxas that hands PTX
on (bin/ptxas of our toolkit) leaves the compiling to it. Usage: triton_kernels.py KERNEL | --list"""
import ctypes
import sys

import numpy as np
import triton
import triton.language as tl

cuda = ctypes.CDLL("libcuda.so.1")


def check(result, what):
    if result:
        raise RuntimeError(f"{what} returned {result}")


class Array:
    """What Triton takes for a tensor: an address and the name of a type."""

    def __init__(self, values):
        self.host = np.ascontiguousarray(values)
        self.dtype = getattr(tl, {"bool": "int1"}.get(self.host.dtype.name, self.host.dtype.name))
        self.address = ctypes.c_uint64()
        triton.runtime.driver.active.get_current_device()  # makes a context current
        check(cuda.cuMemAlloc_v2(ctypes.byref(self.address), ctypes.c_size_t(self.host.nbytes)), "cuMemAlloc")
        check(
            cuda.cuMemcpyHtoD_v2(
                self.address, self.host.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(self.host.nbytes)
            ),
            "cuMemcpyHtoD",
        )

    def data_ptr(self):
        return self.address.value

    def get(self):
        check(cuda.cuCtxSynchronize(), "cuCtxSynchronize")
        check(
            cuda.cuMemcpyDtoH_v2(
                self.host.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(self.host.nbytes)
            ),
            "cuMemcpyDtoH",
        )
        return self.host


random = np.random.default_rng(7)


def floats(*shape):
    return random.random(shape, dtype=np.float32)


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


def add():
    x, y, out = Array(floats(1000)), Array(floats(1000)), Array(np.zeros(1000, np.float32))
    add_kernel[(8,)](x, y, out, 1000, BLOCK=128)
    np.testing.assert_array_equal(out.get(), x.host + y.host)


@triton.jit
def softmax_kernel(x, out, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    raised = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + at, raised / tl.sum(raised, axis=0), mask=at < columns)


def softmax():
    x, out = Array(floats(33, 201)), Array(np.zeros((33, 201), np.float32))
    softmax_kernel[(33,)](x, out, 201, BLOCK=256)
    raised = np.exp(x.host - x.host.max(axis=1, keepdims=True))
    np.testing.assert_allclose(out.get(), raised / raised.sum(axis=1, keepdims=True), rtol=1e-5)


@triton.jit
def cumsum_kernel(x, out, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=0))


def cumsum():
    x, out = Array(random.integers(-50, 50, 1024, np.int32)), Array(np.zeros(1024, np.int32))
    cumsum_kernel[(1,)](x, out, N=1024)
    np.testing.assert_array_equal(out.get(), np.cumsum(x.host))


@triton.jit
def sort_kernel(x, out, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(out + at, tl.sort(tl.load(x + at)))


def sort():
    x, out = Array(random.integers(-10000, 10000, 512, np.int32)), Array(np.zeros(512, np.int32))
    sort_kernel[(1,)](x, out, N=512)
    np.testing.assert_array_equal(out.get(), np.sort(x.host))


@triton.jit
def atomics_kernel(x, count, most, total, BLOCK: tl.constexpr):
    values = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(count + values % 16, 1)
    tl.atomic_max(most, tl.max(values, axis=0))
    tl.atomic_add(total, tl.sum(values, axis=0).to(tl.float32), sem="acq_rel", scope="gpu")
    old = tl.atomic_cas(most + 1, 0, 7)
    tl.atomic_xchg(most + 2, old + 5)


def atomics():
    x = Array(random.integers(0, 1000, 2048, np.int32))
    count, most, total = Array(np.zeros(16, np.int32)), Array(np.zeros(3, np.int32)), Array(np.zeros(1, np.float32))
    atomics_kernel[(16,)](x, count, most, total, BLOCK=128)
    np.testing.assert_array_equal(count.get(), np.bincount(x.host % 16, minlength=16))
    assert most.get()[0] == x.host.max() and most.host[1] == 7 and most.host[2] in (5, 12), most.host
    assert total.get()[0] == x.host.sum(), total.host


@triton.jit
def transpose_kernel(x, out, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    values = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(values))


def transpose():
    x, out = Array(floats(64, 32)), Array(np.zeros((32, 64), np.float32))
    transpose_kernel[(1,)](x, out, M=64, N=32)
    np.testing.assert_array_equal(out.get(), x.host.T)


@triton.jit
def rand_kernel(out, words, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.rand(seed, at))
    tl.store(words + at, tl.randint(seed, at))


def philox(counter, key):
    """Philox 4x32 of ten rounds; the first word."""
    c, k = [counter, np.zeros_like(counter), np.zeros_like(counter), np.zeros_like(counter)], [
        key & 0xFFFFFFFF,
        key >> 32,
    ]
    for _ in range(10):
        low, high = c[0].astype(np.uint64) * np.uint64(0xD2511F53), c[2].astype(np.uint64) * np.uint64(0xCD9E8D57)
        c = [
            ((high >> np.uint64(32)).astype(np.uint32)) ^ c[1] ^ np.uint32(k[0]),
            high.astype(np.uint32),
            ((low >> np.uint64(32)).astype(np.uint32)) ^ c[3] ^ np.uint32(k[1]),
            low.astype(np.uint32),
        ]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0]


def rand():
    out, words = Array(np.zeros(4096, np.float32)), Array(np.zeros(4096, np.int32))
    rand_kernel[(32,)](out, words, 1234, BLOCK=128)
    np.testing.assert_array_equal(words.get().view(np.uint32), philox(np.arange(4096, dtype=np.uint32), 1234))
    values = out.get()
    assert 0 <= values.min() and values.max() < 1 and abs(values.mean() - 0.5) < 0.02 and len(np.unique(values)) > 4000


@triton.jit
def math_kernel(x, out, N: tl.constexpr):
    at = tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(out + at, tl.sin(v))
    tl.store(out + N + at, tl.sqrt(v))
    tl.store(out + 2 * N + at, tl.log2(v + 1))
    tl.store(out + 3 * N + at, tl.erf(v))
    tl.store(out + 4 * N + at, tl.exp2(v) - tl.floor(v * 10))
    tl.store(out + 5 * N + at, tl.maximum(tl.rsqrt(v + 1), tl.abs(v - 0.5)))


def math():
    from math import erf

    x, out = Array(floats(512)), Array(np.zeros((6, 512), np.float32))
    math_kernel[(1,)](x, out, N=512)
    v = x.host.astype(np.float64)
    wanted = [
        np.sin(v),
        np.sqrt(v),
        np.log2(v + 1),
        np.array([erf(e) for e in v]),
        np.exp2(v) - np.floor(x.host * np.float32(10)),
        np.maximum(1 / np.sqrt(v + 1), np.abs(v - 0.5)),
    ]
    np.testing.assert_allclose(out.get(), np.array(wanted), rtol=2e-5, atol=2e-6)


@triton.jit
def dot_kernel(x, y, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a, b = tl.load(x + m[:, None] * K + k[None, :]), tl.load(y + k[:, None] * N + n[None, :])
    tl.store(out + m[:, None] * N + n[None, :], tl.dot(a, b, input_precision=PRECISION))


def dot_of(kind, precision, tolerance):
    x, y = Array(floats(32, 64).astype(kind)), Array(floats(64, 32).astype(kind))
    out = Array(np.zeros((32, 32), np.float32))
    dot_kernel[(1,)](x, y, out, M=32, N=32, K=64, PRECISION=precision)
    np.testing.assert_allclose(out.get(), x.host.astype(np.float64) @ y.host.astype(np.float64), rtol=tolerance)


def dot():
    dot_of(np.float32, "ieee", 1e-5)


def dot_tf32():
    dot_of(np.float32, "tf32", 5e-3)


def dot_half():
    dot_of(np.float16, "ieee", 1e-3)


@triton.jit
def product_kernel(x, y, out, M, N, K, BLOCK: tl.constexpr):
    m, n = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for step in tl.range(0, K, BLOCK, num_stages=3):
        k = step + tl.arange(0, BLOCK)
        sums += tl.dot(tl.load(x + m[:, None] * K + k[None, :]), tl.load(y + k[:, None] * N + n[None, :]))
    tl.store(out + m[:, None] * N + n[None, :], sums)


def pipelined_product():
    x, y = Array(floats(64, 128).astype(np.float16)), Array(floats(128, 64).astype(np.float16))
    out = Array(np.zeros((64, 64), np.float32))
    product_kernel[(2, 2)](x, y, out, 64, 64, 128, BLOCK=32)
    np.testing.assert_allclose(out.get(), x.host.astype(np.float64) @ y.host.astype(np.float64), rtol=1e-3)


@triton.jit
def print_kernel(x, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    tl.device_print("value", values)
    tl.device_assert(values >= 0, "a negative value")


def print_and_assert():
    x = Array(np.arange(32, dtype=np.int32) * 3)
    print_kernel[(1,)](x, BLOCK=32, debug=True)
    x.get()  # what is printed comes out: the suite looks at it
    bad = Array(-np.ones(32, np.int32))
    print_kernel[(1,)](bad, BLOCK=32, debug=True)
    assert cuda.cuCtxSynchronize() == 710  # CUDA_ERROR_ASSERT


KERNELS = [
    add,
    softmax,
    cumsum,
    sort,
    atomics,
    transpose,
    rand,
    math,
    dot,
    print_and_assert,
    dot_tf32,
    dot_half,
    pipelined_product,
]

if __name__ == "__main__":
    if sys.argv[1] == "--list":
        print(*(kernel.__name__ for kernel in KERNELS))
    else:
        next(kernel for kernel in KERNELS if kernel.__name__ == sys.argv[1])()
        print("pass")
