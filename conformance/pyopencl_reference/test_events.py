# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Events, user events, profiling, callbacks and synchronisation."""
import gc
import threading

import numpy as np
import pyopencl as cl
import pytest

status = cl.command_execution_status


@pytest.fixture
def buffer(ctx):
    return cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 4096)


def test_queries(ctx, queue, buffer):
    event = cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4096)
    event.wait()
    assert event.command_execution_status == event.get_info(cl.event_info.COMMAND_EXECUTION_STATUS) == status.COMPLETE
    assert event.command_type == cl.command_type.FILL_BUFFER and event.command_queue == queue and event.context == ctx
    assert event.reference_count == 1
    again = cl.Event.from_int_ptr(event.int_ptr)
    assert again == event and hash(again) == hash(event) and event.reference_count == 2
    del again
    gc.collect()
    assert event.reference_count == 1


def test_profiling(ctx, device, buffer):
    with cl.CommandQueue(ctx, properties=cl.command_queue_properties.PROFILING_ENABLE) as queue:
        event = cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4096)
        event.wait()
        times = [
            event.profile.queued,
            event.profile.submit,
            event.profile.start,
            event.profile.end,
            event.profile.complete,
        ]
        assert times == sorted(times) and times[0] > 0
        assert event.get_profiling_info(cl.profiling_info.END) == event.profile.end
    with cl.CommandQueue(ctx) as queue:
        event = cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4096)
        event.wait()
        with pytest.raises(cl.RuntimeError, match="PROFILING_INFO_NOT_AVAILABLE"):
            event.profile.start


def test_a_user_event_holds_a_command(ctx, queue, buffer):
    gate = cl.UserEvent(ctx)
    assert gate.command_execution_status == status.SUBMITTED and gate.command_type == cl.command_type.USER
    event = cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4096, wait_for=[gate])
    queue.flush()
    assert event.command_execution_status in (status.QUEUED, status.SUBMITTED)
    gate.set_status(status.COMPLETE)
    event.wait()
    assert event.command_execution_status == status.COMPLETE
    with pytest.raises(cl.LogicError, match="INVALID_OPERATION"):
        gate.set_status(status.COMPLETE)


def test_a_failed_user_event_fails_what_waits(ctx, buffer):
    queue = cl.CommandQueue(ctx)
    gate = cl.UserEvent(ctx)
    event = cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4096, wait_for=[gate])
    gate.set_status(-7)
    with pytest.raises(cl.RuntimeError, match="EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"):
        event.wait()
    assert event.command_execution_status < 0


def test_callbacks(ctx, queue, buffer):
    gate = cl.UserEvent(ctx)
    event = cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4096, wait_for=[gate])
    seen, all_seen = [], threading.Event()

    def note(which):
        def call(value):
            seen.append((which, value))
            if len(seen) == 3:
                all_seen.set()

        return call

    for which in (status.SUBMITTED, status.RUNNING, status.COMPLETE):
        event.set_callback(which, note(which))
    queue.flush()
    gate.set_status(status.COMPLETE)
    assert all_seen.wait(10)
    assert sorted(w for w, _ in seen) == sorted([status.SUBMITTED, status.RUNNING, status.COMPLETE])
    assert all(value <= which for which, value in seen)
    late = threading.Event()
    event.set_callback(status.COMPLETE, lambda value: late.set())
    assert late.wait(10)


def test_waiting_from_another_thread(ctx, queue, buffer):
    gate = cl.UserEvent(ctx)
    event = cl.enqueue_marker(queue, wait_for=[gate])
    done = []
    waiter = threading.Thread(target=lambda: (event.wait(), done.append(True)))
    waiter.start()
    assert not done
    gate.set_status(status.COMPLETE)
    waiter.join(10)
    assert done == [True]


def test_markers_barriers_and_wait_lists(ctx, queue, buffer):
    events = [cl.enqueue_fill_buffer(queue, buffer, np.int32(i), 1024 * i, 1024) for i in range(4)]
    marker = cl.enqueue_marker(queue, wait_for=events)
    barrier = cl.enqueue_barrier(queue, wait_for=[marker])
    cl.wait_for_events([*events, marker, barrier])
    assert {e.command_execution_status for e in (*events, marker, barrier)} == {status.COMPLETE}
    assert marker.command_type == cl.command_type.MARKER and barrier.command_type == cl.command_type.BARRIER
    cl.enqueue_marker(queue).wait()
    cl.enqueue_barrier(queue).wait()
    out = np.empty(1024, np.int32)
    cl.enqueue_copy(queue, out, buffer)
    assert np.array_equal(out, np.repeat(np.arange(4), 256))


def test_an_empty_list_of_events_is_refused():
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.wait_for_events([])


def test_order_in_an_out_of_order_queue(ctx, device, buffer):
    if not device.queue_on_host_properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
        pytest.skip("the device has in-order queues only")
    with cl.CommandQueue(ctx, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE) as queue:
        gate = cl.UserEvent(ctx)
        first = cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4096, wait_for=[gate])
        independent = cl.enqueue_marker(
            queue,
            wait_for=[cl.enqueue_fill_buffer(queue, cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64), np.int32(9), 0, 64)],
        )
        independent.wait()  # passes the command that is held
        assert first.command_execution_status != status.COMPLETE
        second = cl.enqueue_fill_buffer(queue, buffer, np.int32(2), 0, 2048, wait_for=[first])
        gate.set_status(status.COMPLETE)
        out = np.empty(1024, np.int32)
        cl.enqueue_copy(queue, out, buffer, wait_for=[second])
    assert np.array_equal(out, np.repeat([2, 1], 512))
