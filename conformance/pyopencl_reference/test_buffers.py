# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers: creation, sub-regions, queries, migration, fills, copies of every kind, maps."""
import gc

import numpy as np
import pyopencl as cl
import pytest

mf = cl.mem_flags


@pytest.fixture
def numbers(random):
    return random.random(1024, dtype=np.float32)


def read(queue, buffer, like):
    out = np.empty_like(like)
    cl.enqueue_copy(queue, out, buffer)
    return out


def test_creation_from_a_size_and_from_host_data(ctx, queue, numbers):
    empty = cl.Buffer(ctx, mf.READ_WRITE, size=4096)
    assert (empty.size, empty.type, empty.flags) == (4096, cl.mem_object_type.BUFFER, mf.READ_WRITE)
    copied = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=numbers)
    assert copied.size == numbers.nbytes
    kept = numbers.copy()
    numbers[:] = 0
    assert np.array_equal(read(queue, copied, kept), kept)
    smaller = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, size=64, hostbuf=kept)
    assert smaller.size == 64 and np.array_equal(read(queue, smaller, kept[:16]), kept[:16])


def test_host_memory_in_use(ctx, queue, numbers):
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, hostbuf=numbers)
    assert buffer.hostbuf is numbers
    host = buffer.get_host_array(numbers.shape, np.float32)
    assert host.ctypes.data == numbers.ctypes.data and np.array_equal(host, numbers)
    cl.enqueue_fill_buffer(queue, buffer, np.float32(3), 0, numbers.nbytes).wait()
    mapped, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, numbers.shape, np.float32)
    with mapped.base:
        assert (numbers == 3).all() and mapped.ctypes.data == numbers.ctypes.data


@pytest.mark.parametrize(
    "flags",
    [
        mf.READ_ONLY,
        mf.WRITE_ONLY,
        mf.READ_WRITE,
        mf.READ_WRITE | mf.ALLOC_HOST_PTR,
        mf.READ_WRITE | mf.HOST_READ_ONLY,
        mf.READ_WRITE | mf.HOST_WRITE_ONLY,
        mf.READ_WRITE | mf.HOST_NO_ACCESS,
    ],
)
def test_flags(ctx, flags):
    assert cl.Buffer(ctx, flags, 256).flags == flags


def test_queries(ctx, device):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 4096)
    info = cl.mem_info
    assert buffer.get_info(info.SIZE) == buffer.size == 4096
    assert buffer.get_info(info.TYPE) == cl.mem_object_type.BUFFER
    assert buffer.get_info(info.MAP_COUNT) == buffer.map_count == 0
    assert buffer.reference_count == 1 and buffer.context == ctx and buffer.offset == 0
    assert buffer.associated_memobject is None
    if ctx.devices[0].platform._get_cl_version() >= (2, 0):
        assert not buffer.uses_svm_pointer


def test_a_handle_there_and_back(ctx):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    again = cl.MemoryObject.from_int_ptr(buffer.int_ptr)
    assert again == buffer and hash(again) == hash(buffer) and buffer.reference_count == 2
    del again
    gc.collect()
    assert buffer.reference_count == 1 and buffer != cl.Buffer(ctx, mf.READ_WRITE, 64)


def test_release(ctx):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    buffer.release()
    with pytest.raises(cl.LogicError):
        buffer.release()


def test_sub_regions(ctx, queue, device, numbers):
    step = device.mem_base_addr_align // 8
    data = np.resize(numbers, step)  # 4 * step bytes
    whole = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=data)
    part = whole.get_sub_region(step, 2 * step)
    assert part.size == 2 * step and part.offset == step and part.associated_memobject == whole
    words = step // 4
    assert np.array_equal(read(queue, part, data[words : 3 * words]), data[words : 3 * words])
    sliced = whole[step : 3 * step]
    assert (sliced.size, sliced.offset, sliced.flags) == (2 * step, step, whole.flags)
    cl.enqueue_fill_buffer(queue, sliced, np.float32(7), 0, step)
    data[words : 2 * words] = 7
    assert np.array_equal(read(queue, whole, data), data)
    read_only = whole.get_sub_region(0, step, mf.READ_ONLY)
    assert read_only.flags & mf.READ_ONLY
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        whole.get_sub_region(3 * step, 2 * step)
    with pytest.raises(cl.Error, match="MISALIGNED_SUB_BUFFER_OFFSET"):
        whole.get_sub_region(4, step)


def test_migration(ctx, queue, numbers):
    buffers = [cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=numbers) for _ in range(2)]
    first = cl.enqueue_migrate_mem_objects(queue, buffers)
    cl.enqueue_migrate_mem_objects(queue, buffers, flags=cl.mem_migration_flags.HOST, wait_for=[first])
    done = cl.enqueue_migrate_mem_objects(queue, buffers, cl.mem_migration_flags.CONTENT_UNDEFINED)
    done.wait()
    assert done.command_type == cl.command_type.MIGRATE_MEM_OBJECTS


@pytest.mark.parametrize(
    "pattern",
    [
        np.uint8(0xA5),
        np.int16(-2),
        np.float32(1.5),
        np.float64(-3.25),
        np.array([1, 2, 3, 4], np.int32),
        np.arange(16, dtype=np.float64),
    ],
    ids=lambda p: f"{p.nbytes}",
)
def test_fill(ctx, queue, pattern):
    size = 4 * 128
    buffer = cl.Buffer(ctx, mf.READ_WRITE, size)
    cl.enqueue_fill_buffer(queue, buffer, np.uint8(0), 0, size)
    done = cl.enqueue_fill_buffer(queue, buffer, pattern, pattern.nbytes, size // 2)
    expected = np.zeros(size, np.uint8)
    expected[pattern.nbytes : pattern.nbytes + size // 2] = np.resize(np.atleast_1d(pattern).view(np.uint8), size // 2)
    out = np.empty(size, np.uint8)
    cl.enqueue_copy(queue, out, buffer, wait_for=[done])
    assert np.array_equal(out, expected)


def test_fill_by_either_name_and_with_a_bad_size(ctx, queue):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    cl.enqueue_fill(queue, buffer, np.uint32(5), 32, offset=32)
    cl.enqueue_fill(queue, buffer, np.uint32(6), 32)
    assert np.array_equal(read(queue, buffer, np.empty(16, np.uint32)), [6] * 8 + [5] * 8)
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.enqueue_fill_buffer(queue, buffer, np.uint32(5), 0, 30)
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.enqueue_fill_buffer(queue, buffer, np.uint32(5), 48, 32)


def test_linear_copies(ctx, queue, numbers):
    source = cl.Buffer(ctx, mf.READ_WRITE, numbers.nbytes)
    target = cl.Buffer(ctx, mf.READ_WRITE, numbers.nbytes)
    event = cl.enqueue_copy(queue, source, numbers)
    assert isinstance(event, cl.NannyEvent)
    cl.enqueue_copy(queue, target, source)
    assert np.array_equal(read(queue, target, numbers), numbers)
    expected = numbers.copy()
    cl.enqueue_copy(queue, target, numbers[:8], dst_offset=64)
    expected[16:24] = numbers[:8]
    cl.enqueue_copy(queue, target, source, src_offset=128, dst_offset=256, byte_count=64)
    expected[64:80] = numbers[32:48]
    tail = np.empty(16, np.float32)
    late = cl.enqueue_copy(queue, tail, source, src_offset=numbers.nbytes - 64, is_blocking=False)
    late.wait()
    assert np.array_equal(tail, numbers[-16:]) and np.array_equal(read(queue, target, numbers), expected)
    smaller = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=numbers[:64])
    cl.enqueue_copy(queue, target, smaller)
    expected[:64] = numbers[:64]
    assert np.array_equal(read(queue, target, numbers), expected)
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.enqueue_copy(queue, smaller, source, byte_count=512)
    with pytest.raises(cl.Error, match="MEM_COPY_OVERLAP"):
        cl.enqueue_copy(queue, source, source, src_offset=0, dst_offset=16, byte_count=64)
    with pytest.raises(TypeError, match="host-to-host"):
        cl.enqueue_copy(queue, tail, numbers)


def test_the_guarded_array_of_a_transfer(ctx, queue, numbers):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, numbers.nbytes)
    gate = cl.UserEvent(ctx)
    event = cl.enqueue_copy(queue, buffer, numbers, is_blocking=False, wait_for=[gate])
    assert event.get_ward() is numbers
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    assert event.get_ward() is None and np.array_equal(read(queue, buffer, numbers), numbers)


@pytest.mark.parametrize("shape, inner", [((6, 10), (3, 4)), ((4, 6, 10), (2, 3, 4))], ids=["2D", "3D"])
def test_rectangles_host_and_device(ctx, queue, shape, inner):
    """Sizes and origins are (x in bytes, y, z), pitches (row, slice) in bytes; NumPy's order is the reverse."""
    item = 4
    outer = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    origin = (1, 1, 1)[-len(shape) :]
    window = tuple(slice(o, o + n) for o, n in zip(origin, inner))

    def bytewise(extents):
        return (extents[-1] * item, *reversed(extents[:-1]))

    pitches = [outer.strides[-2 - i] for i in range(len(shape) - 1)]
    region = bytewise(inner)
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=outer)
    part = np.empty(inner, np.float32)
    small = [part.strides[-2 - i] for i in range(len(shape) - 1)]
    cl.enqueue_copy(
        queue,
        part,
        buffer,
        buffer_origin=bytewise(origin),
        host_origin=(0,) * len(shape),
        region=region,
        buffer_pitches=pitches,
        host_pitches=small,
    )
    assert np.array_equal(part, outer[window])
    # A host region in the middle of a larger array, into the buffer's start.
    zeros = np.zeros_like(outer)
    target = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=zeros)
    cl.enqueue_copy(
        queue,
        target,
        outer,
        buffer_origin=(0,) * len(shape),
        host_origin=bytewise(origin),
        region=region,
        buffer_pitches=pitches,
        host_pitches=pitches,
    )
    zeros[tuple(slice(0, n) for n in inner)] = outer[window]
    assert np.array_equal(read(queue, target, zeros), zeros)
    # Device to device, tightly packed at the target: pitches left out.
    packed = cl.Buffer(ctx, mf.READ_WRITE, part.nbytes)
    cl.enqueue_copy(
        queue,
        packed,
        buffer,
        src_origin=bytewise(origin),
        dst_origin=(0,) * len(shape),
        region=region,
        src_pitches=pitches,
    )
    assert np.array_equal(read(queue, packed, part), outer[window])
    cl.enqueue_copy(
        queue,
        target,
        buffer,
        src_origin=bytewise(origin),
        dst_origin=bytewise(origin),
        region=region,
        src_pitches=pitches,
        dst_pitches=pitches,
    )
    zeros[window] = outer[window]
    assert np.array_equal(read(queue, target, zeros), zeros)


def test_a_rectangle_that_leaves_the_buffer(ctx, queue):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    host = np.zeros((4, 4), np.float32)
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.enqueue_copy(
            queue,
            host,
            buffer,
            buffer_origin=(0, 2),
            host_origin=(0, 0),
            region=(16, 4),
            buffer_pitches=(16,),
            host_pitches=(16,),
        )


def test_maps(ctx, queue, numbers):
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=numbers)
    array, event = cl.enqueue_map_buffer(
        queue, buffer, cl.map_flags.READ | cl.map_flags.WRITE, 0, numbers.shape, np.float32
    )
    assert isinstance(array.base, cl.MemoryMap) and event.command_type == cl.command_type.MAP_BUFFER
    with array.base:
        assert buffer.map_count == 1 and np.array_equal(array, numbers)
        array[:] = numbers[::-1]
    queue.finish()
    assert buffer.map_count == 0 and np.array_equal(read(queue, buffer, numbers), numbers[::-1])
    whole, _ = cl.enqueue_map_buffer(
        queue, buffer, cl.map_flags.WRITE_INVALIDATE_REGION, 0, (32, 32), np.float32, order="F"
    )
    whole[:] = np.arange(1024).reshape(32, 32)
    whole.base.release(queue)
    expected = np.arange(1024, dtype=np.float32).reshape(32, 32).T.ravel()
    assert np.array_equal(read(queue, buffer, numbers), expected)


def test_maps_with_strides_and_an_offset(ctx, queue, numbers):
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=numbers)
    column, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 8, (32,), np.float32, strides=(32 * 4,))
    with column.base:
        assert np.array_equal(column, numbers.reshape(32, 32)[:, 2])
    back, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 4000, (6,), np.float32)
    with back.base:
        assert np.array_equal(back, numbers[1000:1006])


def test_a_map_that_does_not_block(ctx, queue, numbers):
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=numbers)
    gate = cl.UserEvent(ctx)
    array, event = cl.enqueue_map_buffer(
        queue, buffer, cl.map_flags.READ, 0, numbers.shape, np.float32, wait_for=[gate], is_blocking=False
    )
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    assert np.array_equal(array, numbers)
    array.base.release(wait_for=[event])


def test_a_map_of_records(ctx, queue):
    record = np.dtype([("index", np.int32), ("value", np.float32)])
    data = np.array([(i, i / 2) for i in range(16)], record)
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=data)
    array, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, data.shape, record)
    with array.base:
        assert np.array_equal(array["index"], data["index"]) and np.array_equal(array["value"], data["value"])


def test_a_copy_between_devices_of_amds_platform(device, ctx, queue):
    """Only AMD's platform has the extension; elsewhere the client says which function is missing."""
    a, b = (cl.Buffer(ctx, mf.READ_WRITE, 64) for _ in range(2))
    with pytest.raises(cl.Error, match="clEnqueueCopyBufferP2PAMD"):
        cl.enqueue_copy_buffer_p2p_amd(device.platform, queue, a, b, 64)


def test_sizes_that_cannot_be(ctx, device):
    with pytest.raises(cl.LogicError, match="INVALID_BUFFER_SIZE"):
        cl.Buffer(ctx, mf.READ_WRITE, 0)
    with pytest.raises(cl.Error, match="INVALID_BUFFER_SIZE|MEM_OBJECT_ALLOCATION_FAILURE"):
        cl.Buffer(ctx, mf.READ_WRITE, device.max_mem_alloc_size + 4096)
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.Buffer(ctx, mf.READ_ONLY | mf.WRITE_ONLY, 64)
