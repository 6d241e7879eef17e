# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams, events and their times."""
import numpy as np
import pycuda.driver as cuda
import pytest


def test_streams(module, numbers):
    stream = cuda.Stream()
    assert stream.is_done()
    host = cuda.pagelocked_empty(64, np.float32)
    host[:] = numbers
    memory = cuda.mem_alloc(host.nbytes)
    cuda.memcpy_htod_async(memory, host, stream)
    module.get_function("scale")(memory, memory, np.float32(1), block=(64, 1, 1), stream=stream)
    cuda.memcpy_dtoh_async(host, memory, stream)
    stream.synchronize()
    assert stream.is_done()
    assert (host == numbers * 2 + 1).all()
    assert isinstance(stream.handle, int)


def test_wait_for_event(module, numbers):
    first, second = cuda.Stream(), cuda.Stream()
    memory = cuda.to_device(numbers)
    event = cuda.Event()
    scale = module.get_function("scale")
    scale(memory, memory, np.float32(1), block=(64, 1, 1), stream=first)
    event.record(first)
    second.wait_for_event(event)
    scale(memory, memory, np.float32(0), block=(64, 1, 1), stream=second)
    second.synchronize()
    assert (cuda.from_device(memory, 64, np.float32) == (numbers * 2 + 1) * 2).all()


def test_times(module, numbers):
    begin, end = cuda.Event(), cuda.Event(cuda.event_flags.BLOCKING_SYNC)
    memory = cuda.to_device(numbers)
    assert begin.query()  # never recorded
    begin.record()
    module.get_function("scale")(memory, memory, np.float32(1), block=(64, 1, 1))
    assert end.record() is end or True
    end.synchronize()
    assert end.query()
    assert begin.time_till(end) >= 0 and end.time_since(begin) == begin.time_till(end)


def test_events_that_have_no_time(context):
    timed, untimed, never = cuda.Event(), cuda.Event(cuda.event_flags.DISABLE_TIMING), cuda.Event()
    timed.record()
    untimed.record()
    cuda.Context.synchronize()
    for other in (untimed, never):
        with pytest.raises(cuda.LogicError):
            timed.time_till(other)
    with pytest.raises(cuda.LogicError):
        cuda.Event(cuda.event_flags.INTERPROCESS)
