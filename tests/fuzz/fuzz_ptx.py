#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random PTX, the same in every tier: all scalar instructions, divergent and uniform control flow, indexed branches,
calls also through pointers and recursive ones, shared, local and global memory, barriers, halves, video instructions.

A kernel is race-free and has nothing in it that the ISA leaves undefined, so both tiers must give the same bytes. NaN
results have any payload: each floating-point result that is NaN is replaced at once. A difference is printed with its
seed: `fuzz_ptx.py --first SEED --count 1 --show` prints the kernel."""
import ctypes as c
import hashlib
import json
import random
import struct
import sys

import compare_tiers
from random_ptx import WORDS, Generator


class Driver:
    def __init__(self):
        self.library = c.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        context = c.c_void_p()
        self.call("cuCtxCreate_v2", c.byref(context), 0, 0)

    def call(self, name, *arguments):
        result = getattr(self.library, name)(*arguments)
        if result:
            raise RuntimeError(f"{name} returned {result}")

    def memory(self, size, content=None):
        pointer = c.c_uint64()
        self.call("cuMemAlloc_v2", c.byref(pointer), c.c_size_t(size))
        if content:
            self.call("cuMemcpyHtoD_v2", pointer, content, c.c_size_t(len(content)))
        return pointer

    def run(self, generator, source, seed):
        log = c.create_string_buffer(4096)
        options, values = (c.c_int * 2)(5, 6), (c.c_void_p * 2)(c.cast(log, c.c_void_p), 4096)
        module, function = c.c_void_p(), c.c_void_p()
        if self.library.cuModuleLoadDataEx(c.byref(module), source.encode(), 2, options, values):
            raise RuntimeError(log.value.decode()[:300])
        self.call("cuModuleGetFunction", c.byref(function), module, b"fuzz")
        size = generator.threads * generator.blocks * WORDS * 4
        words = random.Random(7)
        data = self.memory(1024, struct.pack("<256I", *(words.getrandbits(32) for _ in range(256))))
        out, n = self.memory(size), c.c_uint32(seed % 5)
        parameters = (c.c_void_p * 3)(*(c.cast(c.byref(x), c.c_void_p) for x in (data, out, n)))
        self.call(
            "cuLaunchKernel", function, generator.blocks, 1, 1, generator.threads, 1, 1, 0, None, parameters, None
        )
        found = c.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", found, out, c.c_size_t(size))
        for memory in (data, out):
            self.call("cuMemFree_v2", memory)
        self.call("cuModuleUnload", module)
        return hashlib.sha1(found.raw).hexdigest()


def run_in_process(first, count):
    driver = Driver()
    for seed in range(first, first + count):
        generator = Generator(seed)
        try:
            print(json.dumps([seed, driver.run(generator, generator.kernel(), seed)]), flush=True)
        except RuntimeError as error:
            print(json.dumps([seed, f"error: {error}"]), flush=True)
            driver = Driver()  # the error stays with the context


if __name__ == "__main__":
    sys.exit(compare_tiers.main(__file__, __doc__, Generator, run_in_process, 100))
