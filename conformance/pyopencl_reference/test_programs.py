# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs and kernels: building, binaries, compiling and linking, arguments, launches, queries."""
import io
import os
import subprocess
import sys

import numpy as np
import pyopencl as cl
import pytest
from pyopencl.characterize import has_src_build_cache

mf = cl.mem_flags
SUM = """
kernel void sum(global const float *a, global const float *b, global float *result)
{
  size_t i = get_global_id(0);
  result[i] = a[i] + b[i];
}
kernel void scale(global float *a, float by, int offset) { a[get_global_id(0)] = a[get_global_id(0)] * by + offset; }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void group_sum(global const int *a, global int *sums, local int *scratch)
{
  int i = get_local_id(0);
  scratch[i] = a[get_global_id(0)];
  for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) scratch[i] += scratch[i + n];
  }
  if (i == 0) sums[get_group_id(0)] = scratch[0];
}
kernel void null_or_not(global int *a, global int *seen) { *seen = a ? 1 : 2; }
kernel void where(global ulong *place, const ulong width)
{
  place[get_global_id(1) * width + get_global_id(0)] = get_global_id(1) * 1000 + get_global_id(0);
}
"""


@pytest.fixture(scope="module")
def program(ctx):
    return cl.Program(ctx, SUM).build()


def buffer_of(ctx, array):
    return cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=array)


def read(queue, buffer, like):
    out = np.empty_like(like)
    cl.enqueue_copy(queue, out, buffer)
    return out


def test_the_front_pages_example(ctx, queue, random):
    a, b = (random.random(50000, dtype=np.float32) for _ in range(2))
    result = cl.Buffer(ctx, mf.WRITE_ONLY, a.nbytes)
    kernel = cl.Program(ctx, SUM).build().sum
    kernel(queue, a.shape, None, buffer_of(ctx, a), buffer_of(ctx, b), result)
    assert np.array_equal(read(queue, result, a), a + b)


def test_queries(ctx, device, program):
    assert program.source == SUM and program.context == ctx and program.devices == [device] and program.num_devices == 1
    assert program.get_info(cl.program_info.NUM_KERNELS) == 5
    assert sorted(program.kernel_names.split(";")) == ["group_sum", "null_or_not", "scale", "sum", "where"]
    assert [len(b) for b in program.binaries] == program.binary_sizes and program.binary_sizes[0] > 0
    assert program.get_build_info(device, cl.program_build_info.STATUS) == 0
    assert program.get_build_info(device, cl.program_build_info.BINARY_TYPE) == cl.program_binary_type.EXECUTABLE
    assert isinstance(program.get_build_info(device, cl.program_build_info.LOG), str)
    again = cl.Program.from_int_ptr(program.int_ptr)
    assert again == program and hash(again) == hash(program)
    assert sorted(k.function_name for k in program.all_kernels()) == [
        "group_sum",
        "null_or_not",
        "scale",
        "sum",
        "where",
    ]


def test_build_options_and_errors(ctx, device, tmp_path):
    source = "kernel void f(global int *a) { *a = VALUE; }"
    for options in ("-DVALUE=3 -cl-std=CL1.2", ["-D", "VALUE=3", "-cl-fast-relaxed-math"]):
        built = cl.Program(ctx, source).build(options, devices=[device], cache_dir=str(tmp_path))
        assert "VALUE=3" in built.get_build_info(device, cl.program_build_info.OPTIONS).replace(" ", "")
    (tmp_path / "value.h").write_text("#define VALUE 5\n")
    cl.Program(ctx, '#include "value.h"\n' + source).build(["-I", str(tmp_path)])
    with pytest.raises(cl.RuntimeError, match="(?s)BUILD_PROGRAM_FAILURE.*undeclared identifier 'VALUE'"):
        cl.Program(ctx, source).build()


@pytest.mark.parametrize(
    "variable, value",
    [("PYOPENCL_NO_CACHE", "0"), ("PYOPENCL_BUILD_OPTIONS", "-DVALUE=7"), ("PYOPENCL_COMPILER_OUTPUT", "1")],
)
def test_environment_variables(device, variable, value, tmp_path):
    """They are read on import: each needs a process of its own."""
    code = (
        "import pyopencl as cl, numpy as np\n"
        "ctx = cl.create_some_context(interactive=False)\n"
        "with cl.CommandQueue(ctx) as queue:\n"
        "    out = np.zeros(1, np.int32)\n"
        "    b = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 4)\n"
        "    cl.Program(ctx, '''\n#ifndef VALUE\n#define VALUE 6\n#endif\n"
        "#warning noted\nkernel void f(global int *a) { *a = VALUE; }''').build().f(queue, (1,), None, b)\n"
        "    cl.enqueue_copy(queue, out, b)\n"
        "print(out[0])\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), variable: value}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.split()[-1:] == ["7" if value.startswith("-D") else "6"], done.stderr
    assert ("noted" in done.stderr) == (variable == "PYOPENCL_COMPILER_OUTPUT")
    # PyOpenCL keeps no binaries for a driver that it takes to have a cache of its own.
    assert any(tmp_path.glob("pyopencl/*")) == (variable == "PYOPENCL_NO_CACHE" and not has_src_build_cache(device))
    if variable == "PYOPENCL_NO_CACHE":  # the second process takes the program's binary from the cache
        again = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert again.stdout.split()[-1:] == ["6"], again.stderr


def test_binaries(ctx, device, queue, program, random):
    again = cl.Program(ctx, [device], program.binaries).build()
    a, b = (random.random(64, dtype=np.float32) for _ in range(2))
    result = cl.Buffer(ctx, mf.WRITE_ONLY, a.nbytes)
    again.sum(queue, a.shape, None, buffer_of(ctx, a), buffer_of(ctx, b), result)
    assert np.array_equal(read(queue, result, a), a + b)
    with pytest.raises(cl.LogicError, match="INVALID_BINARY"):
        cl.Program(ctx, [device], [b"no program"]).build()


def test_compile_and_link(ctx, device, queue):
    header = cl.Program(ctx, "int answer(int x);")
    library = cl.Program(ctx, '#include "answer.h"\nint answer(int x) { return x + 42; }')
    library.compile(headers=[("answer.h", header)])
    assert library.get_build_info(device, cl.program_build_info.BINARY_TYPE) == cl.program_binary_type.COMPILED_OBJECT
    user = cl.Program(ctx, '#include "answer.h"\nkernel void f(global int *a) { *a = answer(*a); }')
    user.compile(options=["-Werror"], devices=[device], headers=[("answer.h", header)])
    linked = cl.link_program(ctx, [library, user], options=[], devices=[device])
    a = np.array([8], np.int32)
    buffer = buffer_of(ctx, a)
    cl.Kernel(linked, "f")(queue, (1,), None, buffer)
    assert read(queue, buffer, a)[0] == 50
    with pytest.raises(cl.RuntimeError, match="LINK_PROGRAM_FAILURE"):
        cl.link_program(ctx, [user])


def test_built_in_kernels_and_unloading(ctx, device):
    assert device.built_in_kernels == ""
    with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
        cl.create_program_with_built_in_kernels(ctx, [device], "none_of_these")
    cl.unload_platform_compiler(device.platform)
    cl.Program(ctx, "kernel void after(void) {}").build()


def test_spirv_and_specialization(ctx, device, queue):
    """A module of one kernel that stores a specialization constant (id 7, by default 11), assembled here word by word.
    The reference has set_specialization_constant on Program; in the package only the inner program has it."""
    if "SPIR-V" not in device.il_version:
        pytest.skip("the device takes no SPIR-V")

    def text(string):
        data = string.encode() + b"\0" * (4 - len(string) % 4)
        return list(np.frombuffer(data, np.uint32))

    def op(code, *words):
        return [(1 + len(words)) << 16 | code, *words]

    entry, void, function, uint, pointer, constant, kernel, argument, label = range(1, 10)
    words = [
        0x07230203,
        0x00010000,
        0,
        10,
        0,
        *op(17, 6),
        *op(17, 4),
        *op(17, 5),
        *op(14, 2, 2),
        *op(15, 6, kernel, *text("store")),
        *op(71, constant, 1, 7),
        *op(19, void),
        *op(21, uint, 32, 0),
        *op(50, uint, constant, 11),
        *op(32, pointer, 5, uint),
        *op(33, function, void, pointer),
        *op(54, void, kernel, 0, function),
        *op(55, pointer, argument),
        *op(248, label),
        *op(62, argument, constant, 2, 4),
        *op(253),
        *op(56),
    ]
    module = np.array(words, np.uint32).tobytes()
    out = np.zeros(1, np.uint32)
    for wanted in (None, 99):
        program = cl.Program(ctx, module)
        if wanted is not None:
            program._get_prg().set_specialization_constant(7, np.uint32(wanted))
        buffer = cl.Buffer(ctx, mf.READ_WRITE, 4)
        cl.Kernel(program.build(), "store")(queue, (1,), None, buffer)
        cl.enqueue_copy(queue, out, buffer)
        assert out[0] == (wanted or 11)
    with pytest.raises(cl.LogicError, match="INVALID_SPEC_ID"):
        cl.Program(ctx, module)._get_prg().set_specialization_constant(8, np.uint32(1))


def test_kernel_queries(ctx, device, program):
    kernel = cl.Kernel(program, "group_sum")
    assert kernel.function_name == kernel.get_info(cl.kernel_info.FUNCTION_NAME) == "group_sum"
    assert kernel.num_args == 3 and kernel.context == ctx and kernel.program == program
    assert "reqd_work_group_size(8,1,1)" in kernel.attributes.replace(" ", "")
    info = cl.kernel_work_group_info
    assert kernel.get_work_group_info(info.COMPILE_WORK_GROUP_SIZE, device) == [8, 1, 1]
    assert 8 <= kernel.get_work_group_info(info.WORK_GROUP_SIZE, device) <= device.max_work_group_size
    assert kernel.get_work_group_info(info.PREFERRED_WORK_GROUP_SIZE_MULTIPLE, device) >= 1
    for name in (info.LOCAL_MEM_SIZE, info.PRIVATE_MEM_SIZE):
        assert kernel.get_work_group_info(name, device) >= 0
    again = cl.Kernel.from_int_ptr(kernel.int_ptr)
    assert again == kernel and hash(again) == hash(kernel)
    with pytest.raises(cl.LogicError, match="INVALID_KERNEL_NAME"):
        cl.Kernel(program, "no_such_kernel")


def test_argument_queries(ctx):
    kernel = (
        cl.Program(ctx, "kernel void f(global const float *restrict a, constant int *b, local char *c, uint4 d) {}")
        .build("-cl-kernel-arg-info")
        .f
    )
    info, space, kind = cl.kernel_arg_info, cl.kernel_arg_address_qualifier, cl.kernel_arg_type_qualifier
    rows = [
        (
            kernel.get_arg_info(i, info.NAME),
            kernel.get_arg_info(i, info.TYPE_NAME),
            kernel.get_arg_info(i, info.ADDRESS_QUALIFIER),
            kernel.get_arg_info(i, info.TYPE_QUALIFIER),
        )
        for i in range(4)
    ]
    assert rows == [
        ("a", "float*", space.GLOBAL, kind.CONST | kind.RESTRICT),
        ("b", "int*", space.CONSTANT, kind.CONST),
        ("c", "char*", space.LOCAL, kind.NONE),
        ("d", "uint4", space.PRIVATE, kind.NONE),
    ]
    assert kernel.get_arg_info(0, info.ACCESS_QUALIFIER) == cl.kernel_arg_access_qualifier.NONE


def test_sub_group_queries(ctx, device, program):
    kernel, info = cl.Kernel(program, "scale"), cl.kernel_sub_group_info
    if device.max_num_sub_groups == 0:
        with pytest.raises(cl.LogicError, match="INVALID_OPERATION"):
            kernel.get_sub_group_info(device, info.MAX_NUM_SUB_GROUPS)
        return
    size = kernel.get_sub_group_info(device, info.MAX_SUB_GROUP_SIZE_FOR_NDRANGE, (64,))
    count = kernel.get_sub_group_info(device, info.SUB_GROUP_COUNT_FOR_NDRANGE, (64,))
    assert size >= 1 and count == -(-64 // size)
    assert np.prod(kernel.get_sub_group_info(device, info.LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 1)) in (0, size)
    assert kernel.get_sub_group_info(device, info.MAX_NUM_SUB_GROUPS) >= 1


def test_arguments(ctx, queue, program):
    a = np.arange(64, dtype=np.float32)
    buffer = buffer_of(ctx, a)
    scale = program.scale
    scale.set_args(buffer, np.float32(2), np.int32(1))
    cl.enqueue_nd_range_kernel(queue, scale, a.shape, None)
    scale.set_arg(1, np.float32(3))
    cl.enqueue_nd_range_kernel(queue, scale, (32,), (8,), global_work_offset=(32,)).wait()
    expected = a * 2 + 1
    expected[32:] = expected[32:] * 3 + 1
    assert np.array_equal(read(queue, buffer, a), expected)
    scale.set_scalar_arg_dtypes([None, np.float32, np.int32])
    scale(queue, a.shape, None, buffer, 0.5, -1)
    assert np.array_equal(read(queue, buffer, a), expected * np.float32(0.5) - 1)
    copy = scale.clone()
    assert copy != scale and copy.function_name == "scale"
    cl.enqueue_nd_range_kernel(queue, copy, a.shape, None)  # the clone has the arguments set so far
    assert np.array_equal(read(queue, buffer, a), (expected * np.float32(0.5) - 1) * np.float32(0.5) - 1)
    with pytest.raises(cl.LogicError, match="INVALID_ARG_INDEX"):
        scale.set_arg(3, np.int32(0))
    with pytest.raises(cl.LogicError, match="INVALID_ARG_SIZE"):
        scale.set_arg(1, np.float64(0))
    with pytest.raises(cl.LogicError, match="INVALID_KERNEL_ARGS"):
        cl.enqueue_nd_range_kernel(queue, cl.Kernel(program, "scale"), a.shape, None)


def test_local_memory_and_null(ctx, queue, program):
    a = np.arange(64, dtype=np.int32)
    sums = cl.Buffer(ctx, mf.WRITE_ONLY, 32)
    assert cl.LocalMemory(32).size == 32
    program.group_sum(queue, (8,), (8,), buffer_of(ctx, a), sums, cl.LocalMemory(32), g_times_l=True)
    assert np.array_equal(read(queue, sums, np.empty(8, np.int32)), a.reshape(8, 8).sum(1))
    seen = cl.Buffer(ctx, mf.READ_WRITE, 4)
    for argument, expected in ((None, 2), (sums, 1)):
        program.null_or_not(queue, (1,), None, argument, seen)
        assert read(queue, seen, np.empty(1, np.int32))[0] == expected


def test_launch_shapes(ctx, queue, device, program):
    place = cl.Buffer(ctx, mf.READ_WRITE, 6 * 4 * 8)
    cl.enqueue_fill_buffer(queue, place, np.uint64(0), 0, 6 * 4 * 8)
    first = program.where(queue, (6, 4), (2, 2), place, np.uint64(6))
    program.where(queue, (3, 2), None, place, np.uint64(6), global_offset=(3, 2), wait_for=[first])
    x, y = np.meshgrid(np.arange(6), np.arange(4))
    assert np.array_equal(read(queue, place, np.empty((4, 6), np.uint64)), 1000 * y + x)
    program.where(queue, (0, 0), None, place, np.uint64(6), allow_empty_ndrange=True).wait()
    with pytest.raises(cl.LogicError, match="INVALID_WORK_GROUP_SIZE|INVALID_WORK_ITEM_SIZE"):
        program.where(queue, (6, 4), (2 * device.max_work_group_size, 1), place, np.uint64(6))
    with pytest.raises(cl.LogicError, match="INVALID_WORK_GROUP_SIZE"):
        program.group_sum(queue, (16,), (16,), place, place, cl.LocalMemory(64))
    with pytest.raises(cl.LogicError, match="INVALID_WORK_DIMENSION"):
        program.where(queue, (1, 1, 1, 1), None, place, np.uint64(6))


def test_capturing_a_call(ctx, queue, program):
    script = io.StringIO()
    a = np.arange(16, dtype=np.float32)
    cl.Kernel(program, "scale").capture_call(
        script, queue, a.shape, None, buffer_of(ctx, a), np.float32(2), np.int32(0)
    )
    text = script.getvalue()
    assert "kernel void scale" in text
    done = subprocess.run(
        [sys.executable, "-c", text.replace("cl.create_some_context()", "cl.create_some_context(interactive=False)")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
