# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images: formats, creation of every kind, image_from_array, queries, fills, copies in all directions, maps."""
import numpy as np
import pyopencl as cl
import pyopencl.cltypes
import pytest

mf, order, kind, shapes = cl.mem_flags, cl.channel_order, cl.channel_type, cl.mem_object_type
RGBA8 = cl.ImageFormat(order.RGBA, kind.UNSIGNED_INT8)
FLOAT = cl.ImageFormat(order.R, kind.FLOAT)
SCALARS = {
    np.uint8: kind.UNSIGNED_INT8,
    np.int8: kind.SIGNED_INT8,
    np.uint16: kind.UNSIGNED_INT16,
    np.int16: kind.SIGNED_INT16,
    np.uint32: kind.UNSIGNED_INT32,
    np.int32: kind.SIGNED_INT32,
    np.float16: kind.HALF_FLOAT,
    np.float32: kind.FLOAT,
}


@pytest.fixture
def picture(random):
    """Rows of RGBA bytes: NumPy's shape is (height, width, channels)."""
    return random.integers(0, 256, (12, 20, 4), np.uint8)


def values(random, shape, dtype):
    if np.issubdtype(dtype, np.floating):
        return random.random(shape).astype(dtype)
    return random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype, endpoint=True)


def read(queue, image, like, origin=None, region=None):
    """The whole image, or the region of it, as an array of like's shape."""
    extents = region or (like.shape[1], like.shape[0])
    out = np.empty_like(like)
    cl.enqueue_copy(queue, out, image, origin=origin or (0,) * len(extents), region=extents)
    return out


def test_image_format():
    assert (RGBA8.channel_order, RGBA8.channel_data_type) == (order.RGBA, kind.UNSIGNED_INT8)
    assert (RGBA8.channel_count, RGBA8.dtype_size, RGBA8.itemsize) == (4, 1, 4)
    assert repr(RGBA8) == "ImageFormat(RGBA, UNSIGNED_INT8)"
    assert RGBA8 == cl.ImageFormat(order.RGBA, kind.UNSIGNED_INT8) != FLOAT and len({RGBA8, FLOAT, RGBA8}) == 2


@pytest.mark.parametrize("access", [mf.READ_ONLY, mf.WRITE_ONLY, mf.READ_WRITE])
@pytest.mark.parametrize(
    "shape",
    [shapes.IMAGE1D, shapes.IMAGE2D, shapes.IMAGE3D, shapes.IMAGE1D_ARRAY, shapes.IMAGE2D_ARRAY, shapes.IMAGE1D_BUFFER],
    ids=str,
)
def test_supported_formats(ctx, shape, access):
    formats = cl.get_supported_image_formats(ctx, access, shape)
    assert len(set(formats)) == len(formats) and RGBA8 in formats and FLOAT in formats
    if (access, shape) == (mf.READ_WRITE, shapes.IMAGE2D):
        assert formats[0] == cl.ImageFormat(order.RGBA, kind.UNORM_INT8)


def test_2d_images(ctx, queue, picture):
    height, width, _ = picture.shape
    copied = cl.create_image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, RGBA8, shape=(width, height), hostbuf=picture)
    assert copied.shape == (width, height) and np.array_equal(read(queue, copied, picture), picture)
    padded = np.zeros((height, width + 3, 4), np.uint8)
    padded[:, :width] = picture
    pitched = cl.create_image(
        ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, RGBA8, shape=(width, height), pitches=(padded.strides[0],), hostbuf=padded
    )
    assert np.array_equal(read(queue, pitched, picture), picture)
    used = cl.create_image(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, RGBA8, shape=(width, height), hostbuf=picture)
    cl.enqueue_fill_image(queue, used, np.array([1, 2, 3, 4], np.uint32), (0, 0), (width, height))
    mapped, *_ = cl.enqueue_map_image(queue, used, cl.map_flags.READ, (0, 0), (width, height), picture.shape, np.uint8)
    with mapped.base:
        assert (picture == [1, 2, 3, 4]).all()
    from_shape = cl.create_image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, FLOAT, hostbuf=np.ones((8, 8), np.float32))
    assert from_shape.shape == (8, 8)
    with pytest.raises(cl.Error, match="'shape' must be passed"):
        cl.create_image(ctx, mf.READ_ONLY, FLOAT)
    with pytest.raises(cl.Error, match="'pitches' may only be given"):
        cl.create_image(ctx, mf.READ_ONLY, FLOAT, shape=(8, 8), pitches=(64,))
    with pytest.raises(cl.LogicError, match="INVALID_IMAGE_SIZE"):
        cl.create_image(ctx, mf.READ_ONLY, FLOAT, shape=(0, 8))


def test_3d_images(ctx, queue, random):
    volume = random.random((4, 6, 8), dtype=np.float32)
    image = cl.create_image(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, FLOAT, shape=volume.shape[::-1], hostbuf=volume)
    assert image.shape == (8, 6, 4) and image.type == shapes.IMAGE3D
    part = np.empty((2, 3, 4), np.float32)
    cl.enqueue_copy(queue, part, image, origin=(1, 2, 1), region=(4, 3, 2))
    assert np.array_equal(part, volume[1:3, 2:5, 1:5])
    pitched = cl.create_image(
        ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, FLOAT, shape=(8, 4, 4), pitches=volume.strides[1::-1], hostbuf=volume
    )
    assert np.array_equal(read(queue, pitched, volume[:, :4].copy(), region=(8, 4, 4)), volume[:, :4])


def mapped_copy(queue, image, like, strides=None):
    """enqueue_copy refuses images of one dimension before any call is made; they can be mapped."""
    array, *_ = cl.enqueue_map_image(
        queue, image, cl.map_flags.READ, (0,) * like.ndim, like.shape[::-1], like.shape, like.dtype, strides=strides
    )
    with array.base:
        return array.copy()


def test_1d_images_and_arrays(ctx, queue, random):
    line = random.random(64, dtype=np.float32)
    image = cl.create_image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, FLOAT, shape=(64,), hostbuf=line)
    assert image.type == shapes.IMAGE1D and np.array_equal(mapped_copy(queue, image, line), line)
    lines = line.reshape(4, 16)
    # create_image takes an array's size from the third extent, whatever the kind: lines need a descriptor.
    descriptor = cl.ImageDescriptor()
    descriptor.image_type, descriptor.shape, descriptor.pitches = shapes.IMAGE1D_ARRAY, (16, 1, 1), (0, 0)
    descriptor.array_size, descriptor.num_mip_levels, descriptor.num_samples, descriptor.buffer = 4, 0, 0, None
    array = cl.Image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, FLOAT, desc=descriptor, hostbuf=lines)
    assert array.type == shapes.IMAGE1D_ARRAY and array.get_image_info(cl.image_info.ARRAY_SIZE) == 4
    assert np.array_equal(mapped_copy(queue, array, lines, (array.slice_pitch or array.row_pitch, 4)), lines)
    slices = line.reshape(4, 2, 8)
    stack = cl.create_image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, FLOAT, shape=(8, 2, 4), hostbuf=slices, is_array=True)
    assert stack.type == shapes.IMAGE2D_ARRAY and stack.get_image_info(cl.image_info.ARRAY_SIZE) == 4
    assert np.array_equal(read(queue, stack, slices, region=(8, 2, 4)), slices)
    with pytest.raises(TypeError, match="zero-dimensional"):
        cl.create_image(ctx, mf.READ_ONLY, FLOAT, shape=(16,), is_array=True)


def test_images_in_buffers(ctx, queue, random):
    line = random.random(64, dtype=np.float32)
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=line)
    image = cl.create_image(ctx, mf.READ_WRITE, FLOAT, shape=(64,), buffer=buffer)
    assert image.type == shapes.IMAGE1D_BUFFER and image.get_image_info(cl.image_info.BUFFER) == buffer
    cl.enqueue_fill_image(queue, image, np.array([5, 0, 0, 0], np.float32), (8,), (16,))
    out = np.empty_like(line)
    cl.enqueue_copy(queue, out, buffer)
    line[8:24] = 5
    assert np.array_equal(out, line)


def test_a_descriptor(ctx, queue, picture):
    height, width, _ = picture.shape
    descriptor = cl.ImageDescriptor()
    descriptor.image_type, descriptor.shape, descriptor.pitches = shapes.IMAGE2D, (width, height, 1), (0, 0)
    descriptor.array_size = descriptor.num_mip_levels = descriptor.num_samples = 0
    descriptor.buffer = None
    assert (descriptor.image_type, descriptor.array_size, descriptor.num_samples) == (shapes.IMAGE2D, 0, 0)
    image = cl.Image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, RGBA8, desc=descriptor, hostbuf=picture)
    assert np.array_equal(read(queue, image, picture), picture)


def test_the_older_constructor(ctx, queue, picture):
    with pytest.warns(DeprecationWarning):
        image = cl.Image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, RGBA8, shape=(20, 12), hostbuf=picture)
    assert np.array_equal(read(queue, image, picture), picture)


def test_queries(ctx, device):
    info = cl.image_info
    image = cl.create_image(ctx, mf.READ_ONLY, RGBA8, shape=(20, 12))
    assert image.format == image.get_image_info(info.FORMAT) == RGBA8
    assert (image.width, image.height, image.depth, image.element_size) == (20, 12, 0, 4)
    assert image.row_pitch >= 80 and image.slice_pitch == 0
    assert [image.get_image_info(i) for i in (info.ARRAY_SIZE, info.BUFFER, info.NUM_MIP_LEVELS, info.NUM_SAMPLES)] == [
        0,
        None,
        0,
        0,
    ]
    assert (
        image.type == image.get_info(cl.mem_info.TYPE) == shapes.IMAGE2D
        and image.size >= 960
        and image.flags == mf.READ_ONLY
    )
    again = cl.MemoryObject.from_int_ptr(image.int_ptr)
    assert again == image
    image.release()
    with pytest.raises(cl.LogicError):
        image.release()


def sum_kernel(ctx, value, read_function):
    """A kernel that writes the pixel at each place, four components of it, as float or integer."""
    return (
        cl.Program(
            ctx,
            f"""
        constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
        kernel void pixels(read_only image2d_t image, global {value}4 *out)
        {{
          int2 at = (int2)(get_global_id(0), get_global_id(1));
          out[at.y * get_global_size(0) + at.x] = {read_function}(image, plain, at);
        }}""",
        )
        .build()
        .pixels
    )


def pixels_of(ctx, queue, image, value, read_function, dtype):
    width, height = image.shape
    out = np.empty((height, width, 4), dtype)
    buffer = cl.Buffer(ctx, mf.WRITE_ONLY, out.nbytes)
    sum_kernel(ctx, value, read_function)(queue, (width, height), None, image, buffer)
    cl.enqueue_copy(queue, out, buffer)
    return out


def with_missing(channels, number):
    """As read: absent colours are 0, an absent alpha is 1."""
    full = np.zeros((*channels.shape[:2], 4), channels.dtype)
    full[..., 3] = 1
    full[..., :number] = channels
    return full


@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("dtype", SCALARS, ids=lambda d: d.__name__)
def test_image_from_array(ctx, queue, random, dtype, channels):
    array = values(random, (6, 10, channels)[: 2 if channels == 1 else 3], dtype)
    image = cl.image_from_array(ctx, array, channels)
    assert image.shape == (10, 6) and image.format == cl.ImageFormat(
        {1: order.R, 2: order.RG, 4: order.RGBA}[channels], SCALARS[dtype]
    )
    kind_of = {
        "f": ("float", "read_imagef", np.float32),
        "i": ("int", "read_imagei", np.int32),
        "u": ("uint", "read_imageui", np.uint32),
    }
    value, function, result = kind_of[np.dtype(dtype).kind]
    expected = with_missing(array.reshape(6, 10, channels).astype(result), channels)
    assert np.array_equal(pixels_of(ctx, queue, image, value, function, result), expected)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16], ids=lambda d: d.__name__)
def test_image_from_array_normalised(ctx, queue, random, dtype):
    array = values(random, (6, 10, 4), dtype)
    normalised = {
        np.uint8: kind.UNORM_INT8,
        np.int8: kind.SNORM_INT8,
        np.uint16: kind.UNORM_INT16,
        np.int16: kind.SNORM_INT16,
    }[dtype]
    if cl.ImageFormat(order.RGBA, normalised) not in cl.get_supported_image_formats(ctx, mf.READ_ONLY, shapes.IMAGE2D):
        with pytest.raises(cl.RuntimeError, match="IMAGE_FORMAT_NOT_SUPPORTED"):  # SNORM_INT8 on NVIDIA's devices
            cl.image_from_array(ctx, array, 4, norm_int=True)
        return
    image = cl.image_from_array(ctx, array, 4, norm_int=True)
    assert image.format.channel_data_type == normalised
    expected = np.maximum(array.astype(np.float64) / np.iinfo(dtype).max, -1)
    assert np.abs(pixels_of(ctx, queue, image, "float", "read_imagef", np.float32) - expected).max() <= 1.5 * 2**-24
    with pytest.raises(KeyError):
        cl.image_from_array(ctx, array.astype(np.float32), 4, norm_int=True)


def test_image_from_array_of_vectors_of_a_volume_and_to_write(ctx, queue, random):
    vectors = random.random((6, 10 * 4), dtype=np.float32).view(cl.cltypes.float4)
    image = cl.image_from_array(ctx, vectors)
    assert image.shape == (10, 6) and image.format.channel_count == 4
    assert np.array_equal(
        pixels_of(ctx, queue, image, "float", "read_imagef", np.float32), vectors.view(np.float32).reshape(6, 10, 4)
    )
    volume = random.random((3, 4, 5), dtype=np.float32)
    assert np.array_equal(read(queue, cl.image_from_array(ctx, volume, 1), volume, region=(5, 4, 3)), volume)
    target = cl.image_from_array(ctx, np.zeros((6, 10), np.float32), 1, mode="w")
    assert target.flags & mf.WRITE_ONLY
    cl.Program(
        ctx,
        """kernel void ramp(write_only image2d_t image)
        { int2 at = (int2)(get_global_id(0), get_global_id(1)); write_imagef(image, at, (float4)(at.y * 100 + at.x, 0, 0, 0)); }
        """,
    ).build().ramp(queue, (10, 6), None, target)
    x, y = np.meshgrid(np.arange(10), np.arange(6))
    assert np.array_equal(read(queue, target, np.empty((6, 10), np.float32)), y * 100 + x)
    with pytest.raises(ValueError, match="mode"):
        cl.image_from_array(ctx, volume, 1, mode="x")
    with pytest.raises(ValueError, match="contiguous"):
        cl.image_from_array(ctx, volume[0].T, 1)


@pytest.mark.parametrize(
    "data, colour, expected",
    [
        (kind.UNSIGNED_INT8, np.array([1, 2, 3, 255], np.uint32), [1, 2, 3, 255]),
        (kind.SIGNED_INT16, np.array([-1, 2, -3, 4], np.int32), [-1, 2, -3, 4]),
        (kind.UNORM_INT8, np.array([0, 0.2, 1, 2], np.float32), [0, 51, 255, 255]),
        (kind.FLOAT, np.array([0.5, -1, 1e9, 0], np.float32), [0.5, -1, 1e9, 0]),
    ],
    ids=["uint8", "int16", "unorm8", "float"],
)
def test_fill(ctx, queue, data, colour, expected):
    dtype = {
        kind.UNSIGNED_INT8: np.uint8,
        kind.SIGNED_INT16: np.int16,
        kind.UNORM_INT8: np.uint8,
        kind.FLOAT: np.float32,
    }[data]
    array = np.zeros((6, 10, 4), dtype)
    image = cl.create_image(
        ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, cl.ImageFormat(order.RGBA, data), shape=(10, 6), hostbuf=array
    )
    event = cl.enqueue_fill_image(queue, image, colour, (2, 1), (5, 3))
    cl.wait_for_events([cl.enqueue_marker(queue, [event])])
    array[1:4, 2:7] = np.array(expected)
    assert event.command_type == cl.command_type.FILL_IMAGE and np.array_equal(read(queue, image, array), array)


def test_copies_host_and_image(ctx, queue, picture):
    image = cl.create_image(ctx, mf.READ_WRITE, RGBA8, shape=(20, 12))
    event = cl.enqueue_copy(queue, image, picture, origin=(0, 0), region=(20, 12))
    assert event.command_type == cl.command_type.WRITE_IMAGE
    assert np.array_equal(read(queue, image, picture), picture)
    assert np.array_equal(read(queue, image, picture[2:6, 3:8].copy(), origin=(3, 2), region=(5, 4)), picture[2:6, 3:8])
    # Pitches of the host's side: a part of a larger array.
    large = np.zeros((8, 10, 4), np.uint8)
    done = cl.enqueue_copy(
        queue, large, image, origin=(3, 2), region=(5, 4), pitches=(large.strides[0],), is_blocking=False
    )
    done.wait()
    expected = np.zeros_like(large)
    expected[:4, :5] = picture[2:6, 3:8]
    assert np.array_equal(large, expected)
    cl.enqueue_copy(queue, image, large, origin=(0, 0), region=(5, 4), pitches=(large.strides[0],))
    picture[:4, :5] = picture[2:6, 3:8].copy()
    assert np.array_equal(read(queue, image, picture), picture)


def test_copies_between_images_and_buffers(ctx, queue, picture):
    image = cl.create_image(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, RGBA8, shape=(20, 12), hostbuf=picture)
    other = cl.create_image(
        ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, RGBA8, shape=(20, 12), hostbuf=np.zeros_like(picture)
    )
    cl.enqueue_copy(queue, other, image, src_origin=(3, 2), dest_origin=(1, 1), region=(5, 4))
    expected = np.zeros_like(picture)
    expected[1:5, 1:6] = picture[2:6, 3:8]
    assert np.array_equal(read(queue, other, picture), expected)
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 16 + 5 * 4 * 4)
    cl.enqueue_copy(queue, buffer, image, offset=16, origin=(3, 2), region=(5, 4))
    out = np.empty(buffer.size, np.uint8)
    cl.enqueue_copy(queue, out, buffer)
    assert np.array_equal(out[16:], picture[2:6, 3:8].ravel())
    cl.enqueue_copy(queue, other, buffer, offset=16, origin=(10, 6), region=(5, 4))
    expected[6:10, 10:15] = picture[2:6, 3:8]
    assert np.array_equal(read(queue, other, picture), expected)
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.enqueue_copy(queue, other, image, src_origin=(18, 0), dest_origin=(0, 0), region=(5, 4))
    with pytest.raises(cl.Error, match="IMAGE_FORMAT_MISMATCH"):
        cl.enqueue_copy(
            queue,
            cl.create_image(ctx, mf.READ_WRITE, FLOAT, shape=(20, 12)),
            image,
            src_origin=(0, 0),
            dest_origin=(0, 0),
            region=(5, 4),
        )


def test_maps(ctx, queue, picture):
    image = cl.create_image(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, RGBA8, shape=(20, 12), hostbuf=picture)
    pixels = (5, 4)
    array, event, row_pitch, slice_pitch = cl.enqueue_map_image(
        queue,
        image,
        cl.map_flags.READ | cl.map_flags.WRITE,
        (3, 2),
        pixels,
        (4, 5, 4),
        np.uint8,
        strides=(image.row_pitch, 4, 1),
    )
    assert event.command_type == cl.command_type.MAP_IMAGE and row_pitch >= 20 and slice_pitch == 0
    assert row_pitch == image.row_pitch, "the strides above"
    with array.base:
        assert image.map_count == 1 and np.array_equal(array, picture[2:6, 3:8])
        array[:] = 7
    picture[2:6, 3:8] = 7
    assert np.array_equal(read(queue, image, picture), picture)
    gate = cl.UserEvent(ctx)
    late, event, *_ = cl.enqueue_map_image(
        queue,
        image,
        cl.map_flags.READ,
        (0, 0),
        (20, 12),
        picture.shape,
        np.uint8,
        strides=(image.row_pitch, 4, 1),
        wait_for=[gate],
        is_blocking=False,
    )
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    assert np.array_equal(late, picture)
    late.base.release()


def test_migration(ctx, queue, picture):
    image = cl.create_image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, RGBA8, shape=(20, 12), hostbuf=picture)
    cl.enqueue_migrate_mem_objects(queue, [image], flags=cl.mem_migration_flags.HOST).wait()
    assert np.array_equal(read(queue, image, picture), picture)
