# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules, JIT options, functions, launches of every form, SourceModule and linking."""
import numpy as np
import pycuda.driver as cuda
import pytest
from conftest import HEAD, PTX
from pycuda.compiler import DEFAULT_NVCC_FLAGS, SourceModule, compile

TARGET = b".version 8.0\n.target sm_80\n.address_size 64\n"


def test_modules(context, tmp_path, numbers):
    path = tmp_path / "scale.ptx"
    path.write_text(PTX)
    module = cuda.module_from_file(str(path))
    pointer, size = module.get_global("factor")
    assert size == 4
    assert cuda.from_device(pointer, 1, np.float32)[0] == 2
    cuda.memcpy_htod(pointer, np.float32(10))
    memory = cuda.to_device(numbers)
    module.get_function("scale")(memory, memory, np.float32(0), block=(64, 1, 1))
    assert (cuda.from_device_like(memory, numbers) == numbers * 10).all()
    for wrong in (
        lambda: module.get_global("none"),
        lambda: module.get_function("none"),
        lambda: module.get_texref("none"),
    ):
        with pytest.raises(cuda.LogicError):
            wrong()
    with pytest.raises(cuda.Error):
        cuda.module_from_file(str(tmp_path / "none.ptx"))


def test_jit_options(context):
    said = []
    module = cuda.module_from_buffer(
        PTX.encode(),
        options=[
            (cuda.jit_option.MAX_REGISTERS, 12),
            (cuda.jit_option.OPTIMIZATION_LEVEL, 1),
            (cuda.jit_option.THREADS_PER_BLOCK, 64),
            (cuda.jit_option.TARGET, 90),
            (cuda.jit_option.FALLBACK_STRATEGY, cuda.jit_fallback.PREFER_PTX),
        ],
        message_handler=lambda good, info, error: said.append((good, info, error)),
    )
    assert module.get_function("scale").num_regs <= 12
    ((good, info, error),) = said
    assert good and "9.0" in info and error == ""
    with pytest.raises(cuda.Error) as raised:
        cuda.module_from_buffer(
            HEAD.encode() + b".entry k()\n{\n  add.s32 %r1, %r2, %r3;\n}\n",
            message_handler=lambda good, info, error: said.append((good, info, error)),
        )
    good, info, error = said[-1]
    assert not good and ":6:" in error, raised.value


def test_function_attributes(module):
    function = module.get_function("turn")
    attribute = cuda.function_attribute
    assert function.get_attribute(attribute.MAX_THREADS_PER_BLOCK) == 1024
    assert (
        function.get_attribute(attribute.PTX_VERSION) == 80 and function.get_attribute(attribute.BINARY_VERSION) == 86
    )
    assert function.local_size_bytes == 0 and function.shared_size_bytes == 0 and function.num_regs > 0
    function.set_attribute(attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000)
    assert function.get_attribute(attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES) == 60000
    function.set_attribute(attribute.PREFERRED_SHARED_MEMORY_CARVEOUT, 50)
    assert function.get_attribute(attribute.PREFERRED_SHARED_MEMORY_CARVEOUT) == 50
    with pytest.raises(cuda.LogicError):
        function.set_attribute(attribute.NUM_REGS, 8)
    function.set_cache_config(cuda.func_cache.PREFER_SHARED)


def test_calls(module, numbers):
    scale, got = module.get_function("scale"), np.empty_like(numbers)
    scale(cuda.Out(got), cuda.In(numbers), np.float32(1), block=(32, 1, 1), grid=(2, 1))
    assert (got == numbers * 2 + 1).all()
    both = numbers.copy()
    module.get_function("turn")(cuda.InOut(both), block=(64, 1, 1), shared=256)
    assert (both == numbers[::-1]).all()
    assert scale(cuda.Out(got), cuda.In(numbers), np.float32(1), block=(64, 1, 1), time_kernel=True) >= 0
    with pytest.raises(cuda.Error):
        scale(cuda.Out(got), cuda.In(numbers), np.float32(1), block=(2048, 1, 1))


def test_prepared_calls(module, numbers):
    memory = cuda.to_device(numbers)
    turn = module.get_function("turn").prepare("P")
    turn.prepared_call((1, 1), (64, 1, 1), memory, shared_size=256)
    assert (cuda.from_device_like(memory, numbers) == numbers[::-1]).all()
    assert turn.prepared_timed_call((1, 1), (64, 1, 1), memory, shared_size=256)() >= 0
    stream = cuda.Stream()
    turn.prepared_async_call((1, 1), (64, 1, 1), stream, memory, shared_size=256)
    stream.synchronize()
    assert (cuda.from_device_like(memory, numbers) == numbers[::-1]).all()
    scale = module.get_function("scale").prepare([np.intp, "P", np.float32])
    scale.prepared_call((1, 1), (64, 1, 1), int(memory), memory, 3)
    assert (cuda.from_device_like(memory, numbers) == numbers[::-1] * 2 + 3).all()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_oldest_launches(module, numbers):
    memory = cuda.to_device(numbers)
    turn, scale = module.get_function("turn"), module.get_function("scale")
    turn._set_block_shape(64, 1, 1)
    turn._set_shared_size(256)
    turn._param_set_size(8)
    turn._param_setv(0, np.uint64(int(memory)).tobytes())
    turn._launch()
    assert (cuda.from_device_like(memory, numbers) == numbers[::-1]).all()
    scale._set_block_shape(32, 1, 1)
    scale._param_set_size(20)
    scale._param_setv(0, np.array([int(memory), int(memory)], np.uint64).tobytes())
    scale._param_setf(16, 5)
    scale._launch_grid(2, 1)
    stream = cuda.Stream()
    scale._launch_grid_async(2, 1, stream)
    stream.synchronize()
    assert (cuda.from_device_like(memory, numbers) == (numbers[::-1] * 2 + 5) * 2 + 5).all()


SOURCE = "__device__ int number = 7;\n__global__ void put(int *to) { to[threadIdx.x] = number * threadIdx.x; }\n"


def test_source_module(context):
    module = SourceModule(SOURCE, options=[*DEFAULT_NVCC_FLAGS, "-O2"])
    got = np.empty(32, np.int32)
    module.get_function("put")(cuda.Out(got), block=(32, 1, 1))
    assert (got == 7 * np.arange(32)).all()
    text = compile(SOURCE, target="ptx")
    assert b".entry put" in text
    with pytest.raises(cuda.CompileError) as raised:
        SourceModule("__global__ void put( { }")
    assert raised.value.stderr and raised.value.command_line


def test_compiler_options(context, tmp_path, capsys, monkeypatch):
    (tmp_path / "number.h").write_text("#define NUMBER 11\n")
    source = '#include "number.h"\n__global__ void put(int *to) { *to = NUMBER; }\n'
    got = np.empty(1, np.int32)
    (tmp_path / "cache").mkdir()
    for keywords in (
        {"arch": "sm_80"},
        {"arch": "compute_80", "code": "sm_86"},
        {"options": ["-O1"]},
        {"cache_dir": str(tmp_path / "cache")},
        {"cache_dir": False},
        {"keep": True},
        {"nvcc": "nvcc"},
    ):
        module = SourceModule(source, include_dirs=[str(tmp_path)], **keywords)
        module.get_function("put")(cuda.Out(got), block=(1, 1, 1))
        assert got[0] == 11, keywords
    assert any((tmp_path / "cache").iterdir())
    assert "compiler output" in capsys.readouterr().out  # where the folder is that was kept
    with pytest.raises(cuda.LogicError):  # C++ names are mangled
        SourceModule("__global__ void put() {}", no_extern_c=True).get_function("put")
    module = SourceModule("__constant__ float k[3]; __global__ void put(float *to) { *to = k[1]; }")
    assert module.get_global("k")[1] == 12
    monkeypatch.setenv("PYCUDA_DISABLE_CACHE", "1")
    assert b".entry put" in compile(SOURCE, target="ptx", arch="sm_75")


def test_linker(context):
    linker = cuda.Linker()
    linker.add_data(
        TARGET
        + b".extern .func (.param .b32 r) five();\n.visible .entry use(.param .u64 to) { .reg .b32 %r; .reg .b64 %rd; "
        b"ld.param.u64 %rd, [to]; { .param .b32 v; call (v), five, (); ld.param.b32 %r, [v]; } st.global.u32 [%rd], %r; ret; }\n",
        cuda.jit_input_type.PTX,
        "use.ptx",
    )
    linker.add_data(
        TARGET + b".visible .func (.param .b32 r) five() { st.param.b32 [r], 5; ret; }\n",
        cuda.jit_input_type.PTX,
        "five.ptx",
    )
    got = np.zeros(1, np.int32)
    linker.link_module().get_function("use")(cuda.Out(got), block=(1, 1, 1))
    assert got[0] == 5
