# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs benchmark cases in one process on whatever platform the ICD loader shows, prints one JSON line a case:
CPU milliseconds and wall milliseconds of a run (25th percentile and minimum), or the error. A budget of 0 is for slow
runtimes: what is measured is the first run, which is the only one. BENCH_LAUNCHES names the library that makes launches
in a row; without it Python does, which takes some microseconds for each. If BENCH_LIMITS names the library of hand-written
versions, these run in place of the kernels, on the same arrays and under the same checks."""
import ctypes
import json
import mmap
import os
import resource
import sys
import time

import numpy as np
import pyopencl as cl

import unseen  # its cases join the others
from cases import CASES


class Argument(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("value", ctypes.c_void_p)]


class Launch(ctypes.Structure):
    """As in launches.cpp."""

    _fields_ = [
        ("kernel", ctypes.c_void_p),
        ("dimensions", ctypes.c_uint32),
        ("arguments", ctypes.c_uint32),
        ("global_size", ctypes.c_size_t * 3),
        ("local_size", ctypes.c_size_t * 3),
        ("argument", ctypes.POINTER(Argument)),
    ]


class Runtime:
    """What a case is given to run on: an OpenCL device."""

    def __init__(self):
        device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.name = f"{device.platform.name}: {device.name}"
        self.launches = ctypes.CDLL(os.environ["BENCH_LAUNCHES"]) if "BENCH_LAUNCHES" in os.environ else None
        self.recorded = None  # launches that are recorded, not made

    def buffer(self, array):
        return cl.Buffer(
            self.context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(array)
        )

    def empty(self, count, dtype):
        return cl.Buffer(self.context, cl.mem_flags.READ_WRITE, int(count) * np.dtype(dtype).itemsize)

    def image(self, pixels):
        """A 2D image of what is read as RGBA with 8 bits a channel."""
        form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)
        height, width, _ = pixels.shape
        return cl.create_image(
            self.context,
            cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR,
            form,
            (width, height),
            hostbuf=np.ascontiguousarray(pixels),
        )

    def local(self, size):
        return cl.LocalMemory(size)

    def write(self, buffer, array):
        cl.enqueue_copy(self.queue, buffer, array)

    def read(self, buffer, count, dtype):
        out = np.empty(count, dtype)
        cl.enqueue_copy(self.queue, out, buffer)
        return out

    def kernel(self, source, name):
        kernel = cl.Kernel(cl.Program(self.context, source).build(), name)

        def launch(global_size, local_size, *arguments):
            if self.recorded is None:
                kernel(self.queue, global_size, local_size, *arguments)
            else:
                self.recorded.append((kernel, global_size, local_size, arguments))

        return launch

    def whole(self, launches, items, *arguments):
        """What takes the case several launches, and a hand-written version, which has these arguments, one call."""
        if not self.launches:
            return launches
        self.recorded = []
        launches()
        recorded, self.recorded = self.recorded, None
        kept = []  # what addresses point to
        made = (Launch * len(recorded))(*(self.launch_of(*one, kept) for one in recorded))

        def run():
            error = self.launches.us_bench_launch(ctypes.c_void_p(self.queue.int_ptr), made, ctypes.c_size_t(len(made)))
            assert error == 0, f"OpenCL error {error}"

        run.kept = recorded, kept
        return run

    @staticmethod
    def launch_of(kernel, global_size, local_size, arguments, kept):
        passed = (Argument * len(arguments))()
        for one, argument in zip(passed, arguments):
            if isinstance(argument, cl.LocalMemory):
                one.size = argument.size
                continue
            data = np.uint64(argument.int_ptr) if isinstance(argument, cl.MemoryObjectHolder) else argument
            kept.append(ctypes.create_string_buffer(data.tobytes(), data.nbytes))
            one.size, one.value = data.nbytes, ctypes.addressof(kept[-1])
        kept.append(passed)
        sizes = (tuple(global_size) + (0,) * 3)[:3], (tuple(local_size or ()) + (0,) * 3)[:3]
        return Launch(
            kernel.int_ptr,
            len(global_size),
            len(arguments),
            (ctypes.c_size_t * 3)(*sizes[0]),
            (ctypes.c_size_t * 3)(*sizes[1]),
            passed,
        )

    def finish(self):
        self.queue.finish()


class Limits:
    """The same for hand-written versions: a case's kernel is the function us_limit_CASE of a library. It takes the
    number of work-items and the kernel's arguments, without local memory; buffers and images are NumPy arrays."""

    name = "limit"
    SCALARS = {
        np.int32: ctypes.c_int32,
        np.uint32: ctypes.c_uint32,
        np.float32: ctypes.c_float,
        np.float64: ctypes.c_double,
    }

    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.case = None  # whose kernels are asked for
        self.arrays = 0

    def buffer(self, array):
        return self.filled(np.array(array, order="C").reshape(-1).view(np.uint8))

    def empty(self, count, dtype):
        return self.filled(np.zeros(int(count) * np.dtype(dtype).itemsize, np.uint8))

    def filled(self, data):
        """A copy in pages as large as there are, so that translating addresses costs as little as it can; each in
        another place of its page, as loads wait for stores whose last 12 bits of address are theirs."""
        large = 1 << 21
        self.arrays += 1
        memory = mmap.mmap(-1, data.size + large + 4096)
        if data.size >= large // 2:
            memory.madvise(mmap.MADV_HUGEPAGE)
        pages = np.frombuffer(memory, np.uint8)
        begin = -pages.ctypes.data % large + self.arrays * 320 % 4096
        array = pages[begin : begin + data.size]
        array[:] = data
        return array

    image = buffer

    def local(self, size):
        return None

    def write(self, buffer, array):
        buffer[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)

    def read(self, buffer, count, dtype):
        return buffer[: int(count) * np.dtype(dtype).itemsize].view(dtype).copy()

    def function(self, items, arguments):
        function = getattr(self.library, f"us_limit_{self.case}")
        function.restype = None
        passed = [ctypes.c_size_t(items)]
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                passed.append(ctypes.c_void_p(argument.ctypes.data))
                passed[-1].array = argument  # stays as long as its address
            elif argument is not None:
                passed.append(self.SCALARS[type(argument)](argument))
        return lambda: function(*passed)

    def kernel(self, source, name):
        known = {}

        def launch(global_size, local_size, *arguments):
            # Arrays stay where they are, and a case gives a kernel few different scalars.
            key = (global_size, *(id(a) if isinstance(a, np.ndarray) else a for a in arguments))
            if key not in known:
                known[key] = self.function(int(np.prod(global_size)), arguments)
            known[key]()

        return launch

    def whole(self, launches, items, *arguments):
        return self.function(items, arguments)

    def finish(self):
        pass


# Seconds over which CPU time is a mean. Linux brings the CPU time of threads that run elsewhere up to date at its
# ticks, some milliseconds apart; of a short run one would only see what this thread did, if others wait without
# sleeping.
BATCH = 0.08


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(rt, name, budget):
    rt.case = name
    run, check = CASES[name](rt)

    def timed(seconds):
        """Runs for so long, at least once: each one's wall time, and the CPU time of a run."""
        walls, begun, cpu = [], time.perf_counter(), cpu_seconds()
        while not walls or time.perf_counter() - begun < seconds:
            wall = time.perf_counter()
            run()
            rt.finish()
            walls.append(time.perf_counter() - wall)
        return walls, (cpu_seconds() - cpu) / len(walls)

    walls, cpu = timed(0)
    cpus = [cpu]
    check()
    if budget > 0:
        walls, cpus, begun = [], [], time.perf_counter()
        while len(cpus) < 3 or time.perf_counter() - begun < budget:
            some, cpu = timed(BATCH)
            walls += some
            cpus.append(cpu)
    return {
        "case": name,
        "cpu_ms": float(np.percentile(cpus, 25)) * 1e3,
        "wall_ms": min(walls) * 1e3,
        "runs": len(walls),
    }


if __name__ == "__main__":
    rt = Limits(os.environ["BENCH_LIMITS"]) if "BENCH_LIMITS" in os.environ else Runtime()
    for name in sys.argv[2:]:
        try:
            result = measure(rt, name, float(sys.argv[1]))
        except Exception as error:  # a peer may fail to build or give a wrong result: that is a finding, not an end
            result = {"case": name, "error": f"{type(error).__name__}: {str(error)[:200]}"}
        print(json.dumps({**result, "runtime": rt.name}), flush=True)
