# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Versions, constants, errors, devices and contexts."""
import os

import pycuda
import pycuda.driver as cuda
import pytest


def test_versions(device):
    assert pycuda.VERSION >= (2026, 1) and pycuda.VERSION_TEXT.startswith("2026.1")
    assert isinstance(pycuda.VERSION_STATUS, str)
    assert cuda.get_version() == (13, 0, 0)
    # What it was built with stays; what the driver says follows the option.
    assert cuda.get_driver_version() == (11080 if os.environ.get("UNDERSTUDY_CUDA_VERSION") == "11.8" else 13000)
    cuda.init(0)


CONSTANTS = {
    "ctx_flags": "SCHED_AUTO SCHED_SPIN SCHED_YIELD SCHED_MASK SCHED_BLOCKING_SYNC MAP_HOST LMEM_RESIZE_TO_MAX FLAGS_MASK",
    "event_flags": "DEFAULT BLOCKING_SYNC DISABLE_TIMING INTERPROCESS",
    "function_attribute": "MAX_THREADS_PER_BLOCK SHARED_SIZE_BYTES CONST_SIZE_BYTES LOCAL_SIZE_BYTES NUM_REGS PTX_VERSION BINARY_VERSION "
    "CACHE_MODE_CA MAX_DYNAMIC_SHARED_SIZE_BYTES PREFERRED_SHARED_MEMORY_CARVEOUT",
    "func_cache": "PREFER_NONE PREFER_SHARED PREFER_L1 PREFER_EQUAL",
    "shared_config": "DEFAULT_BANK_SIZE FOUR_BYTE_BANK_SIZE EIGHT_BYTE_BANK_SIZE",
    "array_format": "UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32 SIGNED_INT8 SIGNED_INT16 SIGNED_INT32 HALF FLOAT",
    "array3d_flags": "2DARRAY ARRAY3D_2DARRAY ARRAY3D_LAYERED SURFACE_LDST CUBEMAP TEXTURE_GATHER",
    "array_cubemap_face": "POSITIVE_X NEGATIVE_X POSITIVE_Y NEGATIVE_Y POSITIVE_Z NEGATIVE_Z",
    "pointer_attribute": "CONTEXT MEMORY_TYPE DEVICE_POINTER HOST_POINTER",
    "graphics_register_flags": "NONE READ_ONLY WRITE_DISCARD SURFACE_LDST TEXTURE_GATHER",
    "address_mode": "WRAP CLAMP MIRROR BORDER",
    "filter_mode": "POINT LINEAR",
    "memory_type": "HOST DEVICE ARRAY",
    "compute_mode": "DEFAULT PROHIBITED EXCLUSIVE_PROCESS",
    "jit_option": "MAX_REGISTERS THREADS_PER_BLOCK WALL_TIME INFO_LOG_BUFFER INFO_LOG_BUFFER_SIZE_BYTES ERROR_LOG_BUFFER "
    "ERROR_LOG_BUFFER_SIZE_BYTES OPTIMIZATION_LEVEL TARGET_FROM_CUCONTEXT TARGET FALLBACK_STRATEGY",
    "jit_input_type": "CUBIN PTX FATBINARY OBJECT LIBRARY",
    # Its jit_target begins with COMPUTE_30 today: the older ones are tested in C, as is Function.set_shared_config.
    "jit_target": "COMPUTE_30 COMPUTE_50 COMPUTE_75 COMPUTE_86 COMPUTE_90",
    "jit_fallback": "PREFER_PTX PREFER_BINARY",
    "host_alloc_flags": "PORTABLE DEVICEMAP WRITECOMBINED",
    "mem_attach_flags": "GLOBAL HOST SINGLE",
    "mem_host_register_flags": "PORTABLE DEVICEMAP",
    "limit": "STACK_SIZE PRINTF_FIFO_SIZE MALLOC_HEAP_SIZE",
    "ipc_mem_flags": "LAZY_ENABLE_PEER_ACCESS",
    "profiler_output_mode": "KEY_VALUE_PAIR CSV",
}


@pytest.mark.parametrize("group", CONSTANTS)
def test_constants(group):
    for name in CONSTANTS[group].split():
        assert hasattr(getattr(cuda, group), name), name


def test_errors(context):
    assert issubclass(cuda.MemoryError, cuda.Error) and issubclass(cuda.LogicError, cuda.Error)
    assert issubclass(cuda.LaunchError, cuda.Error) and issubclass(cuda.RuntimeError, cuda.Error)
    with pytest.raises(cuda.MemoryError):
        cuda.mem_alloc(1 << 50)
    with pytest.raises(cuda.LogicError):
        cuda.module_from_buffer(b".version 8.0\n.target sm_80\n.address_size 64\n").get_function("nothing")


def test_devices(device):
    assert cuda.Device.count() >= 1
    with pytest.raises(cuda.LogicError):
        cuda.Device(cuda.Device.count())
    assert device.name() and device.compute_capability() == (8, 6)
    assert 0 < device.total_memory() < 4.5e9  # suites that would use more skip themselves
    for spelling in (device.pci_bus_id(), device.pci_bus_id().lower(), device.pci_bus_id().upper()):
        assert cuda.Device(spelling) == device
    assert hash(cuda.Device(0)) == hash(device) and not cuda.Device(0) != device
    assert device.can_access_peer(device) is False


DEVICE_ATTRIBUTES = """
MAX_THREADS_PER_BLOCK MAX_BLOCK_DIM_X MAX_BLOCK_DIM_Y MAX_BLOCK_DIM_Z MAX_GRID_DIM_X MAX_GRID_DIM_Y MAX_GRID_DIM_Z TOTAL_CONSTANT_MEMORY
WARP_SIZE MAX_PITCH CLOCK_RATE TEXTURE_ALIGNMENT GPU_OVERLAP MULTIPROCESSOR_COUNT SHARED_MEMORY_PER_BLOCK MAX_SHARED_MEMORY_PER_BLOCK
REGISTERS_PER_BLOCK MAX_REGISTERS_PER_BLOCK KERNEL_EXEC_TIMEOUT INTEGRATED CAN_MAP_HOST_MEMORY COMPUTE_MODE MAXIMUM_TEXTURE1D_WIDTH
MAXIMUM_TEXTURE2D_WIDTH MAXIMUM_TEXTURE2D_HEIGHT MAXIMUM_TEXTURE3D_WIDTH MAXIMUM_TEXTURE3D_HEIGHT MAXIMUM_TEXTURE3D_DEPTH
MAXIMUM_TEXTURE2D_ARRAY_WIDTH MAXIMUM_TEXTURE2D_ARRAY_HEIGHT MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES MAXIMUM_TEXTURE2D_LAYERED_WIDTH
MAXIMUM_TEXTURE2D_LAYERED_HEIGHT MAXIMUM_TEXTURE2D_LAYERED_LAYERS MAXIMUM_TEXTURE1D_LAYERED_WIDTH MAXIMUM_TEXTURE1D_LAYERED_LAYERS
SURFACE_ALIGNMENT CONCURRENT_KERNELS ECC_ENABLED PCI_BUS_ID PCI_DEVICE_ID TCC_DRIVER MEMORY_CLOCK_RATE GLOBAL_MEMORY_BUS_WIDTH
L2_CACHE_SIZE MAX_THREADS_PER_MULTIPROCESSOR ASYNC_ENGINE_COUNT UNIFIED_ADDRESSING MAXIMUM_TEXTURE2D_GATHER_WIDTH
MAXIMUM_TEXTURE2D_GATHER_HEIGHT MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE
PCI_DOMAIN_ID TEXTURE_PITCH_ALIGNMENT MAXIMUM_TEXTURECUBEMAP_WIDTH MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH
MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS MAXIMUM_SURFACE1D_WIDTH MAXIMUM_SURFACE2D_WIDTH MAXIMUM_SURFACE2D_HEIGHT MAXIMUM_SURFACE3D_WIDTH
MAXIMUM_SURFACE3D_HEIGHT MAXIMUM_SURFACE3D_DEPTH MAXIMUM_SURFACE1D_LAYERED_WIDTH MAXIMUM_SURFACE1D_LAYERED_LAYERS
MAXIMUM_SURFACE2D_LAYERED_WIDTH MAXIMUM_SURFACE2D_LAYERED_HEIGHT MAXIMUM_SURFACE2D_LAYERED_LAYERS MAXIMUM_SURFACECUBEMAP_WIDTH
MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS MAXIMUM_TEXTURE1D_LINEAR_WIDTH MAXIMUM_TEXTURE2D_LINEAR_WIDTH
MAXIMUM_TEXTURE2D_LINEAR_HEIGHT MAXIMUM_TEXTURE2D_LINEAR_PITCH MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT
COMPUTE_CAPABILITY_MAJOR COMPUTE_CAPABILITY_MINOR MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH STREAM_PRIORITIES_SUPPORTED GLOBAL_L1_CACHE_SUPPORTED
LOCAL_L1_CACHE_SUPPORTED MAX_SHARED_MEMORY_PER_MULTIPROCESSOR MAX_REGISTERS_PER_MULTIPROCESSOR MANAGED_MEMORY MULTI_GPU_BOARD
MULTI_GPU_BOARD_GROUP_ID HOST_NATIVE_ATOMIC_SUPPORTED SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO PAGEABLE_MEMORY_ACCESS
CONCURRENT_MANAGED_ACCESS COMPUTE_PREEMPTION_SUPPORTED CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES DIRECT_MANAGED_MEM_ACCESS_FROM_HOST HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
HANDLE_TYPE_WIN32_HANDLE_SUPPORTED HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED MAX_PERSISTING_L2_CACHE_SIZE MAX_BLOCKS_PER_MULTIPROCESSOR
GENERIC_COMPRESSION_SUPPORTED RESERVED_SHARED_MEMORY_PER_BLOCK READ_ONLY_HOST_REGISTER_SUPPORTED MEMORY_POOLS_SUPPORTED
"""


def test_attributes(device):
    attributes = device.get_attributes()
    named = {n: v for n, v in vars(cuda.device_attribute).items() if isinstance(v, cuda.device_attribute)}
    assert {v for v in named.values()} >= set(attributes) and len(attributes) > 90
    for (
        key
    ) in "MAX_THREADS_PER_BLOCK MAX_BLOCK_DIM_X MAX_GRID_DIM_X WARP_SIZE MULTIPROCESSOR_COUNT CLOCK_RATE TEXTURE_ALIGNMENT".split():
        assert attributes[named[key]] > 0, key
        assert device.get_attribute(named[key]) == attributes[named[key]]
    assert attributes[named["WARP_SIZE"]] == 32
    assert attributes[named["COMPUTE_MODE"]] == cuda.compute_mode.DEFAULT
    assert attributes[named["KERNEL_EXEC_TIMEOUT"]] == 0
    # Each name that the reference documents, as an attribute of the device too, but for one that is a method's name.
    for name in DEVICE_ATTRIBUTES.split():
        assert name == "PCI_BUS_ID" or getattr(device, name.lower()) == attributes[named[name]], name


def test_context_stack(device):
    first = device.make_context(cuda.ctx_flags.SCHED_YIELD)
    second = device.make_context()
    assert cuda.Context.get_device() == device
    second.push()
    cuda.Context.pop()
    cuda.Context.pop()
    first.push()
    cuda.Context.pop()
    cuda.Context.pop()
    with pytest.raises(cuda.LogicError):
        cuda.mem_alloc(4)
    assert cuda.Context.get_current() is None
    first.detach()
    second.detach()


def test_primary_context(device):
    primary = device.retain_primary_context()
    primary.push()
    memory = cuda.mem_alloc(16)
    memory.free()
    cuda.Context.synchronize()
    cuda.Context.pop()
    assert device.retain_primary_context() is not None


def test_limits_and_configurations(context):
    for limit in (cuda.limit.STACK_SIZE, cuda.limit.PRINTF_FIFO_SIZE, cuda.limit.MALLOC_HEAP_SIZE):
        cuda.Context.set_limit(limit, 4 << 20 if limit != cuda.limit.STACK_SIZE else 4096)
        assert cuda.Context.get_limit(limit) in (4096, 4 << 20)
    cuda.Context.set_cache_config(cuda.func_cache.PREFER_L1)
    assert cuda.Context.get_cache_config() == cuda.func_cache.PREFER_L1
    cuda.Context.set_shared_config(cuda.shared_config.FOUR_BYTE_BANK_SIZE)
    assert cuda.Context.get_shared_config() == cuda.shared_config.FOUR_BYTE_BANK_SIZE
    assert context.get_api_version() == 3020


def test_peers(device):
    first = device.make_context()
    second = device.make_context()
    try:
        with pytest.raises(cuda.Error):  # both belong to one device
            second.enable_peer_access(first)
        with pytest.raises(cuda.Error):
            second.disable_peer_access(first)
    finally:
        cuda.Context.pop()
        cuda.Context.pop()


def test_profiler(context):
    cuda.initialize_profiler("", "", cuda.profiler_output_mode.CSV)
    cuda.initialize_profiler("", "", cuda.profiler_output_mode.KEY_VALUE_PAIR)
    cuda.start_profiler()
    cuda.stop_profiler()
