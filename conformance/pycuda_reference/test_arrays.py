# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays: descriptors, what makes them from NumPy, and copies of every form that has an array at an end."""
import numpy as np
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
import pytest


def rows_of(array, height, row):
    """The bytes of a two-dimensional array."""
    content = np.zeros((height, row), np.uint8)
    copy = cuda.Memcpy2D()
    copy.set_src_array(array)
    copy.set_dst_host(content)
    copy.dst_pitch = copy.width_in_bytes = row
    copy.height = height
    copy(aligned=True)
    return content


def plane(width=16, height=4, form=cuda.array_format.UNSIGNED_INT8, channels=1):
    descriptor = cuda.ArrayDescriptor()
    descriptor.width, descriptor.height, descriptor.format, descriptor.num_channels = width, height, form, channels
    return cuda.Array(descriptor)


def box(width, height, depth, flags=0, form=cuda.array_format.UNSIGNED_INT8):
    descriptor = cuda.ArrayDescriptor3D()
    descriptor.width, descriptor.height, descriptor.depth = width, height, depth
    descriptor.format, descriptor.num_channels, descriptor.flags = form, 1, flags
    return cuda.Array(descriptor)


@pytest.mark.parametrize(
    "form",
    [
        "UNSIGNED_INT8",
        "UNSIGNED_INT16",
        "UNSIGNED_INT32",
        "SIGNED_INT8",
        "SIGNED_INT16",
        "SIGNED_INT32",
        "HALF",
        "FLOAT",
    ],
)
def test_descriptors(context, form):
    form = getattr(cuda.array_format, form)
    for channels in (1, 2, 4):
        made = plane(12, 5, form, channels)
        told = made.get_descriptor()
        assert (told.width, told.height, told.format, told.num_channels) == (12, 5, form, channels)
        assert made.handle != 0
        made.free()
    told = box(6, 5, 4, cuda.array3d_flags.SURFACE_LDST, form).get_descriptor_3d()
    assert (told.width, told.height, told.depth, told.format, told.num_channels) == (6, 5, 4, form, 1)
    assert told.flags == cuda.array3d_flags.SURFACE_LDST
    with pytest.raises(cuda.LogicError):
        plane(12, 5, form, 3)


def test_flags(context):
    flags = cuda.array3d_flags
    assert (
        box(8, 8, 3, flags.ARRAY3D_LAYERED).get_descriptor_3d().flags == flags.ARRAY3D_LAYERED == flags.ARRAY3D_2DARRAY
    )
    assert box(8, 8, 6, flags.CUBEMAP).get_descriptor_3d().flags == flags.CUBEMAP
    assert box(8, 8, 0, flags.TEXTURE_GATHER).get_descriptor_3d().flags == flags.TEXTURE_GATHER
    with pytest.raises(cuda.LogicError):  # six faces
        box(8, 8, 5, flags.CUBEMAP)
    with pytest.raises(cuda.LogicError):  # that are squares
        box(8, 4, 6, flags.CUBEMAP)


def test_linear_copies_of_arrays(context):
    numbers = np.arange(16, dtype=np.uint8)
    first, second, memory, back = plane(16, 1), plane(16, 1), cuda.to_device(numbers), cuda.mem_alloc(16)
    cuda.memcpy_dtoa(first, 0, memory, 16)
    cuda.memcpy_atoa(second, 4, first, 2, 10)
    cuda.memset_d8(back, 0, 16)
    cuda.memcpy_atod(back, second, 4, 10)
    assert (cuda.from_device(back, 10, np.uint8) == numbers[2:12]).all()
    # Today's PyCUDA has the two with host memory under other names.
    cuda.py_memcpy_htoa(first, 3, np.full(5, 99, np.uint8))
    got = np.zeros(10, np.uint8)
    cuda.py_memcpy_atoh(got, first, 0)
    assert (got == [0, 1, 2, 99, 99, 99, 99, 99, 8, 9]).all()


@pytest.mark.parametrize("asynchronous", [False, True])
def test_rectangles_of_arrays(context, asynchronous):
    source = np.arange(64, dtype=np.uint8).reshape(4, 16)
    first, second, memory = plane(), plane(), cuda.mem_alloc(64)

    def copied(source, target, pitches, x=0, y=0):
        copy = cuda.Memcpy2D()
        source(copy)
        target(copy)
        copy.src_pitch, copy.dst_pitch = pitches
        copy.src_x_in_bytes, copy.src_y, copy.width_in_bytes, copy.height = x, y, 16 - x, 4 - y
        if asynchronous:
            stream = cuda.Stream()
            copy(stream)
            stream.synchronize()
        else:
            copy(aligned=True)

    copied(lambda c: c.set_src_host(source), lambda c: c.set_dst_array(first), (16, 0))
    assert (rows_of(first, 4, 16) == source).all()
    copied(lambda c: c.set_src_array(first), lambda c: c.set_dst_array(second), (0, 0), 4, 1)
    copied(lambda c: c.set_src_array(second), lambda c: c.set_dst_device(memory), (0, 16))
    assert (cuda.from_device(memory, (4, 16), np.uint8)[:3, :12] == source[1:, 4:]).all()


@pytest.mark.parametrize("peer", [False, True])
def test_boxes_of_arrays(context, peer):
    source = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(3, 4, 5)
    first, got = box(5, 4, 3), np.zeros((3, 4, 5), np.uint8)
    for into in (True, False):
        copy = cuda.Memcpy3DPeer() if peer else cuda.Memcpy3D()
        if peer:
            copy.set_src_context(context)
            copy.set_dst_context(context)
        if into:
            copy.set_src_host(source)
            copy.set_dst_array(first)
        else:
            copy.set_src_array(first)
            copy.set_dst_host(got)
        copy.src_pitch = copy.dst_pitch = 5
        copy.src_height = copy.dst_height = 4
        copy.width_in_bytes, copy.height, copy.depth = 5, 4, 3
        copy()
    assert (got == source).all()


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.uint8])
@pytest.mark.parametrize("order", ["C", "F"])
def test_matrix_to_array(context, kind, order):
    matrix = np.asarray(np.arange(12).reshape(3, 4), dtype=kind, order=order)
    array = cuda.matrix_to_array(matrix, order)
    told = array.get_descriptor()
    # tex2D(x, y) is matrix[y, x] for C, matrix[x, y] for F.
    expected = matrix if order == "C" else matrix.T
    assert (told.height, told.width) == expected.shape
    assert (rows_of(array, told.height, told.width * matrix.itemsize).view(kind) == expected).all()


CHANNELS = {np.float32: 1, np.float64: 2, np.complex64: 2, np.complex128: 4}


@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize("surface", [False, True])
@pytest.mark.parametrize("where", ["host", "device"])
def test_np_to_array(context, kind, surface, where):
    for shape in ((3, 4), (2, 3, 4)):
        source = np.arange(np.prod(shape)).reshape(shape).astype(kind)
        make = cuda.np_to_array if where == "host" else cuda.gpuarray_to_array
        array = make(source if where == "host" else gpuarray.to_gpu(source), "C", allowSurfaceBind=surface)
        told = array.get_descriptor_3d()
        assert (told.width, told.height, told.num_channels) == (shape[-1], shape[-2], CHANNELS[kind])
        assert bool(told.flags & cuda.array3d_flags.SURFACE_LDST) == surface
        copy, got = cuda.Memcpy3D(), np.zeros_like(source)
        copy.set_src_array(array)
        copy.set_dst_host(got)
        copy.dst_pitch = copy.width_in_bytes = shape[-1] * source.itemsize
        copy.dst_height, copy.height, copy.depth = shape[-2], shape[-2], shape[0] if len(shape) == 3 else 1
        copy()
        assert (got == source).all()


def test_multichannel(context):
    matrix = np.arange(3 * 4 * 2, dtype=np.float32).reshape(3, 4, 2)
    array = cuda.make_multichannel_2d_array(matrix, "C")
    told = array.get_descriptor()
    assert (told.height, told.width, told.num_channels) == (3, 4, 2)
    assert (rows_of(array, 3, 32).view(np.float32).reshape(3, 4, 2) == matrix).all()
    matrix = np.asfortranarray(np.arange(24, dtype=np.float32).reshape(2, 4, 3))
    told = cuda.make_multichannel_2d_array(matrix, "F").get_descriptor()
    assert (told.num_channels, told.width, told.height) == (2, 4, 3)
