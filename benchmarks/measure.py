# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs benchmark cases in one process on whatever platform the ICD loader shows, prints one JSON line a case:
CPU milliseconds and wall milliseconds of a run (25th percentile and minimum), or the error. A budget of 0 is for slow
runtimes: what is measured is the first run, which is the only one."""
import json
import resource
import sys
import time

import numpy as np
import pyopencl as cl

from cases import CASES


class Runtime:
    def __init__(self):
        device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.name = f"{device.platform.name}: {device.name}"

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
            kernel(self.queue, global_size, local_size, *arguments)

        return launch


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(rt, name, budget):
    run, check = CASES[name](rt)

    def timed():
        wall, cpu = time.perf_counter(), cpu_seconds()
        run()
        rt.queue.finish()
        return time.perf_counter() - wall, cpu_seconds() - cpu

    times = [timed()]
    check()
    if budget > 0:
        times, begun = [], time.perf_counter()
        while len(times) < 3 or time.perf_counter() - begun < budget and len(times) < 40:
            times.append(timed())
    walls, cpus = zip(*times)
    return {
        "case": name,
        "cpu_ms": float(np.percentile(cpus, 25)) * 1e3,
        "wall_ms": min(walls) * 1e3,
        "runs": len(times),
    }


if __name__ == "__main__":
    rt = Runtime()
    for name in sys.argv[2:]:
        try:
            result = measure(rt, name, float(sys.argv[1]))
        except Exception as error:  # a peer may fail to build or give a wrong result: that is a finding, not an end
            result = {"case": name, "error": f"{type(error).__name__}: {str(error)[:200]}"}
        print(json.dumps({**result, "runtime": rt.name}), flush=True)
