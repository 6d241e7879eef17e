# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pyopencl.tools: allocators, pools, memoization, arguments, types; pyopencl.cltypes; the how-to of structures."""
import gc

import numpy as np
import pyopencl as cl
import pyopencl.array
import pyopencl.cltypes
import pyopencl.tools
import pytest
from pyopencl import tools
from pyopencl.elementwise import ElementwiseKernel

mf = cl.mem_flags


def test_buffer_allocators(ctx, queue, device):
    for allocator in (
        tools.DeferredAllocator(ctx),
        tools.DeferredAllocator(ctx, mf.READ_ONLY),
        tools.ImmediateAllocator(queue),
        tools.ImmediateAllocator(queue, mf.READ_WRITE),
    ):
        assert isinstance(allocator, tools.AllocatorBase)
        buffer = allocator(1000)
        assert buffer.size >= 1000 and allocator(0) is None
    assert tools.DeferredAllocator(ctx, mf.READ_ONLY)(16).flags == mf.READ_ONLY
    with pytest.raises(cl.Error) as caught:
        tools.ImmediateAllocator(queue)(device.max_mem_alloc_size * 2)
    assert caught.value.code in (
        cl.status_code.INVALID_BUFFER_SIZE,
        cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE,
        cl.status_code.OUT_OF_RESOURCES,
    )


def check_pool(pool, take):
    """What the reference says of both pools: held and active blocks and bytes, freeing, and that blocks come back."""
    assert (pool.held_blocks, pool.active_blocks, pool.managed_bytes, pool.active_bytes) == (0, 0, 0, 0)
    blocks = [take(1000) for _ in range(3)]
    assert pool.active_blocks == 3 and pool.active_bytes == 3000 and pool.managed_bytes >= 3000
    assert pool.alloc_size(pool.bin_number(1000)) >= 1000
    managed = pool.managed_bytes
    del blocks[2]
    gc.collect()
    assert (pool.active_blocks, pool.held_blocks, pool.managed_bytes) == (2, 1, managed)
    again = take(1000)
    assert (pool.active_blocks, pool.held_blocks, pool.managed_bytes) == (3, 0, managed)
    again.release()
    assert pool.held_blocks == 1
    pool.free_held()
    assert pool.held_blocks == 0 and pool.managed_bytes < managed
    pool.stop_holding()
    del blocks, again
    gc.collect()
    assert (pool.held_blocks, pool.active_blocks, pool.managed_bytes) == (0, 0, 0)


def test_memory_pool(ctx, queue):
    pool = tools.MemoryPool(tools.ImmediateAllocator(queue), leading_bits_in_bin_id=4)
    assert isinstance(pool.allocate(64), tools.PooledBuffer)
    gc.collect()
    pool.free_held()
    check_pool(pool, pool.allocate)
    pool = tools.MemoryPool(tools.DeferredAllocator(ctx))
    block = pool(256)
    block.bind_to_queue(queue) if hasattr(block, "bind_to_queue") else None
    cl.enqueue_fill_buffer(queue, block, np.int32(4), 0, 256)
    out = np.empty(64, np.int32)
    cl.enqueue_copy(queue, out, block)
    assert (out == 4).all()


def test_svm_allocator_and_pool(ctx, queue):
    allocator = tools.SVMAllocator(ctx, alignment=64, flags=cl.svm_mem_flags.READ_WRITE, queue=queue)
    assert isinstance(allocator(100), cl.SVMAllocation) and allocator(100).svm_ptr % 64 == 0
    pool = tools.SVMPool(allocator, leading_bits_in_bin_id=4)
    check_pool(pool, pool)
    block = tools.SVMPool(tools.SVMAllocator(ctx))(64)
    assert isinstance(block, tools.PooledSVM)
    block.bind_to_queue(queue)
    cl.enqueue_svm_memfill(queue, block, np.int32(3))
    out = np.empty(16, np.int32)
    cl.enqueue_copy(queue, out, block)
    assert (out == 3).all()
    block.unbind_from_queue()
    block.bind_to_queue(queue)
    block.enqueue_release()


def test_arrays_from_a_pool(ctx, queue):
    pool = tools.MemoryPool(tools.ImmediateAllocator(queue))
    a = cl.array.arange(queue, 2000, dtype=np.float32, allocator=pool)
    for _ in range(5):
        b = (a + a * 2).get()
    assert np.array_equal(b, np.arange(2000, dtype=np.float32) * 3) and pool.held_blocks >= 1


def test_a_pool_at_the_memorys_end(ctx, queue, device):
    """The pool frees what it holds and tries again when the device has no more; only then does the error come out."""
    pool = tools.MemoryPool(tools.ImmediateAllocator(queue))
    size = device.max_mem_alloc_size // 2
    held = []
    with pytest.raises(cl.Error) as caught:
        for _ in range(1000):
            held.append(pool.allocate(size))
    assert held and caught.value.code in (
        cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE,
        cl.status_code.OUT_OF_RESOURCES,
        cl.status_code.OUT_OF_HOST_MEMORY,
    )
    taken = len(held)
    held.clear()
    gc.collect()
    assert pool.held_blocks == taken
    other = []
    with pytest.raises(cl.Error):  # another size: what is held has to go
        for _ in range(1000):
            other.append(pool.allocate(size // 2))
    assert len(other) >= 2 * taken - 1 and pool.held_blocks == 0


def test_memoization(ctx):
    calls = []

    @tools.first_arg_dependent_memoize
    def made(context, value):
        calls.append(value)
        return value * 2

    assert [made(ctx, 1), made(ctx, 1), made(ctx, 2)] == [2, 2, 4] and calls == [1, 2]
    tools.clear_first_arg_caches()
    assert made(ctx, 1) == 2 and calls == [1, 2, 1]


def test_the_generator_of_tests(device):
    """pytest_generate_tests_for_pyopencl gives a test each device of each platform, or those PYOPENCL_TEST names."""

    class Function:
        fixturenames = ["ctx_factory", "other"]

        def parametrize(self, names, values, ids):
            self.names, self.values, self.ids = names, values, [ids(v) for v in values[0]]

    function = Function()
    tools.pytest_generate_tests_for_pyopencl(function)
    assert (
        function.names == ["ctx_factory"]
        and function.values[0][0]().devices == [device]
        and "Understudy" in function.ids[0]
    )
    assert tools.get_test_platforms_and_devices("understudy:0") == [(device.platform, [device])]


def test_arguments():
    vector, scalar = tools.VectorArg(np.float32, "a"), tools.ScalarArg(np.int32, "n")
    assert vector.declarator() == "__global float *a" and scalar.declarator() == "int n"
    assert (vector.name, vector.dtype) == ("a", np.float32) and isinstance(vector, tools.DtypedArgument)
    assert "long b__offset" in tools.VectorArg(np.float64, "b", with_offset=True).declarator()
    assert tools.OtherArg("sampler_t s", "s").declarator() == "sampler_t s" and isinstance(vector, tools.Argument)
    parsed = tools.parse_arg_list("float *a, int n")
    assert list(parsed) == [vector, scalar] == list(tools.parse_arg_list(["float *a", "int n"]))


def test_types(queue):
    assert (cl.cltypes.uint, cl.cltypes.long, cl.cltypes.half) == (np.uint32, np.int64, np.float16)
    vectors = cl.array.zeros(queue, 8, cl.cltypes.float4)
    assert vectors.dtype.itemsize == 16 and cl.cltypes.make_float4(1, 2, 3, 4)["y"] == 2
    out = ElementwiseKernel(queue.context, "float4 *a", "a[i] = (float4)(i, 1, 2, 3)")
    out(vectors)
    assert vectors.get()[5].tolist() == (5, 1, 2, 3)
    for name in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"):
        for width in (2, 3, 4, 8, 16):
            scalar, vector = np.dtype(getattr(cl.cltypes, name)), getattr(cl.cltypes, f"{name}{width}")
            assert vector.itemsize == scalar.itemsize * (4 if width == 3 else width)


def test_structures_as_the_how_to_has_them(ctx, queue, device):
    record = np.dtype([("field1", np.int32), ("field2", np.float32)])
    record, declaration = tools.match_dtype_to_c_struct(device, "reference_record", record)
    record = tools.get_or_register_dtype("reference_record", record)
    host = np.empty(20, record)
    host["field1"], host["field2"] = 217, 1000
    host[13]["field2"] = 12
    array = cl.array.to_device(queue, host)
    cl.Program(
        ctx, declaration + "kernel void set_to_1(global reference_record *a) { a[get_global_id(0)].field1 = 1; }"
    ).build().set_to_1(queue, array.shape, None, array.data)
    host["field1"] = 1
    assert np.array_equal(array.get(), host)
    ElementwiseKernel(ctx, "reference_record *a", "a[i].field1 = 2;", preamble=declaration)(array)
    host["field1"] = 2
    assert np.array_equal(array.get(), host)
    # The device may lay a structure out otherwise than NumPy: a wider member behind a narrow one.
    uneven, text = tools.match_dtype_to_c_struct(device, "uneven_record", np.dtype([("a", np.int8), ("b", np.float64)]))
    assert uneven.fields["b"][1] == 8 and uneven.itemsize == 16 and "double b" in text
