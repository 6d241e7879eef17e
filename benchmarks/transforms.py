#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuFFT on the emulated device beside SciPy's transforms (pocketfft, with as many threads), the least of some runs of
each in turn. Usage: understudy run -- benchmarks/transforms.py [--threads N] [--cpu]; a table of milliseconds, with --cpu
of all threads' time, which a busy machine disturbs less, and ratios."""
import argparse
import ctypes as c
import os
import time

import numpy as np
import scipy.fft

CASES = [  # shape, batch
    ((64,), 4096),
    ((256,), 1024),
    ((1024,), 256),
    ((1000,), 256),
    ((4096,), 64),
    ((65536,), 4),
    ((1048576,), 1),
    ((1000000,), 1),
    ((1009,), 256),
    ((1000003,), 1),
    ((512, 512), 1),
    ((1024, 768), 1),
    ((64, 64, 64), 1),
]
KINDS = {"C2C": (0x29, np.complex64, np.complex64), "R2C": (0x2A, np.float32, np.complex64)}
KINDS |= {"C2R": (0x2C, np.complex64, np.float32), "Z2Z": (0x69, np.complex128, np.complex128)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    threads, clock = options.threads, time.process_time if options.cpu else time.perf_counter
    cuda, cufft = c.CDLL("libcuda.so.1"), c.CDLL("libcufft.so.12")

    def ok(result):
        assert result == 0, result

    context = c.c_void_p()
    ok(cuda.cuInit(0))
    ok(cuda.cuDevicePrimaryCtxRetain(c.byref(context), 0))
    ok(cuda.cuCtxSetCurrent(context))

    def managed(shape, kind):
        pointer = c.c_uint64()
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        ok(cuda.cuMemAllocManaged(c.byref(pointer), c.c_size_t(size), 1))
        data = np.frombuffer((c.c_char * size).from_address(pointer.value), kind).reshape(shape)
        return data, c.c_void_p(pointer.value)

    def least(*bodies):
        times = [1e9] * len(bodies)
        end = time.perf_counter() + 1
        while time.perf_counter() < end or times[-1] == 1e9:
            for i, body in enumerate(bodies):
                start = clock()
                body()
                times[i] = min(times[i], clock() - start)
        return [1000 * t for t in times]

    print(f"{'transform':24} {'ours ms':>9} {'SciPy ms':>9} {'ratio':>6}")
    ratios = []
    for shape, batch in CASES:
        half = (*shape[:-1], shape[-1] // 2 + 1)
        axes = tuple(range(1, len(shape) + 1))
        for name, (number, from_kind, into_kind) in KINDS.items():
            given, given_at = managed((batch, *(half if name == "C2R" else shape)), from_kind)
            got, got_at = managed((batch, *(half if name == "R2C" else shape)), into_kind)
            random = np.random.default_rng(1)
            given[...] = random.standard_normal(given.shape)
            plan = c.c_int()
            sizes = (c.c_int * len(shape))(*shape)
            ok(cufft.cufftPlanMany(c.byref(plan), len(shape), sizes, None, 1, 0, None, 1, 0, number, batch))

            def ours():
                if name in ("C2C", "Z2Z"):
                    ok(getattr(cufft, f"cufftExec{name}")(plan, given_at, got_at, -1))
                else:
                    ok(getattr(cufft, f"cufftExec{name}")(plan, given_at, got_at))
                ok(cuda.cuCtxSynchronize())

            def peer():
                if name == "R2C":
                    return scipy.fft.rfftn(given, axes=axes, workers=threads)
                if name == "C2R":
                    return scipy.fft.irfftn(given, s=shape, axes=axes, workers=threads, norm="forward")
                return scipy.fft.fftn(given, axes=axes, workers=threads)

            ours()
            wanted = peer()
            error = np.linalg.norm(got - wanted) / np.linalg.norm(wanted)
            assert error < (1e-14 if name == "Z2Z" else 2e-6), (shape, name, error)
            mine, theirs = least(ours, peer)
            ratios.append(mine / theirs)
            what = f"{name} {'x'.join(map(str, shape))}" + (f" * {batch}" if batch > 1 else "")
            print(f"{what:24} {mine:9.3f} {theirs:9.3f} {mine / theirs:6.2f}", flush=True)
            ok(cufft.cufftDestroy(plan))
            ok(cuda.cuMemFree_v2(given_at))
            ok(cuda.cuMemFree_v2(got_at))
    print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(ratios))):.2f}")


main()
