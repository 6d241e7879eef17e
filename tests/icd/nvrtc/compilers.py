# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler libraries through ctypes, and the driver that runs what they make."""
import ctypes as c


def strings(words):
    return (c.c_char_p * max(1, len(words)))(*[word.encode() if isinstance(word, str) else word for word in words])


class Compilation:
    """A program of NVRTC's, compiled: `result`, `log`, and of what was made `ptx` and `lowered` by name expression."""

    def __init__(self, library, source, options=(), names=(), headers=None, name="kernel.cu"):
        self.library = library
        self.handle = c.c_void_p()
        headers = headers or {}
        created = library.nvrtcCreateProgram(
            c.byref(self.handle),
            source.encode(),
            name and name.encode(),
            len(headers),
            strings(headers.values()),
            strings(headers),
        )
        assert created == 0, created
        for expression in names:
            assert library.nvrtcAddNameExpression(self.handle, expression.encode()) == 0
        self.result = library.nvrtcCompileProgram(self.handle, len(options), strings(options))
        self.log = self.get("ProgramLog")[1][:-1].decode()
        self.ptx = self.get("PTX")[1][:-1].decode() if self.result == 0 else None
        self.lowered = {}
        for expression in names if self.result == 0 else ():
            lowered = c.c_char_p()
            if library.nvrtcGetLoweredName(self.handle, expression.encode(), c.byref(lowered)) == 0:
                self.lowered[expression] = lowered.value.decode()

    def get(self, what):
        """(error, bytes) of a pair of getters."""
        size = c.c_size_t()
        error = getattr(self.library, f"nvrtcGet{what}Size")(self.handle, c.byref(size))
        if error != 0 or size.value == 0:
            return error, b""
        text = c.create_string_buffer(size.value)
        return getattr(self.library, f"nvrtcGet{what}")(self.handle, text), text.raw

    def __del__(self):
        self.library.nvrtcDestroyProgram(c.byref(self.handle))


class Nvvm:
    """A program of libNVVM's from modules (bytes, or (bytes, True) for one that is only looked up): `result`, `log`, and
    `text` where there is one."""

    def __init__(self, library, modules, options=(), check=False):
        self.library, self.handle, self.text = library, c.c_void_p(), None
        assert library.nvvmCreateProgram(c.byref(self.handle)) == 0
        for module in modules:
            content, lazy = module if isinstance(module, tuple) else (module, False)
            add = library.nvvmLazyAddModuleToProgram if lazy else library.nvvmAddModuleToProgram
            assert add(self.handle, content, c.c_size_t(len(content)), b"module") == 0
        call = library.nvvmVerifyProgram if check else library.nvvmCompileProgram
        self.result = call(self.handle, len(options), strings(options))
        self.log = self.get("ProgramLog")[:-1].decode()
        if self.result == 0 and not check:
            self.text = self.get("CompiledResult")

    def get(self, what):
        size = c.c_size_t()
        assert getattr(self.library, f"nvvmGet{what}Size")(self.handle, c.byref(size)) == 0
        text = c.create_string_buffer(size.value)
        assert getattr(self.library, f"nvvmGet{what}")(self.handle, text) == 0
        return text.raw

    def __del__(self):
        self.library.nvvmDestroyProgram(c.byref(self.handle))


class Driver:
    """The driver, to run what was made."""

    def __init__(self):
        self.cuda = c.CDLL("libcuda.so.1")
        self.device, self.context = c.c_int(), c.c_void_p()
        self.check(self.cuda.cuInit(0))
        self.check(self.cuda.cuDeviceGet(c.byref(self.device), 0))
        self.check(self.cuda.cuDevicePrimaryCtxRetain(c.byref(self.context), self.device))
        self.check(self.cuda.cuCtxSetCurrent(self.context))

    @staticmethod
    def check(error):
        assert error == 0, error

    def run(self, image, kernel, values, kind=c.c_int, threads=1, blocks=1, cooperative=False):
        """A kernel with an array of values: the array afterwards."""
        module, function, memory = c.c_void_p(), c.c_void_p(), c.c_uint64()
        self.check(self.cuda.cuModuleLoadData(c.byref(module), image))
        self.check(self.cuda.cuModuleGetFunction(c.byref(function), module, kernel.encode()))
        array = (kind * len(values))(*values)
        self.check(self.cuda.cuMemAlloc_v2(c.byref(memory), c.c_size_t(c.sizeof(array))))
        self.check(self.cuda.cuMemcpyHtoD_v2(memory, array, c.c_size_t(c.sizeof(array))))
        arguments = (c.c_void_p * 1)(c.cast(c.byref(memory), c.c_void_p))
        shape = (blocks, 1, 1, threads, 1, 1, 0, None, arguments)
        if cooperative:
            self.check(self.cuda.cuLaunchCooperativeKernel(function, *shape))
        else:
            self.check(self.cuda.cuLaunchKernel(function, *shape, None))
        self.check(self.cuda.cuMemcpyDtoH_v2(array, memory, c.c_size_t(c.sizeof(array))))
        self.check(self.cuda.cuMemFree_v2(memory))
        self.check(self.cuda.cuModuleUnload(module))
        return list(array)
