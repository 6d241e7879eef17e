# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an example of cuda-bindings: cuda_bindings_example.py REPOSITORY EXAMPLE [--stand-ins]. The examples compile
with NVRTC and ask the runtime library for the device; neither is here. With --stand-ins understudy-nvcc answers the
calls of NVRTC, and the driver API the four calls of the runtime library that the examples' common helpers make;
whatever else they call is missing by name."""
import ctypes
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import types
from enum import IntEnum
from pathlib import Path

import cuda.bindings
import cuda.pathfinder
from cuda.bindings import driver


def nvrtc():
    class Result(IntEnum):
        NVRTC_SUCCESS = 0
        NVRTC_ERROR_COMPILATION = 6

    good, module = Result.NVRTC_SUCCESS, types.ModuleType("cuda.bindings.nvrtc")

    class Program:
        def __init__(self, source):
            self.source, self.log, self.image = source, b"", {}

    def compile_program(program, count, options):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source.cu"
            source.write_bytes(program.source)
            # What is a default of NVRTC's language alone, and what nvcc has no name for.
            given = [o.decode() for o in options[:count] if o != b"-default-device"]
            for kind in ("cubin", "ptx"):
                done = subprocess.run(
                    ["nvcc", f"--{kind}", *given, "-o", str(source.with_suffix("." + kind)), str(source)],
                    capture_output=True,
                )
                program.log = done.stdout + done.stderr
                if done.returncode != 0:
                    return (Result.NVRTC_ERROR_COMPILATION,)
                program.image[kind] = source.with_suffix("." + kind).read_bytes() + b"\0"
        return (good,)

    def write(getter):
        def into(program, buffer):
            # Callers hand over bytes to be overwritten, as the real one does.
            content = getter(program)
            ctypes.memmove(ctypes.cast(ctypes.c_char_p(buffer), ctypes.c_void_p), content, len(content))
            return (good,)

        return into

    module.nvrtcResult = Result
    module.nvrtcVersion = lambda: (good, 13, 0)
    module.nvrtcGetErrorString = lambda error: (good, error.name.encode())
    module.nvrtcCreateProgram = lambda source, *_: (good, Program(source))
    module.nvrtcCompileProgram = compile_program
    for name, getter in (
        ("ProgramLog", lambda p: p.log),
        ("CUBIN", lambda p: p.image["cubin"]),
        ("PTX", lambda p: p.image["ptx"]),
    ):
        setattr(module, f"nvrtcGet{name}Size", lambda program, getter=getter: (good, len(getter(program))))
        setattr(module, f"nvrtcGet{name}", write(getter))
    return module


def runtime():
    class Error(IntEnum):
        cudaSuccess = 0
        cudaErrorUnknown = 999

    attributes = driver.CUdevice_attribute
    module = types.ModuleType("cuda.bindings.runtime")

    def told(result):
        return (Error.cudaSuccess if result[0] == driver.CUresult.CUDA_SUCCESS else Error.cudaErrorUnknown, *result[1:])

    def set_device(number):
        driver.cuInit(0)
        result, context = driver.cuDevicePrimaryCtxRetain(number)
        return told(driver.cuCtxSetCurrent(context) if result == driver.CUresult.CUDA_SUCCESS else (result,))

    module.cudaError_t = Error
    module.cudaGetErrorName = lambda error: (Error.cudaSuccess, error.name.encode())
    module.cudaSetDevice = set_device
    module.cudaFree = lambda pointer: (Error.cudaSuccess,) if pointer == 0 else told(driver.cuMemFree(pointer))
    module.cudaDeviceAttr = types.SimpleNamespace(
        cudaDevAttrComputeCapabilityMajor=attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        cudaDevAttrComputeCapabilityMinor=attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    )
    module.cudaDeviceGetAttribute = lambda attribute, device: told(driver.cuDeviceGetAttribute(attribute, device))
    return module


def main():
    repository, example = Path(sys.argv[1]), Path(sys.argv[2])
    cuda.bindings.__path__.append(str(repository / "cuda_bindings" / "cuda" / "bindings"))  # for _example_helpers
    if "--stand-ins" in sys.argv:
        for module in (nvrtc(), runtime()):
            sys.modules[module.__name__] = module
            setattr(cuda.bindings, module.__name__.rsplit(".", 1)[1], module)
        include = str(Path(shutil.which("nvcc")).parents[1] / "include")
        cuda.pathfinder.find_nvidia_header_directory = lambda name: include
    sys.argv = [str(example)]
    os.chdir(tempfile.gettempdir())
    runpy.run_path(str(example), run_name="__main__")


main()
