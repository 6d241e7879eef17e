# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory and events of two processes, and what a forked child may do."""
import os
import subprocess
import sys

import numpy as np
import pycuda.driver as cuda

OTHER = """
import sys
import numpy as np
import pycuda.driver as cuda
cuda.init()
context = cuda.Device(0).make_context()
memory_handle, event_handle = (bytearray.fromhex(a) for a in sys.argv[1:3])
event = cuda.Event.from_ipc_handle(event_handle)
memory = cuda.IPCMemoryHandle(memory_handle, cuda.ipc_mem_flags.LAZY_ENABLE_PEER_ACCESS)
event.synchronize()
got = cuda.from_device(int(memory), 64, np.float32)
cuda.memcpy_htod(int(memory), got * 3)
memory.close()
context.pop()
"""


def test_ipc(context, numbers):
    memory = cuda.to_device(numbers)
    event = cuda.Event(cuda.event_flags.INTERPROCESS | cuda.event_flags.DISABLE_TIMING)
    handles = [bytes(cuda.mem_get_ipc_handle(memory)).hex(), bytes(event.ipc_handle()).hex()]
    event.record()
    subprocess.run([sys.executable, "-c", OTHER, *handles], check=True)
    assert (cuda.from_device_like(memory, numbers) == numbers * 3).all()


def test_forked_child_is_not_initialised(context):
    child = os.fork()
    if child == 0:
        try:
            cuda.mem_get_info()
        except cuda.Error as error:
            os._exit(0 if "cuMemGetInfo" in str(error) else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
