# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines in print that no runtime can run, each with its exact error, and beside it the line that does what was
meant."""
import subprocess
import sys

import numpy as np
import pyopencl as cl
import pytest

mf = cl.mem_flags


def test_an_image_whose_shape_lacks_its_channels(ctx, queue, random):
    printed = random.random((256, 256)).astype(np.float32)
    with pytest.raises(cl.RuntimeError, match="^last dimension must be equal to number of channels$"):
        cl.image_from_array(ctx, printed, num_channels=4)
    corrected = random.random((256, 256, 4)).astype(np.float32)
    image = cl.image_from_array(ctx, corrected, num_channels=4)
    out = np.empty_like(corrected)
    cl.enqueue_copy(queue, out, image, origin=(0, 0), region=(256, 256))
    assert np.array_equal(out, corrected)


def test_a_map_whose_shape_counts_bytes(ctx, queue, random):
    data = random.random(1000, dtype=np.float32)
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=data)
    with pytest.raises(cl.LogicError, match="^clEnqueueMapBuffer failed: INVALID_VALUE$"):
        cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, (data.nbytes,), np.float32)
    array, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, data.shape, np.float32)
    with array.base:
        assert np.array_equal(array, data)


def test_characterize_without_its_import():
    printed = "import pyopencl as cl\nprint(cl.characterize.has_double_support)"
    done = subprocess.run([sys.executable, "-c", printed], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("AttributeError: module 'pyopencl' has no attribute 'characterize'")
    corrected = (
        "import pyopencl as cl\nimport pyopencl.characterize\n"
        "print(cl.characterize.has_double_support(cl.get_platforms()[0].get_devices()[0]))"
    )
    done = subprocess.run([sys.executable, "-c", corrected], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip() in ("True", "False"), done.stderr


def test_migration_by_the_name_it_had(ctx, queue):
    memory = cl.SVMAllocation(ctx, 64, 0, cl.svm_mem_flags.READ_WRITE)
    with pytest.raises(AttributeError, match="^module 'pyopencl' has no attribute 'enqueue_svm_migratemem'$"):
        cl.enqueue_svm_migratemem(queue, [memory], cl.mem_migration_flags.HOST)
    cl.enqueue_svm_migrate_mem(queue, [memory], cl.mem_migration_flags.HOST).wait()


def test_names_of_the_inner_module(ctx):
    with pytest.raises(AttributeError, match="^module 'pyopencl' has no attribute 'NameVersion'$"):
        cl.NameVersion(3 << 22, "made up")
    version = cl._cl.NameVersion(version=3 << 22, name="made up")
    assert (version.version, version.name) == (3 << 22, "made up")
    with pytest.raises(AttributeError, match="set_property"):
        cl.CommandQueue(ctx).set_property(cl.command_queue_properties.PROFILING_ENABLE, True)


def test_a_rectangle_named_by_the_types_alone(ctx, queue):
    """The annotations say origin, the function looks for buffer_origin, as the text says."""
    host = np.zeros((4, 4), np.float32)
    buffer = cl.Buffer(ctx, mf.READ_WRITE, host.nbytes)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        cl.enqueue_copy(queue, host, buffer, origin=(0, 0), host_origin=(0, 0), region=(8, 2))
    cl.enqueue_copy(
        queue,
        host,
        buffer,
        buffer_origin=(0, 0),
        host_origin=(0, 0),
        region=(8, 2),
        buffer_pitches=(16,),
        host_pitches=(16,),
    )


def test_a_copy_into_a_smaller_buffer(ctx, queue):
    """The minimum of both sizes is promised; the package asks the source for its size twice."""
    source, target = cl.Buffer(ctx, mf.READ_WRITE, 1024), cl.Buffer(ctx, mf.READ_WRITE, 256)
    with pytest.raises(cl.LogicError, match="^clEnqueueCopyBuffer failed: INVALID_VALUE$"):
        cl.enqueue_copy(queue, target, source)
    cl.enqueue_copy(queue, target, source, byte_count=256).wait()


def test_a_fill_of_a_part_of_shared_memory(ctx, queue):
    """The byte count is looked at and not used: all is filled. A part is filled through a view of it."""
    memory = cl.SVMAllocation(ctx, 64, 0, cl.svm_mem_flags.READ_WRITE)
    out = np.empty(16, np.int32)
    cl.enqueue_svm_memfill(queue, memory, np.int32(1), byte_count=16)
    cl.enqueue_copy(queue, out, memory)
    assert (out == 1).all()
    cl.enqueue_svm_memfill(queue, cl.SVM(memory.buf[:16]), np.int32(2))
    cl.enqueue_copy(queue, out, memory)
    assert np.array_equal(out, [2] * 4 + [1] * 12)


def test_a_contexts_properties(ctx, device):
    made = cl.Context([device], properties=[(cl.context_properties.PLATFORM, device.platform)])
    with pytest.raises(RuntimeError, match="^std::bad_cast$"):
        made.properties
    assert ctx.properties == []
