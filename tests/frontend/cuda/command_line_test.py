#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of understudy-nvcc: spellings, outputs, messages. Usage: command_line_test.py NVCC"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NVCC = Path(sys.argv.pop(1)).absolute()
KERNEL = 'extern "C" __global__ void kernel(int *a) { a[0] = VALUE; }\n'


def texts_of(image):
    """The PTX texts of a container, read as frontend/cuda/ptx_container.h describes it."""
    magic, version, entries, size = struct.unpack_from("<8sIIQ", image)
    assert (magic, version, size) == (b"USTDYPTX", 1, len(image)), image[:24]
    result = {}
    for i in range(entries):
        architecture, flags, offset, length = struct.unpack_from("<IIQQ", image, 24 + 24 * i)
        assert image[offset + length] == 0
        result[architecture] = (flags, image[offset : offset + length].decode())
    return result


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "kernel.cu").write_text(KERNEL)

    standard_input = ""

    def nvcc(self, *arguments, **environment):
        return subprocess.run(
            [NVCC, *arguments],
            cwd=self.folder,
            input=self.standard_input,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=100,
        )

    def good(self, *arguments, **environment):
        run = self.nvcc(*arguments, **environment)
        self.assertEqual((run.returncode, run.stderr), (0, ""), arguments)
        return run.stdout

    def bad(self, message, *arguments, **environment):
        run = self.nvcc(*arguments, **environment)
        self.assertNotEqual(run.returncode, 0, arguments)
        self.assertLess(run.returncode, 128)
        self.assertEqual(run.stdout, "")
        self.assertIn(message, run.stderr)

    def test_unused_variables(self):
        """As nvcc, once, of the host's functions too, and without being asked."""
        (self.folder / "unused.cu").write_text(
            "int host() { int first; return 0; }\n__global__ void k() { int second; }\n"
        )
        run = self.nvcc("-c", "unused.cu")
        self.assertEqual(run.returncode, 0)
        for place, name in (("1:18", "first"), ("2:27", "second")):
            self.assertEqual(run.stderr.count(f"unused.cu:{place}: warning: unused variable '{name}'"), 1)
        self.good("-w", "-c", "unused.cu")

    def test_device_c_beside_what_is_made(self):
        self.good("--ptx", "-dc", "-DVALUE=1", "kernel.cu", "-o", "kernel.ptx")
        self.assertIn(".entry kernel", (self.folder / "kernel.ptx").read_text())

    def test_device_link(self):
        """Beside --cubin and --fatbin, wherever it stands: the objects' device code, linked; alone an object."""
        (self.folder / "caller.cu").write_text(
            "__device__ int helper(int);\n" 'extern "C" __global__ void caller(int *a) { *a = helper(*a); }\n'
        )
        (self.folder / "helper.cu").write_text("__device__ int helper(int x) { return x + 42; }\n")
        self.good("-dc", "-arch=sm_80", "caller.cu", "helper.cu")
        for option in ("--cubin", "--fatbin"):
            for words in [option, "-dlink"], ["--device-link", option]:
                self.good("-gencode=arch=compute_80,code=sm_80", *words, "caller.o", "helper.o", "-lcudadevrt")
                image = (self.folder / f"a_dlink{option.replace('--', '.')}").read_bytes()
                self.assertRegex(image, rb"(?s)\.target sm_80.*\.entry caller\(.*\.visible \.func [^;{]*_Z6helperi\(")
                self.assertEqual(image.startswith(b"USTDYPTX"), option == "--fatbin")
        twice = self.nvcc("--cubin", "-dlink", "helper.o", "helper.o", "-o", "twice.cubin")
        self.assertRegex(twice.stderr, "nvlink fatal .*_Z6helperi")
        self.assertNotEqual(twice.returncode, 0)
        self.good("-dlink", "caller.o", "helper.o", "-o", "both.o")
        self.assertEqual((self.folder / "both.o").read_bytes()[:4], b"\x7fELF")

    def test_libraries_are_no_sources(self):
        """ "-o" names the object of one source, whatever is linked later."""
        self.good("-DVALUE=1", "-lm", "-c", "kernel.cu", "-o", "one.o")
        self.assertTrue((self.folder / "one.o").exists())
        two = self.nvcc("-DVALUE=1", "-c", "kernel.cu", "kernel.cu", "-o", "two.o")
        self.assertIn("one output file was named for 2 inputs", two.stderr)

    def test_older_runtimes_come_first(self):
        """Its functions are those of the release, also where a program names the toolkit's folder."""
        (self.folder / "old.cu").write_text("int main() { return cudaThreadSynchronize(); }\n")
        folder = NVCC.parent.parent / "lib64"
        self.good(f"-L{folder}", "old.cu", "-o", "old", UNDERSTUDY_CUDA_VERSION="11.8")

    def test_headers_of_another_toolkit(self):
        """Whoever names their folder, ours are read; what only it has is found, with its neighbours."""
        other = self.folder / "other"
        (other / "crt").mkdir(parents=True)
        for name in ("cuda_runtime_api.h", "device_types.h", "crt/host_defines.h", "cuda_fp16.h"):
            (other / name).write_text("#error not ours\n")
        guarded = "#ifndef __VECTOR_TYPES_H__\nstruct char1 { signed char x; };\n#endif\n"
        (other / "vector_types.h").write_text(guarded)
        (other / "solver.h").write_text('#include "vector_types.h"\n#define ANSWER 42\n')
        (self.folder / "solve.cu").write_text(
            "#include <cuda_fp16.h>\n#include <cuda_runtime_api.h>\n#include <solver.h>\n"
            "__global__ void kernel(char1 *a) { a->x = ANSWER; }\nint main() { return ANSWER == 41; }\n"
        )
        (self.folder / "solve.cpp").write_text("#include <cuda_runtime_api.h>\n#include <solver.h>\nint a = ANSWER;\n")
        for words in (["-Iother"], ["-I", "other"], ["-isystem", "other"], [f"--include-path={other}"]):
            for source in ("solve.cu", "solve.cpp"):
                self.good(*words, "-c", source, "-o", "solve.o")

    def test_open_mp_header(self):
        """Also where nobody asks for OpenMP."""
        (self.folder / "header.cu").write_text(
            "#include <omp.h>\nstatic omp_lock_t *lock;\nint main() { return lock != 0; }\n"
        )
        self.good("header.cu", "-o", "header")

    @unittest.skipIf(os.environ.get("US_SHARED_LLVM") == "ON", "Clang's own library has it")
    def test_second_evaluator_is_left_out(self):
        """Clang's second evaluator of constants is not linked in (frontend/absent_evaluator.cpp): who asks hears so."""
        (self.folder / "constant.cu").write_text("static_assert(6 * 7 == 42);\n")
        self.good("-c", "constant.cu")
        option = "-fexperimental-new-constant-interpreter"
        self.bad(f"{option} is not part of this compiler", "-c", "constant.cu", "-Xcompiler", option)

    def test_version(self):
        text = self.good("--version")
        # What CMake, PyTorch's extensions and others look for, and who it really is.
        self.assertRegex(text, r"release 13\.0, V13\.0\.\d+")
        self.assertIn("understudy-nvcc", text)
        self.assertIn("not NVIDIA's", text)
        self.assertEqual(self.good("-V"), text)
        self.assertRegex(self.good("--version", UNDERSTUDY_CUDA_VERSION="11.8"), r"release 11\.8, V11\.8\.\d+")
        self.bad("UNDERSTUDY_CUDA_VERSION is 'new'", "--version", UNDERSTUDY_CUDA_VERSION="new")
        # ggml asks so who compiles the host's half, with an input that is not there.
        self.assertRegex(self.good(".c", "-Xcompiler", "--version"), r"^clang version 19\.\d+\.\d+\n$")
        self.assertRegex(self.good(".c", "-Xcompiler", "-dumpfullversion -dumpversion"), r"^19\.\d+\.\d+\n$")

    def test_outputs(self):
        for option, name in (
            ("--ptx", "kernel.ptx"),
            ("-ptx", "kernel.ptx"),
            ("--cubin", "kernel.cubin"),
            ("-cubin", "kernel.cubin"),
            ("--fatbin", "kernel.fatbin"),
        ):
            self.assertEqual(self.good(option, "-DVALUE=7", "-arch", "sm_86", "kernel.cu"), "")
            content = (self.folder / name).read_bytes()
            text = content.decode() if name.endswith("ptx") else texts_of(content)[86][1]
            self.assertIn(".target sm_86", text)
            self.assertIn(".entry kernel", text)
            (self.folder / name).unlink()
            self.assertEqual([p.name for p in self.folder.iterdir()], ["kernel.cu"])

    def test_spellings(self):
        for arguments in (
            ["-DVALUE=41"],
            ["-D", "VALUE=41"],
            ["-D=VALUE=41"],
            ["--define-macro", "VALUE=41"],
            ["--define-macro=VALUE=41"],
        ):
            self.good("--ptx", "-o", "out", *arguments, "--gpu-architecture=compute_86", "-O3", "-m64", "kernel.cu")
            self.assertIn("41;", (self.folder / "out").read_text())
        (self.folder / "value.h").write_text("#define VALUE 42\n")
        for arguments in (["-include", "value.h"], ["-I.", "-include=value.h"], ["--pre-include", "value.h"]):
            self.good("--ptx", "--output-file=out", *arguments, "kernel.cu")
            self.assertIn("42;", (self.folder / "out").read_text())
        # What build systems add and device code does not need.
        self.good(
            "--ptx",
            "-DVALUE=1",
            "-forward-unknown-to-host-compiler",
            "-fPIC",
            "--expt-relaxed-constexpr",
            "--extended-lambda",
            "-Xcompiler=-Wall,-O2",
            "-Xptxas",
            "-v",
            "-Xptxas=-O3",
            "--ptxas-options=-v",
            "-lineinfo",
            "-std=c++17",
            "-ccbin",
            "g++",
            "-lcudadevrt",
            "-L/nowhere",
            "--maxrregcount=64",
            "-Wno-deprecated-gpu-targets",
            "--threads",
            "0",
            "-diag-suppress=177",
            "-rdc",
            "true",
            "--cudart=none",
            "-x",
            "cu",
            "kernel.cu",
        )

    def ptx(self, *arguments, source="float.cu"):
        self.good("--ptx", "-arch=sm_86", "-o", "out", *arguments, source)
        return (self.folder / "out").read_text()

    def test_each_option_in_both_spellings(self):
        (self.folder / "float.cu").write_text(
            "#ifndef VALUE\n#define VALUE 5\n#endif\n"
            'extern "C" __global__ void kernel(float *a) { a[0] = a[1] * a[2] + a[3]; a[4] = a[5] / a[6]; a[7] = sqrtf(a[8]); a[9] = VALUE;\n'
            " for (int i = 0; i < 3; ++i) a[10 + i] = i; }\n"
        )
        (self.folder / "headers").mkdir()
        (self.folder / "headers" / "value.h").write_text("#define VALUE 6\n")
        plain = self.ptx()
        # Two spellings give the same code; what the third column names is in it, and the fourth is not.
        for long, short, there, absent in (
            (["--gpu-architecture=sm_80"], ["-arch", "sm_80"], ".target sm_80", "sm_86"),
            (
                ["--gpu-architecture=compute_80", "--gpu-code=sm_80"],
                ["-arch=compute_80", "-code=sm_80"],
                ".target sm_80",
                "sm_86",
            ),
            (["--define-macro=VALUE=7"], ["-DVALUE=7"], "1088421888", "1084227584"),
            (
                ["--include-path=headers", "--pre-include", "value.h"],
                ["-I", "headers", "-include", "value.h"],
                "1086324736",
                "1084227584",
            ),
            (["--undefine-macro=VALUE"], ["-U", "VALUE"], "1084227584", None),
            (["--std=c++14"], ["-std=c++14"], ".entry kernel", None),
            (["--optimize=0"], ["-O0"], ".entry kernel", None),
            (["--debug"], ["-g"], ".entry kernel", None),
            (["--device-debug"], ["-G"], "debug_info", None),
            (["--generate-line-info"], ["-lineinfo"], ".loc", "debug_info"),
            (["--relocatable-device-code=true"], ["-rdc=true"], ".entry kernel", None),
            (["--use_fast_math"], ["-use_fast_math"], "div.approx.ftz.f32", "fma.rn.f32"),
            (["--ftz=true"], ["-ftz=true"], "fma.rn.ftz.f32", "fma.rn.f32"),
            (["--fmad=false"], ["-fmad=false"], "mul.rn.f32", "fma.rn.f32 "),
            (["--prec-div=false"], ["-prec-div=false"], "div.full.f32", "div.rn.f32"),
            (["--prec-sqrt=false"], ["-prec-sqrt=false"], "sqrt", None),
            (["--maxrregcount=24"], ["-maxrregcount", "24"], ".maxnreg 24", None),
            (["--ptxas-options=-v,-O2"], ["-Xptxas", "-v"], ".entry kernel", None),
            (["--compiler-options=-Wall"], ["-Xcompiler", "-Wall,-O2"], ".entry kernel", None),
            (
                ["--generate-code=arch=compute_80,code=sm_80"],
                ["-gencode", "arch=compute_80,code=sm_80"],
                ".target sm_80",
                None,
            ),
        ):
            both = []
            for spelling in (long, short):
                given = (
                    []
                    if any("code" in o and "arch=" in o or "arch" in o.split("=")[0] for o in spelling)
                    else ["-arch=sm_86"]
                )
                self.good("--ptx", "-o", "out", *given, *spelling, "float.cu")
                both.append((self.folder / "out").read_text())
            self.assertEqual(*both, long)
            self.assertIn(there, both[0], long)
            if absent:
                self.assertNotIn(absent, both[0], long)
                self.assertIn(absent, plain, long) if absent not in ("debug_info",) else None
        # No effect on device code, by intention: host debugging, the host compiler's and the assembler's options.
        # Square roots are correctly rounded whatever is asked for.
        for options in (["-g"], ["-Xptxas", "-O1,-v"], ["-Xcompiler", "-fopenmp"]):
            self.assertEqual(self.ptx(*options), plain)
        for long, short in (
            ("--preprocess", "-E"),
            ("--version", "-V"),
            ("--help", "-h"),
            ("--list-gpu-code", "-code-ls"),
        ):
            self.assertEqual(self.good(long, "float.cu"), self.good(short, "float.cu"))
        self.good("--cubin", "--keep", "--keep-dir=headers", "float.cu")
        self.good("-cubin", "-keep", "-keep-dir", "headers", "float.cu")
        self.assertTrue((self.folder / "headers" / "float.ptx").exists())
        self.bad("--maxrregcount takes a number of registers; it is 'many'", "--ptx", "--maxrregcount=many", "float.cu")

    def test_registers_are_limited_where_a_kernel_does_not_say(self):
        (self.folder / "two.cu").write_text(
            'extern "C" __global__ void a(int *p) { *p = 1; }\n'
            'extern "C" __global__ void __launch_bounds__(64) b(int *p) { *p = 2; }\n'
        )
        text = self.ptx("-maxrregcount=32", source="two.cu")
        self.assertEqual(text.count(".maxnreg 32"), 2)
        self.assertIn(".maxntid", text)
        self.assertNotIn("maxnreg", self.ptx("-maxrregcount=0", source="two.cu"))

    def test_flags_from_the_environment(self):
        self.good("kernel.cu", NVCC_APPEND_FLAGS="-ptx -o out", NVCC_PREPEND_FLAGS="-DVALUE=43")
        self.assertIn("43;", (self.folder / "out").read_text())
        # What is appended has the last word over the command line, and that over what stands in front.
        self.good(
            "-ptx",
            "-arch=sm_80",
            "-DVALUE=1",
            "-o",
            "first",
            "kernel.cu",
            NVCC_PREPEND_FLAGS="-o never",
            NVCC_APPEND_FLAGS="-o last",
        )
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name in ("never", "first", "last")], ["last"])
        self.bad("there is no option '-nonsense'", "--ptx", "-DVALUE=1", "kernel.cu", NVCC_APPEND_FLAGS="-nonsense")

    def test_options_file(self):
        (self.folder / "flags").write_text("-DVALUE=44\n--ptx -o out")
        self.good("--options-file", "flags", "kernel.cu")
        self.assertIn("44;", (self.folder / "out").read_text())
        # Quoted, as CMake writes them.
        (self.folder / "flags").write_text("-DVALUE='45' --ptx -o \"an output\"")
        self.good("--options-file", "flags", "kernel.cu")
        self.assertIn("45;", (self.folder / "an output").read_text())

    def test_architectures(self):
        self.good(
            "--fatbin",
            "-DVALUE=__CUDA_ARCH__",
            "-gencode",
            "arch=compute_80,code=sm_80",
            "-gencode=arch=compute_86,code=[sm_86,compute_86]",
            "kernel.cu",
        )
        texts = texts_of((self.folder / "kernel.fatbin").read_bytes())
        self.assertEqual(sorted(texts), [80, 86])
        self.assertIn("800;", texts[80][1])
        self.assertIn("860;", texts[86][1])
        self.bad(
            "programs, objects and --fatbin",
            "--cubin",
            "-gencode",
            "arch=compute_80,code=sm_80",
            "-gencode",
            "arch=compute_86,code=sm_86",
            "kernel.cu",
        )
        self.bad("no architecture 'sm_1000'", "--ptx", "-arch=sm_1000", "kernel.cu")
        self.assertIn("sm_86\n", self.good("--list-gpu-code"))
        self.assertIn("compute_35\n", self.good("--list-gpu-arch", UNDERSTUDY_CUDA_VERSION="11.8"))

    def test_container_flags(self):
        self.good("--cubin", "-DVALUE=1", "-rdc=true", "-G", "kernel.cu")
        self.assertEqual(texts_of((self.folder / "kernel.cubin").read_bytes())[75][0], 3)
        (self.folder / "made.ptx").write_text(".version 7.0\n")
        self.good("--cubin", "-arch=sm_80", "made.ptx")
        self.assertEqual(texts_of((self.folder / "made.cubin").read_bytes()), {80: (0, ".version 7.0\n")})

    def test_preprocess(self):
        text = self.good("--preprocess", "-DVALUE=45", "kernel.cu", "--compiler-options", "-P")
        self.assertIn("a[0] = 45;", text)
        self.assertNotIn("\n# ", text)
        self.assertRegex(self.good("-E", "-DVALUE=45", "kernel.cu"), r'(?m)^# 1 "kernel.cu"')
        self.assertRegex(self.good("-M", "-DVALUE=45", "kernel.cu"), r"kernel\.o: kernel\.cu")
        self.good("--ptx", "-DVALUE=1", "-MD", "-MT", "goal", "-MF", "kernel.d", "kernel.cu")
        self.assertRegex((self.folder / "kernel.d").read_text(), r"^goal: kernel\.cu")

    def test_macros(self):
        (self.folder / "macros.cu").write_text(
            "V __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ __NVCC__ __CUDACC__ __CUDACC_RDC__\n"
        )
        last = self.good("-E", "-rdc=true", "macros.cu").split("\n")
        self.assertIn("V 13 0 1 1 1", last)
        self.assertIn(
            "V 11 8 1 1 __CUDACC_RDC__", self.good("-E", "macros.cu", UNDERSTUDY_CUDA_VERSION="11.8").split("\n")
        )

    def test_keep(self):
        self.good("--cubin", "-DVALUE=46", "--keep", "kernel.cu")
        self.assertEqual(
            sorted(p.name for p in self.folder.iterdir()), ["kernel.cpp1.ii", "kernel.cu", "kernel.cubin", "kernel.ptx"]
        )
        self.assertIn("a[0] = 46;", (self.folder / "kernel.cpp1.ii").read_text())

    def test_plan(self):
        run = self.nvcc("--dryrun", "--ptx", "-DVALUE=1", "kernel.cu")
        self.assertEqual(run.returncode, 0)
        top = re.search(r"#\$ TOP=(.*)", run.stderr)[1]
        self.assertTrue((Path(top) / "include/cuda_runtime.h").exists())
        self.assertFalse((self.folder / "kernel.ptx").exists())

    def test_programs(self):
        (self.folder / "part.cu").write_text("extern int twice(int); int main() { return twice(21) != 42; }\n")
        (self.folder / "host.cpp").write_text("int twice(int x) { return 2 * x; }\n")
        (self.folder / "main.c").write_text("int class = 0; int main(void) { return class; }\n")
        # An object, of either language; a program, an archive and a library of them; where -x says what a file is.
        self.good("-c", "part.cu")
        self.good("-c", "-o", "twice.o", "host.cpp")
        self.good("-o", "program", "part.o", "twice.o")
        self.good("-lib", "-o", "libtwice.a", "twice.o")
        self.good("-L.", "-ltwice", "part.cu", "-o", "second", "-Xcompiler", "-Wall,-O1", "-Xlinker", "-rpath,/nowhere")
        self.good("-shared", "-Xcompiler", "-fPIC", "host.cpp", "-o", "libshared.so")
        self.good("main.c", "-o", "third")
        (self.folder / "named.txt").write_text("__global__ void k() {} int main() { return 0; }\n")
        self.good("-x", "cu", "named.txt", "-o", "fourth")
        for program in ("program", "second", "third", "fourth"):
            subprocess.run([self.folder / program], check=True)
        self.good("-run", "main.c")
        self.good("-c", "part.cu", "-MD", "-MF", "part.d", "-o", "again.o")
        self.assertIn("part.cu", (self.folder / "part.d").read_text())
        self.bad("--cudart takes none, shared or static", "--cudart", "dynamic", "part.cu")
        self.bad("cannot be started", "-ccbin", "/no/compiler", "part.cu")

    def test_standard_input(self):
        self.standard_input = "__global__ void k() {} int main() { return 0; }\n"
        self.good("-x", "cu", "-", "-o", "program")
        subprocess.run([self.folder / "program"], check=True)
        self.good("-x", "cu", "--ptx", "-")
        self.assertIn(".entry _Z1kv", (self.folder / "stdin.ptx").read_text())
        self.bad("what standard input is in is not known", "--ptx", "-")
        self.standard_input = "int missing = nothing;\n"
        self.bad("<stdin>:1:15: error: use of undeclared identifier 'nothing'", "-x", "cu", "--ptx", "-")

    def test_errors(self):
        (self.folder / "wrong.cu").write_text("__global__ void k() { missing(); }\n")
        self.bad("wrong.cu:1:23: error: use of undeclared identifier 'missing'", "--ptx", "wrong.cu")
        self.assertFalse((self.folder / "wrong.ptx").exists())
        self.bad("there is no option '--no-such-option'", "--ptx", "--no-such-option", "kernel.cu")
        self.bad("there is no file 'none.cu'", "--ptx", "none.cu")
        self.bad("no input file", "--ptx")
        self.bad("the value of '-o' is missing", "--ptx", "kernel.cu", "-o")
        self.bad("use of undeclared identifier 'VALUE'", "kernel.cu")
        self.bad("--generate-code names no architecture", "--ptx", "-gencode", "code=sm_86", "kernel.cu")
        self.bad("cannot be written", "--cubin", "-DVALUE=1", "-o", "/nowhere/out", "kernel.cu")
        self.bad("the option takes no value", "--ptx=yes", "kernel.cu")

    def test_help(self):
        self.assertIn("--gpu-architecture, -arch VALUE", self.good("--help"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
