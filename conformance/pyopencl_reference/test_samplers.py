# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samplers: both constructors, queries, and what each addressing and filter mode reads, against the specification's
formulas."""
import gc
import itertools

import numpy as np
import pyopencl as cl
import pytest

address, filters = cl.addressing_mode, cl.filter_mode
SOURCE = """
kernel void sample(read_only image2d_t image, sampler_t with, global const float2 *at, global float4 *out)
{
  size_t i = get_global_id(0);
  out[i] = read_imagef(image, with, at[i]);
}
"""


@pytest.fixture(scope="module")
def program(ctx):
    return cl.Program(ctx, SOURCE).build()


def test_queries(ctx):
    sampler = cl.Sampler(ctx, True, address.REPEAT, filters.LINEAR)
    info = cl.sampler_info
    assert sampler.get_info(info.NORMALIZED_COORDS) == sampler.normalized_coords and sampler.normalized_coords
    assert (sampler.addressing_mode, sampler.filter_mode, sampler.context) == (address.REPEAT, filters.LINEAR, ctx)
    assert sampler.reference_count == 1
    again = cl.Sampler.from_int_ptr(sampler.int_ptr)
    assert again == sampler and hash(again) == hash(sampler) and sampler.reference_count == 2
    del again
    gc.collect()
    assert sampler.reference_count == 1


def test_properties(ctx):
    key = cl.sampler_properties
    given = [key.NORMALIZED_COORDS, 0, key.ADDRESSING_MODE, address.CLAMP_TO_EDGE, key.FILTER_MODE, filters.LINEAR]
    sampler = cl.Sampler(ctx, given)
    assert (sampler.normalized_coords, sampler.addressing_mode, sampler.filter_mode) == (
        0,
        address.CLAMP_TO_EDGE,
        filters.LINEAR,
    )
    plain = cl.Sampler(ctx, [])
    assert (plain.normalized_coords, plain.addressing_mode, plain.filter_mode) == (1, address.CLAMP, filters.NEAREST)
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.Sampler(ctx, [0x1111, 1])
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.Sampler(ctx, [key.NORMALIZED_COORDS, 1, key.NORMALIZED_COORDS, 0])


def coordinate(u, size, mode):
    """The texel that an integer coordinate names; None is the border."""
    if mode == address.CLAMP_TO_EDGE:
        return min(max(u, 0), size - 1)
    if mode == address.CLAMP:
        return u if 0 <= u < size else None
    if mode == address.REPEAT:
        return u % size
    if mode == address.MIRRORED_REPEAT:
        u %= 2 * size
        return u if u < size else 2 * size - 1 - u
    return u


def expected(picture, x, y, normalised, mode, filtering):
    height, width = picture.shape[:2]
    u, v = (x * width, y * height) if normalised else (x, y)

    def texel(i, j):
        i, j = coordinate(i, width, mode), coordinate(j, height, mode)
        return np.zeros(4) if i is None or j is None else picture[j, i].astype(np.float64)

    if filtering == filters.NEAREST:
        return texel(int(np.floor(u)), int(np.floor(v)))
    u, v = u - 0.5, v - 0.5
    i, j = int(np.floor(u)), int(np.floor(v))
    a, b = u - i, v - j
    return (
        (1 - a) * (1 - b) * texel(i, j)
        + a * (1 - b) * texel(i + 1, j)
        + (1 - a) * b * texel(i, j + 1)
        + a * b * texel(i + 1, j + 1)
    )


MODES = [
    (n, m, f)
    for n, m, f in itertools.product(
        [True, False],
        [address.NONE, address.CLAMP_TO_EDGE, address.CLAMP, address.REPEAT, address.MIRRORED_REPEAT],
        [filters.NEAREST, filters.LINEAR],
    )
    if n or m not in (address.REPEAT, address.MIRRORED_REPEAT)
]


@pytest.mark.parametrize(
    "normalised, mode, filtering",
    MODES,
    ids=[f"{'norm' if n else 'pixels'}-{address.to_string(m)}-{filters.to_string(f)}" for n, m, f in MODES],
)
def test_what_is_read(ctx, queue, random, program, normalised, mode, filtering):
    picture = random.random((8, 16, 4), dtype=np.float32)  # powers of two: places are exact after scaling
    image = cl.image_from_array(ctx, picture, 4)
    # Multiples of 1/64 of a texel, off the edges between texels; inside the image where the mode asks for it.
    low, high = (0.5, -0.5) if mode == address.NONE else (-20.5, 20.5)
    x = np.floor(random.uniform(low, 16 + high, 200) * 64) / 64 + 1 / 128
    y = np.floor(random.uniform(low, 8 + high, 200) * 64) / 64 + 1 / 128
    at = np.stack([x / 16, y / 8] if normalised else [x, y], 1).astype(np.float32)
    wanted = np.array([expected(picture, *place, normalised, mode, filtering) for place in at.astype(np.float64)])
    out = np.empty((200, 4), np.float32)
    buffer = cl.Buffer(ctx, cl.mem_flags.WRITE_ONLY, out.nbytes)
    program.sample(
        queue,
        (200,),
        None,
        image,
        cl.Sampler(ctx, normalised, mode, filtering),
        cl.Buffer(ctx, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=at),
        buffer,
    )
    cl.enqueue_copy(queue, out, buffer)
    assert np.abs(out - wanted).max() <= (0 if filtering == filters.NEAREST else 1e-5)
