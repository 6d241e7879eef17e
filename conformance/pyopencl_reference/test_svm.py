# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared virtual memory: opaque and wrapped, coarse and fine grain, the host's own, with every operation on it."""
import gc

import numpy as np
import pyopencl as cl
import pytest
from pyopencl.characterize import has_coarse_grain_buffer_svm, has_fine_grain_buffer_svm, has_fine_grain_system_svm

flags = cl.svm_mem_flags
HAS = {"coarse": has_coarse_grain_buffer_svm, "fine": has_fine_grain_buffer_svm, "system": has_fine_grain_system_svm}
SOURCE = """
kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }
kernel void chase(global const ulong *places, global float *sum)
{
  *sum = 0;
  for (int i = 0; i < 3; ++i) *sum += *(global float *)places[i];
}
"""


@pytest.fixture(scope="module")
def program(ctx):
    return cl.Program(ctx, SOURCE).build()


@pytest.fixture(params=HAS)
def wrapped(request, ctx, device):
    """A wrapped array of ten floats in each class of shared memory that the device has."""
    if not HAS[request.param](device):
        pytest.skip("the device does not have this class")
    if request.param == "coarse":
        return cl.SVM(cl.csvm_empty(ctx, 10, np.float32))
    return cl.SVM(cl.fsvm_empty(ctx, 10, np.float32) if request.param == "fine" else np.zeros(10, np.float32))


def test_wrapped_arrays_in_kernels(ctx, queue, program, wrapped):
    assert isinstance(wrapped, cl.SVMPointer) and wrapped.svm_ptr == wrapped.mem.ctypes.data and wrapped.size == 40
    with wrapped.map_rw(queue) as array:
        array[:] = np.arange(10)
    program.twice(queue, (10,), None, wrapped)
    queue.finish()
    with wrapped.map_ro(queue) as array:
        assert np.array_equal(array, 2 * np.arange(10))


def test_host_access_without_a_map(ctx, device, queue, program):
    if not has_fine_grain_buffer_svm(device):
        pytest.skip("the device has no fine grain")
    array = cl.fsvm_empty(ctx, 10, np.float32)
    assert isinstance(array.base, cl.SVMAllocation)
    array.fill(17)
    program.twice(queue, array.shape, None, cl.SVM(array))
    queue.finish()
    assert (array == 34).all()


def test_pointers_inside_shared_memory(ctx, device, queue, program):
    if not has_fine_grain_buffer_svm(device):
        pytest.skip("the device has no fine grain")
    arrays = [cl.fsvm_empty(ctx, 4, np.float32) for _ in range(3)]
    places = cl.fsvm_empty(ctx, 3, np.uint64)
    for i, array in enumerate(arrays):
        array[:] = 10**i
        places[i] = array.ctypes.data + 4 * i
    total = cl.fsvm_empty(ctx, 1, np.float32)
    program.chase(queue, (1,), None, cl.SVM(places), cl.SVM(total))
    queue.finish()
    assert total[0] == 111


@pytest.mark.parametrize("make", [cl.csvm_empty, cl.fsvm_empty])
@pytest.mark.parametrize(
    "order, shape, alignment", [("C", (3, 4), None), ("F", (3, 4), 64), ("C", 12, 128), ("C", (0, 4), None)]
)
def test_allocating_arrays(ctx, device, make, order, shape, alignment):
    if make is cl.fsvm_empty and not has_fine_grain_buffer_svm(device):
        pytest.skip("the device has no fine grain")
    array = make(ctx, shape, np.float32, order, alignment)
    assert array.shape == (shape if isinstance(shape, tuple) else (shape,)) and array.dtype == np.float32
    assert array.flags["F_CONTIGUOUS" if order == "F" else "C_CONTIGUOUS"]
    if array.size:
        assert array.ctypes.data % (alignment or 4) == 0
        array[...] = 3
    like = {cl.csvm_empty: cl.csvm_empty_like, cl.fsvm_empty: cl.fsvm_empty_like}[make](ctx, array)
    assert (like.shape, like.dtype, like.strides) == (array.shape, array.dtype, array.strides)


def test_allocating_arrays_with_flags(ctx, queue):
    array = cl.svm_empty(ctx, flags.READ_WRITE, (2, 3), np.int16, alignment=32)
    like = cl.svm_empty_like(ctx, flags.READ_WRITE, array)
    assert like.shape == (2, 3) and like.dtype == np.int16
    record = np.dtype([("a", np.int32), ("b", np.float32)])
    assert cl.svm_empty(ctx, flags.READ_WRITE, 4, record, queue=queue).dtype == record
    with pytest.raises(ValueError, match="order"):
        cl.svm_empty(ctx, flags.READ_WRITE, 4, np.float32, order="X")


def test_opaque_allocations(ctx, queue, program):
    memory = cl.SVMAllocation(ctx, 40, 64, flags.READ_WRITE)
    assert isinstance(memory, cl.SVMPointer) and memory.size == 40 and memory.svm_ptr % 64 == 0
    assert (
        memory == memory and memory != cl.SVMAllocation(ctx, 40, 64, flags.READ_WRITE) and hash(memory) == hash(memory)
    )
    with memory.map_rw(queue) as raw:
        assert raw.dtype == np.uint8 and raw.shape == (40,)
        raw.view(np.float32)[:] = np.arange(10)
    program.twice(queue, (10,), None, memory)
    with memory.map_ro(queue, size=20) as raw:
        assert np.array_equal(raw.view(np.float32)[:5], 2 * np.arange(5))
    assert memory.buf.ctypes.data == memory.svm_ptr
    memory.release()
    with pytest.raises(cl.LogicError):
        memory.release()


def test_freeing_in_a_queue(ctx, queue, program):
    memory = cl.SVMAllocation(ctx, 40, 0, flags.READ_WRITE, queue=queue)
    cl.enqueue_svm_memfill(queue, memory, np.float32(3))
    program.twice(queue, (10,), None, memory)
    memory.unbind_from_queue()
    memory.bind_to_queue(queue)
    event = memory.enqueue_release()
    event.wait()
    assert event.command_type == cl.command_type.SVM_FREE
    other = cl.SVMAllocation(ctx, 40, 0, flags.READ_WRITE)
    gate = cl.UserEvent(ctx)
    late = other.enqueue_release(queue, wait_for=[gate])
    gate.set_status(cl.command_execution_status.COMPLETE)
    late.wait()
    bound = cl.SVMAllocation(ctx, 40, 0, flags.READ_WRITE, queue=queue)
    del bound
    gc.collect()
    queue.finish()


def test_shared_memory_as_a_buffer(ctx, queue, program):
    memory = cl.SVMAllocation(ctx, 40, 64, flags.READ_WRITE)
    cl.enqueue_svm_memfill(queue, memory, np.float32(4))
    buffer = memory.as_buffer(ctx)
    assert buffer.size == 40 and buffer.uses_svm_pointer
    program.twice(queue, (10,), None, buffer)
    out = np.empty(10, np.float32)
    cl.enqueue_copy(queue, out, buffer)
    assert (out == 8).all() and memory.as_buffer(
        ctx, flags=cl.mem_flags.READ_ONLY | cl.mem_flags.USE_HOST_PTR, size=16
    ).size == 16


def test_copies(ctx, queue, random):
    data = random.random(64, dtype=np.float32)
    first, second = (cl.SVMAllocation(ctx, data.nbytes, 0, flags.READ_WRITE) for _ in range(2))
    out = np.empty_like(data)
    event = cl.enqueue_copy(queue, first, data)
    assert event.command_type == cl.command_type.SVM_MEMCPY
    cl.enqueue_copy(queue, second, first)
    cl.enqueue_copy(queue, out, second)
    assert np.array_equal(out, data)
    half = np.zeros_like(data)
    cl.enqueue_copy(queue, cl.SVM(half), second, byte_count=data.nbytes // 2, is_blocking=False).wait()
    assert np.array_equal(half[:32], data[:32]) and not half[32:].any()
    wrapped = cl.SVM(cl.csvm_empty_like(ctx, data))
    cl.enqueue_copy(queue, wrapped, second)
    with wrapped.map_ro(queue) as array:
        assert np.array_equal(array, data)


def test_fills(ctx, queue):
    memory = cl.SVMAllocation(ctx, 64, 0, flags.READ_WRITE)
    event = cl.enqueue_svm_memfill(queue, memory, np.int32(7))
    assert event.command_type == cl.command_type.SVM_MEMFILL
    out = np.empty(16, np.int32)
    cl.enqueue_copy(queue, out, memory)
    assert (out == 7).all()
    cl.enqueue_svm_memfill(queue, memory, np.array([1, 2], np.int32), wait_for=[event])
    cl.enqueue_copy(queue, out, memory)
    assert np.array_equal(out, [1, 2] * 8)
    cl.enqueue_fill(queue, cl.SVM(memory.buf[8:24]), np.int32(9), 16)
    cl.enqueue_copy(queue, out, memory)
    assert np.array_equal(out, [1, 2] + [9] * 4 + [1, 2] * 5)
    with pytest.raises(cl.LogicError, match="byte_count too large"):
        cl.enqueue_svm_memfill(queue, memory, np.int32(7), byte_count=128)
    with pytest.raises(NotImplementedError, match="offsets"):
        cl.enqueue_fill(queue, memory, np.int32(9), 8, offset=8)


def test_maps_that_do_not_block(ctx, queue):
    memory = cl.SVMAllocation(ctx, 64, 0, flags.READ_WRITE)
    cl.enqueue_svm_memfill(queue, memory, np.int32(7))
    gate = cl.UserEvent(ctx)
    mapping = memory.map(queue, flags=cl.map_flags.READ, is_blocking=False, wait_for=[gate])
    assert isinstance(mapping, cl.SVMMap)
    gate.set_status(cl.command_execution_status.COMPLETE)
    mapping.event.wait()
    assert mapping.event.command_type == cl.command_type.SVM_MAP and (mapping.array.view(np.int32) == 7).all()
    mapping.release(queue)
    queue.finish()


def test_migration(ctx, queue):
    memory = [cl.SVMAllocation(ctx, 64, 0, flags.READ_WRITE) for _ in range(2)]
    event = cl.enqueue_svm_migrate_mem(queue, memory, cl.mem_migration_flags.HOST)
    event.wait()
    assert event.command_type == cl.command_type.SVM_MIGRATE_MEM
    cl.enqueue_svm_migrate_mem(queue, memory, 0, wait_for=[event]).wait()


def test_arrays_on_shared_memory(ctx, queue, random):
    import pyopencl.array
    from pyopencl.tools import SVMAllocator, SVMPool

    data = random.random(1000, dtype=np.float32)
    for allocator in (SVMAllocator(ctx, queue=queue), SVMPool(SVMAllocator(ctx, alignment=0, queue=queue))):
        a = cl.array.to_device(queue, data, allocator=allocator)
        assert isinstance(a.base_data, cl.SVMPointer)
        assert np.array_equal((a + 2 * a).get(), data + 2 * data)


def test_too_much(ctx, device):
    """PyOpenCL says nothing of a clSVMAlloc that returns NULL but that the pointer is none; older ones raise."""
    try:
        memory = cl.SVMAllocation(ctx, device.global_mem_size * 2, 0, flags.READ_WRITE)
    except cl.Error as error:
        assert error.code in (
            cl.status_code.OUT_OF_RESOURCES,
            cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE,
            cl.status_code.INVALID_VALUE,
        )
    else:
        assert memory.svm_ptr == 0
