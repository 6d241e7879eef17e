#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The toolkit's smaller programs: what compilers and build systems ask of them. Usage: cuda_tool_test.py TOOLKIT"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLKIT = Path(sys.argv.pop(1)).resolve()
KERNEL = """extern __device__ int helper(int);
extern "C" __global__ void kernel(int *p) { *p = helper(*p); }"""
HELPER = "__device__ int helper(int x) { return x * 6; }"


class Tools(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_tool(self, tool, *words):
        return subprocess.run(
            [TOOLKIT / "bin" / tool, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=120
        )

    def succeeds(self, tool, *words):
        done = self.run_tool(tool, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), (tool, words))
        return done.stdout

    def fails(self, tool, *words):
        done = self.run_tool(tool, *words)
        self.assertEqual((done.returncode, done.stdout), (255, ""), (tool, words))
        self.assertTrue(done.stderr.startswith(f"{tool} fatal   : "), done.stderr)
        return done.stderr

    def source(self, name, text, *options):
        """A source, compiled to PTX."""
        (self.folder / f"{name}.cu").write_text(text)
        self.succeeds("nvcc", "--ptx", "-arch=sm_80", "-o", f"{name}.ptx", *options, f"{name}.cu")
        return f"{name}.ptx"

    def test_versions(self):
        for tool in ("ptxas", "fatbinary", "nvlink", "cuobjdump", "nvdisasm", "bin2c"):
            for word in ("--version", "-V"):
                text = self.succeeds(tool, word)
                # What Triton and CMake look for.
                self.assertRegex(text, r"Cuda compilation tools, release \d+\.\d+, V\d+\.\d+\.\d+")
                self.assertIn("not NVIDIA's", text)

    def test_ptxas(self):
        ptx = self.source("kernel", HELPER + KERNEL.replace("extern __device__ int helper(int);", ""))
        # As Triton calls it.
        self.succeeds(
            "ptxas", "-lineinfo", "--regAllocOptLevel=2", "--fmad=false", "--gpu-name=sm_80", ptx, "-o", "kernel.o"
        )
        content = (self.folder / "kernel.o").read_bytes()
        self.assertEqual(content, (self.folder / ptx).read_bytes() + b"\0")
        self.succeeds("ptxas", "-arch", "sm_90a", "-O3", "-c", "-m64", ptx, "-o", "kernel.o")
        done = self.run_tool("ptxas", "-v", "-arch=sm_80", "--maxrregcount=24", ptx, "-o", "kernel.o")
        self.assertEqual(done.returncode, 0)
        self.assertIn("'kernel'", done.stderr)
        self.assertIn(b".maxnreg 24", (self.folder / "kernel.o").read_bytes())
        self.assertIn("sm_75", self.fails("ptxas", "-arch=sm_75", ptx))
        self.assertIn("sm_12", self.fails("ptxas", "-arch=sm_12", ptx))
        self.assertIn("--no-such-option", self.fails("ptxas", "--no-such-option", ptx))
        self.assertIn("none.ptx", self.fails("ptxas", "none.ptx"))
        (self.folder / "wrong.ptx").write_text("this is no PTX")
        self.assertIn("wrong.ptx", self.fails("ptxas", "wrong.ptx"))
        self.fails("ptxas")

    def test_fatbinary(self):
        ptx = self.source("kernel", HELPER)
        self.succeeds("ptxas", ptx, "-o", "kernel.cubin", "-arch=sm_80")
        self.succeeds("fatbinary", "-64", "--create=all.fatbin", "--ident=kernel.cu", "--cmdline=",
                      "--image3=kind=elf,sm=80,file=kernel.cubin", f"--image=profile=compute_80,file={ptx}")  # fmt: skip
        listing = self.succeeds("cuobjdump", "--list-ptx", "all.fatbin")
        self.assertEqual(listing, "PTX file    1: all.1.sm_80.ptx\nPTX file    2: all.2.sm_80.ptx\n")
        self.fails("fatbinary", "--create=x.fatbin")
        self.fails("fatbinary", "--create=x.fatbin", "--image=profile=sm_80")
        self.assertIn("--embedded-fatbin", self.fails("fatbinary", "--embedded-fatbin=x.c", f"--image=file={ptx}"))

    def test_nvlink(self):
        one, two = self.source("one", KERNEL, "-rdc=true"), self.source("two", HELPER, "-rdc=true")
        self.succeeds("nvlink", "-arch=sm_80", "-m64", one, two, "-o", "linked.cubin")
        text = self.succeeds("cuobjdump", "--dump-ptx", "linked.cubin")
        for name in (".entry kernel", ".func  (.param .b32 func_retval0) _Z6helperi"):
            self.assertIn(name, text)
        subprocess.run(["ar", "rc", "libtwo.a", two], cwd=self.folder, check=True)
        self.succeeds("nvlink", "-arch=sm_80", one, "-L.", "-ltwo", "-o", "library.cubin")
        self.assertEqual(self.succeeds("cuobjdump", "--dump-ptx", "library.cubin"), text)
        # The same from objects of the host's; one without device code has nothing to add.
        (self.folder / "host.cpp").write_text("int host;")
        for name in ("one.cu", "two.cu", "host.cpp"):
            self.succeeds("nvcc", "-dc", "-arch=sm_80", name)
        self.succeeds("nvlink", "-arch=sm_80", "one.o", "two.o", "host.o", "-o", "objects.cubin")
        self.assertEqual(self.succeeds("cuobjdump", "--dump-ptx", "objects.cubin").count(".visible .entry kernel"), 1)
        self.assertIn("_Z6helperi", (self.folder / "objects.cubin").read_text())
        (self.folder / "machine.cubin").write_bytes(b"\x7fELF\2\1\1".ljust(18, b"\0") + b"\xbe".ljust(64, b"\0"))
        self.assertIn("machine code", self.fails("nvlink", "-arch=sm_80", "machine.cubin"))
        self.assertIn("_Z6helperi", self.fails("nvlink", "-arch=sm_80", two, two, "-o", "x"))
        self.assertIn("none", self.fails("nvlink", "-arch=sm_80", one, "-lnone"))
        (self.folder / "headless.ptx").write_text(".version 8.0\n.address_size 64\n")
        self.assertIn(".target", self.fails("nvlink", "-arch=sm_80", "headless.ptx"))
        self.assertIn("runtime library", self.fails("nvlink", "--register-link-binaries=x.h", one))

    def test_cuobjdump(self):
        (self.folder / "program.cu").write_text("__global__ void kernel() {} int main() { kernel<<<1, 1>>>(); }")
        self.succeeds("nvcc", "-arch=sm_86", "-o", "program", "program.cu")
        self.assertEqual(self.succeeds("cuobjdump", "-lptx", "program"), "PTX file    1: program.1.sm_86.ptx\n")
        self.assertEqual(self.succeeds("cuobjdump", "--list-elf", "program"), "")
        self.succeeds("cuobjdump", "-xptx", "all", "program")
        self.assertIn(".entry", (self.folder / "program.1.sm_86.ptx").read_text())
        for option in ("-sass", "--dump-elf", "--dump-resource-usage", "-xelf=all"):
            self.assertIn("there is no machine code", self.fails("cuobjdump", option, "program"))
        (self.folder / "plain").write_text("nothing")
        self.assertIn("does not contain device code", self.fails("cuobjdump", "-lptx", "plain"))

    def test_nvdisasm(self):
        self.assertIn("there is no machine code", self.fails("nvdisasm", "x.cubin"))

    def test_bin2c(self):
        data = bytes(range(256)) + b"odd"
        (self.folder / "data").write_bytes(data)
        (self.folder / "print.cpp").write_text(
            """#include <cstdio>
            #include "array.h"
            int main() { std::fwrite(ARRAY, 1, sizeof ARRAY, stdout); }"""
        )
        for size, words in (1, []), (2, ["-t", "short"]), (4, ["--type=int", "-st"]), (8, ["--type", "longlong", "-c"]):
            (self.folder / "array.h").write_text(self.succeeds("bin2c", "--name", "array", *words, "data"))
            subprocess.run(["g++", "-DARRAY=array", "print.cpp", "-o", "print"], cwd=self.folder, check=True)
            printed = subprocess.run(["./print"], cwd=self.folder, check=True, capture_output=True).stdout
            self.assertEqual(printed, data + bytes(-len(data) % size))
        text = self.succeeds("bin2c", "-l", "--padd", "0,0x41", "data")
        self.assertIn("unsigned char imageBytes[] = {\n0x00,0x01,", text)
        self.assertIn(",0x64,0x00,0x41\n};", text)
        self.assertIn("uint32_t imageBytesLength = 261;", text)
        self.assertIn("long", self.fails("bin2c", "--type=long", "data"))
        self.assertIn("--padd", self.fails("bin2c", "--padd=256", "data"))
        self.assertIn("none", self.fails("bin2c", "none"))
        self.fails("bin2c")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
