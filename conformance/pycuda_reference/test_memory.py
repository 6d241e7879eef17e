# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device, page-locked, registered, aligned and managed memory."""
import numpy as np
import pycuda.driver as cuda
import pytest


def test_linear_memory(context, numbers):
    free, total = cuda.mem_get_info()
    memory = cuda.mem_alloc(1 << 20)
    assert free - cuda.mem_get_info()[0] == 1 << 20 and total == cuda.Context.get_device().total_memory()
    assert int(memory) != 0 and cuda.mem_get_address_range(int(memory) + 5) == (int(memory), 1 << 20)
    memory.free()
    assert cuda.mem_get_info()[0] == free
    there = cuda.to_device(numbers)
    assert (cuda.from_device(there, 64, np.float32) == numbers).all()
    assert (cuda.from_device_like(there, numbers) == numbers).all()
    assert len(there.as_buffer(256)) == 256


def test_pitched_memory(context):
    for width, size in ((1, 4), (100, 4), (512, 8), (513, 16)):
        memory, pitch = cuda.mem_alloc_pitch(width, 4, size)
        assert pitch >= width and pitch % 512 == 0
        memory.free()
    with pytest.raises(cuda.LogicError):
        cuda.mem_alloc_pitch(16, 4, 2)


def test_pointer_holder(module, numbers):
    class Holder(cuda.PointerHolderBase):
        def __init__(self, memory):
            super().__init__()
            self.memory = memory
            self.gpudata = int(memory)

        def get_pointer(self):
            return self.gpudata

    memory = cuda.to_device(numbers)
    holder = Holder(memory)
    assert int(holder) == int(memory)
    module.get_function("scale")(holder, memory, np.float32(0), block=(64, 1, 1))
    assert (cuda.from_device(memory, 64, np.float32) == numbers * 2).all()


@pytest.mark.parametrize(
    "flags", [0, cuda.host_alloc_flags.PORTABLE, cuda.host_alloc_flags.DEVICEMAP, cuda.host_alloc_flags.WRITECOMBINED]
)
def test_pagelocked(module, numbers, flags):
    array = cuda.pagelocked_zeros(64, np.float32, mem_flags=flags)
    assert (array == 0).all()
    array[:] = numbers
    assert array.base.get_flags() & flags == flags
    pointer = array.base.get_device_pointer()
    assert pointer == array.ctypes.data
    module.get_function("scale")(np.intp(pointer), np.intp(pointer), np.float32(1), block=(64, 1, 1))
    cuda.Context.synchronize()
    assert (array == numbers * 2 + 1).all()
    assert cuda.pagelocked_empty_like(array).shape == array.shape
    assert (cuda.pagelocked_zeros_like(array) == 0).all()
    assert cuda.pagelocked_empty((3, 4), np.int16, order="F").flags.f_contiguous


def test_aligned(context):
    array = cuda.aligned_zeros(1024, np.float32)
    assert array.ctypes.data % 4096 == 0 and isinstance(array.base, cuda.AlignedHostAllocation)
    assert cuda.aligned_empty((2, 2), np.float64, alignment=64).ctypes.data % 64 == 0
    assert cuda.aligned_empty_like(array).shape == (1024,) and (cuda.aligned_zeros_like(array) == 0).all()
    # register_host_memory fails in PyCUDA itself (its own test expects so): cuMemHostRegister is tested in C.


@pytest.mark.parametrize("flags", [cuda.mem_attach_flags.GLOBAL, cuda.mem_attach_flags.HOST])
def test_managed(module, numbers, flags):
    array = cuda.managed_empty(64, np.float32, mem_flags=flags)
    array[:] = numbers
    module.get_function("scale")(array, array, np.float32(1), block=(64, 1, 1))
    cuda.Context.synchronize()
    assert (array == numbers * 2 + 1).all()
    assert array.base.get_device_pointer() == array.ctypes.data
    stream = cuda.Stream()
    array.base.attach(cuda.mem_attach_flags.SINGLE, stream)
    array.base.attach(cuda.mem_attach_flags.GLOBAL, None)
    assert (cuda.managed_zeros(8, np.int32, mem_flags=flags) == 0).all()
    assert (cuda.managed_zeros_like(array, mem_flags=flags) == 0).all()
    assert cuda.managed_empty_like(array, mem_flags=flags).shape == (64,)
