# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC through ctypes, for the tests of the compiler libraries."""
import ctypes as c


def strings(words):
    return (c.c_char_p * max(1, len(words)))(*[word.encode() if isinstance(word, str) else word for word in words])


class Compilation:
    """A program, compiled: `result`, `log`, and of what was made `ptx` and `lowered` by name expression."""

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
