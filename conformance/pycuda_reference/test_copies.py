# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fills and copies of every form but those of arrays."""
import numpy as np
import pycuda.driver as cuda
import pytest

TYPES = {8: np.uint8, 16: np.uint16, 32: np.uint32}


@pytest.mark.parametrize("bits", TYPES)
@pytest.mark.parametrize("asynchronous", [False, True])
def test_fills(context, bits, asynchronous):
    kind, value = TYPES[bits], 0x5A3C7E91 & (2**bits - 1)
    memory = cuda.mem_alloc(64 * 32)
    cuda.memset_d8(memory, 0, 64 * 32)
    stream = (cuda.Stream(),) if asynchronous else ()
    name = "_async" if asynchronous else ""
    getattr(cuda, f"memset_d{bits}{name}")(memory, value, 10, *stream)
    getattr(cuda, f"memset_d2d{bits}{name}")(int(memory) + 64, 64, value, 5, 3, *stream)
    cuda.Context.synchronize()
    rows = cuda.from_device(memory, (32, 64 * 8 // bits), kind)
    expected = np.zeros_like(rows)
    expected[0, :10] = value
    expected[1:4, :5] = value
    assert (rows == expected).all()


def test_linear_copies(context, numbers):
    first, second = cuda.mem_alloc(numbers.nbytes), cuda.mem_alloc(numbers.nbytes)
    got = np.empty_like(numbers)
    cuda.memcpy_htod(first, numbers)
    cuda.memcpy_dtod(second, first, numbers.nbytes)
    cuda.memcpy_dtoh(got, second)
    assert (got == numbers).all()
    stream = cuda.Stream()
    host = cuda.pagelocked_empty_like(numbers)
    host[:] = numbers + 1
    cuda.memcpy_htod_async(first, host, stream)
    cuda.memcpy_dtod_async(second, first, host.nbytes, stream)
    host2 = cuda.pagelocked_empty_like(numbers)
    cuda.memcpy_dtoh_async(host2, second, stream)
    stream.synchronize()
    assert (host2 == numbers + 1).all()
    # From pageable memory the data are taken before the call returns.
    own = numbers.copy()
    cuda.memcpy_htod_async(first, own, stream)
    own[:] = 0
    cuda.memcpy_dtoh(got, first)
    assert (got == numbers).all()


def test_peer_copies(device, numbers):
    one = device.make_context()
    first = cuda.to_device(numbers)
    two = device.make_context()
    second = cuda.mem_alloc(numbers.nbytes)
    cuda.memcpy_peer(second, first, numbers.nbytes, two, one)
    assert (cuda.from_device_like(second, numbers) == numbers).all()
    stream = cuda.Stream()
    cuda.memset_d8(second, 0, numbers.nbytes)
    cuda.memcpy_peer_async(second, first, numbers.nbytes, two, one, stream)
    stream.synchronize()
    assert (cuda.from_device_like(second, numbers) == numbers).all()
    second.free()
    cuda.Context.pop()
    first.free()
    cuda.Context.pop()


@pytest.mark.parametrize("form", ["aligned", "unaligned", "stream"])
def test_copies_of_rectangles(context, form):
    source = np.arange(12 * 10, dtype=np.uint8).reshape(10, 12)
    memory, pitch = cuda.mem_alloc_pitch(12, 10, 4)
    copy = cuda.Memcpy2D()
    copy.set_src_host(source)
    copy.set_dst_device(memory)
    copy.src_x_in_bytes, copy.src_y, copy.src_pitch = 2, 1, 12
    copy.dst_x_in_bytes, copy.dst_y, copy.dst_pitch = 4, 2, pitch
    copy.width_in_bytes, copy.height = 5, 6
    cuda.memset_d8(memory, 0, pitch * 10)
    if form == "stream":
        stream = cuda.Stream()
        copy(stream)
        stream.synchronize()
    else:
        copy(aligned=form == "aligned")
    got = cuda.from_device(memory, (10, pitch), np.uint8)
    expected = np.zeros((10, pitch), np.uint8)
    expected[2:8, 4:9] = source[1:7, 2:7]
    assert (got == expected).all()
    back = np.zeros((10, 12), np.uint8)
    copy = cuda.Memcpy2D()
    # set_src_unified and set_dst_unified write PyCUDA's host fields, which drivers do not read for unified memory.
    copy.set_src_device(memory)
    copy.set_dst_host(back)
    copy.src_pitch, copy.dst_pitch, copy.width_in_bytes, copy.height = pitch, 12, 12, 10
    copy(aligned=True)
    assert (back == expected[:, :12]).all()


@pytest.mark.parametrize("peer", [False, True])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_copies_of_boxes(context, peer, asynchronous):
    source = np.arange(4 * 5 * 6, dtype=np.uint8).reshape(4, 5, 6)
    memory = cuda.mem_alloc(8 * 8 * 8)
    cuda.memset_d8(memory, 0, 512)
    copy = cuda.Memcpy3DPeer() if peer else cuda.Memcpy3D()
    copy.set_src_host(source)
    copy.set_dst_device(memory)
    if peer:
        copy.set_src_context(context)
        copy.set_dst_context(context)
    copy.src_x_in_bytes, copy.src_y, copy.src_z, copy.src_pitch, copy.src_height = 1, 1, 1, 6, 5
    copy.dst_x_in_bytes, copy.dst_y, copy.dst_z, copy.dst_pitch, copy.dst_height = 2, 3, 4, 8, 8
    copy.width_in_bytes, copy.height, copy.depth = 4, 3, 2
    if asynchronous:
        stream = cuda.Stream()
        copy(stream)
        stream.synchronize()
    else:
        copy()
    expected = np.zeros((8, 8, 8), np.uint8)
    expected[4:6, 3:6, 2:6] = source[1:3, 1:4, 1:5]
    assert (cuda.from_device(memory, (8, 8, 8), np.uint8) == expected).all()
