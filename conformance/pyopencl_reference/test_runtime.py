# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Versions, errors, platforms, devices, contexts and queues."""
import gc
import os
import re

import numpy as np
import pyopencl as cl
import pytest


def everything(holder, info, names=None):
    """Each query of an info class, by get_info and as an attribute: {name: value, or the error's code}."""
    answers = {}
    for name in names or sorted(n for n in dir(info) if n.isupper()):
        try:
            answers[name] = holder.get_info(getattr(info, name))
        except cl.Error as error:
            answers[name] = error.code
    return answers


def test_versions():
    assert cl.VERSION[:2] >= (2026, 1) and cl.VERSION_TEXT.startswith(".".join(map(str, cl.VERSION[:2])))
    assert isinstance(cl.VERSION_STATUS, str) and cl.get_cl_header_version() == (3, 0)


def test_errors_carry_the_call_and_the_code(ctx):
    with pytest.raises(cl.LogicError) as caught:
        cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 0)
    error = caught.value
    assert isinstance(error, cl.Error) and error.code == cl.status_code.INVALID_BUFFER_SIZE
    assert error.routine == "create_buffer" and "INVALID_BUFFER_SIZE" in str(error)
    assert issubclass(cl.MemoryError, cl.Error) and issubclass(cl.RuntimeError, cl.Error)


def test_platform(device):
    (platform,) = cl.get_platforms()
    assert platform == device.platform and re.match(r"OpenCL \d\.\d .*", platform.version)
    assert platform.get_info(cl.platform_info.NAME) == platform.name == "Understudy"
    assert platform.profile == "FULL_PROFILE" and "cl_khr_icd" in platform.extensions.split()
    again = cl.Platform.from_int_ptr(platform.int_ptr)
    assert again == platform and hash(again) == hash(platform)
    unanswered = {k for k, v in everything(platform, cl.platform_info).items() if isinstance(v, int) and v < 0}
    assert not unanswered


def test_devices_of_each_type(device):
    types = cl.device_type
    for wanted in (types.ALL, types.DEFAULT, device.type):
        assert device.platform.get_devices(wanted) == [device]
    for wanted in {types.CPU, types.GPU, types.ACCELERATOR, types.CUSTOM} - {device.type & ~types.DEFAULT}:
        assert device.platform.get_devices(wanted) == []


def test_device_queries(device):
    answers = everything(device, cl.device_info)
    vendors = re.compile(
        r"_(NV|AMD|ARM|QCOM|EXT|INTEL|ALTERA|POCL)$|^(ME_|SIMULTANEOUS|SPIR_VERSIONS|NUM_SIMULTANEOUS|PARTITION_TYPES_EXT|MAX_ATOMIC|PCI_BUS|PCIE|P2P|SVM_CAPABILITIES_ARM|MEM_CAP|TERMINATE)"
    )
    unanswered = {k for k, v in answers.items() if v == cl.status_code.INVALID_VALUE and not vendors.search(k)}
    # The client asks for the size of the printf buffer, a size_t, with room for four bytes, which no runtime may
    # answer.
    no_half = set() if "cl_khr_fp16" in device.extensions else {"HALF_FP_CONFIG"}
    assert unanswered == {"PRINTF_BUFFER_SIZE"} | no_half
    assert device.name == answers["NAME"] and device.max_compute_units >= 1
    assert len(device.max_work_item_sizes) == device.max_work_item_dimensions == 3
    assert re.match(r"OpenCL \d\.\d ", device.version) and device.opencl_c_version.startswith("OpenCL C ")
    assert device.available and device.compiler_available and device.endian_little and device.address_bits == 64
    for version in device.opencl_c_all_versions + device.extensions_with_version + device.ils_with_version:
        assert version.name and version.version >= 1 << 12
    again = cl.Device.from_int_ptr(device.int_ptr)
    assert again == device and hash(again) == hash(device)
    identifier = device.hashable_model_and_version_identifier
    assert {identifier: 1}[again.hashable_model_and_version_identifier] == 1


def test_the_record_of_a_place():
    place = cl.DeviceTopologyAmd(bus=1, device=2, function=3)
    assert (place.bus, place.device, place.function) == (1, 2, 3)


def test_timers(device):
    before = device.host_timer()
    on_device, on_host = device.device_and_host_timer()
    assert on_device > 0 and before <= on_host <= device.host_timer()


def test_sub_devices(device):
    parts = cl.device_partition_property
    units = device.max_compute_units
    supported = device.partition_properties
    if units < 2 or not any(supported):
        with pytest.raises(cl.Error):
            device.create_sub_devices([parts.EQUALLY, 1])
        return
    equal = device.create_sub_devices([parts.EQUALLY, 1])
    assert len(equal) == units and all(d.max_compute_units == 1 and d.parent_device == device for d in equal)
    (counted,) = device.create_sub_devices([parts.BY_COUNTS, 1, parts.BY_COUNTS_LIST_END])
    assert counted.max_compute_units == 1
    with pytest.raises(cl.LogicError, match="INVALID_DEVICE_PARTITION_COUNT"):
        device.create_sub_devices([parts.BY_COUNTS, units + 1, parts.BY_COUNTS_LIST_END])
    # A sub-device is a device: it runs kernels.
    ctx = cl.Context([counted])
    with cl.CommandQueue(ctx) as queue:
        buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)
        cl.Program(ctx, "kernel void ids(global int *a) { a[get_global_id(0)] = get_global_id(0); }").build().ids(
            queue, (16,), None, buffer
        )
        out = np.empty(16, np.int32)
        cl.enqueue_copy(queue, out, buffer)
    assert np.array_equal(out, np.arange(16))


def test_contexts(device):
    by_list = cl.Context([device])
    by_type = cl.Context(
        dev_type=device.type & ~cl.device_type.DEFAULT, properties=[(cl.context_properties.PLATFORM, device.platform)]
    )
    for made in (
        by_list,
        by_type,
        cl.Context(devices=[device], properties=[(cl.context_properties.PLATFORM, device.platform)]),
    ):
        assert made.devices == [device] and made.num_devices == 1 and made.reference_count == 1
    assert by_list.get_info(cl.context_info.DEVICES) == [device] and by_list != by_type
    assert by_list.properties == []
    again = cl.Context.from_int_ptr(by_list.int_ptr)
    assert again == by_list and by_list.reference_count == 2
    del again
    gc.collect()
    with pytest.raises(cl.RuntimeError, match="DEVICE_NOT_FOUND"):
        cl.Context(dev_type=cl.device_type.CUSTOM, properties=[(cl.context_properties.PLATFORM, device.platform)])


def test_choosing(device, monkeypatch):
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    assert cl.choose_devices(interactive=False) == [device]
    assert cl.create_some_context(interactive=False).devices == [device]
    assert cl.create_some_context(answers=["understudy"]).devices == [device]
    monkeypatch.setenv("PYOPENCL_CTX", "Understudy")
    assert cl.create_some_context().devices == [device]


def test_debugging_switch(device):
    cl.enable_debugging(cl.Context([device]))
    assert os.environ.get("PYOPENCL_DEBUG") is None


def test_queues(ctx, device):
    plain = cl.CommandQueue(ctx)
    assert plain.context == ctx and plain.device == device and plain.properties == 0 and plain.reference_count == 1
    profiled = cl.CommandQueue(ctx, device, cl.command_queue_properties.PROFILING_ENABLE)
    assert profiled.get_info(cl.command_queue_info.PROPERTIES) == cl.command_queue_properties.PROFILING_ENABLE
    listed = cl.CommandQueue(
        ctx, device, [cl.queue_properties.PROPERTIES, cl.command_queue_properties.PROFILING_ENABLE]
    )
    assert listed.properties == cl.command_queue_properties.PROFILING_ENABLE
    if device.queue_on_host_properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
        free = cl.CommandQueue(ctx, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
        assert free.properties == cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    with pytest.raises(cl.LogicError, match="INVALID_VALUE|INVALID_QUEUE_PROPERTIES"):
        cl.CommandQueue(ctx, device, [0x9999, 1])
    again = cl.CommandQueue.from_int_ptr(plain.int_ptr)
    assert again == plain and plain.reference_count == 2
    plain.flush()
    plain.finish()


def test_a_queue_as_a_context_manager(ctx):
    out = np.empty(4, np.float32)
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 16)
    with cl.CommandQueue(ctx) as queue:
        cl.enqueue_fill_buffer(queue, buffer, np.float32(2), 0, 16)
        event = cl.enqueue_copy(queue, out, buffer, is_blocking=False)
    assert event.command_execution_status == cl.command_execution_status.COMPLETE and (out == 2).all()
    with pytest.warns(cl.CommandQueueUsedAfterExit):
        cl.enqueue_marker(queue)


def test_a_queue_on_the_device(ctx, device):
    """Device-side queues are optional in OpenCL 3.0; without them both calls say so."""
    on_device = cl.command_queue_properties.ON_DEVICE | cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if device.device_enqueue_capabilities:
        queue = cl.CommandQueue(
            ctx, device, [cl.queue_properties.PROPERTIES, on_device, cl.queue_properties.SIZE, 16384]
        )
        assert queue.properties == on_device and 16384 in queue.properties_array
        ctx.set_default_device_command_queue(device, queue)
        with pytest.raises(cl.Error, match="INVALID_COMMAND_QUEUE"):  # commands of the host want a queue of the host
            cl.enqueue_marker(queue)
        return
    with pytest.raises(cl.Error, match="INVALID_QUEUE_PROPERTIES|INVALID_VALUE"):
        cl.CommandQueue(ctx, device, [cl.queue_properties.PROPERTIES, on_device, cl.queue_properties.SIZE, 16384])
    with pytest.raises(cl.Error, match="INVALID_OPERATION"):
        ctx.set_default_device_command_queue(device, cl.CommandQueue(ctx))


def test_pipes(ctx, device):
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.HOST_NO_ACCESS
    if not device.pipe_support:
        with pytest.raises(cl.Error, match="INVALID_OPERATION"):
            cl.Pipe(ctx, flags, 16, 64)
        return
    pipe = cl.Pipe(ctx, flags, 16, 64)
    assert (pipe.packet_size, pipe.max_packets) == (16, 64)
    assert pipe.get_pipe_info(cl.pipe_info.PACKET_SIZE) == 16 and pipe.type == cl.mem_object_type.PIPE
