# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pyopencl.characterize: every function, on whichever device runs; what each must say follows from the device's own
facts."""
import warnings

import numpy as np
import pyopencl as cl
import pyopencl.characterize as ch
import pytest
from pyopencl.characterize import performance

# What the real devices are known to answer: (compute capability, SIMD width, local memory, coarse, fine buffer, fine
# system).
REAL = {"NVIDIA H200": ((9, 0), 32, 48 << 10, True, False, False), "gfx1100": (None, 32, 64 << 10, True, True, False)}


@pytest.fixture(autouse=True)
def guesses_are_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ch.CLCharacterizationWarning)
        yield


def is_cpu(device):
    return bool(device.type & cl.device_type.CPU)


def capability(device):
    return REAL.get(device.name, (None,))[0]


def test_precision(device):
    assert (
        ch.has_double_support(device) == ("cl_khr_fp64" in device.extensions.split()) == bool(device.double_fp_config)
    )
    assert ch.has_amd_double_support(device) == ("cl_amd_fp64" in device.extensions.split())


def test_sizes(device, ctx):
    known = REAL.get(device.name)
    multiple = ch.reasonable_work_group_size_multiple(device, ctx)
    assert multiple == ch.reasonable_work_group_size_multiple(device) and device.max_work_group_size % multiple == 0
    assert ch.nv_compute_capability(device) == capability(device)
    assert ch.usable_local_mem_size(device) == ch.usable_local_mem_size(device, nargs=4) == device.local_mem_size
    if known:
        assert (multiple, device.local_mem_size) == known[1:3]


def test_simd_width(device):
    expected = REAL[device.name][1] if device.name in REAL else 1 if is_cpu(device) else None
    assert ch.get_simd_group_size(device, 4) == expected


def test_local_memory(device):
    items = 32 if capability(device) else 1 if is_cpu(device) else 16
    banks = 32 if capability(device) else 16
    assert ch.simultaneous_work_items_on_local_access(device) == items
    assert ch.local_memory_access_granularity(device) == 4
    assert ch.local_memory_bank_count(device) == banks, "a CPU with local memory of its own has banks to count"
    assert ch.why_not_local_access_conflict_free(device, 4, (banks, banks + 1)) == (1, None)
    multiplicity, why = ch.why_not_local_access_conflict_free(device, 4, (banks, banks))
    assert (multiplicity, why is None) == ((1, True) if items == 1 else (items, False))


def test_build_options(device, ctx, queue):
    options = ch.get_fast_inaccurate_build_options(device)
    assert "-cl-fast-relaxed-math" in options
    vendors = device.vendor.startswith(("Advanced Micro", "NVIDIA"))
    assert ("-cl-strict-aliasing" in options) == vendors
    a = np.linspace(0, 1, 64, dtype=np.float32)
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
    cl.Program(ctx, "kernel void f(global float *a) { a[get_global_id(0)] = sin(a[get_global_id(0)]); }").build(
        options
    ).f(queue, (64,), None, buffer)
    out = np.empty_like(a)
    cl.enqueue_copy(queue, out, buffer)
    assert np.allclose(out, np.sin(a), atol=1e-5)


def test_platform_quirks(device, ctx):
    assert ch.get_pocl_version(device.platform) is None
    assert ch.get_pocl_version(device.platform, fallback_value=(1, 0)) is None
    assert ch.has_struct_arg_count_bug(device) is False and ch.has_struct_arg_count_bug(device, ctx) is False
    assert ch._check_for_pocl_arg_count_bug(device, ctx) is False
    # A device that tells its compute capability is taken for one whose driver caches builds.
    assert ch.has_src_build_cache(device) is (True if capability(device) else None)


def test_shared_memory(device):
    classes = [
        ch.has_coarse_grain_buffer_svm(device),
        ch.has_fine_grain_buffer_svm(device),
        ch.has_fine_grain_system_svm(device),
    ]
    bits, names = device.svm_capabilities, cl.device_svm_capabilities
    assert classes == [
        bool(bits & b) for b in (names.COARSE_GRAIN_BUFFER, names.FINE_GRAIN_BUFFER, names.FINE_GRAIN_SYSTEM)
    ]
    assert ch.has_fine_grain_buffer_svm_atomics(device) == (classes[1] and bool(bits & names.ATOMICS))
    assert ch.has_fine_grain_system_svm_atomics(device) == (classes[2] and bool(bits & names.ATOMICS))
    assert tuple(classes) == (REAL[device.name][3:] if device.name in REAL else (True, True, True))


def test_performance(ctx, queue):
    class Short(performance.WallTimer):
        """Says that enough time has passed, so that nothing is repeated for a tenth of a second."""

        def get_elapsed(self):
            return super().get_elapsed() + 1

    for transfer in (
        performance.HostToDeviceTransfer,
        performance.DeviceToHostTransfer,
        performance.DeviceToDeviceTransfer,
    ):
        assert performance.transfer_latency(queue, transfer, Short) > 0
        assert performance.transfer_bandwidth(queue, transfer, 1 << 20, Short) > 0
    overhead, with_profiling = performance.get_profiling_overhead(ctx, Short)
    assert with_profiling > 0 and abs(overhead) < with_profiling + 1
    assert performance.get_empty_kernel_time(queue, Short) > 0
    assert performance.get_add_rate(queue, "float", Short) > 0
